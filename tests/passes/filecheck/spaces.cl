// Private, local and constant memory are not recorded and not named: that is by design. A
// printf is an effect, so a launch may not be repeated.
struct record {
	int x;
};
__constant int table[4] = { 1, 2, 3, 4 };
__kernel void spaces(__constant int *c, __local int *l, __global int *g, struct record v)
{
	int own[8];

	for (int i = 0; i < 8; i++)
		own[i] = c[i] + l[i] + table[i & 3];
	l[0] = own[g[0] & 7];
	printf("%d\n", v.x);
}
// OPTIONS: --address-bits 64
// TABLE: "writes_unknown":false,"is_repeatable":false
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":2,
// TABLE-NOT: {"kind"
// TABLE: "loops":[]
// TABLE: {"name":"c",{{.*}}"space":2,
// TABLE: {"name":"l",{{.*}}"space":3,
// TABLE: {"name":"g",{{.*}}"space":1,"is_written":false}
// TABLE: {"name":"v",{{.*}}"space":0,
// TABLE: "unrecorded":[]

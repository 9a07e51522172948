// What a GPU's compiler leaves: a value that is there already is not loaded again, what does not
// change in a loop is loaded before it, and the loop is as it was: no memset(), no table.
// OPTIONS: --opt gpu
__kernel void optimised(__global const int *restrict a, __global int *restrict b, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[i] * a[n] + a[i];
	b[0] = sum;
	for (int i = 0; i < n; i++)
		b[i + 1] = 0;
	switch (n) {
	case 1: b[0] = 5; break;
	case 2: b[0] = 17; break;
	case 3: b[0] = 3; break;
	case 4: b[0] = 11; break;
	case 5: b[0] = 29; break;
	}
}
// CHECK-NOT: switch.table
// CHECK-NOT: call {{.*}}memset
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":0,"place":["optimised.cl",9,17]
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":0,"argument":0,"place":["optimised.cl",9,10]
// TABLE-NOT: {"kind":"read"
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":1,"argument":1,"place":["optimised.cl",12,
// TABLE: "loops":[
// TABLE: {"parent":-1,"depth":1,
// TABLE: {"parent":-1,"depth":1,
// TABLE-NOT: {"parent"

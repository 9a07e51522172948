// Which argument a pointer comes from: through selects and phis when all agree, not when they differ,
// and not through memory, where its space is all that is known.
struct node {
	__global int *data;
	int n;
};
__kernel void origins(__global int *a, __global int *b, __global struct node *nodes, int n)
{
	__global int *same = n & 1 ? a : a + 5, *either = n & 2 ? a : b;
	__global int *walk = a;

	same[0] = 1;
	either[0] = 2;
	while (*walk)
		walk += *walk;
	nodes[n].data[1] = 4;
}
// TABLE: "writes_unknown":true
// TABLE: {"kind":"write",{{.*}}"argument":0,"place":["origins.cl",12,
// TABLE: {"kind":"write",{{.*}}"argument":-1,"place":["origins.cl",13,
// TABLE: {"kind":"read",{{.*}}"argument":0,"place":["origins.cl",14,
// TABLE: {"kind":"read",{{.*}}"argument":0,"place":["origins.cl",15,
// TABLE: {"kind":"read","bytes":8,"space":1,"loop":-1,"argument":2,"place":["origins.cl",16,
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":-1,"place":["origins.cl",16,
// TABLE-NOT: {"kind"

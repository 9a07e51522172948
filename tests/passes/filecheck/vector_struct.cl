// Vectors are one access of their size, struct copies one of theirs; float3 takes 16 bytes.
struct particle {
	float4 position;
	int charge[3];
	char kind;
};

__kernel void copy(__global struct particle *to, __global const struct particle *from,
                   __global double2 *d, __global float3 *t, __global uchar *c)
{
	size_t i = get_global_id(0);
	to[i] = from[i];
	struct particle p = from[i + 1];
	d[i] = d[i + 1];
	t[i] = t[i + 1];
	c[i] = (uchar)p.charge[1];
}
// sizeof(struct particle): 16 + 12 + 1, rounded to 16's multiple = 32.
// TABLE: {"kind":"read","bytes":32,{{.*}}"argument":1,"place":["vector_struct.cl",12
// TABLE: {"kind":"write","bytes":32,{{.*}}"argument":0,"place":["vector_struct.cl",12
// TABLE: {"kind":"read","bytes":32,{{.*}}"argument":1,"place":["vector_struct.cl",13
// TABLE: {"kind":"read","bytes":16,{{.*}}"argument":2,"place":["vector_struct.cl",14
// TABLE: {"kind":"write","bytes":16,{{.*}}"argument":2,"place":["vector_struct.cl",14
// TABLE: {"kind":"read","bytes":16,{{.*}}"argument":3,"place":["vector_struct.cl",15
// TABLE: {"kind":"write","bytes":16,{{.*}}"argument":3,"place":["vector_struct.cl",15
// TABLE: {"kind":"write","bytes":1,{{.*}}"argument":4,"place":["vector_struct.cl",16
// TABLE-NOT: {"kind"

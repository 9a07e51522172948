// What a GPU's compiler leaves of vectors and structures: vectors stay whole, up to 16 bytes; members are loads of
// their own, but for neighbours in an aligned piece of 8 or 16 bytes.
// OPTIONS: --opt gpu
struct three {
	float x, y, z;
};
struct __attribute__((aligned(16))) four {
	float x, y, z, w;
};
struct padded {
	int a;
	char b;
};
__kernel void vector(__global const float4 *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i].x + a[i].w;
	b[i] += a[i].y;
}
// TABLE: "name":"vector",
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-6]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// clang reads the vector, changes the lane and writes the vector.
__kernel void one_lane(__global const float4 *a, __global float4 *b)
{
	int i = get_global_id(0);

	b[i].x = a[i].y;
}
// TABLE: "name":"one_lane",
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"b[i].x"
// TABLE-NEXT: {"kind":"write","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i].x"
// TABLE-NEXT: ,"loops"
// 32 bytes are two accesses.
__kernel void eight(__global const float8 *a, __global float8 *b)
{
	int i = get_global_id(0);

	b[i] = a[i] * 2;
}
// TABLE: "name":"eight",
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"write","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-6]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void unaligned(__global const float *a, __global float *b)
{
	int i = get_global_id(0);

	vstore4(vload4(i, a), i, b);
}
// TABLE: "name":"unaligned",
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"vload4(i, a)"
// TABLE-NEXT: {"kind":"write","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"vstore4(vload4(i, a), i, b)"
// TABLE-NEXT: ,"loops"
__kernel void members(__global const struct three *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i].x * a[i].x + a[i].y * a[i].y + a[i].z * a[i].z;
}
// TABLE: "name":"members",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i].x"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a[i].y"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"a[i].z"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-6]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void copy(__global const struct three *a, __global struct three *b)
{
	int i = get_global_id(0);

	b[i] = a[i];
}
// TABLE: "name":"copy",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-6]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-7]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-8]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// `y` is not wanted.
__kernel void private_copy(__global const struct three *a, __global float *b)
{
	int i = get_global_id(0);
	struct three s = a[i];

	b[i] = s.x + s.z;
}
// TABLE: "name":"private_copy",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-6]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void aligned(__global const struct four *a, __global struct four *b)
{
	int i = get_global_id(0);

	b[i] = a[i];
}
// TABLE: "name":"aligned",
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// Across what is not read.
__kernel void gap(__global const struct four *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i].x + a[i].z;
}
// TABLE: "name":"gap",
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i].x"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// The first of them does not begin a piece of 8 or 16 bytes.
__kernel void no_start(__global const struct four *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i].y + a[i].w;
}
// TABLE: "name":"no_start",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i].y"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a[i].w"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void halves(__global const struct four *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i].w + a[i].z;
}
// TABLE: "name":"halves",
// TABLE-NEXT: {"kind":"read","bytes":8,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i].w"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// Nothing is written that the source does not write.
__kernel void stored(__global struct four *b, float x)
{
	int i = get_global_id(0);

	b[i].x = x;
	b[i].y = x + 1;
	b[i].w = x + 3;
}
// TABLE: "name":"stored",
// TABLE-NEXT: {"kind":"write","bytes":8,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i].x"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"b[i].w"
// TABLE-NEXT: ,"loops"
// `b` may be a part of `a`.
__kernel void between(__global const struct four *a, __global float *b)
{
	int i = get_global_id(0);
	float x = a[i].x;

	b[i] = x;
	b[i + 64] = a[i].y;
}
// TABLE: "name":"between",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-6]],{{.*}},"expression":"a[i].x"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"a[i].y"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-6]],{{.*}},"expression":"b[i + 64]"
// TABLE-NEXT: ,"loops"
// Aligned to 16 bytes, of which it has 12: nothing is loaded that may lie past the memory.
typedef struct three __attribute__((aligned(16))) aligned_three;
__kernel void past(__global const aligned_three *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a->x + a->y + a->z;
}
// TABLE: "name":"past",
// TABLE-NEXT: {"kind":"read","bytes":8,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a->x"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a->z"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void past_gap(__global const aligned_three *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a->x + a->z;
}
// TABLE: "name":"past_gap",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a->x"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a->z"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void inside(__global const struct four *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i].x + a[i].y + a[i].z;
}
// TABLE: "name":"inside",
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i].x"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// The bytes between the members belong to the copy: two of 4 bytes.
__kernel void padding(__global const struct padded *a, __global struct padded *b)
{
	int i = get_global_id(0);

	b[i] = a[i];
}
// TABLE: "name":"padding",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-6]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void always(__global const volatile struct four *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i].x + a[i].y;
}
// TABLE: "name":"always",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-3]],{{.*}},"expression":"a[i].x"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-4]],{{.*}},"expression":"a[i].y"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"

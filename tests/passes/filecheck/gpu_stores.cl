// What a GPU's compiler leaves of stores: what is overwritten before anything can see it is not made,
// and what was stored is not loaded again.
// OPTIONS: --opt gpu
__kernel void overwritten(__global float *b)
{
	int i = get_global_id(0);

	b[i] = 1;
	b[i] = 2;
}
// TABLE: "name":"overwritten",
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-3]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// `a` may be `b`.
__kernel void seen(__global const float *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = 1;
	b[i] = a[i];
}
// TABLE: "name":"seen",
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void seen_by_others(__global float *restrict b)
{
	int i = get_global_id(0);

	b[i] = 1;
	barrier(CLK_GLOBAL_MEM_FENCE);
	b[i] = 2;
}
// TABLE: "name":"seen_by_others",
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"barrier","bytes":0,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-5]],{{.*}}
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void stored(__global const float *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i] + 1;
	b[i + 64] = b[i] * 2;
}
// TABLE: "name":"stored",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-5]],{{.*}},"expression":"b[i + 64]"
// TABLE-NEXT: ,"loops"
__kernel void in_both(__global float *b, int c)
{
	int i = get_global_id(0);

	if (i > c)
		b[i] = 1;
	else
		b[i] = 2;
}
// TABLE: "name":"in_both",
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void elsewhere(__global float *a, __global float *b, int c)
{
	int i = get_global_id(0);

	if (i > c)
		a[i] = 1;
	else
		b[i] = 1;
}
// TABLE: "name":"elsewhere",
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_stores.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"

// What a GPU's compiler leaves of loads: one of those that must give the same value.
// OPTIONS: --opt gpu
__kernel void twice(__global const float *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i] * a[i] + a[i];
}
// TABLE: "name":"twice",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-3]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// `b` may be `a`: the second is a load of its own.
__kernel void may_alias(__global const float *a, __global float *b)
{
	int i = get_global_id(0);
	float x = a[i];

	b[i] = -x;
	b[i + 100] = a[i];
}
// TABLE: "name":"may_alias",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"b[i + 100]"
// TABLE-NEXT: ,"loops"
// Also when the types differ.
__kernel void may_alias_int(__global const float *a, __global int *b)
{
	int i = get_global_id(0);
	float x = a[i];

	b[i] = 5;
	b[i + 100] = a[i] > x;
}
// TABLE: "name":"may_alias_int",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"b[i + 100]"
// TABLE-NEXT: ,"loops"
__kernel void no_alias(__global const float *restrict a, __global float *restrict b)
{
	int i = get_global_id(0);
	float x = a[i];

	b[i] = x;
	b[i + 100] = a[i];
}
// TABLE: "name":"no_alias",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"b[i + 100]"
// TABLE-NEXT: ,"loops"
// Local memory is not global memory.
__kernel void other_memory(__global const float *a, __global float *b, __local float *l)
{
	int i = get_global_id(0);

	l[i] = a[i];
	b[i] = a[i] + l[i + 1];
}
// TABLE: "name":"other_memory",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void over_barrier(__global const float *restrict a, __global float *restrict b)
{
	int i = get_global_id(0);
	float x = a[i];

	barrier(CLK_GLOBAL_MEM_FENCE);
	b[i] = a[i] + x;
}
// TABLE: "name":"over_barrier",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"barrier","bytes":0,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}}
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void over_fence(__global const float *restrict a, __global float *restrict b)
{
	int i = get_global_id(0);
	float x = a[i];

	mem_fence(CLK_GLOBAL_MEM_FENCE);
	b[i] = a[i] + x;
}
// TABLE: "name":"over_fence",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"fence","bytes":0,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}}
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void over_atomic(__global const float *a, __global float *b, __global int *c)
{
	int i = get_global_id(0);
	float x = a[i];

	atomic_inc(c); // first
	atomic_inc(c); // second
	b[i] = a[i] + x;
}
// TABLE: "name":"over_atomic",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-7]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"atomic","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}}
// TABLE-NEXT: {"kind":"atomic","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}}
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-7]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void always(__global const volatile float *a, __global volatile float *b)
{
	int i = get_global_id(0);

	b[i] = 0;
	b[i] = a[i] + a[i];
}
// TABLE: "name":"always",
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void in_both(__global const float *a, __global float *b, int c)
{
	int i = get_global_id(0);
	float x;

	if (i > c)
		x = a[i] + 1;
	else
		x = a[i] * 2;
	b[i] = x;
}
// TABLE: "name":"in_both",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-6]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void in_one(__global const float *a, __global float *b, int c)
{
	int i = get_global_id(0);
	float x = 0;

	if (i > c)
		x = a[i] * 2;
	b[i] = x + a[i];
}
// TABLE: "name":"in_one",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void not_used(__global const float *a, __global float *b)
{
	int i = get_global_id(0);
	float x = a[i];

	b[i] = 1;
}
// TABLE: "name":"not_used",
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-3]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// A function with a pointer for a second result writes there and nowhere else.
__kernel void over_result(__global const float *a, __global float *b)
{
	int i = get_global_id(0);
	float x = a[i], whole;

	b[i] = modf(x, &whole) + a[i] + whole;
}
// TABLE: "name":"over_result",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-5]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loads.cl",[[#@LINE-4]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"

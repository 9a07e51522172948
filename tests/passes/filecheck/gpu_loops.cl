// What a GPU's compiler leaves of accesses in loops: what is the same in every iteration is loaded before the
// loop, what the iteration before had is kept, and both have the place where the source has them.
// OPTIONS: --opt gpu
__kernel void invariant(__global const float *a, __global const float *b, __global float *c, int n)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[i] * b[k];
	c[i] = sum;
}
// TABLE: "name":"invariant",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-4]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"b[k]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"c[i]"
// TABLE-NEXT: ,"loops"
// What is stored may be what is loaded.
__kernel void changed(__global const float *a, __global float *b, int n)
{
	int i = get_global_id(0);

	for (int k = 0; k < n; k++)
		b[k * 32 + i] += a[i];
}
// TABLE: "name":"changed",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-3]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-4]],{{.*}},"expression":"b[k * 32 + i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"b[k * 32 + i]"
// TABLE-NEXT: ,"loops"
// The sum is in a register, but others may look at it.
__kernel void sum(__global const float *a, __global float *b, int n)
{
	int i = get_global_id(0);

	for (int k = 0; k < n; k++)
		b[i] += a[k * 32 + i];
}
// TABLE: "name":"sum",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-3]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-4]],{{.*}},"expression":"a[k * 32 + i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void sum_alone(__global const float *restrict a, __global float *restrict b, int n)
{
	int i = get_global_id(0);

	for (int k = 0; k < n; k++)
		b[i] += a[k * 32 + i];
}
// TABLE: "name":"sum_alone",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-3]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-4]],{{.*}},"expression":"a[k * 32 + i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// What the next iteration wants is there.
__kernel void neighbours(__global const float *a, __global float *b, int n)
{
	int i = get_global_id(0);
	float x = 0;

	for (int k = 0; k < n; k++)
		x += a[k] * a[k + 1];
	b[i] = x;
}
// TABLE: "name":"neighbours",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-4]],{{.*}},"expression":"a[k]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"a[k + 1]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
__kernel void with_barrier(__global const float *restrict a, __global float *b, __local float *l, int n)
{
	int i = get_local_id(0);
	float x = 0;

	for (int k = 0; k < n; k++) {
		l[i] = a[k * 32 + i];
		barrier(CLK_LOCAL_MEM_FENCE); // first
		x += l[31 - i] * a[i];
		barrier(CLK_LOCAL_MEM_FENCE); // second
	}
	b[i] = x;
}
// TABLE: "name":"with_barrier",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-8]],{{.*}},"expression":"a[k * 32 + i]"
// TABLE-NEXT: {"kind":"barrier","bytes":0,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-8]],{{.*}}
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-8]],{{.*}},"expression":"a[i]"
// TABLE-NEXT: {"kind":"barrier","bytes":0,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-8]],{{.*}}
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-7]],{{.*}},"expression":"b[i]"
// TABLE-NEXT: ,"loops"
// Nothing to gain.
__kernel void kept(__global const float *a, __global const float *b, __global float *c, int n)
{
	int i = get_global_id(0);
	float x = 0;

	for (int k = 0; k < n; k++)
		x += a[i * n + k] * b[k * n + i];
	c[i] = x;
}
// TABLE: "name":"kept",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-4]],{{.*}},"expression":"a[i * n + k]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"b[k * n + i]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"c[i]"
// TABLE-NEXT: ,"loops"
// Asked once before the loop and once in each iteration, as what is written may be `end`.
__kernel void bound(__global const int *end, __global float *b)
{
	int i = get_global_id(0);

	for (int k = 0; k < end[i]; k++)
		b[k] += 1;
}
// TABLE: "name":"bound",
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_loops.cl",[[#@LINE-4]],{{.*}},"expression":"end[i]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-4]],{{.*}},"expression":"b[k]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-5]],{{.*}},"expression":"b[k]"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":0,{{.*}}"place":["gpu_loops.cl",[[#@LINE-7]],{{.*}},"expression":"end[i]"
// TABLE-NEXT: ,"loops"

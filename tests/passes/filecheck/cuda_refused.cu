// What is no kernel of OpenCL is refused by itself, with its place; the other kernels are there.
// OPTIONS: --records none
__device__ int *kept;
extern __device__ int elsewhere;

__device__ int again(int n)
{
	return n < 2 ? 1 : n * again(n - 1);
}

__device__ int (*chosen)(int);

extern "C" __global__ void recursive(int *a) { a[0] = again(a[1]); }
extern "C" __global__ void pointed(int *a) { a[0] = chosen(a[1]); }

extern "C" __global__ void shared(int *a)
{
	__shared__ int tile[4];

	tile[a[0]] = 1;
	kept = tile;
}

extern "C" __global__ void local(int **a)
{
	int own[4] = { 1, 2, 3, 4 };

	a[0] = &own[*kept];
}

extern "C" __global__ void several(int *a, int n)
{
	__shared__ int tile[4];
	int *p = n ? tile : a;

	p[n] = 3;
}

extern "C" __global__ void foreign(int *a) { a[0] = elsewhere; }
extern "C" __global__ void good(int *a) { a[0] = 1; }

// CHECK-NOT: define spir_kernel
// CHECK: define spir_kernel void @good
// CHECK-NOT: define spir_kernel
// CUDA: {"name":"recursive"{{.*}}
// CUDA: "refusal":"cuda_refused.cu:13: a call of _Z5againi, which calls itself"
// CUDA: {"name":"pointed"
// CUDA: "refusal":"cuda_refused.cu:14: a call through a pointer, or of a virtual function"
// CUDA: {"name":"shared"
// CUDA: "refusal":"cuda_refused.cu:21: a pointer to shared memory is stored in memory"
// CUDA: {"name":"local"
// CUDA: "refusal":"cuda_refused.cu:28: a pointer to a variable of the kernel is stored in memory"
// CUDA: {"name":"several"
// CUDA: "refusal":"cuda_refused.cu:36: a pointer that may point into several memories"
// CUDA: {"name":"foreign"
// CUDA: "refusal":"cuda_refused.cu:39: the variable elsewhere of another file"
// CUDA: {"name":"good"
// CUDA: "refusal":null

// Variables of the device: rows with what they hold at first, little end first, and where addresses of
// others go; constants that nobody can set stay in the code; shared ones are each kernel's own.
// OPTIONS: --records none
struct row { int a; const char *s; double d; };

__device__ row rows[2] = { { 1, "ab", 2.5 }, { -2, "cd", 0 } };
__device__ int numbers[4] = { 1, 2 };
__device__ int *middle = &numbers[2];
__constant__ __int128 big = (__int128)5 << 70;
static __device__ const int table[2] = { 7, 8 };

__device__ int through(int i)
{
	__shared__ int tile[32];

	tile[i] = i;
	return tile[i ^ 1] + table[i & 1];
}

extern "C" __global__ void first(int *p, int n)
{
	p[n] = rows[n].a + *middle + (int)(big >> 60) + through(n);
}

extern "C" __global__ void second(int *p)
{
	p[0] = through(threadIdx.x);
}

// CHECK-DAG: @first._ZZ7throughiE4tile = internal addrspace(3) global [32 x i32] undef, align 4
// CHECK-DAG: @second._ZZ7throughiE4tile = internal addrspace(3) global [32 x i32] undef, align 4
// CHECK-DAG: @warpline.constant._ZL5table = internal addrspace(2) constant [2 x i32] [i32 7, i32 8]
// CHECK-NOT: @rows
// CHECK: define spir_kernel void @first(ptr addrspace(1) %p, i32 %n, ptr addrspace(1) %rows, ptr addrspace(1) %middle, ptr addrspace(2) %big)
// CHECK: load ptr addrspace(1), ptr addrspace(1)
// CHECK: define spir_kernel void @second(ptr addrspace(1) %p)
// CUDA: {"name":"first"
// CUDA: "static_shared_bytes":128,
// CUDA: {"name":"rows","space":"global","bytes":48,"align":8,"initial":"01000000000000000000000000000000000000000000044{{0*}}feffffff{{0*}}"
// CUDA: {"offset":8,"symbol":"[[AB:[^"]*]]","addend":0},
// CUDA: {"offset":32,"symbol":"[[CD:[^"]*]]","addend":0}]
// CUDA: {"name":"numbers","space":"global","bytes":16,"align":4,"initial":"01000000020000000000000000000000","relocations":[]}
// CUDA: {"name":"middle","space":"global","bytes":8,"align":8,"initial":"0000000000000000"
// CUDA: {"offset":0,"symbol":"numbers","addend":8}
// CUDA: {"name":"big","space":"constant","bytes":16,"align":16,"initial":"00000000000000004001000000000000"
// CUDA: {"name":"[[AB]]","space":"global","bytes":3,"align":1,"initial":"616200"
// CUDA: {"name":"[[CD]]","space":"global","bytes":3,"align":1,"initial":"636400"

// What kernels of CUDA take becomes what OpenCL can give: words for structures, a byte for bool, hidden
// arguments for dynamic shared memory and variables; the table says how a launch's parameters become them.
// OPTIONS: --records none
struct three { float x, y, z; };
struct odd { long long wide; int *to; char last; };

__device__ int counter;

namespace space {
template <class T> __global__ void __launch_bounds__(64) fill(T *a, const T value, bool b)
{
	extern __shared__ T spare[];

	spare[threadIdx.x] = value;
	a[threadIdx.x] = b ? spare[0] : (T)counter;
}
template __global__ void fill<double>(double *, const double, bool);
}

extern "C" __global__ void parts(three t, int n, odd o)
{
	o.to[n] = (int)(t.x + t.y + t.z) + (int)o.wide + o.last;
}

// CHECK: define spir_kernel void @_ZN5space4fillIdEEvPT_S1_b(ptr addrspace(1) %a, double %value, i8 %b, ptr addrspace(3) %"dynamic shared memory", ptr addrspace(1) %counter)
// CHECK: define spir_kernel void @parts(i64 %"t+0", i32 %"t+8", i32 %n, i64 %"o+0", i64 %"o+8", i64 %"o+16")
// CHECK-NOT: alloca
// CHECK: !{!"ulong", !"uint", !"int", !"ulong", !"ulong", !"ulong"}
// CUDA: {"name":"_ZN5space4fillIdEEvPT_S1_b"
// CUDA: {"offset":0,"bytes":8},
// CUDA: {"offset":8,"bytes":8},
// CUDA: {"offset":16,"bytes":1}]
// CUDA: {"param":0,"offset":0,"bytes":8,"kind":"pointer"},
// CUDA: {"param":1,"offset":0,"bytes":8,"kind":"value"},
// CUDA: {"param":2,"offset":0,"bytes":1,"kind":"value"}]
// CUDA: {"kind":"dynamic_shared"},
// CUDA: {"kind":"symbol","name":"counter"}],"static_shared_bytes":0,"max_threads":64
// CUDA: "refusal":null
// CUDA: {"name":"parts"
// CUDA: {"offset":0,"bytes":12},
// CUDA: {"offset":12,"bytes":4},
// CUDA: {"offset":16,"bytes":24}]
// CUDA: {"param":0,"offset":0,"bytes":8,"kind":"value"},
// CUDA: {"param":0,"offset":8,"bytes":4,"kind":"value"},
// CUDA: {"param":1,"offset":0,"bytes":4,"kind":"value"},
// CUDA: {"param":2,"offset":0,"bytes":8,"kind":"value"},
// CUDA: {"param":2,"offset":8,"bytes":8,"kind":"value"},
// CUDA: {"param":2,"offset":16,"bytes":8,"kind":"value"}]
// CUDA: "hidden":[],"static_shared_bytes":0,"max_threads":0

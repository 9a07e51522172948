// Barriers, fences and atomics are sites; warp shuffles and votes touch no memory.
__device__ double total;

extern "C" __global__ void sync(int *p, unsigned *q, int n)
{
	__shared__ int held;
	int x = __shfl_xor_sync(0xffffffffu, n, 16);

	__syncthreads();
	if (n > 3)
		__syncthreads_count(n);
	__threadfence();
	atomicAdd(p, x);
	atomicAdd(&held, x);
	atomicInc(q, 5);
	atomicAdd(&total, 1.0);
	atomicCAS(p + 1, 0, held);
	if (__any_sync(0xffffffffu, n == 2))
		p[2] = __ldg((int *)q + 3);
}
// TABLE: "has_conditional_barrier":true
// TABLE-NEXT: "kind":"barrier","bytes":0,"space":1,"loop":-1,"argument":-1,"place":["sync.cu",9,
// TABLE-NEXT: "kind":"barrier","bytes":0,"space":1,"loop":-1,"argument":-1,"place":["sync.cu",11,
// TABLE-NEXT: "kind":"fence","bytes":0,"space":1,"loop":-1,"argument":-1,"place":["sync.cu",12,
// TABLE-NEXT: "kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,"place":["sync.cu",13,
// TABLE-NEXT: "kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":1,"place":["sync.cu",15,
// TABLE-NEXT: "kind":"atomic","bytes":8,"space":1,"loop":-1,"argument":-1,"place":["sync.cu",16,
// TABLE-NEXT: "kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,"place":["sync.cu",17,
// TABLE-NEXT: "kind":"read","bytes":4,"space":1,"loop":-1,"argument":1,"place":["sync.cu",19,
// TABLE-NEXT: "kind":"write","bytes":4,"space":1,"loop":-1,"argument":0,"place":["sync.cu",19,
// TABLE-NEXT: "loops":[]
// TABLE-NEXT: "arguments":[
// TABLE: "unrecorded":[]

// PTX: shfl.sync.bfly.b32
// PTX: bar.sync 0;
// PTX: membar.gl;
// PTX: atom.global.add.u32
// PTX: atom.shared.add.u32
// PTX: atom{{(.global)?}}.inc.u32
// PTX: atom.global.add.f64
// PTX: atom{{[a-z.]*}}.global.cas.b32
// PTX: vote.sync.any.pred
// PTX: ld.global.nc.{{[bfu]}}32

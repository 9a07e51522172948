// Barriers, fences and atomics are sites; warp shuffles and votes touch no memory.
#include "device.h"
__device__ double total;

__global__ void sync(int *p, unsigned *q, int n)
{
	__shared__ int held;
	int x = __nvvm_shfl_sync_bfly_i32(0xffffffffu, n, 16, 31);

	__nvvm_bar_sync(0);
	if (n > 3)
		__nvvm_bar0_popc(n);
	__nvvm_membar_gl();
	__nvvm_atom_add_gen_i(p, x);
	__nvvm_atom_add_gen_i(&held, x);
	__nvvm_atom_inc_gen_ui(q, 5);
	__nvvm_atom_add_gen_d(&total, 1.0);
	__nvvm_atom_cas_gen_i(p + 1, 0, held);
	if (__nvvm_vote_any_sync(0xffffffffu, n == 2))
		p[2] = __nvvm_ldg_i((int *)q + 3);
}
// TABLE: "has_conditional_barrier":true
// TABLE-NEXT: "kind":"barrier","bytes":0,"space":1,"loop":-1,"argument":-1,"place":["sync.cu",10,
// TABLE-NEXT: "kind":"barrier","bytes":0,"space":1,"loop":-1,"argument":-1,"place":["sync.cu",12,
// TABLE-NEXT: "kind":"fence","bytes":0,"space":1,"loop":-1,"argument":-1,"place":["sync.cu",13,
// TABLE-NEXT: "kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,"place":["sync.cu",14,
// TABLE-NEXT: "kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":1,"place":["sync.cu",16,
// TABLE-NEXT: "kind":"atomic","bytes":8,"space":1,"loop":-1,"argument":-1,"place":["sync.cu",17,
// TABLE-NEXT: "kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,"place":["sync.cu",18,
// TABLE-NEXT: "kind":"read","bytes":4,"space":1,"loop":-1,"argument":1,"place":["sync.cu",20,
// TABLE-NEXT: "kind":"write","bytes":4,"space":1,"loop":-1,"argument":0,"place":["sync.cu",20,
// TABLE-NEXT: "loops":[]
// TABLE-NEXT: "arguments":[
// TABLE: "unrecorded":[]

// PTX: shfl.sync.bfly.b32
// PTX: bar.sync 0;
// PTX: membar.gl;
// PTX: atom.global.add.u32
// PTX: atom.shared.add.u32
// PTX: atom.global.inc.u32
// PTX: atom.global.add.f64
// PTX: atom.global.cas.b32
// PTX: vote.sync.any.pred
// PTX: ld.global.nc.u32

// With --spaces local and constant these are sites too, and generic pointers are asked for each.
// OPTIONS: --spaces local,constant
__constant__ float factors[16];

extern "C" __global__ void local(float *out, int n)
{
	__shared__ float tile[64];
	float *either = n & 1 ? tile : out;

	tile[threadIdx.x] = factors[n];
	either[threadIdx.x] = 1;
}
// CHECK-LABEL: define ptx_kernel void @local(
// CHECK: call i1 @llvm.nvvm.isspacep.global(
// CHECK: call i1 @llvm.nvvm.isspacep.shared(
// TABLE: "kind":"read","bytes":4,"space":2,"loop":-1,"argument":-1,"place":["local.cu",10,
// TABLE-NEXT: "kind":"write","bytes":4,"space":3,"loop":-1,"argument":-1,"place":["local.cu",10,
// TABLE-NEXT: "kind":"write","bytes":4,"space":1,"loop":-1,"argument":0,"place":["local.cu",11,
// TABLE-NEXT: "kind":"write","bytes":4,"space":3,"loop":-1,"argument":-1,"place":["local.cu",11,
// TABLE-NEXT: "loops":[]

// A launch is made in slices: the kernel's own group is the slice's plus what the header says, and the
// number of groups is the header's; what is asked of a group is right as it is.
extern "C" __global__ void range(int *out)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = gridDim.x + blockIdx.y;
}
// Words 2 to 4 of the header are group_first, 5 to 7 group_count.
// CHECK-LABEL: define ptx_kernel void @range(
// CHECK: %[[B:[0-9]+]] = getelementptr inbounds i64, ptr addrspace(1) %{{[0-9a-z_]+}}, i64 5
// CHECK-NEXT: %[[COUNT:get_num_groups]] = load i64, ptr addrspace(1) %[[B]]
// CHECK: %[[Y:[0-9]+]] = getelementptr inbounds i64, ptr addrspace(1) %{{[0-9a-z_]+}}, i64 3
// CHECK-NEXT: %[[SECOND:get_group_id[0-9]*]] = load i64, ptr addrspace(1) %[[Y]]
// CHECK: %[[A:[0-9]+]] = getelementptr inbounds i64, ptr addrspace(1) %{{[0-9a-z_]+}}, i64 2
// CHECK-NEXT: %[[FIRST:get_group_id[0-9]*]] = load i64, ptr addrspace(1) %[[A]]
// CHECK: %[[C:[0-9]+]] = trunc i64 %[[COUNT]] to i32
// CHECK-NOT: sreg.nctaid
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// CHECK-NOT: sreg.nctaid
// CHECK: ret void

// A launch is made in slices: the kernel's own group is the slice's plus what the header says, and the
// number of groups is the header's; what is asked of a group is right as it is.
#include "device.h"
__global__ void range(int *out)
{
	out[GROUP * ITEMS + ITEM] = GROUPS + __nvvm_read_ptx_sreg_ctaid_y();
}
// Words 2 to 4 of the header are group_first, 5 to 7 group_count.
// CHECK-LABEL: define ptx_kernel void @range(
// CHECK-DAG: %[[FIRST:get_group_id.*]] = load i64, i64 addrspace(1)* %[[A:[0-9]+]]
// CHECK-DAG: %[[A]] = getelementptr inbounds i64, i64 addrspace(1)* %{{[0-9]+}}, i64 2
// CHECK-DAG: %[[COUNT:get_num_groups.*]] = load i64, i64 addrspace(1)* %[[B:[0-9]+]]
// CHECK-DAG: %[[B]] = getelementptr inbounds i64, i64 addrspace(1)* %{{[0-9]+}}, i64 5
// CHECK: %[[OWN:[0-9]+]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK: add i32 %[[OWN]], %{{[0-9]+}}
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// CHECK-NOT: call i32 @llvm.nvvm.read.ptx.sreg.nctaid
// CHECK: define internal

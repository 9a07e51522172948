// Through the door without probes: no hidden argument, nothing of ours.
// OPTIONS: --records none
__kernel void none(__global int *a)
{
	a[get_group_id(0)] = 1;
}
// CHECK-NOT: warpline
// CHECK: define {{.*}}@none(ptr addrspace(1) noundef{{( align 4)?}} %{{[0-9]+}})
// CHECK-NOT: warpline

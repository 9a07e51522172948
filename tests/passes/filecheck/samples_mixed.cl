// On a device that mixes work-items, a kernel with a barrier under a condition keeps the control flow of the
// whole program: no kernel has a copy. One of more than 64 sites is recorded without its sites in local
// memory, 64 here, so that its accesses to global memory are not lost.
// OPTIONS: --spaces sample --address-bits 64 --slots 0 --mixes-items 1
__kernel void plain(__global int *a, __local int *l, int n)
{
	a[n] = l[n];
}
// CHECK-LABEL: define {{.*}}@plain(
// CHECK-NOT: warpline.copy
// CHECK: ret void
// CHECK-NEXT: }

__kernel void conditional(__global int *a, __local int *l, int n)
{
	if (n)
		barrier(CLK_LOCAL_MEM_FENCE);
	a[n] = l[n];
}
// CHECK-LABEL: define {{.*}}@conditional(
// CHECK-NOT: warpline.copy
// CHECK: ret void
// CHECK-NEXT: }

#define FOUR(x) x; x; x; x
__kernel void many(__global int *a, __local int *l, int n)
{
	int x = n;

	if (n)
		barrier(CLK_LOCAL_MEM_FENCE);
	FOUR(FOUR(FOUR(x = l[x])));
	a[n] = x;
}
// CHECK-LABEL: define {{.*}}@many(
// CHECK-NOT: @warpline_in_sample
// CHECK: call {{.*}}@warpline_point{{.*}}, i32 1,
// CHECK-NEXT: store i32 {{.*}} addrspace(1){{\*?}}

// In slots a probe outside the sample clears its words: 4294967295 is PROBE_NO_POINT.
// OPTIONS: --spaces sample --address-bits 64
__kernel void slots(__global int *a, __local int *l)
{
	int x = a[get_local_id(0)];

	l[x] = 1;
	a[0] = l[x ^ 1];
}
// CHECK-LABEL: define {{.*}}@slots(
// CHECK: {{^}}warpline.copy:
// CHECK: call {{.*}}@warpline_{{[a-z_]*}}point({{.*}}, i32 -1,
// CHECK: store i32 1, ptr addrspace(3)
// CHECK: call {{.*}}@warpline_{{[a-z_]*}}point({{.*}}, i32 -1,
// CHECK: load i32, ptr addrspace(3)
// CHECK: ret void

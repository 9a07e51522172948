// What is only counted has no sample.
// OPTIONS: --spaces sample --records count
__kernel void store(__global int *a, __local int *l)
{
	l[get_local_id(0)] = a[get_local_id(0)];
}
// CHECK-LABEL: define {{.*}}@store(
// CHECK-NOT: @warpline_in_sample
// CHECK: ret void
// TABLE-NOT: "local_groups"

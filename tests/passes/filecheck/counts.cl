// Count mode: a counter for each site, told at each return; a kernel with a barrier under a condition
// is refused where work-items are mixed, and then has no hidden argument.
// OPTIONS: --records count --mixes-items 1
__kernel void counted(__global int *a, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = 1;
}

__kernel void refused(__global int *a, int n)
{
	if (n)
		barrier(CLK_LOCAL_MEM_FENCE);
	a[0] = 1;
}
// CHECK-LABEL: define {{.*}}@refused(
// CHECK-NOT: warpline
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@counted(
// CHECK: call {{.*}}@warpline_enter_wide({{.*}}, i32 64, i32 2)
// CHECK-NOT: @warpline_point
// CHECK: %warpline.count = add i64 {{.*}}, 1
// CHECK: call {{.*}}@warpline_slot_count({{.*}}, i64 0, i32 0, i64
// CHECK-NEXT: ret void
// TABLE: "name":"counted"{{.*}}"item_words":2
// TABLE: "name":"refused"{{.*}}"refusal":"count: a barrier under a condition

// Addresses of at most 48 bits: points that look at nothing. A point that may tell many iterations,
// or whose address nobody uses, looks all the same. Words have places of their own: the second is not
// always written.
// OPTIONS: --wide-addresses 0 --layout lane --records raw
__kernel void slot(__global int *a)
{
	if (a[0])
		return;
	a[1] = 1;
	prefetch(&a[2], 1);
}

__kernel void chunks(__global int *a, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = 1;
	for (int i = 0; i < n; i++)
		if (i & 1)
			a[i] = 1;
}
// CHECK-LABEL: define {{.*}}@slot(
// CHECK: call {{.*}}@warpline_enter_slot({{.*}}, i32 64, i32 3)
// CHECK-NOT: call {{.*}}@warpline_slot_clear({{.*}}, i64 0)
// CHECK: call {{.*}}@warpline_slot_clear({{.*}}, i64 1)
// CHECK-NEXT: call {{.*}}@warpline_slot_clear({{.*}}, i64 2)
// CHECK: call {{.*}}@warpline_slot_point({{.*}}, i64 0, i32 0,
// CHECK: call {{.*}}@warpline_slot_point({{.*}}, i64 1, i32 1,
// CHECK: call {{.*}}@warpline_slot_long({{.*}}, i64 2, i32 1, i32 2,
// CHECK-NOT: @warpline_leave
// CHECK: ret void
// CHECK-LABEL: define {{.*}}@chunks(
// CHECK: call {{.*}}@warpline_enter({{.*}}, i32 64)
// CHECK: call {{.*}}@warpline_point_narrow({{.*}}, i32 0, i64 {{.*}}, i64 1)
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 1, i64 {{.*}}, i64 %warpline.run
// CHECK: call {{.*}}@warpline_leave(
// CHECK-NEXT: ret void
// TABLE: "item_words":3,"least_words":1,"lanes":32,"records":"raw"
// TABLE: "item_words":0,"least_words":4,"lanes":32,"records":"raw"

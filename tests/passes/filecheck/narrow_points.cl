// Addresses of at most 48 bits: points that look at nothing, and one look at each return. A point
// that may tell more than one iteration looks all the same.
// OPTIONS: --wide-addresses 0 --layout lane --records raw
__kernel void slot(__global int *a)
{
	if (a[0])
		return;
	a[1] = 1;
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
// CHECK: call {{.*}}@warpline_enter_slot({{.*}}, i32 2)
// CHECK: call {{.*}}@warpline_point_slot({{.*}}, i32 0,
// CHECK: call {{.*}}@warpline_point_slot({{.*}}, i32 1,
// CHECK: call {{.*}}@warpline_leave(
// CHECK-NEXT: ret void
// CHECK-LABEL: define {{.*}}@chunks(
// CHECK: call {{.*}}@warpline_enter(
// CHECK: call {{.*}}@warpline_point_narrow({{.*}}, i32 0, i64 {{.*}}, i64 1)
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 1, i64 {{.*}}, i64 %warpline.run
// CHECK: call {{.*}}@warpline_leave(
// CHECK-NEXT: ret void
// TABLE: "item_words":2,"least_words":1,"lanes":32,"records":"raw"
// TABLE: "item_words":0,"least_words":4,"lanes":32,"records":"raw"

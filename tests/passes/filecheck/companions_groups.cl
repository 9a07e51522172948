// In OpenCL C 2.0 the last groups may have fewer work-items: get_local_size() is not the launch's.
// That of get_num_groups() is, and what the first work-item tells lies behind the arguments.
// OPTIONS: --options -cl-std=CL2.0 --cl-version 2.0
__kernel void groups(__global int *a)
{
	size_t i = get_global_id(0);

	a[i] = 1;
	a[i + get_local_size(0)] = 2;
	a[i + get_num_groups(0)] = 3;
}
// CHECK-LABEL: define {{.*}}@groups(
// CHECK: warpline.tell:
// CHECK: @warpline_argument({{.*}}, i32 0, i64
// CHECK: [[BYTES:%.*]] = mul i64 4, %get_num_groups
// CHECK: [[ALL:%.*]] = add i64 0, [[BYTES]]
// CHECK: @warpline_argument({{.*}}, i32 1, i64 [[ALL]])
// CHECK: @warpline_{{.*}}point({{.*}}, i32 0, i64
// CHECK: @warpline_{{.*}}point({{.*}}, i32 1, i64
// CHECK-NOT: @warpline_{{.*}}point(
// CHECK: ret void
// TABLE: "companions":{{\[\[}}2,0,1,0,"0x0"]],"differences":1

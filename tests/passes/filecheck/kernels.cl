// Each kernel has its own table; a kernel called by a kernel is inlined and still a kernel.
__kernel void inner(__global int *p)
{
	p[get_global_id(0)] = 1;
}

__kernel void outer(__global int *q, __global int *r)
{
	inner(r);
	if (q[0])
		return;
	inner(q);
}
// CHECK-LABEL: define {{.*}}spir_kernel void @inner(
// CHECK: @warpline_wide_point({{.*}}, i32 0, i64 {{.*}}, i64 0)
// CHECK-LABEL: define {{.*}}spir_kernel void @outer(
// Three words at most; the first work-item tells the arguments.
// CHECK: call {{.*}}@warpline_enter_wide({{.*}}, i32 64, i32 3)
// CHECK: [[FIRST:%.*]] = call {{.*}}@warpline_is_first(
// CHECK: [[IS:%.*]] = icmp ne i32 [[FIRST]], 0
// CHECK: br i1 [[IS]], label %warpline.tell,
// CHECK: warpline.tell:
// CHECK: call {{.*}}@warpline_argument({{.*}}, i32 0, i64
// CHECK: call {{.*}}@warpline_argument({{.*}}, i32 1, i64
// CHECK-NOT: call {{.*}}@inner
// CHECK: @warpline_wide_point({{.*}}, i32 2, i64 {{.*}}, i64 0)
// Nothing is done at a return.
// CHECK-NOT: @warpline
// CHECK: ret void
// TABLE: "name":"inner"
// TABLE: {"kind":"write",{{.*}}"argument":0,"place":["kernels.cl",4,{{[0-9]+}}],"inlined_at":[]
// TABLE: {"name":"p",
// TABLE: "name":"outer"
// TABLE: {"kind":"write",{{.*}}"argument":1,"place":["kernels.cl",4,{{[0-9]+}}],"inlined_at":{{\[\[}}"kernels.cl",9,
// TABLE: {"kind":"read",{{.*}}"argument":0,"place":["kernels.cl",10,
// TABLE: {"kind":"write",{{.*}}"argument":0,"place":["kernels.cl",4,{{[0-9]+}}],"inlined_at":{{\[\[}}"kernels.cl",12,

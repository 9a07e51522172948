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
// CHECK: @warpline_probe({{.*}}, i32 0, i32 0)
// CHECK-LABEL: define {{.*}}spir_kernel void @outer(
// Out of the slice: nothing is touched.
// CHECK: [[RUN:%.*]] = call {{.*}}@warpline_enter(
// CHECK: [[IN:%.*]] = icmp ne i32 [[RUN]], 0
// CHECK: br i1 [[IN]], label %warpline.decide, label %warpline.outside
// CHECK: call {{.*}}@warpline_argument({{.*}}, i32 0, i64
// CHECK: call {{.*}}@warpline_argument({{.*}}, i32 1, i64
// CHECK-NOT: call {{.*}}@inner
// CHECK: @warpline_probe({{.*}}, i32 2, i32 0)
// CHECK: call {{.*}}@warpline_leave(
// CHECK: warpline.outside:
// CHECK-NEXT: ret void
// TABLE: "name":"inner"
// TABLE: {"kind":"write",{{.*}}"argument":0,"place":["kernels.cl",4,{{[0-9]+}}],"inlined_at":[]
// TABLE: {"name":"p",
// TABLE: "name":"outer"
// TABLE: {"kind":"write",{{.*}}"argument":1,"place":["kernels.cl",4,{{[0-9]+}}],"inlined_at":{{\[\[}}"kernels.cl",9,
// TABLE: {"kind":"read",{{.*}}"argument":0,"place":["kernels.cl",10,
// TABLE: {"kind":"write",{{.*}}"argument":0,"place":["kernels.cl",4,{{[0-9]+}}],"inlined_at":{{\[\[}}"kernels.cl",12,

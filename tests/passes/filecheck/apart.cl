// A barrier under a condition, on a device that mixes work-items: the control flow stays as it is,
// to the last node. Probes are calls, also of what tells the arguments.
// OPTIONS: --mixes-items 1
__kernel void apart(__global int *a, int n)
{
	if (a[0] < n)
		barrier(CLK_GLOBAL_MEM_FENCE);
	a[1] = get_num_groups(0);
}
// CHECK-LABEL: define {{.*}}@apart(
// CHECK-NEXT: %warpline.item = alloca
// CHECK-NOT: call
// CHECK: [[FIELD:%.*]] = getelementptr inbounds i64, {{.*}}, i64 5
// CHECK-NEXT: [[GROUPS:%.*]] = load i64, ptr addrspace(1) [[FIELD]]
// CHECK-NEXT: call {{.*}}@warpline_enter_wide({{.*}}, i32 64, i32 3)
// CHECK-NOT: br
// CHECK: call {{.*}}@warpline_argument_apart({{.*}}, i32 0, i64
// CHECK-NOT: br
// CHECK: call {{.*}}@warpline_argument_apart({{.*}}, i32 1, i64 0)
// CHECK-NOT: br
// CHECK: call {{.*}}@warpline_wide_point_apart({{.*}}, i32 0,
// CHECK: br i1 {{.*}}, label %[[THEN:.*]], label %[[END:.*]],
// CHECK: {{^}}[[THEN]]:
// CHECK: call {{.*}}@warpline_wide_point_apart({{.*}}, i32 1, i64 0, i64 0)
// CHECK-NEXT: call {{.*}}@_Z7barrierj
// CHECK-NEXT: br label %[[END]]
// CHECK: {{^}}[[END]]:
// CHECK: call {{.*}}@warpline_wide_point_apart({{.*}}, i32 2,
// CHECK-NOT: br
// CHECK: ret void
// TABLE: "has_conditional_barrier":true{{.*}}"item_words":3

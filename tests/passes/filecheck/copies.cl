// A copy by the work-group is a loop of accesses, as if work-item i copied the elements i, i + size,
// ...; only the global side has a stride. Elements of three are moved as four. A prefetch is an event
// with its size.
// OPTIONS: --extensions cl_khr_byte_addressable_store
__kernel void copies(__global float3 *g, __global int *h, __local float3 *l, __local int *m, int n,
                     int s)
{
	event_t e = async_work_group_copy(l, g + 4, n, 0);
	e = async_work_group_strided_copy(h, m, n, s, e);
	wait_group_events(1, &e);
	prefetch(g + 1, 3);
	prefetch(h, n);
	prefetch(h, 0);
}
// CHECK-LABEL: spir_kernel void @copies(
// The first loop: from the linear local id on, in steps of the group's size.
// CHECK: [[ID:%.*]] = call {{.*}}get_local_id{{.*}}(i32 {{.*}}0)
// CHECK: [[FIRST:%.*]] = add i64 [[ID]],
// CHECK: [[SIZE:%.*]] = mul i64
// CHECK: [[E:%[0-9.]+]] = phi i64 [ [[FIRST]], {{.*}} ], [ [[NEXT:%.*]], {{.*}} ]
// CHECK: icmp ult i64 [[E]],
// CHECK: [[AT:%.*]] = mul i64 [[E]], 16
// CHECK: getelementptr inbounds{{( nuw)?}} i8, ptr addrspace(1) {{.*}}, i64 [[AT]]
// CHECK: [[NEXT]] = add i64 [[E]],
// CHECK: call {{.*}}async_work_group_copy
// The second: e * (s * 4).
// CHECK: [[STEP:%.*]] = mul i64 {{.*}}, 4
// CHECK: [[E2:%[0-9.]+]] = phi i64
// CHECK: mul i64 [[E2]], [[STEP]]
// CHECK: call {{.*}}async_work_group_strided_copy
// CHECK: call {{.*}}wait_group_events
// TABLE: {"kind":"read","bytes":16,"space":1,"loop":0,"argument":0,"place":["copies.cl",8,14]
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":1,"argument":1,"place":["copies.cl",9,6]
// TABLE: {"kind":"prefetch","bytes":48,"space":1,"loop":-1,"argument":0,"place":["copies.cl",11,
// TABLE: {"kind":"prefetch","bytes":0,"space":1,"loop":-1,"argument":1,"place":["copies.cl",12,
// TABLE-NOT: {"kind"
// TABLE: {"parent":-1,"depth":1,"place":["copies.cl",8,14]}
// TABLE: {"parent":-1,"depth":1,"place":["copies.cl",9,6]}
// TABLE: {"name":"g",{{.*}}"is_written":false}
// TABLE: {"name":"h",{{.*}}"is_written":true}
// TABLE: "unrecorded":[]

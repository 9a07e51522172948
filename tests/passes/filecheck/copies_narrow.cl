// With 32-bit addresses the loop of a copy counts in 32 bits.
// OPTIONS: --address-bits 32 --options -cl-std=CL3.0 --cl-version 3.0 --extensions cl_khr_byte_addressable_store
__kernel void copies_narrow(__global atomic_int *a, __global int *g, __local int *l, int n)
{
	event_t e = async_work_group_copy(g, l, n, 0);

	wait_group_events(1, &e);
	atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_device);
}
// CHECK-LABEL: spir_kernel void @copies_narrow(
// CHECK: [[E:%[0-9.]+]] = phi i32 [
// CHECK: icmp ult i32 [[E]], %{{.*}}
// CHECK: mul i32 [[E]], 4
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":0,"argument":1,
// TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,
// TABLE-NOT: {"kind"
// TABLE: "unrecorded":[]

// Barriers and fences in their place, by the memory they order; atomics. Local atomics are no sites.
// OPTIONS: --extensions cl_khr_global_int32_base_atomics --records raw
__kernel void sync(__global int *a, __global uint *b, __local int *l)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(a, 2);
	barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	atom_inc(b);
	atomic_max(l, 3);
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	atomic_cmpxchg(&b[1], 1, 2);
}
// CHECK: @warpline_wide_point({{.*}}, i32 0, i64 0, i64 0)
// CHECK-NEXT: call {{.*}}@_Z7barrierj(i32 {{.*}}1)
// CHECK: @warpline_wide_point({{.*}}, i32 1, i64 {{.*}}, i64 0)
// CHECK-NEXT: call {{.*}}@_Z10atomic_addPU3AS1Vii
// CHECK: @warpline_wide_point({{.*}}, i32 3, i64 {{.*}}, i64 0)
// CHECK-NEXT: call {{.*}}@_Z8atom_incPU3AS1Vj
// TABLE: {"kind":"barrier","bytes":0,"space":3,
// TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,
// TABLE: {"kind":"barrier","bytes":0,"space":1,
// TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":1,
// TABLE: {"kind":"fence","bytes":0,"space":1,
// TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":1,
// TABLE-NOT: {"kind"
// TABLE: {"name":"a",{{.*}}"is_written":true}
// TABLE: {"name":"b",{{.*}}"is_written":true}
// TABLE: {"name":"l",{{.*}}"space":3,"is_written":false}
// TABLE: "unrecorded":[]

// OpenCL C 2.0: atomics take generic pointers, whose memory shows; what may be global or local asks
// at run time; private memory is no access. What a failed exchange leaves is a write of its own.
// OPTIONS: --options -cl-std=CL2.0 --cl-version 2.0
int sum(int *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}

__kernel void generic_memory(__global atomic_int *a, __global int *g, __local int *l, int n,
                             __global atomic_flag *flag, __global int *expected)
{
	int own[4] = { n, n, n, n }, before = 0;
	int *p = n & 1 ? (int *)g : (int *)l;

	atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_device);
	atomic_init(a + 1, 2);
	atomic_flag_test_and_set(flag);
	atomic_compare_exchange_strong(a, &before, 3);
	atomic_compare_exchange_weak(a, expected, 3);
	*p = sum(own, 4);
	*p += sum(g, n);
	if (to_local(p))
		work_group_barrier(CLK_LOCAL_MEM_FENCE);
	g[0] = work_group_reduce_add(before);
}
// CHECK-LABEL: spir_kernel void @generic_memory(
// CHECK: call {{.*}}atomic_compare_exchange_strong
// CHECK: [[SAME:%.*]] = call {{.*}}atomic_compare_exchange_weak
// CHECK: [[FAILED:%.*]] = icmp eq i1 [[SAME]], false
// CHECK: br i1 [[FAILED]],
// CHECK: call {{.*}}@__to_global(
// TABLE: "writes_unknown":false,"is_repeatable":true
// TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,"place":["generic_memory.cl",19,
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":0,"place":["generic_memory.cl",20,
// TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":4,"place":["generic_memory.cl",21,
// TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,"place":["generic_memory.cl",22,
// TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,"place":["generic_memory.cl",23,
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":5,"place":["generic_memory.cl",23,
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":5,"place":["generic_memory.cl",23,
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":1,"place":["generic_memory.cl",24,
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":0,"argument":1,"place":["generic_memory.cl",9,
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":1,"place":["generic_memory.cl",25,
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":1,"place":["generic_memory.cl",25,
// TABLE: {"kind":"barrier","bytes":0,"space":3,
// TABLE: {"kind":"barrier","bytes":0,"space":0,
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":1,"place":["generic_memory.cl",28,
// TABLE-NOT: {"kind"
// TABLE: "unrecorded":[]

// Atomics of OpenCL C 3.0, with their orders and scopes.
__kernel void explicit_atomics(__global atomic_int *a, __global int *b)
{
	size_t i = get_global_id(0);
	int expected = -1;

	atomic_fetch_add_explicit(&a[0], 2, memory_order_relaxed, memory_scope_device);
	atomic_store_explicit(&a[1], 7, memory_order_relaxed, memory_scope_device);
	work_group_barrier(CLK_GLOBAL_MEM_FENCE);
	atomic_compare_exchange_strong_explicit(&a[i + 2], &expected, 9, memory_order_relaxed,
	                                        memory_order_relaxed, memory_scope_device);
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
	b[i] = expected + atomic_load(&a[1]) + atomic_exchange(&a[i + 10], 3);
}

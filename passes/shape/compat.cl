/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat - the accesses of OpenCL C's built-in functions, in OpenCL C, where one mark is not
 * enough.
 *
 * Compiled to IR when Warpline is built, unoptimised like programs; linked into a program that
 * needs it, and inlined (mark_accesses.c). A call of mark_...() is a mark (mark.h).
 */
#define INLINE __attribute__((always_inline))

void mark_global(uint kind, __global uchar *pointer, ulong bytes) __asm__("warpline.mark.1");
void mark_local(uint kind, __local uchar *pointer, ulong bytes) __asm__("warpline.mark.3");

static INLINE size_t linear_item(void)
{
	return get_local_id(0) +
	       get_local_size(0) *
	               (get_local_id(1) + get_local_size(1) * get_local_id(2));
}

static INLINE size_t group_items(void)
{
	return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

/*
 * One side of async_work_group_copy() and the like: a work-group copies `count` elements of `bytes`
 * bytes, `step_bytes` apart; work-item (e modulo the group's size) copies element e.
 */
INLINE void warpline_copied_1(uint kind, __global uchar *first, size_t count, size_t step_bytes,
                              ulong bytes)
{
	for (size_t e = linear_item(), size = group_items(); e < count; e += size)
		mark_global(kind, first + e * step_bytes, bytes);
}

INLINE void warpline_copied_3(uint kind, __local uchar *first, size_t count, size_t step_bytes,
                              ulong bytes)
{
	for (size_t e = linear_item(), size = group_items(); e < count; e += size)
		mark_local(kind, first + e * step_bytes, bytes);
}

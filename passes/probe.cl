/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe - the device side of probe_abi.h: what a probed kernel calls.
 *
 * Compiled to IR when Warpline is built, linked into each program and inlined
 * there; `item` is a work-item's own variable and ends up in registers. Only
 * 32-bit atomics of OpenCL 1.1 are used.
 */
#include "probe_abi.h"

#define INLINE __attribute__((always_inline))
#define APART  __attribute__((noinline))

typedef __global struct probe_header *header_pointer;
typedef __global struct event *event_pointer;

struct probe_item {
	event_pointer next; /* where the next event goes */
	event_pointer end;  /* of the chunk: no room when next == end; NULL: no chunk */
	ulong lost;         /* events that found no room */
	uint has_lost;      /* no chunk was left: everything is lost from here on */
};

static ulong linear_group(void)
{
	return get_group_id(0) +
	       get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
}

static uint linear_item(void)
{
	return (uint)(get_local_id(0) +
	              get_local_size(0) *
	                      (get_local_id(1) + get_local_size(1) * get_local_id(2)));
}

/* Whether the work-item runs in this slice; prepares its state. */
INLINE uint warpline_enter(struct probe_item *item, header_pointer header)
{
	ulong group = linear_group();

	item->next = 0;
	item->end = 0;
	item->lost = 0;
	item->has_lost = 0;
	return group >= header->slice_begin && group < header->slice_end;
}

/* Whether the work-item is the one that tells the kernel's arguments. */
INLINE uint warpline_is_first(header_pointer header)
{
	return linear_group() == header->slice_begin && linear_item() == 0;
}

INLINE void warpline_argument(header_pointer header, uint index, ulong value)
{
	((__global ulong *)((__global uchar *)header + PROBE_ARGUMENTS_OFFSET))[index] = value;
}

static void finish_chunk(header_pointer header, event_pointer end, uint used)
{
	__global struct probe_chunk *chunk =
		(__global struct probe_chunk *)(end - header->chunk_events) - 1;

	chunk->used = used;
}

/*
 * Finish the chunk that ends at `end`, if any, and reserve the next. Returns its first event, or
 * NULL when there is none left. Looks before it asks, so that next_chunk cannot wrap.
 */
APART event_pointer warpline_reserve(header_pointer header, event_pointer end)
{
	__global struct probe_chunk *chunk;
	uint index;

	if (end)
		finish_chunk(header, end, header->chunk_events);
	index = *(volatile __global uint *)&header->next_chunk;
	if (index < header->chunk_count)
		index = atomic_inc((volatile __global uint *)&header->next_chunk);
	if (index >= header->chunk_count) {
		atomic_inc((volatile __global uint *)&header->lost_items);
		return 0;
	}
	chunk = (__global struct probe_chunk *)((__global uchar *)header + header->chunks_offset) +
	        (ulong)index * (header->chunk_events + 1ul);
	chunk->group = linear_group();
	chunk->item = linear_item();
	chunk->used = 0;
	return (event_pointer)(chunk + 1);
}

/* Make room for an event; 0 when there is none. */
INLINE uint warpline_make_room(struct probe_item *item, header_pointer header)
{
	if (!item->has_lost) {
		item->next = warpline_reserve(header, item->end);
		item->end = item->next ? item->next + header->chunk_events : 0;
		item->has_lost = !item->next;
	}
	item->lost += item->has_lost;
	return !item->has_lost;
}

INLINE void warpline_probe(struct probe_item *item, header_pointer header, ulong value, uint point,
                           uint iteration)
{
	if (item->next == item->end && !warpline_make_room(item, header))
		return;
	item->next->value = value;
	item->next->point = point;
	item->next->iteration = iteration;
	item->next++;
}

/* At the header of a loop: its 64-bit iteration, where the low half begins anew. */
INLINE void warpline_epoch(struct probe_item *item, header_pointer header, uint point,
                           ulong iteration)
{
	if ((uint)iteration == 0 && iteration != 0)
		warpline_probe(item, header, iteration, point, 0);
}

/*
 * In the place of mem_fence(), which the SPIR libraries of some CPU runtimes lack: an atomic that
 * changes nothing, on memory of the work-item's own where it has any.
 */
INLINE void warpline_fence(struct probe_item *item, header_pointer header)
{
	__global uint *own = (__global uint *)(item->end - 1);

	atomic_or((volatile __global uint *)(item->end ? own : &header->lost_high), 0);
}

/* Hand on what the work-item has. */
INLINE void warpline_leave(struct probe_item *item, header_pointer header)
{
	uint low, old;

	if (item->end)
		finish_chunk(header, item->end,
		             (uint)(header->chunk_events - (uint)(item->end - item->next)));
	if (!item->lost)
		return;
	low = (uint)item->lost;
	old = atomic_add((volatile __global uint *)&header->lost_low, low);
	atomic_add((volatile __global uint *)&header->lost_high,
	           (uint)(item->lost >> 32) + (old > 0xffffffffu - low));
}

/*
 * event - one thing that one work-item did, or many accesses that follow a rule: 16 bytes.
 *
 * The events of a work-item are exactly in its own order. Together with the kernel's tables of
 * sites and loops they give the address of every access and the iteration of every enclosing loop:
 *
 *   - `iteration` of an access, barrier or fence is that of its innermost enclosing loop (low 32
 *     bits; 0 outside loops), counted from 0: how many times the loop's header was entered before
 *     in this activation of the loop;
 *   - the iteration of an outer loop is the `value` of the last EVENT_LOOP of the loop inside it.
 *     EVENT_LOOP stands for an activation of a nested loop, before the first event of the
 *     activation. A work-item enters an outermost loop at most once; such loops have no EVENT_LOOP;
 *   - EVENT_EPOCH gives the high 32 bits for the sites of a loop, where they are not 0.
 *
 * Streams are CANONICAL: an activation without events has no EVENT_LOOP, and EVENT_EPOCH comes only
 * before an event that needs it. Loops without sites are in no table and make no events.
 *
 * Used in files and on the host only; the device has its own format (probe_abi.h).
 */
#ifndef EVENT_H
#define EVENT_H

#include <stdint.h>

/*
 * What `point` names: three high bits of kind, 29 bits of id.
 *
 *   EVENT_SITE   a site of the kernel's table: an access or prefetch (`value` is the byte
 *                address), a barrier or a fence (`value` is 0)
 *   EVENT_LOOP   an activation of the nested loop `id`; `value` is the iteration (64 bits) of the
 *                loop around it; `iteration` is 0
 *   EVENT_EPOCH  the high half of the iteration changes (at first it is 0) with the next event of a
 *                site whose innermost loop is `id`: `value` is the new iteration with its low 32
 *                bits zero, > 0; `iteration` is 0
 *   EVENT_SIZE   the next event is an access whose size is known only at run time: `value` bytes;
 *                `id` is its site, which has bytes == 0
 *
 * Only in PACKED streams, which the recorder passes to the writer and which the file holds; for all
 * other users the reader expands them to what a recording without them would hold:
 *
 *   EVENT_RUN    the site `id`, in a loop L: `iteration` = count (> 0) accesses, one in
 *                each of consecutive iterations of the current activation of L; `value` is the
 *                address of the first. Two EVENT_PART of the same id follow: (1) `value` = first
 *                iteration; (2) `value` = stride, bytes per iteration
 *   EVENT_GRID   the site `id`, in a loop C that lies in a loop L: accesses in the iterations
 *                0..count-1 (`iteration` = count > 0) of C in each of `rows` consecutive
 *                iterations of the current activation of L; `value` is the address of the very
 *                first. Four EVENT_PART follow: (1) `value` = first iteration of L, `iteration` =
 *                rows (> 0); (2) `value` = stride per iteration of C; (3) `value` = stride per
 *                iteration of L; (4) `value` = 0, reserved
 *   EVENT_PART   `iteration` is 0 unless stated otherwise
 *
 * They may stand anywhere inside the activation of L that they belong to: after its EVENT_LOOP if L
 * is nested, and before the next EVENT_LOOP of L or of a loop around it. A site has at most one
 * record for one vector of iterations. Only sites with bytes > 0 have records, and only in kernels
 * that are not irreducible. Iterations end below 2^64 - 1.
 */
#define EVENT_SITE      0x00000000u
#define EVENT_LOOP      0x20000000u
#define EVENT_EPOCH     0x40000000u
#define EVENT_SIZE      0x60000000u
#define EVENT_RUN       0x80000000u
#define EVENT_GRID      0xa0000000u
#define EVENT_PART      0xc0000000u
#define EVENT_KIND_MASK 0xe0000000u
#define EVENT_ID_MASK   0x1fffffffu

#define EVENT_RUN_PARTS  2u /* EVENT_PARTs that follow */
#define EVENT_GRID_PARTS 4u

struct event {
	uint64_t value;
	uint32_t point;
	uint32_t iteration;
};

/*
 * The events of one work-group, work-item by work-item: what a recording is written from, and what
 * reading it returns. Work-item i (linear local id) did events[first[i]] .. events[first[i + 1] -
 * 1], in its own order.
 */
struct group_events {
	uint32_t item_count;
	const uint64_t *first;      /* item_count + 1 entries, ascending, first[0] == 0 */
	const struct event *events; /* first[item_count] of them */
};

#endif

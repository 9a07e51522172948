/*
 * event - one thing that one work-item did, or many accesses that follow a rule: 16 bytes.
 *
 * The events of a work-item are in its own order, exactly. Together with the kernel's site and
 * loop tables they give, for every access, its address and the iteration of every enclosing loop:
 *
 *   - `iteration` of an access, barrier or fence is that of its innermost enclosing loop (low 32
 *     bits; 0 outside loops), counted from 0: how often the loop's header was entered before in
 *     this activation of the loop;
 *   - the iteration of an outer loop is the `value` of the last EVENT_LOOP of the loop inside it.
 *     EVENT_LOOP stands for an activation of a loop that lies in another, before its first event.
 *     A loop that lies in no other is entered at most once by a work-item and has no EVENT_LOOP;
 *   - EVENT_EPOCH gives the high 32 bits for the sites of a loop, where they are not 0.
 *
 * Streams are CANONICAL: an activation without events has no EVENT_LOOP, and EVENT_EPOCH comes
 * only before the event of a site that needs it. Loops without sites are in no table and make no
 * events.
 *
 * In files and on the host only; the device has a format of its own (probe_abi.h). Plain C and
 * OpenCL C.
 */
#ifndef EVENT_H
#define EVENT_H

#ifdef __OPENCL_VERSION__
#define EVENT_U32 uint
#define EVENT_U64 ulong
#else
#include <stdint.h>
#define EVENT_U32 uint32_t
#define EVENT_U64 uint64_t
#endif

/*
 * What `point` names: three high bits of kind, 29 bits of id.
 *
 *   EVENT_SITE   a site of the kernel's table: an access or prefetch (`value` is the byte
 *                address), a barrier or a fence (`value` is 0)
 *   EVENT_LOOP   an activation of the loop `id`, which lies in another; `value` is the iteration
 *                (64 bits) of the loop around it; `iteration` is 0
 *   EVENT_EPOCH  the next event of a site whose innermost loop is `id` has another high half of the
 *                iteration than the one before in this activation (at first 0): `value` is that
 *                iteration with its low 32 bits zero, > 0; `iteration` is 0
 *   EVENT_SIZE   the next event is an access of a size known only at run time: `value` bytes; its
 *                site has bytes == 0; `id` is that site
 *
 * Only in PACKED streams, which the recorder hands to the writer and which are in the file; for
 * everybody else the reader expands them to what a recording without them would hold:
 *
 *   EVENT_RUN    the site `id`, which lies in a loop L: `iteration` = count (> 0) accesses, one in
 *                each of consecutive iterations of the current activation of L; `value` is the
 *                address of the first. Two EVENT_PART of the same id follow: (1) `value` = first
 *                iteration; (2) `value` = stride, bytes per iteration
 *   EVENT_GRID   the site `id`, in a loop C that lies in a loop L: accesses in the iterations
 *                0..count-1 (`iteration` = count > 0) of C in each of `rows` consecutive
 *                iterations of the current activation of L; `value` is the address of the very
 *                first. Four EVENT_PART follow: (1) `value` = first iteration of L, `iteration` =
 *                rows (> 0); (2) `value` = stride per iteration of C; (3) `value` = stride per
 *                iteration of L; (4) `value` = 0, reserved
 *   EVENT_PART   `iteration` is 0 where nothing else is said
 *
 * They stand anywhere inside the activation of L to which they belong: after its EVENT_LOOP if L
 * lies in another loop, and before the next EVENT_LOOP of L or of a loop around it. A site has at
 * most one record for one vector of iterations. Only sites with bytes > 0 are in them, and none of
 * an irreducible kernel. The iterations end below 2^64 - 1.
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
	EVENT_U64 value;
	EVENT_U32 point;
	EVENT_U32 iteration;
};

#endif

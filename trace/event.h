/*
 * event - one thing that one work-item did, 16 bytes, as the probes write it,
 * as a recording returns it.
 *
 * The events of a work-item are in its own order, exactly. Together with the
 * kernel's site and loop tables they give, for every access, its address and
 * the iteration of every enclosing loop:
 *
 *   - `iteration` of an access, barrier or fence is that of its innermost
 *     enclosing loop (low 32 bits; 0 outside loops), counted from 0: how often
 *     the loop's header was entered before in this activation of the loop;
 *   - the iteration of an outer loop is the `value` of the last EVENT_LOOP of
 *     the loop inside it. EVENT_LOOP is written each time a loop that lies in
 *     another loop is entered. A loop that lies in no other is entered at most
 *     once by a work-item and has no EVENT_LOOP;
 *   - EVENT_EPOCH gives the high 32 bits, once per 2^32 iterations.
 *
 * Loops without sites are in no table and make no events.
 * Plain C and OpenCL C: the device writes this struct.
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
 * What `point` names: two bits of kind, 30 bits of id.
 *
 *   EVENT_SITE   a site of the kernel's table: an access (`value` is the byte
 *                address), a barrier or a fence (`value` is 0)
 *   EVENT_LOOP   entry of the loop `id`, which lies in another loop; `value`
 *                is the iteration (64 bits) of the loop around it; `iteration` is 0
 *   EVENT_EPOCH  the loop `id` begins an iteration whose low 32 bits are 0;
 *                `value` is that iteration (64 bits), > 0; `iteration` is 0
 *   EVENT_SIZE   the next event is an access of a size known only at run time:
 *                `value` bytes; its site has bytes == 0; `id` is that site
 */
#define EVENT_SITE      0x00000000u
#define EVENT_LOOP      0x40000000u
#define EVENT_EPOCH     0x80000000u
#define EVENT_SIZE      0xc0000000u
#define EVENT_KIND_MASK 0xc0000000u
#define EVENT_ID_MASK   0x3fffffffu

struct event {
	EVENT_U64 value;
	EVENT_U32 point;
	EVENT_U32 iteration;
};

#endif

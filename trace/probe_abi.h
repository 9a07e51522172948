/*
 * probe_abi - the device buffer through which probes hand events to the recorder.
 *
 * The hidden last argument of an instrumented kernel is a __global pointer to:
 *
 *   struct probe_header                        at 0
 *   argument_count 64-bit addresses            at PROBE_ARGUMENTS_OFFSET
 *   chunk_count chunks of                      at chunks_offset
 *       struct probe_chunk, then chunk_events struct event
 *
 * A work-item reserves a chunk with one atomic on next_chunk when it has an
 * event and no room, fills it, and writes `used` when it moves on or returns.
 * Chunks of one work-item are therefore in its order by index. A work-item
 * that gets no chunk counts its further events as lost and runs on: a slice
 * that lost anything is incomplete as a whole.
 *
 * Before a slice the host writes the header (next_chunk, lost_* = 0). Work-items
 * of groups outside [slice_begin, slice_end) return at once and touch nothing;
 * the group number is linear: x + y*nx + z*nx*ny without the global offset.
 * The first work-item of group slice_begin writes the value of every global and
 * constant pointer argument of the kernel into the argument slots, the rest as 0.
 * Plain C and OpenCL C.
 */
#ifndef PROBE_ABI_H
#define PROBE_ABI_H

#include "event.h"

#define PROBE_ABI_VERSION      1u
#define PROBE_ARGUMENTS_OFFSET 64

struct probe_header {
	EVENT_U32 abi_version;    /* PROBE_ABI_VERSION */
	EVENT_U32 next_chunk;     /* device, atomic: chunks asked for; may exceed chunk_count */
	EVENT_U32 chunk_count;    /* chunks there are */
	EVENT_U32 chunk_events;   /* events in each, >= 1 */
	EVENT_U64 slice_begin;    /* first group to run */
	EVENT_U64 slice_end;      /* one past the last */
	EVENT_U64 chunks_offset;  /* bytes from the header to the first chunk, multiple of 16 */
	EVENT_U32 argument_count; /* slots for pointer arguments = arguments of the kernel */
	EVENT_U32 lost_items;     /* device, atomic: work-items that found no chunk */
	EVENT_U32 lost_low;       /* device, atomic: events lost, low 32 bits */
	EVENT_U32 lost_high;      /* device, atomic: carries out of lost_low */
	EVENT_U64 reserved;
};

struct probe_chunk {
	EVENT_U64 group; /* linear group */
	EVENT_U32 item;  /* linear local id: x + y*Lx + z*Lx*Ly */
	EVENT_U32 used;  /* events written */
};

#ifndef __OPENCL_VERSION__
_Static_assert(sizeof(struct event) == 16, "the device writes 16-byte events");
_Static_assert(sizeof(struct probe_header) == PROBE_ARGUMENTS_OFFSET, "the header is 64 bytes");
_Static_assert(sizeof(struct probe_chunk) == 16, "a chunk header is one event wide");
#endif

#endif

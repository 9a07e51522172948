/*
 * drain - puts the chunks of one slice in order: group by group, work-item by work-item.
 *
 * The device's memory is not trusted: an application that writes out of bounds
 * may have hit it. Chunks that cannot be right are counted and left out.
 */
#ifndef DRAIN_H
#define DRAIN_H

#include "group_events.h"
#include "launch_shape.h"
#include "slice_plan.h"

#include <stddef.h>

struct err;

struct drain {
	const struct launch_shape *shape;
	uint32_t group_items; /* of a full group */
	uint64_t begin, end;  /* groups of the slice */
	const unsigned char *chunks;
	size_t chunk_bytes;
	size_t slot_count, link_count; /* allocated */
	uint32_t *heads;               /* per group and work-item: its first chunk, or NONE */
	uint32_t *links;               /* per chunk: the next of the same work-item, or NONE */
	uint64_t *first;               /* group_items + 1 */
	struct event *events;          /* of one group */
	size_t event_capacity;
	uint64_t event_count;   /* in the slice */
	uint64_t damaged_count; /* chunks left out, of all slices */
};

/* Begin for a launch; `shape` is borrowed. Returns 0 or ERR_NOMEM. Release with drain_release(). */
int drain_init(struct drain *d, const struct launch_shape *shape, struct err *err);

/* Free. Accepts a zeroed struct. */
void drain_release(struct drain *d);

/*
 * Take a slice: `used` chunks, in the layout of probe_abi.h, borrowed until the next call. Sets
 * event_count. Returns 0 or ERR_NOMEM.
 */
int drain_slice(struct drain *d, const struct slice *slice, const void *chunks, uint32_t used,
                struct err *err);

/* The events of group g of the slice; *out is borrowed until the next call. Returns 0, ERR_NOMEM.
 */
int drain_group(struct drain *d, uint64_t g, struct group_events *out, struct err *err);

#endif

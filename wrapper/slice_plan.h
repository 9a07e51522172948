/*
 * slice_plan - how many work-groups of a launch to run at a time, so that their events fit the
 * device buffer.
 *
 * When a bound on a work-item's events is known the plan is exact: nothing can
 * overflow. Otherwise it begins small and learns; a slice may then overflow
 * and be run again with fewer groups. Every group is in exactly one slice that
 * was accepted, in ascending order. Arithmetic only: no device, no memory.
 */
#ifndef SLICE_PLAN_H
#define SLICE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

struct slice {
	uint64_t begin, end;   /* groups [begin, end) */
	uint32_t chunk_events; /* events in a chunk, >= 1 */
	uint32_t chunk_count;  /* chunks that the room holds */
};

struct slice_plan {
	uint64_t group_count;
	uint32_t group_items; /* work-items of a full group */
	uint64_t room_bytes;  /* for chunks */
	bool is_exact;        /* no slice can overflow */
	bool is_cautious;     /* a slice cannot be run again: keep far from the limit */
	uint64_t next;        /* first group that is not yet accepted */
	uint64_t groups;      /* groups in the next slice, >= 1 */
	uint32_t chunk_events;
	uint64_t item_events; /* most events per work-item seen as a slice's mean, rounded up */
	uint64_t reserve;     /* room for this many times what was seen; doubles at an overflow */
};

/*
 * Begin a plan. max_events bounds what a work-item makes (0: no bound). room_bytes holds at least
 * one chunk of one event.
 */
void slice_plan_init(struct slice_plan *p, uint64_t group_count, uint32_t group_items,
                     uint64_t max_events, uint64_t room_bytes);

/*
 * From now on no slice can be run again. Unless the plan is exact it goes group by group until it
 * has learned what one needs.
 */
void slice_plan_be_cautious(struct slice_plan *p);

/* The next slice; false when all groups are accepted. */
bool slice_plan_next(const struct slice_plan *p, struct slice *out);

/* The slice ran and is accepted: go on behind it, and learn from the events that it made. */
void slice_plan_accept(struct slice_plan *p, const struct slice *done, uint64_t events);

/*
 * The slice overflowed and is to be run again. False when it has one group only, and chunks
 * cannot get smaller: more room is then the only help.
 */
bool slice_plan_shrink(struct slice_plan *p, const struct slice *failed);

/* There is more room now. */
void slice_plan_set_room(struct slice_plan *p, uint64_t room_bytes);

#endif

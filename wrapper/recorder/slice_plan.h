/*
 * slice_plan - how many work-groups of a launch to run at a time, so that their records fit the
 * device buffer.
 *
 * With slots the plan is exact: nothing can overflow. With chunks it begins small and learns from
 * each slice; a slice may then overflow and be run again with fewer groups. Every group is in
 * exactly one accepted slice, in ascending order. Arithmetic only: no device, no memory.
 */
#ifndef SLICE_PLAN_H
#define SLICE_PLAN_H

#include "slice_layout.h"

#include <stdbool.h>
#include <stdint.h>

struct device_ops;
struct err;
struct slice_plan;

/*
 * launch_room - the device buffers that a launch uses: their size, and which of the two is next.
 *
 * The user's budget is split between the device's buffers; a small launch gets one small buffer. A
 * group that needs more gets all of it in one buffer, up to the device's limit where the budget is
 * less.
 */

struct launch_room {
	const struct device_ops *ops;
	void *device;
	uint32_t units; /* compute units that a slice keeps busy if the budget allows; or 0 */
	uint64_t budget_bytes;
	unsigned which;       /* buffer of the next slice */
	uint64_t usual_bytes; /* largest size of each buffer, except for one large group */
	bool is_single;       /* there is only one buffer */
};

/*
 * Reserve a first buffer and set the plan's room from it. The caller sets the first four fields of
 * *r. Returns 0 or ERR_DEVICE.
 */
int launch_room_open(struct launch_room *r, struct slice_plan *plan, struct err *err);

/* Free buffers that are larger than usual. Accepts a zeroed struct. */
void launch_room_close(struct launch_room *r);

/* Enlarge the next buffer to the usual size. False when it has that size already, or the device has
 * no more memory. */
bool launch_room_widen(struct launch_room *r, struct slice_plan *plan);

/* From now on give the next buffer its whole share of the budget: for slices that cannot be run
 * again. */
void launch_room_fill(struct launch_room *r, struct slice_plan *plan);

/* A budget (--device-buffer), a power of two, that should hold `bytes` of records of one group. 0:
 * no budget would. */
uint64_t launch_room_for(uint64_t bytes);

/* Use one buffer of twice the size; neither may be in use. False when that exceeds the limit. */
bool launch_room_grow(struct launch_room *r, struct slice_plan *plan);

/*
 * Bytes of a buffer that can record the only group of a launch in rounds. Doubles after every 32
 * rounds, so that long groups do not run too often.
 */
uint64_t launch_room_of_rounds(const struct launch_room *r, uint32_t rounds);

/* Whether the other buffer is available for the plan's next slice; reserves it if needed. */
bool launch_room_has_other(struct launch_room *r, const struct slice_plan *plan);

/* Make the other buffer the next one. */
void launch_room_turn(struct launch_room *r);

struct slice_plan {
	const struct launch_shape *shape; /* borrowed */
	struct slice_layout layout;
	uint64_t group_count;
	uint64_t room_bytes; /* of the device buffer */
	bool is_exact;       /* no slice can overflow */
	bool is_cautious;    /* slices cannot be run again: stay far from the limit */
	bool is_narrow;      /* chunks stay as small as a record: slice_plan_use_small_chunks() */
	bool is_mute;        /* records are discarded: slices are as large as possible */
	uint64_t next;       /* first group that is not accepted yet */
	uint64_t groups;     /* maximum number of groups in the next slice, >= 1 */
	uint32_t place_words;
	uint32_t chunk_words;
	uint64_t group_chunks; /* chunks per group in the last slice, on average; 0: unknown */
};

/* What the slices of a kernel's launches need, in groups of one size. */
struct slice_needs {
	uint32_t group_items, place_words, chunk_words;
	uint64_t group_chunks; /* 0: unknown */
};

/* Begin a plan for a launch of a kernel. `shape` must be valid, and is borrowed. */
void slice_plan_init(struct slice_plan *p, const struct kernel_table *table,
                     const struct launch_shape *shape, const struct slice_layout *layout,
                     uint64_t room_bytes);

/*
 * Use one atomic per record, as published tools do: no places, and chunks of one POINT. For
 * comparison, in bench/. The layout must have no slots; records of more words are lost. Call it
 * only before the first slice.
 */
void slice_plan_use_small_chunks(struct slice_plan *p);

/*
 * Bytes of device memory that would hold the records of the whole launch: exact with slots, else a
 * guess. Lets a launch begin with a small buffer where that is enough.
 */
uint64_t slice_plan_guess(const struct slice_plan *p);

/* Limit the first slice to `groups` groups, unless it is known what they write. */
void slice_plan_begin_with(struct slice_plan *p, uint64_t groups);

/* Set the size of the buffer. */
void slice_plan_set_room(struct slice_plan *p, uint64_t room_bytes);

/*
 * From now on no slice can be run again. Unless the plan is exact, slices have one group each until
 * the plan has learned what a group needs.
 */
void slice_plan_disallow_rerun(struct slice_plan *p);

/* From now on discard records. */
void slice_plan_discard_records(struct slice_plan *p);

/* Whether all groups are accepted. */
bool slice_plan_is_done(const struct slice_plan *p);

/* Place the next slice; the plan must not be done. False: the room does not hold a single group. */
bool slice_plan_next(const struct slice_plan *p, struct slice *out);

/* Accept a slice that ran: the next one begins after it. Learns from the chunks that it asked for.
 */
void slice_plan_accept(struct slice_plan *p, const struct slice *done, uint32_t used_chunks);

/* What draining a slice showed. */
struct slice_lesson {
	uint64_t words;       /* in total */
	uint64_t chunk_words; /* of these, in chunks */
	uint64_t sets;        /* sets of lanes that have chunks */
	uint64_t groups;
};

/* Choose the size of places and chunks from a recent slice, where that saves much. */
void slice_plan_learn(struct slice_plan *p, const struct slice_lesson *lesson);

/* What the plan has learned, for the next launch of the kernel. */
struct slice_needs slice_plan_needs(const struct slice_plan *p);

/* Continue from what an earlier launch of the kernel needed; needs of other groups have no effect.
 */
void slice_plan_recall(struct slice_plan *p, const struct slice_needs *needs);

/*
 * The slice overflowed, lost `lost` events and is to be run again with fewer groups or smaller
 * chunks. False when only more room helps: it has a single group and chunks cannot get smaller, or
 * it lost more than smaller ones could save.
 */
bool slice_plan_shrink(struct slice_plan *p, const struct slice *failed, uint64_t lost);

#endif

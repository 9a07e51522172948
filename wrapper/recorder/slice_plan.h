/*
 * slice_plan - how many work-groups of a launch to run at a time, so that their records fit the
 * device buffer.
 *
 * With slots the plan is exact: nothing can overflow. With chunks it
 * begins small and learns from each slice; a slice may then overflow and be run
 * again with fewer groups. Every group is in exactly one slice that was
 * accepted, in ascending order. Arithmetic only: no device, no memory.
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
 * launch_room - the device buffers that a launch uses: how large, and which of the two is next.
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
	uint64_t usual_bytes; /* most of each buffer, but for one large group */
	bool is_single;       /* there is one buffer only */
};

/*
 * Reserve a first buffer for the plan and tell the plan of it. *r begins as the first four of its
 * fields. Returns 0 or ERR_DEVICE.
 */
int launch_room_open(struct launch_room *r, struct slice_plan *plan, struct err *err);

/* Give up what is larger than usual. Accepts a zeroed struct. */
void launch_room_close(struct launch_room *r);

/* The buffer that is next as large as usual. False when it is already, or there is no more. */
bool launch_room_widen(struct launch_room *r, struct slice_plan *plan);

/* As much as one of two buffers may have, from now on: for slices that cannot be run again. */
void launch_room_fill(struct launch_room *r, struct slice_plan *plan);

/* A budget (--device-buffer) that should hold so many bytes of records of one group: a power of
 * two. 0: there is none. */
uint64_t launch_room_for(uint64_t bytes);

/* One buffer, twice as large; neither may be in use. False when that is too much. */
bool launch_room_grow(struct launch_room *r, struct slice_plan *plan);

/*
 * Bytes of a buffer that are enough to record the one group of a launch in rounds, and twice as
 * many after every 32 rounds: so that long groups do not run too often.
 */
uint64_t launch_room_of_rounds(const struct launch_room *r, uint32_t rounds);

/* Whether the other buffer is there for the plan's next slice, reserved if need be. */
bool launch_room_has_other(struct launch_room *r, const struct slice_plan *plan);

/* The other buffer is next. */
void launch_room_turn(struct launch_room *r);

struct slice_plan {
	const struct launch_shape *shape; /* borrowed */
	struct slice_layout layout;
	uint64_t group_count;
	uint64_t room_bytes; /* of the device buffer */
	bool is_exact;       /* no slice can overflow */
	bool is_cautious;    /* a slice cannot be run again: keep far from the limit */
	bool is_narrow;      /* chunks stay as small as a record: slice_plan_be_narrow() */
	bool is_mute;        /* records are no longer wanted: slices as large as they can be */
	uint64_t next;       /* first group that is not yet accepted */
	uint64_t groups;     /* most groups in the next slice, >= 1 */
	uint32_t place_words;
	uint32_t chunk_words;
	uint64_t group_chunks; /* a group asked for this many, in the last slice's mean; 0: unknown
	                        */
};

/* Begin a plan for a kernel in a launch; `shape` has passed its check and is borrowed. */
void slice_plan_init(struct slice_plan *p, const struct kernel_table *table,
                     const struct launch_shape *shape, const struct slice_layout *layout,
                     uint64_t room_bytes);

/*
 * An atomic for each record, as published tools do it: no places, and chunks of one POINT. To
 * compare with, in bench/; the layout has no slots, and records of more words than that are lost.
 * Only before the first slice.
 */
void slice_plan_be_narrow(struct slice_plan *p);

/*
 * Device memory that would hold the records of the whole launch: exact with slots, else a
 * guess. To begin with a small buffer where that is enough.
 */
uint64_t slice_plan_guess(const struct slice_plan *p);

/* A first slice of so many groups at most, unless it is known what they write. */
void slice_plan_begin_with(struct slice_plan *p, uint64_t groups);

/* The buffer has another size now. */
void slice_plan_set_room(struct slice_plan *p, uint64_t room_bytes);

/*
 * From now on no slice can be run again. Unless the plan is exact it goes group by group until it
 * has learned what one needs.
 */
void slice_plan_be_cautious(struct slice_plan *p);

/* From now on records are not wanted. */
void slice_plan_be_mute(struct slice_plan *p);

/* Whether all groups are accepted. */
bool slice_plan_is_done(const struct slice_plan *p);

/* The next slice, placed; the plan is not done. False: the room does not hold a single group. */
bool slice_plan_next(const struct slice_plan *p, struct slice *out);

/* The slice ran and is accepted: go on behind it, and learn from the chunks that it asked for. */
void slice_plan_accept(struct slice_plan *p, const struct slice *done, uint32_t used_chunks);

/* What draining a slice told. */
struct slice_lesson {
	uint64_t words;       /* in all */
	uint64_t chunk_words; /* of these, in chunks */
	uint64_t sets;        /* of lanes, that have chunks */
	uint64_t groups;
};

/* Choose the size of places and chunks by a slice of late. Only where it helps much. */
void slice_plan_learn(struct slice_plan *p, const struct slice_lesson *lesson);

/* Begin where the plan of an earlier launch of the kernel ended. */
void slice_plan_recall(struct slice_plan *p, uint32_t place_words, uint32_t chunk_words,
                       uint64_t group_chunks);

/*
 * The slice overflowed, lost that many events and is to be run again. False when it has one group
 * only, and chunks cannot get smaller, or it lost more than smaller ones could save: more room is
 * then the only help.
 */
bool slice_plan_shrink(struct slice_plan *p, const struct slice *failed, uint64_t lost);

#endif

/*
 * slice_plan - the number of work-groups of a launch to run at a time, so that their records fit
 * the device buffer.
 *
 * With slots the plan is exact: no slice can overflow. With chunks it begins small and learns from
 * each slice; a slice may overflow and is then run again with fewer groups. Every group is in
 * exactly one accepted slice, in ascending order. Only arithmetic, without device or allocations.
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
 * launch_room - the sizes of a launch's two device buffers, and which of them is next.
 *
 * The buffers share the user's budget; a small launch gets one small buffer. A group that needs
 * more gets the whole budget in one buffer and, if that is not enough, up to the device's limit.
 */

struct launch_room {
	const struct device_ops *ops;
	void *device;
	uint32_t units; /* compute units that a slice should keep busy; or 0 */
	uint64_t budget_bytes;
	unsigned which;       /* buffer of the next slice */
	uint64_t usual_bytes; /* maximum size of each buffer, except for one large group */
	bool is_single;       /* there is only one buffer */
};

/*
 * Reserve a first buffer and set the plan's room from it. The caller sets the first four fields of
 * *r. Returns 0 or ERR_DEVICE.
 */
int launch_room_open(struct launch_room *r, struct slice_plan *plan, struct err *err);

/* Free buffers that are larger than usual. Accepts a zeroed struct. */
void launch_room_close(struct launch_room *r);

/* Enlarge the next buffer to the usual size. False when it has that size or the device has no more
 * memory. */
bool launch_room_widen(struct launch_room *r, struct slice_plan *plan);

/* Enlarge the next buffer to its whole share of the budget, for slices that cannot be run again. */
void launch_room_fill(struct launch_room *r, struct slice_plan *plan);

/* Returns a budget (--device-buffer), a power of two, that should hold `bytes` of records of one
 * group; 0: none does. */
uint64_t launch_room_for(uint64_t bytes);

/* Use a single buffer of twice the size; neither buffer may be in use. False when that exceeds the
 * limit. */
bool launch_room_grow(struct launch_room *r, struct slice_plan *plan);

/*
 * Returns the size of a buffer for recording a launch's only group in rounds. Doubles after every
 * 32 rounds, so that long groups do not run too often.
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
	uint64_t room_bytes;   /* of the device buffer */
	bool is_exact;         /* no slice can overflow */
	bool is_cautious;      /* slices cannot be run again: stay well below the limit */
	bool is_narrow;        /* chunks stay as small as a record: slice_plan_use_small_chunks() */
	bool discards_records; /* records are discarded: slices are as large as possible */
	uint64_t next;         /* first group not accepted yet */
	uint64_t groups;       /* maximum number of groups in the next slice, >= 1 */
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
 * For comparison in bench/: use one atomic per record, as published tools do, with chunks of one
 * POINT and no places. The layout must have no slots; longer records are lost. Call it before the
 * first slice.
 */
void slice_plan_use_small_chunks(struct slice_plan *p);

/*
 * Returns the bytes of device memory for the records of the whole launch: exact with slots, else a
 * guess. A launch can begin with a small buffer if that is enough.
 */
uint64_t slice_plan_guess(const struct slice_plan *p);

/* Limit the first slice to `groups` groups, unless their needs are known. */
void slice_plan_begin_with(struct slice_plan *p, uint64_t groups);

/* Set the size of the buffer. */
void slice_plan_set_room(struct slice_plan *p, uint64_t room_bytes);

/*
 * From now on no slice can be run again. Unless the plan is exact, slices have one group until the
 * plan has learned what a group needs.
 */
void slice_plan_disallow_rerun(struct slice_plan *p);

/* From now on discard records. */
void slice_plan_discard_records(struct slice_plan *p);

/* Whether all groups are accepted. */
bool slice_plan_is_done(const struct slice_plan *p);

/* Place the next slice; the plan must not be done. False: there is no room for a single group. */
bool slice_plan_next(const struct slice_plan *p, struct slice *out);

/* Accept a slice that ran: the next one begins after it. Learns from the number of chunks it used.
 */
void slice_plan_accept(struct slice_plan *p, const struct slice *done, uint32_t used_chunks);

/* What draining a slice showed. */
struct slice_lesson {
	uint64_t words;       /* in total */
	uint64_t chunk_words; /* of these, in chunks */
	uint64_t sets;        /* sets of lanes that have chunks */
	uint64_t groups;
};

/* Choose the size of places and chunks from a recent slice if that saves much. */
void slice_plan_learn(struct slice_plan *p, const struct slice_lesson *lesson);

/* Returns what the plan has learned, for the next launch of the kernel. */
struct slice_needs slice_plan_needs(const struct slice_plan *p);

/* Begin with the needs of an earlier launch of the kernel; needs for another group size have no
 * effect.
 */
void slice_plan_recall(struct slice_plan *p, const struct slice_needs *needs);

/*
 * Plan a slice that overflowed and lost `lost` events again, with fewer groups or smaller chunks.
 * False when only more room helps: it has a single group and chunks cannot get smaller, or it lost
 * more than smaller chunks could save.
 */
bool slice_plan_shrink(struct slice_plan *p, const struct slice *failed, uint64_t lost);

#endif

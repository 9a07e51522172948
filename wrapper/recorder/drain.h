/*
 * drain - decodes the records of one launch's slices with the threads of a pool, and passes the
 * events on group by group in linear order.
 *
 * Two slices may be at work at a time, one for each device buffer. A thread that waits here helps;
 * without a pool it does all the work. Memory: a few groups for each thread; very large groups are
 * decoded one at a time and passed on in parts.
 */
#ifndef DRAIN_H
#define DRAIN_H

#include "event.h"
#include "slice_layout.h"

#include <stddef.h>

#define DRAIN_SLICES 2

struct drain;
struct err;
struct group_rounds;
struct group_selection;
struct kernel_table;
struct thread_pool;

/* A group, or the next events of each work-item in it. */
struct drained_part {
	uint64_t group;
	const struct group_events *events;
	bool is_last;    /* nothing of the group comes after it */
	bool is_tracked; /* of its slice */
};

/*
 * Takes a group or the next part of one. Called by any thread, one at a time, with ascending group
 * numbers. Returns 0, or ERR_* with *err set: nothing more is passed on then.
 */
typedef int (*drain_sink)(void *context, const struct drained_part *part, struct err *err);

/* All borrowed until drain_free(). */
struct drain_terms {
	const struct launch_shape *shape;
	const struct kernel_table *table;
	const struct slice_layout *layout;
	const struct group_selection *selection; /* NULL: all groups */
	struct thread_pool *pool;
	drain_sink sink;
	void *context;
	/* What each slice at work reported; NULL if the table has no differences. */
	const uint64_t *differences[DRAIN_SLICES];
};

/* The result of a slice. */
struct drain_result {
	uint64_t groups, events;
	uint64_t chunk_events;       /* of these events, in chunks */
	uint64_t sets;               /* sets of lanes that have chunks */
	uint64_t damaged;            /* chunks or places left out */
	uint64_t decode_ns, sink_ns; /* time of the threads in total, and in the sink */
};

/* Create a drain for a launch. Returns 0 or ERR_NOMEM. */
int drain_create(struct drain **out, const struct drain_terms *terms, struct err *err);

/*
 * In count mode: add the counts of all groups so far to counts[site]. No slice may be at work. A
 * sum beyond 64 bits becomes 2^64 - 1.
 */
void drain_counts(struct drain *d, uint64_t *counts);

/* Wait for the work that has begun, and free. NULL is allowed. */
void drain_free(struct drain *d);

/*
 * The following slices are rounds of one group (group_decoder.h), whose is_last marks the last one;
 * NULL: they have whole groups. No slice may be at work.
 */
void drain_rounds(struct drain *d, struct group_rounds *rounds);

/*
 * Begin to drain a slice as number `which` (0 or 1), which must not be at work. It follows the
 * slice before or is another round of it. `records` begin at its places and have `used_chunks`
 * chunks; borrowed until drain_wait().
 */
void drain_begin(struct drain *d, unsigned which, const struct slice *slice, const void *records,
                 uint32_t used_chunks, bool is_tracked);

/*
 * Wait until all groups of slice `which` are passed on. *result (may be NULL) gets its result.
 * Returns 0, also when it is not at work, or ERR_* with *err set when groups of the launch were
 * lost: the sink's error, ERR_NOMEM or ERR_LIMIT.
 */
int drain_wait(struct drain *d, unsigned which, struct drain_result *result, struct err *err);

#endif

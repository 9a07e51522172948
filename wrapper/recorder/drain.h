/*
 * drain - decodes what the slices of one launch left, with the threads of a pool, and passes it on
 * group by group in linear order.
 *
 * Two slices may be in work at a time, one for each device buffer. A thread that waits here helps;
 * without a pool it does all the work. Memory: a few groups for each thread; very large groups are
 * decoded one at a time, and passed on in parts.
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

/* A group, or a part of one: of each work-item what it did next. */
struct drained_part {
	uint64_t group;
	const struct group_events *events;
	bool is_last;    /* nothing of the group comes after it */
	bool is_tracked; /* that of its slice */
};

/*
 * Takes a group or the next part of one, from one thread at a time but any; linear numbers ascend.
 * Returns 0, or ERR_* with *err set: nothing more is then passed on.
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
	/* Per slice that is at work: what it reported; NULL where the table has no differences. */
	const uint64_t *differences[DRAIN_SLICES];
};

/* What became of a slice. */
struct drain_result {
	uint64_t groups, events;
	uint64_t chunk_events;       /* of these, in chunks */
	uint64_t sets;               /* of lanes, that have chunks */
	uint64_t damaged;            /* chunks or places left out */
	uint64_t decode_ns, sink_ns; /* that threads were at work, and in the sink */
};

/* Begin for a launch. Returns 0 or ERR_NOMEM. */
int drain_create(struct drain **out, const struct drain_terms *terms, struct err *err);

/*
 * Count mode: add what all groups so far counted to counts[site]. Nothing may be at work. A sum
 * that does not fit in 64 bits is 2^64 - 1.
 */
void drain_counts(struct drain *d, uint64_t *counts);

/* Let what is at work end, and free. NULL is allowed. */
void drain_free(struct drain *d);

/*
 * The slices that follow are rounds of one group (group_decoder.h), the last of which says so;
 * NULL: they have whole groups. Nothing may be at work.
 */
void drain_rounds(struct drain *d, struct group_rounds *rounds);

/*
 * Take the records of a slice, from its places on, with `used_chunks` chunks; it begins where the
 * one before it ended, or is another round of it, as number `which` (0 or 1), which must not be at
 * work. Borrowed until drain_wait().
 */
void drain_begin(struct drain *d, unsigned which, const struct slice *slice, const void *records,
                 uint32_t used_chunks, bool is_tracked);

/*
 * Wait until all groups of slice `which` are passed on; *result (may be NULL) is of that slice.
 * Returns 0, also when none is at work, or ERR_* with *err set when groups of the launch were
 * lost: what the sink said, ERR_NOMEM or ERR_LIMIT.
 */
int drain_wait(struct drain *d, unsigned which, struct drain_result *result, struct err *err);

#endif

/*
 * trace_random - random kernel tables, shapes and events for the tests of trace/.
 *
 * Every number comes from one seeded generator, so that a failure can be repeated.
 */
#ifndef TRACE_RANDOM_H
#define TRACE_RANDOM_H

#include "event.h"
#include "kernel_table.h"
#include "launch_shape.h"

struct random {
	uint64_t state;
};

/* The next 64 bits (splitmix64), and a number below `limit`. */
uint64_t random_next(struct random *r);
uint64_t random_below(struct random *r, uint64_t limit);

/* A table that passes kernel_table_check(); release with kernel_table_release(). */
void random_table(struct random *r, struct kernel_table *t);

/* A shape of one to three dimensions with at most about `groups` groups, partial ones among them.
 */
void random_shape(struct random *r, struct launch_shape *s, uint64_t groups);

/* Events of one group that are the test's to free. */
struct owned_group {
	struct group_events view; /* of the two below */
	uint64_t *first;
	struct event *events;
};

/*
 * Events of a group of `items` work-items, some without any: random points of the table with
 * random, affine or extreme values, and runs and grids of random numbers where the table allows
 * them. They make no sense as the course of a work-item: what is stored comes back as it is.
 */
void random_group(struct random *r, const struct kernel_table *t, uint32_t items,
                  struct owned_group *out);
void owned_group_free(struct owned_group *g);

/* Whether both have the same work-items with the same events, bit for bit. */
bool same_group(const struct group_events *a, const struct group_events *b);
bool same_shape(const struct launch_shape *a, const struct launch_shape *b);

#endif

/*
 * activation - one activation of a loop while its runs and grids are expanded; private to trace/.
 *
 * It goes through the iterations that have accesses, and keeps the strands that have one in the
 * current iteration in the order of their sites. Whoever drives it brings the events that are not
 * packed in between, in their order.
 */
#ifndef ACTIVATION_H
#define ACTIVATION_H

#include "strand.h"

struct activation {
	uint32_t loop;
	uint32_t high;          /* of the iteration, as the last EVENT_EPOCH has it */
	uint64_t at;            /* current iteration */
	uint64_t until;         /* the active strands are the same up to this iteration */
	struct strand *pending; /* those to come, sorted */
	size_t pending_count;
	struct strand *active; /* those with an access in iteration `at`, by site */
	size_t active_count;
	size_t done;        /* active strands that iteration `at` has passed */
	size_t grids;       /* active strands that are grids */
	struct strand *row; /* room for a row of all strands */
};

/*
 * Begin with `count` strands at `strands`, which are sorted here; twice as much room follows them.
 * Returns 0, or ERR_FORMAT when a site has two in one iteration; so do the following, and ERR_NOMEM
 * and ERR_LIMIT.
 */
int activation_begin(struct activation *a, uint32_t loop, struct strand *strands, size_t count,
                     struct err *err);

/* Append all that comes before `position` in `iteration`, which lies not before `at`. */
int activation_advance(struct activation *a, struct event_sink *to, uint64_t iteration,
                       uint32_t position, struct err *err);

/* Append all that is left. */
int activation_finish(struct activation *a, struct event_sink *to, struct err *err);

/* Append EVENT_EPOCH when the event of a site in `iteration` needs one. Returns 0, ERR_NOMEM or
 * ERR_LIMIT. */
int activation_epoch(struct activation *a, struct event_sink *to, uint64_t iteration,
                     struct err *err);

/* Take the rows that grids have in loop `child` in the current iteration, which has come to that
 * loop; returns how many were put to `rows`. */
size_t activation_take_rows(struct activation *a, uint32_t child, struct strand *rows);

#endif

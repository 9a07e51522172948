/*
 * activation - one activation of a loop while its runs and grids are expanded; private to trace/.
 *
 * It goes through the iterations that have accesses, and keeps the strands that have one in the
 * current iteration in the order of their sites. Whoever drives it brings the events that are not
 * packed in between, in their order.
 *
 * Functions that append return EVENT_SINK_FULL when there is no more room; called again the same
 * way they go on.
 */
#ifndef ACTIVATION_H
#define ACTIVATION_H

#include "strand.h"

/* Strands, in memory that is used again. */
struct strand_list {
	struct strand *at;
	size_t count, capacity;
};

/* Room for one more, which is counted; NULL with ERR_NOMEM. */
struct strand *strand_list_push(struct strand_list *l, struct err *err);

struct activation {
	uint32_t loop;
	uint32_t high;              /* of the iteration, as the last EVENT_EPOCH has it */
	uint64_t at;                /* current iteration */
	uint64_t until;             /* the active strands are the same up to this iteration */
	struct strand_list pending; /* sorted; those from `begun` on are to come */
	size_t begun;
	struct strand_list active; /* those with an access in iteration `at`, by site */
	size_t done;               /* active strands that iteration `at` has passed */
	size_t grids;              /* active strands that are grids */
	struct strand_list row;    /* of the loop inside, being appended, */
	uint64_t row_at;           /* from this iteration of it on */
};

/* Make it an activation of `loop`, without strands; memory stays. *a was zeroed once. */
void activation_start(struct activation *a, uint32_t loop);
void activation_release(struct activation *a);

/*
 * Begin, with the strands that were put into a->pending. Returns 0, or ERR_FORMAT when a site has
 * two in one iteration; so do the following, and EVENT_SINK_FULL, ERR_NOMEM and ERR_LIMIT.
 */
int activation_begin(struct activation *a, struct err *err);

/* Append all that comes before `position` in `iteration`, which lies not before `at`. */
int activation_advance(struct activation *a, struct event_sink *to, uint64_t iteration,
                       uint32_t position, struct err *err);

/* Append all that is left. */
int activation_finish(struct activation *a, struct event_sink *to, struct err *err);

/* Append EVENT_EPOCH when the event of a site in `iteration` needs one. */
int activation_epoch(struct activation *a, struct event_sink *to, uint64_t iteration,
                     struct err *err);

/* Put the rows that grids have in loop `child` in the current iteration, which has come to that
 * loop, behind those in `rows`. Returns 0 or ERR_NOMEM. */
int activation_take_rows(struct activation *a, uint32_t child, struct strand_list *rows,
                         struct err *err);

#endif

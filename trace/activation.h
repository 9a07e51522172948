/*
 * activation - one activation of a loop while its runs and grids are expanded; private to trace/.
 *
 * It visits the iterations that have accesses, and keeps the strands with an access in the current
 * iteration in the order of their sites. Its caller adds the events that are not packed in between,
 * in their order.
 *
 * Functions that append return EVENT_SINK_FULL when there is no more room; called again with the
 * same arguments they continue.
 */
#ifndef ACTIVATION_H
#define ACTIVATION_H

#include "event.h"
#include "packed_run.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * event_sink - where expanded events go: an array that is emptied when it is full.
 *
 * Appending functions reserve room first. If there is none, EVENT_SINK_FULL is passed up to the
 * caller that empties the sink, and the same calls, repeated, continue where they stopped. A sink
 * for an outline grows instead, up to a limit.
 */

struct err;

/* The most events of an outline. */
#define EVENT_SINK_OUTLINE_MAX (UINT64_C(1) << 21)

enum { EVENT_SINK_FULL = 1 };

struct event_sink {
	struct event *events;
	uint64_t count, capacity;
	uint64_t room;   /* the sink is full with this many */
	uint64_t passed; /* events that were removed */
	bool is_outline; /* equal iterations stay together as bundles (outline.h) */
};

/* See event_sink_reserve(). */
int event_sink_grow(struct event_sink *s, uint64_t more, struct err *err);

/* Make room for `more` events. Returns 0; EVENT_SINK_FULL; ERR_NOMEM; ERR_LIMIT if an outline
 * becomes too long. An empty sink has room for any number. */
static inline int event_sink_reserve(struct event_sink *s, uint64_t more, struct err *err)
{
	if (more <= s->capacity - s->count && (s->count + more <= s->room || !s->count))
		return 0;
	return event_sink_grow(s, more, err);
}

/* Returns the number of events appended so far. */
static inline uint64_t event_sink_total(const struct event_sink *s)
{
	return s->passed + s->count;
}

/* Free the events. Accepts a zeroed sink. */
void event_sink_release(struct event_sink *s);

/* Append one event, for which there is room. */
static inline void event_sink_put(struct event_sink *s, uint64_t value, uint32_t point,
                                  uint32_t iteration)
{
	s->events[s->count++] = (struct event){ value, point, iteration };
}

/*
 * strand - one access in each of consecutive iterations of a loop, or one row of accesses of the
 * loop inside it: a run or grid while it is expanded.
 */

#define STRAND_NO_CHILD UINT32_MAX

struct strand {
	uint64_t address; /* in its next iteration */
	uint64_t stride;
	uint64_t first, last; /* iterations */
	uint32_t site;
	uint32_t child;        /* of a grid the loop C of its rows, or STRAND_NO_CHILD */
	uint32_t count;        /* accesses of a row */
	uint64_t inner_stride; /* from one to the next of a row */
};

/* Returns the strand of a run or grid; `child` is the site's own loop. */
struct strand strand_make(const struct packed_run *r, uint32_t child);

/* Strands, in memory that is reused. */
struct strand_list {
	struct strand *at;
	size_t count, capacity;
};

/* Append a strand that the caller fills; NULL with ERR_NOMEM. */
struct strand *strand_list_push(struct strand_list *l, struct err *err);

struct activation {
	uint32_t loop;
	uint32_t high;              /* of the iteration, from the last EVENT_EPOCH */
	uint64_t at;                /* current iteration */
	uint64_t until;             /* the active strands are the same up to this iteration */
	struct strand_list pending; /* sorted; those from `begun` on have not begun */
	size_t begun;
	struct strand_list active; /* those with an access in iteration `at`, by site */
	size_t done;               /* active strands that iteration `at` has passed */
	size_t grids;              /* active strands that are grids */
	struct strand_list row;    /* row of the inner loop that is being appended, */
	uint64_t row_at;           /* from this iteration on */
};

/* Make *a an activation of `loop` without strands; its memory is reused. *a must have been zeroed
 * once. */
void activation_start(struct activation *a, uint32_t loop);
void activation_release(struct activation *a);

/*
 * Begin with the strands in a->pending. Returns 0, or ERR_FORMAT when a site has two in one
 * iteration. The functions below fail with this, EVENT_SINK_FULL, ERR_NOMEM and ERR_LIMIT.
 */
int activation_begin(struct activation *a, struct err *err);

/* Append all events before `position` in `iteration`, which is not before `at`. */
int activation_advance(struct activation *a, struct event_sink *to, uint64_t iteration,
                       uint32_t position, struct err *err);

/* Append all remaining events. */
int activation_finish(struct activation *a, struct event_sink *to, struct err *err);

/* Append EVENT_EPOCH when the event of a site in `iteration` needs one. */
int activation_epoch(struct activation *a, struct event_sink *to, uint64_t iteration,
                     struct err *err);

/* Append the rows that grids have in loop `child` in the current iteration, which has reached that
 * loop, to `rows`. Returns 0 or ERR_NOMEM. */
int activation_take_rows(struct activation *a, uint32_t child, struct strand_list *rows,
                         struct err *err);

#endif

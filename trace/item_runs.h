/*
 * item_runs - the runs and grids of one work-item, by loop and activation; private to trace/.
 */
#ifndef ITEM_RUNS_H
#define ITEM_RUNS_H

#include "array.h"
#include "group_events.h"
#include "strand.h"

#include <stdbool.h>

struct kernel_table;

/* What is known of a loop while a work-item's events are gone through. */
struct item_loop {
	uint64_t item;      /* that the rest holds for; else it is zero */
	uint64_t found;     /* activations among the events, of a loop that lies in another */
	uint64_t entered;   /* activations that were expanded so far */
	size_t first, last; /* its runs and grids: index + 1 in item_runs.list, 0 for none */
};

struct item_run {
	struct strand strand;
	uint64_t activation; /* of its loop: 0 for one that lies in no other, else from 1 */
	size_t next;         /* as in struct item_loop */
};

struct item_runs {
	const struct kernel_table *table;
	struct item_loop *loops;
	uint32_t *places;   /* of the loops (loop_places.h) */
	uint64_t item;      /* counts the work-items */
	struct array list;  /* struct item_run */
	struct array roots; /* uint64_t: loops that lie in no other and have runs or grids,
	                     * with their places in the high half */
};

/* Set up for a table, which is borrowed. Release with item_runs_release(), in any case. Returns 0
 * or ERR_NOMEM. */
int item_runs_init(struct item_runs *r, const struct kernel_table *t, struct err *err);
void item_runs_release(struct item_runs *r);

/* Find those of the next work-item. Returns 0, ERR_FORMAT, ERR_LIMIT or ERR_NOMEM. */
int item_runs_find(struct item_runs *r, const struct event *events, uint64_t count,
                   struct err *err);

/* The state of a loop, as it stands for this work-item. */
struct item_loop *item_runs_loop(const struct item_runs *r, uint32_t loop);

/* Take those of the loop's current activation (`entered`) out; returns how many were put to
 * `strands`. */
size_t item_runs_take(struct item_runs *r, uint32_t loop, struct strand *strands);

#endif

/*
 * item_runs - the runs and grids of one work-item, by loop and activation; private to trace/.
 *
 * A run may stand anywhere inside its activation, also after events that it comes before. So all of
 * the work-item's events are seen once before any is expanded. Those of loops that lie in no other,
 * of which there is one activation, are kept from then on; those of other loops are collected when
 * their activation begins, from the events that follow. Memory: the former, and what the caller
 * collects.
 */
#ifndef ITEM_RUNS_H
#define ITEM_RUNS_H

#include "activation.h"
#include "array.h"

#include <stdbool.h>

struct kernel_table;

/* What is known of a loop while a work-item's events are gone through. */
struct item_loop {
	uint64_t item;   /* that the rest holds for; else it is zero */
	bool is_entered; /* an activation was seen, of a loop that lies in another; or, later, was
	                    expanded, of one that does not */
	bool has_runs;
	size_t first,
		last; /* of a loop that lies in no other: index + 1 in item_runs.list, 0 for none */
};

struct item_run {
	struct strand strand;
	size_t next; /* as in struct item_loop */
};

struct item_runs {
	const struct kernel_table *table;
	struct item_loop *loops;
	uint32_t *places;   /* of the loops (loop_places.h) */
	uint64_t item;      /* counts the work-items */
	uint64_t count;     /* runs and grids of this one */
	uint64_t collected; /* of which were handed out */
	struct array list;  /* struct item_run */
	struct array roots; /* uint64_t: loops that lie in no other and have runs or grids, with
	                     * their places in the high half */
};

/* Set up for a table, which is borrowed. Release with item_runs_release(), in any case. Returns 0
 * or ERR_NOMEM. */
int item_runs_init(struct item_runs *r, const struct kernel_table *t, struct err *err);
void item_runs_release(struct item_runs *r);

/* The next work-item, of which nothing was seen yet. */
void item_runs_begin(struct item_runs *r);

/* See more of its events, whole records, and check their kinds and ids. Returns 0, ERR_FORMAT,
 * ERR_LIMIT or ERR_NOMEM. */
int item_runs_see(struct item_runs *r, const struct event *events, uint64_t count, struct err *err);

/* All was seen. */
void item_runs_end(struct item_runs *r);

/* The state of a loop, as it stands for this work-item. */
struct item_loop *item_runs_loop(const struct item_runs *r, uint32_t loop);

/* Move those of a loop that lies in no other to *to. Returns 0 or ERR_NOMEM. */
int item_runs_take(struct item_runs *r, uint32_t loop, struct strand_list *to, struct err *err);

/* Add to *to those of the activation of `loop` that has just begun, as far as they are among these
 * events, which follow. *is_over when it has ended in them. Returns 0 or ERR_NOMEM. */
int item_runs_collect(struct item_runs *r, uint32_t loop, const struct event *events,
                      uint64_t count, struct strand_list *to, bool *is_over, struct err *err);

#endif

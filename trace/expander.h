/*
 * expander - expands the runs and grids of work-items into plain events (event.h), a piece at a
 * time.
 *
 * The result is what a recording without runs and grids would have, in canonical form. An
 * iteration's events are merged by position: sites by their number, a loop at its lowest site.
 * Streams without a run or grid come out unchanged.
 *
 * It assumes that the table has passed its check and that no window ends inside a record. Other
 * faults of the events are errors: bad ids, incomplete records, a run outside an activation of its
 * loop, two records for one iteration, decreasing iterations.
 *
 * Memory: one piece, and the runs of the current activations, not their expansion.
 */
#ifndef EXPANDER_H
#define EXPANDER_H

#include "item_events.h"

struct err;
struct expander;
struct kernel_table;

/* `t` is borrowed until expander_free(). Returns 0 or ERR_NOMEM. */
int expander_create(struct expander **out, const struct kernel_table *t, struct err *err);

/* Free. NULL is allowed. */
void expander_free(struct expander *x);

/*
 * Begin a work-item, whose events are borrowed until the next one. Returns 0, ERR_FORMAT, ERR_IO,
 * ERR_LIMIT (more than 2^20 runs in one loop), ERR_NOMEM; messages do not name the work-item.
 */
int expander_start(struct expander *x, const struct item_events *from, struct err *err);

/*
 * Get the next piece of the work-item's plain events; *count is 0 at the end. Borrowed until the
 * next call. A size and its access are in one piece. Events in memory without runs are one piece,
 * in place; other pieces have some hundred events. Returns as expander_start() does. Speed: about 1
 * ns for an access of a run, 10 ns for another event beside one.
 */
int expander_next(struct expander *x, const struct event **events, uint64_t *count,
                  struct err *err);

/*
 * Make the expanded part of an outline (outline.h) of one work-item's stream in memory; *out is
 * borrowed like a piece, and is `events` if there are no runs. ERR_LIMIT for more than 2^21 events.
 */
int expander_outline(struct expander *x, const struct event *events, uint64_t count,
                     const struct event **out, uint64_t *out_count, struct err *err);

#endif

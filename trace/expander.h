/*
 * expander - runs and grids as the plain events that they stand for (event.h).
 *
 * The result is what a recording without runs and grids would hold, canonical. An iteration's
 * events are merged by position: sites by their number, a loop where its lowest site stands.
 * Streams without a run or grid come out as they are.
 *
 * Assumes that the table has passed its check and the group what launch_writer_add() or a reader
 * checks. What may still be wrong is found: a run outside an activation of its loop, two records
 * for one iteration, iterations that go back, too many events.
 */
#ifndef EXPANDER_H
#define EXPANDER_H

#include "group_events.h"

struct err;
struct expander;
struct kernel_table;

/* `t` is borrowed until expander_free(). Returns 0 or ERR_NOMEM. */
int expander_create(struct expander **out, const struct kernel_table *t, struct err *err);

/* Free. NULL is allowed. */
void expander_free(struct expander *x);

/*
 * Expand a group; *out is borrowed until the next call or expander_free(). `group` is for
 * messages. Returns 0; ERR_LIMIT when more than 2^28 events come out, which is known of nearly all
 * before any is expanded; ERR_FORMAT with "group 7: work-item 3: ..."; ERR_NOMEM. Speed:
 * about 1 ns for an access of a run, 10 ns for another event beside one.
 */
int expander_group(struct expander *x, const struct group_events *packed, uint64_t group,
                   struct group_events *out, struct err *err);

/*
 * Only the work-items from first_item on, of which there are `items`: *out has those up to the last
 * of them, with no events of those before. Messages begin with "work-item 3: " or say nothing of
 * it.
 */
int expander_items(struct expander *x, const struct group_events *packed, uint32_t first_item,
                   uint32_t items, struct group_events *out, struct err *err);

/*
 * Expand one work-item's stream, which has passed outline_check(), as outline.h says; *out is
 * borrowed like a group. Returns as expander_group(); messages do not say whose stream it is.
 */
int expander_outline(struct expander *x, const struct event *events, uint64_t count,
                     const struct event **out, uint64_t *out_count, struct err *err);

#endif

/*
 * moved_items - work-items that did what the one before did, each access of a site moved by the
 * stride that is believed for it: what the columns hold of them is known beforehand; private to
 * trace/.
 */
#ifndef MOVED_ITEMS_H
#define MOVED_ITEMS_H

#include "group_events.h"
#include "launch_columns.h"

#include <stdbool.h>

struct launch_model;

/*
 * How many work-items behind `item`, which the model has been told of and which it had foreseen in
 * everything, are such: the model would foresee them too. Looks at few events where there are none.
 */
uint32_t moved_items_count(const struct launch_model *m, const struct group_events *g,
                           uint32_t item);

/* Append so many of them, and tell the model. Returns 0 or ERR_NOMEM. */
int moved_items_add(struct column columns[COLUMN_COUNT], struct launch_model *m,
                    const struct group_events *g, uint32_t item, uint32_t count, struct err *err);

/* The reader's side: whether events that the model has been told of, and which it had foreseen in
 * everything, may be moved. */
bool moved_items_are_likely(const struct launch_model *m, const struct event *events,
                            uint64_t event_count);

/* Put `count` work-items behind one of these events, each moved, and tell the model. */
void moved_items_put(struct launch_model *m, struct event *events, uint64_t event_count,
                     uint32_t count);

#endif

/*
 * launch_columns - events as columns of small numbers; private to trace/.
 *
 * A column each for the item counts, points and iterations, for the widths of the values, and for
 * the values of each width (FORMAT.md, sections "Chunk" and "Predictions"). Lossless for every
 * stream of events that has passed group_check(). columns_reader reads them back.
 */
#ifndef LAUNCH_COLUMNS_H
#define LAUNCH_COLUMNS_H

#include "group_events.h"
#include "launch_format.h"

#include <stdbool.h>
#include <stddef.h>

struct launch_model;

/* So many zero bytes follow a column when it is read, and may be written behind one. */
#define COLUMN_SLACK_BYTES 16

struct column {
	unsigned char *bytes;
	size_t used;
	size_t capacity;
};

/* Room for `bytes` more. Returns 0 or ERR_NOMEM. */
int column_reserve(struct column *c, size_t bytes, struct err *err);

/* Free the bytes and leave an empty column. Accepts a zeroed one. */
void column_release(struct column *c);

/* Bytes of the values in a column of values, 1, 2, 4 or 8; 0 for other columns. */
static inline size_t column_width(size_t column)
{
	return column < COLUMN_VALUES1 ? 0 : (size_t)1 << (column - COLUMN_VALUES1);
}

/*
 * Append one group, already checked, to all columns but COLUMN_GROUPS; values of one width lie one
 * behind the other, not in planes yet. `previous_count` is the last item's event count, 0 at the
 * start of a chunk, and is kept by the caller. Returns 0 or ERR_NOMEM; after that the columns are
 * of no use.
 */
int launch_columns_add(struct column columns[COLUMN_COUNT], struct launch_model *m,
                       const struct group_events *g, uint64_t *previous_count, struct err *err);

/* A point as a number that is small when its id is: the kind goes below the id. */
static inline uint32_t point_code(uint32_t point)
{
	return point << 3 | point >> 29;
}

static inline uint32_t code_point(uint32_t code)
{
	return code >> 3 | code << 29;
}

/*
 * moved_items - work-items that did what the one before did, each access of a site moved by the
 * stride that is believed for it: what the columns hold of them is known beforehand; private to
 * trace/.
 */

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

/*
 * launch_columns - events as columns of small numbers; private to trace/.
 *
 * A column each for the item counts, points and iterations, for the widths of the values, and for
 * the values of each width (FORMAT.md, sections "Chunk" and "Predictions"). Lossless for every
 * stream of events that has passed group_check(). columns_reader reads them back.
 */
#ifndef LAUNCH_COLUMNS_H
#define LAUNCH_COLUMNS_H

#include "event.h"
#include "launch_format.h"

#include <stdbool.h>
#include <stddef.h>

struct launch_model;

/* This many zero bytes follow a column when it is read, and may be written after one. */
#define COLUMN_SLACK_BYTES 16

struct column {
	unsigned char *bytes;
	size_t used;
	size_t capacity;
};

/* Make room for `bytes` more. Returns 0 or ERR_NOMEM. */
int column_reserve(struct column *c, size_t bytes, struct err *err);

/* Free the bytes and leave an empty column. Accepts a zeroed one. */
void column_release(struct column *c);

/* Bytes of the values in a column of values, 1, 2, 4 or 8; 0 for other columns. */
static inline size_t column_width(size_t column)
{
	return column < COLUMN_VALUES1 ? 0 : (size_t)1 << (column - COLUMN_VALUES1);
}

/*
 * Append a checked group to all columns except COLUMN_GROUPS; values are not split into planes yet.
 * `previous_count` is the last item's event count, 0 at the start of a chunk; the caller keeps it.
 * Returns 0 or ERR_NOMEM; after a failure the columns are invalid.
 */
int launch_columns_add(struct column columns[COLUMN_COUNT], struct launch_model *m,
                       const struct group_events *g, uint64_t *previous_count, struct err *err);

/* Encode a point so that it is small if its id is small: the kind is below the id. */
static inline uint32_t point_code(uint32_t point)
{
	return point << 3 | point >> 29;
}

static inline uint32_t code_point(uint32_t code)
{
	return code >> 3 | code << 29;
}

/*
 * moved_items - work-items that repeat the one before, with the accesses of each site moved by the
 * stride that the model predicts: their columns are known in advance.
 */

/* For the reader: whether such work-items may follow these events, which the model predicted
 * completely. */
bool moved_items_are_likely(const struct launch_model *m, const struct event *events,
                            uint64_t event_count);

/* Append `count` moved work-items after one with these events, and update the model. */
void moved_items_put(struct launch_model *m, struct event *events, uint64_t event_count,
                     uint32_t count);

#endif

/*
 * launch_columns - events as columns of small numbers, and back; private to trace/.
 *
 * A column each for the item counts, points, iterations, and the lengths and bytes of the values
 * (FORMAT.md, section "Columns"). Lossless for every stream of events whose ids are in the table.
 */
#ifndef LAUNCH_COLUMNS_H
#define LAUNCH_COLUMNS_H

#include "group_events.h"
#include "launch_format.h"

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

/*
 * Append one group, already checked, to all columns but COLUMN_GROUPS. `previous_count` is the
 * last item's event count, 0 at the start of a chunk, and is kept by the caller. Returns 0 or
 * ERR_NOMEM; after that the columns are of no use.
 */
int launch_columns_add(struct column columns[COLUMN_COUNT], struct launch_model *m,
                       const struct group_events *g, uint64_t *previous_count, struct err *err);

/* Reads the columns of a chunk, group after group. */
struct columns_reader {
	struct launch_model *model;
	const unsigned char *at[COLUMN_COUNT], *end[COLUMN_COUNT];
	uint64_t previous_count;
};

/* Begin a chunk; the columns and the model are borrowed until columns_reader_end(). */
void columns_reader_begin(struct columns_reader *r, struct launch_model *m,
                          const struct column columns[COLUMN_COUNT]);

/*
 * The next group, of `items` work-items and at most `limit` events: fills first[items + 1] and
 * events[first[items]], as in struct group_events. Returns NULL, or a sentence on what is wrong.
 */
const char *columns_reader_group(struct columns_reader *r, uint32_t items, uint64_t limit,
                                 uint64_t *first, struct event *events);

/* NULL when everything but COLUMN_GROUPS was used up, or a sentence. */
const char *columns_reader_end(const struct columns_reader *r);

#endif

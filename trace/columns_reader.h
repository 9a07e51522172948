/*
 * columns_reader - the columns of a chunk as events again, group after group; private to trace/.
 *
 * Nothing that it is given is trusted: what comes out has passed the checks of group_check().
 */
#ifndef COLUMNS_READER_H
#define COLUMNS_READER_H

#include "launch_columns.h"

#include <stdbool.h>

/* Values of one width, in planes. */
struct values_reader {
	const unsigned char *planes;
	size_t count, next;
};

struct columns_reader {
	struct launch_model *model;
	const unsigned char *at[COLUMN_COUNT], *end[COLUMN_COUNT]; /* all but the values */
	struct values_reader values[4];                            /* of 1, 2, 4 and 8 bytes */
	uint64_t previous_count;
};

/*
 * Begin a chunk; the columns, with COLUMN_SLACK_BYTES zero bytes behind each, and the model are
 * borrowed until columns_reader_end(). Returns NULL, or a sentence on what is wrong.
 */
const char *columns_reader_begin(struct columns_reader *r, struct launch_model *m,
                                 const struct column columns[COLUMN_COUNT]);

/* Before the first group: the guides of the chunk, `length` bytes, with VARINT_BYTES_MAX readable
 * ones behind them. Returns NULL, or a sentence on what is wrong. */
const char *columns_reader_guides(struct columns_reader *r, const unsigned char *at, size_t length);

/*
 * The next group, of `items` work-items: where the events of each begin, first[items + 1] as in
 * struct group_events. They are at most `limit`. Returns NULL, or a sentence on what is wrong.
 */
const char *columns_reader_counts(struct columns_reader *r, uint32_t items, uint64_t limit,
                                  uint64_t *first);

/* Then its events, first[items] of them. Returns NULL, or a sentence on what is wrong. */
const char *columns_reader_events(struct columns_reader *r, uint32_t items, const uint64_t *first,
                                  struct event *events);

/* NULL when everything but COLUMN_GROUPS was used up, or a sentence. */
const char *columns_reader_end(const struct columns_reader *r);

#endif

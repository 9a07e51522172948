/*
 * columns_reader - turns the columns of a chunk back into events, group after group; private to
 * trace/.
 *
 * Its input is not trusted; its output has passed the checks of group_check().
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
	const unsigned char *at[COLUMN_COUNT], *end[COLUMN_COUNT]; /* all except the values */
	struct values_reader values[4];                            /* of 1, 2, 4 and 8 bytes */
	uint64_t previous_count;
};

/*
 * Begin a chunk. The columns, each followed by COLUMN_SLACK_BYTES zero bytes, and the model are
 * borrowed until columns_reader_end(). Returns NULL, or a sentence about what is wrong.
 */
const char *columns_reader_begin(struct columns_reader *r, struct launch_model *m,
                                 const struct column columns[COLUMN_COUNT]);

/* Read the guides of the chunk, before its first group: `length` bytes, followed by
 * VARINT_BYTES_MAX readable ones. Returns NULL, or a sentence about what is wrong. */
const char *columns_reader_guides(struct columns_reader *r, const unsigned char *at, size_t length);

/*
 * Begin the next group, of `items` work-items: fill first[items + 1] as in struct group_events,
 * with at most `limit` events. Returns NULL, or a sentence about what is wrong.
 */
const char *columns_reader_counts(struct columns_reader *r, uint32_t items, uint64_t limit,
                                  uint64_t *first);

/* Read the group's events, first[items] of them. Returns NULL, or a sentence about what is wrong.
 */
const char *columns_reader_events(struct columns_reader *r, uint32_t items, const uint64_t *first,
                                  struct event *events);

/* End the chunk. Returns NULL if all columns except COLUMN_GROUPS are used up, else a sentence. */
const char *columns_reader_end(const struct columns_reader *r);

#endif

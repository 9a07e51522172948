/*
 * item_store - the stored events of the work-items of one group, when they are too many for memory:
 * in a temporary file.
 *
 * Filled part by part, as a launch file has them; after that any number of threads may read.
 * Memory: four bytes for each work-item and part.
 */
#ifndef ITEM_STORE_H
#define ITEM_STORE_H

#include "group_events.h"

#include <stddef.h>

struct err;
struct item_store;

/* Where a reader of a work-item's events stands: zeroed, at their beginning. */
struct item_place {
	size_t part;
	uint64_t at; /* in the part */
};

/* For groups of `items` work-items. Free with item_store_free(), which allows NULL. Returns 0 or
 * ERR_NOMEM. */
int item_store_create(struct item_store **out, uint32_t items, struct err *err);
void item_store_free(struct item_store *s);

/* Add a part: what each work-item did next. Returns 0; ERR_IO when the file cannot be written;
 * ERR_LIMIT for more than 2^22 work-items of all parts together; ERR_NOMEM. */
int item_store_add(struct item_store *s, const struct group_events *part, struct err *err);

/* Copy the next events of a work-item, at most `most` and of one part, to `to`, and move *place
 * beyond them; *got is 0 at the end. Returns 0 or ERR_IO. */
int item_store_read(const struct item_store *s, uint32_t item, struct item_place *place,
                    struct event *to, size_t most, size_t *got, struct err *err);

#endif

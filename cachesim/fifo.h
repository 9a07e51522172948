/*
 * fifo - a growable queue of equal items, first in, first out (private to this room).
 *
 * Items lie one after another; what has been taken is closed up now and then, so that each item
 * moves once at most, on average. Constant time, memory for twice the most items it has held.
 */
#ifndef FIFO_H
#define FIFO_H

#include "array.h"

#include <stdbool.h>

struct fifo {
	struct array items;
	size_t first;   /* those before it have been taken */
	bool is_failed; /* out of memory: an item was lost */
};

/* Make an empty one of items of `item_bytes`; `what` they are, for messages, borrowed. No
 * allocation. */
void fifo_init(struct fifo *f, size_t item_bytes, const char *what);

/* Free what it owns. Accepts a zeroed struct. */
void fifo_release(struct fifo *f);

/* Append a copy of an item and return it, or NULL when memory ran out: then is_failed. */
void *fifo_push(struct fifo *f, const void *item);

/* Drop the first item; there is one. */
void fifo_drop(struct fifo *f);

static inline size_t fifo_count(const struct fifo *f)
{
	return f->items.count - f->first;
}

/* The first item, NULL when there is none. Valid until the next fifo_push(). */
static inline void *fifo_peek(const struct fifo *f)
{
	if (f->first == f->items.count)
		return NULL;
	return (char *)f->items.data + f->first * f->items.item_bytes;
}

#endif

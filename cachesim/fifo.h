/*
 * fifo - a growable queue of equal items, first in, first out (private to this room).
 *
 * Items lie one after another; what has been taken is closed up when there is no room left, so that
 * each item moves once at most, on average, and an empty queue begins anew. Constant time, memory
 * for four times the most items it has held.
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

/* Make room for `count` more; false when memory ran out: then is_failed. */
bool fifo_make_room(struct fifo *f, size_t count);

/* Append an item, which the caller fills in: it, or NULL as above. */
static inline void *fifo_add(struct fifo *f)
{
	if (f->items.count == f->items.capacity && !fifo_make_room(f, 1))
		return NULL;
	return (char *)f->items.data + f->items.count++ * f->items.item_bytes;
}

/* The same of several, at least one; the first of them. */
static inline void *fifo_add_many(struct fifo *f, size_t count)
{
	char *first;

	if (f->items.capacity - f->items.count < count && !fifo_make_room(f, count))
		return NULL;
	first = (char *)f->items.data + f->items.count * f->items.item_bytes;
	f->items.count += count;
	return first;
}

/* Drop the first `count` items; there are as many. */
static inline void fifo_drop_many(struct fifo *f, size_t count)
{
	f->first += count;
	if (f->first == f->items.count)
		f->first = f->items.count = 0;
}

/* Drop the first item; there is one. */
static inline void fifo_drop(struct fifo *f)
{
	fifo_drop_many(f, 1);
}

static inline size_t fifo_count(const struct fifo *f)
{
	return f->items.count - f->first;
}

/* The first item, NULL when there is none. Valid until the next one is appended. */
static inline void *fifo_peek(const struct fifo *f)
{
	if (f->first == f->items.count)
		return NULL;
	return (char *)f->items.data + f->first * f->items.item_bytes;
}

#endif

/*
 * fifo - a growable queue of equal items, first in, first out (private to this room).
 *
 * Items are contiguous. When there is no room left, the space of dropped items is reclaimed, so
 * that each item moves at most once on average; an empty queue starts anew. Constant time; memory
 * for four times the most items it has held.
 */
#ifndef FIFO_H
#define FIFO_H

#include "array.h"

#include <stdbool.h>

struct fifo {
	struct array items;
	size_t first;   /* those before it were dropped */
	bool is_failed; /* out of memory: an item was lost */
};

/* Make an empty queue of items of `item_bytes`; `what` names them in messages and is borrowed.
 * No allocation. */
void fifo_init(struct fifo *f, size_t item_bytes, const char *what);

/* Free what it owns. Accepts a zeroed struct. */
void fifo_release(struct fifo *f);

/* Append a copy of an item and return it; NULL if out of memory, with is_failed set. */
void *fifo_push(struct fifo *f, const void *item);

/* Make room for `count` more items; false if out of memory, with is_failed set. */
bool fifo_make_room(struct fifo *f, size_t count);

/* Append an item for the caller to fill in, and return it, or NULL as above. */
static inline void *fifo_add(struct fifo *f)
{
	if (f->items.count == f->items.capacity && !fifo_make_room(f, 1))
		return NULL;
	return (char *)f->items.data + f->items.count++ * f->items.item_bytes;
}

/* Append `count` (>= 1) items for the caller to fill in. Returns the first, or NULL as above. */
static inline void *fifo_add_many(struct fifo *f, size_t count)
{
	char *first;

	if (f->items.capacity - f->items.count < count && !fifo_make_room(f, count))
		return NULL;
	first = (char *)f->items.data + f->items.count * f->items.item_bytes;
	f->items.count += count;
	return first;
}

/* Drop the first `count` items; there must be that many. */
static inline void fifo_drop_many(struct fifo *f, size_t count)
{
	f->first += count;
	if (f->first == f->items.count)
		f->first = f->items.count = 0;
}

/* Drop the first item; there must be one. */
static inline void fifo_drop(struct fifo *f)
{
	fifo_drop_many(f, 1);
}

static inline size_t fifo_count(const struct fifo *f)
{
	return f->items.count - f->first;
}

/* The first item, or NULL if there is none. Valid until the next one is appended. */
static inline void *fifo_peek(const struct fifo *f)
{
	if (f->first == f->items.count)
		return NULL;
	return (char *)f->items.data + f->first * f->items.item_bytes;
}

#endif

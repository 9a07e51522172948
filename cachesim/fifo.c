/* SPDX-License-Identifier: Apache-2.0 */
#include "fifo.h"

#include <stdint.h>
#include <string.h>

void fifo_init(struct fifo *f, size_t item_bytes, const char *what)
{
	*f = (struct fifo){ 0 };
	array_init(&f->items, item_bytes, SIZE_MAX, what);
}

void fifo_release(struct fifo *f)
{
	array_release(&f->items);
	f->first = 0;
}

bool fifo_make_room(struct fifo *f, size_t count)
{
	size_t left = fifo_count(f), bytes = f->items.item_bytes;
	char *items = f->items.data;

	if (f->first > left) {
		memcpy(items, items + f->first * bytes, left * bytes);
		f->items.count = left;
		f->first = 0;
	}
	if (f->items.capacity - f->items.count >= count)
		return true;
	if (!array_push(&f->items, count, NULL)) {
		f->is_failed = true;
		return false;
	}
	f->items.count -= count;
	return true;
}

void *fifo_push(struct fifo *f, const void *item)
{
	void *pushed = fifo_add(f);

	return pushed ? memcpy(pushed, item, f->items.item_bytes) : NULL;
}

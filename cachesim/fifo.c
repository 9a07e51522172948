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

/* Move what is left to the front, once less than half is left. */
static void close_up(struct fifo *f)
{
	size_t left = fifo_count(f), bytes = f->items.item_bytes;
	char *items = f->items.data;

	if (f->first <= left)
		return;
	if (left)
		memcpy(items, items + f->first * bytes, left * bytes);
	f->items.count = left;
	f->first = 0;
}

void *fifo_push(struct fifo *f, const void *item)
{
	void *pushed;

	close_up(f);
	pushed = array_push(&f->items, 1, NULL);
	if (!pushed) {
		f->is_failed = true;
		return NULL;
	}
	return memcpy(pushed, item, f->items.item_bytes);
}

void fifo_drop(struct fifo *f)
{
	f->first++;
}

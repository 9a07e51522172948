/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_fills.h"

#include "err.h"

#include <stdlib.h>

int l1_fills_init(struct l1_fills *f, uint32_t chains, struct err *err)
{
	*f = (struct l1_fills){ .free = L1_FILL_NONE };
	array_init(&f->fills, sizeof(struct l1_fill), L1_FILL_NONE, "fills of an L1");
	f->firsts = array_alloc(chains, sizeof(*f->firsts), "fills of an L1", err);
	if (!f->firsts)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < chains; i++)
		f->firsts[i] = L1_FILL_NONE;
	return 0;
}

void l1_fills_release(struct l1_fills *f)
{
	array_release(&f->fills);
	free(f->firsts);
	*f = (struct l1_fills){ 0 };
}

/* A place for one more. */
static uint32_t take_free(struct l1_fills *f)
{
	uint32_t fill = f->free;

	if (fill != L1_FILL_NONE) {
		f->free = l1_fills_at(f, fill)->next;
		return fill;
	}
	if (!array_push(&f->fills, 1, NULL)) {
		f->is_failed = true;
		return L1_FILL_NONE;
	}
	return (uint32_t)f->fills.count - 1;
}

uint32_t l1_fills_add(struct l1_fills *f, const struct l1_fill *fill)
{
	uint32_t added = take_free(f);
	uint32_t *end = &f->firsts[fill->chain];

	if (added == L1_FILL_NONE)
		return added;
	*l1_fills_at(f, added) = *fill;
	l1_fills_at(f, added)->next = L1_FILL_NONE;
	if (fill->is_past)
		return added;
	f->entries++;
	while (*end != L1_FILL_NONE)
		end = &l1_fills_at(f, *end)->next;
	*end = added;
	return added;
}

void l1_fills_detach(struct l1_fills *f, uint32_t fill)
{
	struct l1_fill *detached = l1_fills_at(f, fill);
	uint32_t *at = &f->firsts[detached->chain];

	while (*at != fill)
		at = &l1_fills_at(f, *at)->next;
	*at = detached->next;
	detached->next = L1_FILL_NONE;
}

void l1_fills_remove(struct l1_fills *f, uint32_t fill)
{
	struct l1_fill *removed = l1_fills_at(f, fill);

	f->entries -= !removed->is_past;
	removed->next = f->free;
	f->free = fill;
}

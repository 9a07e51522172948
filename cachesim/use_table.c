/* SPDX-License-Identifier: Apache-2.0 */
#include "use_table.h"

#include "array.h"
#include "l1_observer.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

/* The place of a line, or the free one where it would be. capacity > count. */
static struct use_entry *find(const struct use_table *t, uint64_t line)
{
	/* Lines are multiples of their size: the product's high bits depend on all of it. */
	size_t at = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->capacity - 1);

	while (t->places[at].stays && t->places[at].line != line)
		at = (at + 1) & (t->capacity - 1);
	return &t->places[at];
}

static bool grow(struct use_table *t)
{
	struct use_table wide = { .count = t->count, .limit_count = t->limit_count };

	wide.capacity = t->capacity ? 2 * t->capacity : FIRST_CAPACITY;
	wide.places = array_alloc(wide.capacity, sizeof(*wide.places), "lines", NULL);
	if (!wide.places)
		return false;
	for (size_t i = 0; i < t->capacity; i++)
		if (t->places[i].stays)
			*find(&wide, t->places[i].line) = t->places[i];
	free(t->places);
	*t = wide;
	return true;
}

/* a + b where it fits into 32 bits. */
static bool fits(uint32_t a, uint64_t b, uint32_t *sum)
{
	*sum = a + (uint32_t)b;
	return b <= UINT32_MAX - a;
}

static bool add(struct use_entry *e, const struct l1_residency *x)
{
	struct use_entry sum = { .line = x->line };

	if (!fits(e->stays, 1, &sum.stays) ||
	    !fits(e->first_bytes, x->first_bytes_used, &sum.first_bytes) ||
	    !fits(e->bytes_moved, x->bytes_moved, &sum.bytes_moved) ||
	    !fits(e->uses, x->uses, &sum.uses))
		return false;
	*e = sum;
	return true;
}

enum use_outcome use_table_add(struct use_table *t, const struct l1_residency *x)
{
	struct use_entry *e;
	bool is_new;

	if (!t->capacity && !grow(t))
		return USE_FAILED;
	e = find(t, x->line);
	is_new = !e->stays;
	if (is_new && t->count >= t->limit_count)
		return USE_DROPPED;
	if (is_new && t->count >= t->capacity / 4 * 3) {
		if (!grow(t))
			return USE_FAILED;
		e = find(t, x->line);
	}
	if (!add(e, x))
		return USE_DROPPED;
	t->count += is_new;
	return USE_ADDED;
}

void use_table_release(struct use_table *t)
{
	free(t->places);
	*t = (struct use_table){ 0 };
}

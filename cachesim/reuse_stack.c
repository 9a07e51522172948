/* SPDX-License-Identifier: Apache-2.0 */
#include "reuse_stack.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

int reuse_stack_init(struct reuse_stack *s, const struct set_index *index, struct err *err)
{
	*s = (struct reuse_stack){ .index = *index };
	s->sets = array_alloc(index->sets, sizeof(*s->sets), "LRU stacks", err);
	return s->sets ? 0 : ERR_NOMEM;
}

void reuse_stack_release(struct reuse_stack *s)
{
	for (uint32_t i = 0; s->sets && i < s->index.sets; i++)
		reuse_order_release(&s->sets[i]);
	free(s->sets);
	free(s->places);
	*s = (struct reuse_stack){ 0 };
}

/* Places for twice as many numbers, and `limit` at least; the new ones were never used. */
static bool widen(struct reuse_stack *s, uint32_t limit)
{
	size_t count = 2 * (size_t)s->place_count;
	uint32_t *places;

	if (count < limit)
		count = limit;
	if (count > UINT32_MAX)
		return false;
	places = realloc(s->places, count * sizeof(*places));
	if (!places)
		return false;
	s->places = places;
	memset(places + s->place_count, 0xff, (count - s->place_count) * sizeof(*places));
	s->place_count = (uint32_t)count;
	return true;
}

uint32_t reuse_stack_read(struct reuse_stack *s, uint64_t line, uint32_t number, uint32_t limit)
{
	if (number >= s->place_count && !s->is_failed)
		s->is_failed = number >= limit || !widen(s, limit);
	if (s->is_failed)
		return REUSE_NEVER;
	return reuse_order_use(&s->sets[set_index_find(&s->index, line)], s->places, number);
}

void reuse_stack_take(struct reuse_stack *s, uint64_t line, uint32_t number)
{
	if (number < s->place_count && s->places[number] < REUSE_TAKEN)
		reuse_order_take(&s->sets[set_index_find(&s->index, line)], s->places, number);
}

bool reuse_stack_has_failed(const struct reuse_stack *s)
{
	bool has_failed = s->is_failed;

	for (uint32_t i = 0; s->sets && i < s->index.sets && !has_failed; i++)
		has_failed = s->sets[i].is_failed;
	return has_failed;
}

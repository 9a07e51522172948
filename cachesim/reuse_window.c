/* SPDX-License-Identifier: Apache-2.0 */
#include "reuse_window.h"

#include "array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BITS_AT_FIRST = 6, BITS_MAX = 31 };

void line_names_release(struct line_names *n)
{
	free(n->names);
	free(n->chains);
	*n = (struct line_names){ 0 };
}

void line_names_clear(struct line_names *n)
{
	if (n->limit)
		memset(n->chains, 0, 2 * (size_t)n->capacity * sizeof(*n->chains));
	n->count = n->limit = n->free = 0;
}

/* The chain of a line: the top bits of a product with 2^64 / golden ratio (Knuth, 6.4). */
static uint32_t *chain_of(struct line_names *n, uint64_t line)
{
	return &n->chains[line * UINT64_C(0x9e3779b97f4a7c15) >> n->shift];
}

static void chain(struct line_names *n, uint32_t number)
{
	uint32_t *first = chain_of(n, line_names_line(n, number));

	n->names[number].next = *first;
	*first = number + 1;
}

/* Double the names and chains. */
static bool grow(struct line_names *n)
{
	uint32_t bits = n->chains ? 64 - n->shift + 1 : BITS_AT_FIRST;
	size_t count = (size_t)1 << bits;
	struct line_name *names = NULL;
	uint32_t *chains = NULL;

	if (bits <= BITS_MAX)
		chains = array_alloc(count, sizeof(*chains), "numbers of lines", NULL);
	if (chains)
		names = realloc(n->names, count / 2 * sizeof(*names));
	if (!names) {
		free(chains);
		n->is_failed = true;
		return false;
	}
	free(n->chains);
	n->names = names;
	n->chains = chains;
	n->shift = 64 - bits;
	n->capacity = (uint32_t)(count / 2);
	for (uint32_t i = 0; i < n->limit; i++) /* all are in use */
		chain(n, i);
	return true;
}

uint32_t line_names_add(struct line_names *n, uint64_t line)
{
	uint32_t number = n->free - 1;

	if (n->is_failed)
		return LINE_NAMES_NONE;
	if (n->free) {
		n->free = n->names[number].next;
	} else {
		if (n->limit == n->capacity && !grow(n))
			return LINE_NAMES_NONE;
		number = n->limit++;
	}
	n->names[number].line = line + 1;
	n->count++;
	chain(n, number);
	return number;
}

void line_names_remove(struct line_names *n, uint32_t number)
{
	uint32_t *at = chain_of(n, line_names_line(n, number));

	while (*at != number + 1)
		at = &n->names[*at - 1].next;
	*at = n->names[number].next;
	n->names[number].line = 0;
	n->names[number].next = n->free;
	n->free = number + 1;
	n->count--;
}

bool reuse_window_add(struct reuse_window *w, const struct set_index *index, uint32_t lines)
{
	struct reuse_sets *s = &w->sets[w->count];

	assert(w->count < REUSE_WINDOW_MAX);
	*s = (struct reuse_sets){ .index = *index, .limit = UINT32_MAX };
	if (lines)
		s->limit = (lines - 1) / index->sets + 1;
	if (!w->count)
		w->taken_limit = (lines + 1) / 2;
	s->orders = array_alloc(index->sets, sizeof(*s->orders), "LRU stacks", NULL);
	if (!s->orders)
		return false;
	if (!w->count)
		s->orders[0].shift = REUSE_WINDOW_SHIFT;
	w->count++;
	return true;
}

void reuse_window_release(struct reuse_window *w)
{
	for (size_t i = 0; i < w->count; i++) {
		struct reuse_sets *s = &w->sets[i];

		for (uint32_t k = 0; s->orders && k < s->index.sets; k++)
			reuse_order_release(&s->orders[k]);
		free(s->orders);
		free(s->places);
	}
	free(w->taken);
	line_names_release(&w->names);
	*w = (struct reuse_window){ 0 };
}

void reuse_window_clear(struct reuse_window *w)
{
	for (size_t i = 0; i < w->count; i++)
		for (uint32_t k = 0; k < w->sets[i].index.sets; k++)
			reuse_order_clear(&w->sets[i].orders[k]);
	line_names_clear(&w->names);
	w->taken_next = 0;
	if (w->taken)
		memset(w->taken, 0xff, w->taken_limit * sizeof(*w->taken));
	w->has_forgotten = false;
}

bool reuse_window_has_failed(const struct reuse_window *w)
{
	bool has_failed = w->is_failed || w->names.is_failed;

	for (size_t i = 0; i < w->count && !has_failed; i++)
		for (uint32_t k = 0; k < w->sets[i].index.sets && !has_failed; k++)
			has_failed = w->sets[i].orders[k].is_failed;
	return has_failed;
}

bool reuse_window_is_full(const struct reuse_window *w)
{
	const struct reuse_sets *whole = &w->sets[0];

	return whole->orders[0].set >= whole->limit ||
	       (w->taken && w->taken[w->taken_next] != LINE_NAMES_NONE);
}

/* The places of an organisation's lines, and that of one. */
static inline uint32_t *places_of(const struct reuse_window *w, size_t i)
{
	return i ? w->sets[i].places : reuse_window_places(&w->names);
}

static inline uint32_t *place_of(const struct reuse_window *w, size_t i, uint32_t number)
{
	return i ? &w->sets[i].places[number] : &w->names.names[number].word;
}

/* Make places for all numbers. */
static bool widen(struct reuse_window *w, uint32_t number)
{
	uint32_t count = w->place_count ? 2 * w->place_count : 64;

	while (count <= number)
		count *= 2;
	for (size_t i = 1; i < w->count; i++) {
		uint32_t *places = realloc(w->sets[i].places, count * sizeof(*places));

		if (!places) {
			w->is_failed = true;
			return false;
		}
		w->sets[i].places = places;
	}
	w->place_count = count;
	return true;
}

/* Assign a number to an unknown line; its places are REUSE_NEVER or REUSE_BEYOND. */
static uint32_t add(struct reuse_window *w, uint64_t line)
{
	uint32_t number = line_names_add(&w->names, line);
	uint32_t past = w->has_forgotten ? REUSE_BEYOND : REUSE_NEVER;

	if (number == LINE_NAMES_NONE ||
	    (w->count > 1 && number >= w->place_count && !widen(w, number)))
		return LINE_NAMES_NONE;
	for (size_t i = 0; i < w->count; i++)
		*place_of(w, i, number) = past;
	return number;
}

/* Forget a line that is no longer known in any organisation. */
static void forget(struct reuse_window *w, uint32_t number)
{
	for (size_t i = 0; i < w->count; i++)
		if (*place_of(w, i, number) != REUSE_BEYOND)
			return;
	line_names_remove(&w->names, number);
	w->has_forgotten = true;
}

/* Drop the least recently used line. The next one to drop is probably not in the host's cache:
 * prefetch it. */
static void drop(struct reuse_window *w, size_t i, struct reuse_order *o)
{
	uint32_t oldest = reuse_order_drop(o), next;

	if (reuse_order_next(o, o->first, &next) != REUSE_NEVER && next != REUSE_NEVER)
		__builtin_prefetch(&w->names.names[next], 1);
	if (oldest == REUSE_NEVER)
		return;
	*place_of(w, i, oldest) = REUSE_BEYOND;
	forget(w, oldest);
}

void reuse_window_use(struct reuse_window *w, uint64_t line, uint32_t distances[REUSE_WINDOW_MAX])
{
	uint32_t number = line_names_find(&w->names, line);

	if (number == LINE_NAMES_NONE)
		number = add(w, line);
	if (number == LINE_NAMES_NONE)
		return;
	for (size_t i = 0; i < w->count; i++) {
		struct reuse_sets *s = &w->sets[i];
		struct reuse_order *o = &s->orders[set_index_find(&s->index, line)];

		distances[i] = reuse_order_use(o, places_of(w, i), number);
		if (o->set > s->limit)
			drop(w, i, o);
	}
}

/* Record that the line was removed; this is remembered until taken_limit others were removed. */
static void note_taken(struct reuse_window *w, uint32_t number)
{
	uint32_t *place, oldest;

	if (!w->taken_limit)
		return;
	if (!w->taken) {
		w->taken = malloc(w->taken_limit * sizeof(*w->taken));
		if (!w->taken) {
			w->is_failed = true;
			return;
		}
		memset(w->taken, 0xff, w->taken_limit * sizeof(*w->taken));
	}
	place = &w->taken[w->taken_next];
	oldest = *place;
	*place = number;
	w->taken_next = (w->taken_next + 1) % w->taken_limit;
	if (oldest == LINE_NAMES_NONE || oldest == number ||
	    !line_names_is_used(&w->names, oldest) || *place_of(w, 0, oldest) != REUSE_TAKEN)
		return; /* it was used since, or forgotten */
	for (size_t i = 0; i < w->count; i++)
		*place_of(w, i, oldest) = REUSE_BEYOND;
	forget(w, oldest);
}

void reuse_window_take(struct reuse_window *w, uint64_t line)
{
	uint32_t number = line_names_find(&w->names, line);

	if (number == LINE_NAMES_NONE || *place_of(w, 0, number) == REUSE_TAKEN)
		return;
	for (size_t i = 0; i < w->count; i++) {
		struct reuse_sets *s = &w->sets[i];

		if (*place_of(w, i, number) < REUSE_BEYOND)
			reuse_order_take(&s->orders[set_index_find(&s->index, line)],
			                 places_of(w, i), number);
		else
			*place_of(w, i, number) = REUSE_TAKEN;
	}
	note_taken(w, number);
}

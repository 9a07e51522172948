/* SPDX-License-Identifier: Apache-2.0 */
#include "reuse_sample.h"

#include "reuse_window.h"

#include <stdlib.h>
#include <string.h>

void reuse_sample_release(struct reuse_sample *s)
{
	line_names_release(&s->names);
	reuse_order_release(&s->order);
	*s = (struct reuse_sample){ 0 };
}

void reuse_sample_clear(struct reuse_sample *s)
{
	if (!s->is_begun)
		return;
	line_names_clear(&s->names);
	reuse_order_clear(&s->order);
	s->is_begun = false;
}

bool reuse_sample_has_failed(const struct reuse_sample *s)
{
	return s->is_failed || s->names.is_failed || s->order.is_failed;
}

/* Forget half of the lines, and of the ways that they left empty, until there is room. */
static void thin_out(struct reuse_sample *s)
{
	while (s->names.count > s->limit && s->bits < 40) {
		s->bits++;
		for (uint32_t i = 0; i < s->names.limit; i++) {
			if (!line_names_is_used(&s->names, i) ||
			    reuse_sample_has(s,
			                     reuse_sample_hash(s, line_names_line(&s->names, i))))
				continue;
			reuse_order_remove(&s->order, reuse_window_places(&s->names), i);
			line_names_remove(&s->names, i);
		}
		reuse_order_thin_holes(&s->order);
	}
}

static uint32_t *places_of(const struct reuse_sample *s)
{
	return reuse_window_places(&s->names);
}

/* The number of a line, which is given one if it has none; its place is known. */
static uint32_t number_of(struct reuse_sample *s, uint64_t line)
{
	uint32_t number = line_names_find(&s->names, line);

	if (number != LINE_NAMES_NONE)
		return number;
	number = line_names_add(&s->names, line);
	if (number != LINE_NAMES_NONE)
		s->names.names[number].word = REUSE_NEVER;
	return number;
}

uint32_t reuse_sample_use(struct reuse_sample *s, uint64_t line)
{
	uint32_t number = number_of(s, line), bits = s->bits, distance;

	if (number == LINE_NAMES_NONE)
		return REUSE_NEVER;
	distance = reuse_order_use(&s->order, places_of(s), number);
	if (s->names.count > s->limit)
		thin_out(s);
	if (distance >= REUSE_BEYOND)
		return distance;
	return distance < (REUSE_BEYOND - 1) >> bits ? distance << bits : REUSE_BEYOND - 1;
}

void reuse_sample_take(struct reuse_sample *s, uint64_t line)
{
	uint32_t number = line_names_find(&s->names, line);

	if (number != LINE_NAMES_NONE && s->names.names[number].word < REUSE_BEYOND)
		reuse_order_take(&s->order, places_of(s), number);
}

/* What stands in a slot of the window's order, oldest first. */
static void copy_slot(struct reuse_sample *s, const struct reuse_window *w, uint32_t owner,
                      uint32_t *holes)
{
	uint64_t line;
	uint32_t number;

	if (owner == REUSE_NEVER) {
		if (!((*holes)++ % (1u << REUSE_SAMPLE_BITS)))
			reuse_order_append(&s->order, places_of(s), REUSE_NEVER);
		return;
	}
	line = line_names_line(&w->names, owner);
	if (!reuse_sample_has(s, reuse_sample_hash(s, line)))
		return;
	number = number_of(s, line);
	if (number != LINE_NAMES_NONE)
		reuse_order_append(&s->order, places_of(s), number);
}

/* Those of the lines that were taken out. */
static void copy_taken(struct reuse_sample *s, const struct reuse_window *w)
{
	for (uint32_t i = 0; i < w->names.limit; i++) {
		uint64_t line;
		uint32_t number;

		if (!line_names_is_used(&w->names, i) || w->names.names[i].word != REUSE_TAKEN)
			continue;
		line = line_names_line(&w->names, i);
		if (!reuse_sample_has(s, reuse_sample_hash(s, line)))
			continue;
		number = number_of(s, line);
		if (number != LINE_NAMES_NONE)
			s->names.names[number].word = REUSE_TAKEN;
	}
}

void reuse_sample_begin(struct reuse_sample *s, const struct reuse_window *w, uint32_t limit,
                        uint64_t salt)
{
	const struct reuse_order *o = &w->sets[0].orders[0];
	uint32_t owner, holes = 0;

	s->limit = limit;
	s->salt = salt;
	s->bits = REUSE_SAMPLE_BITS;
	s->order.shift = REUSE_WINDOW_SHIFT;
	s->is_begun = true;
	for (uint32_t at = 0; (at = reuse_order_next(o, at, &owner)) != REUSE_NEVER; at++)
		copy_slot(s, w, owner, &holes);
	copy_taken(s, w);
	thin_out(s);
}

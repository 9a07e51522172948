/* SPDX-License-Identifier: Apache-2.0 */
#include "word_recipe.h"

#include "array.h"
#include "event.h"
#include "probe_abi.h"
#include "word_decoder.h"

#define PAYLOAD_MASK ((1ull << PROBE_RUN_SHIFT) - 1)
/* A recipe used this often was worth making. */
#define HITS_ENOUGH 8u

/* Add an event of a site, from word number `word`. */
static bool add(struct word_recipe *r, uint32_t site, uint32_t word)
{
	if (r->event_count == WORD_RECIPE_EVENTS)
		return false;
	r->events[r->event_count++] =
		(struct recipe_event){ .point = EVENT_SITE | site, .word = word };
	return true;
}

/* Add the companions of a site's word, whose addresses follow from their leaders' last. */
static bool add_companions(struct word_recipe *r, const struct word_decoder *d, uint32_t site)
{
	const struct plain_site *with = &d->plain[site];

	for (uint32_t i = 0; i < with->count; i++) {
		const struct companion *c = d->companions[with->first + i].told;
		uint32_t at = r->event_count;

		while (at && r->events[at - 1].point != (EVENT_SITE | c->leader))
			at--;
		if (!at || !add(r, c->site, r->events[at - 1].word))
			return false;
	}
	return true;
}

/* Add one word; false if recipes do not support it. */
static bool add_word(struct word_recipe *r, const struct word_decoder *d, uint32_t at,
                     uint64_t word)
{
	uint64_t id = (word >> PROBE_CODE_SHIFT) - 1;

	r->mask[at] = ~PAYLOAD_MASK;
	r->want[at] = word & ~PAYLOAD_MASK;
	return id < d->table->site_count && d->plain[id].is_plain && add(r, (uint32_t)id, at) &&
	       add_companions(r, d, (uint32_t)id);
}

/* Add all words; false: no recipe. */
static bool read_words(struct word_recipe *r, const struct word_decoder *d,
                       const struct word_span *span)
{
	for (uint32_t i = 0; i < span->count; i++) {
		uint64_t word = span->words[i * (size_t)span->step];

		if (i == WORD_RECIPE_WORDS)
			return false;
		r->word_count = i + 1;
		r->mask[i] = UINT64_MAX;
		r->want[i] = 0;
		if (word && !add_word(r, d, i, word))
			return false;
		if (!word && !span->has_gaps)
			return true;
	}
	return true;
}

/* Take from the events what the words do not contain. */
static bool read_events(struct word_recipe *r, const struct word_span *span,
                        const struct event *events, size_t count)
{
	if (count != r->event_count)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct recipe_event *e = &r->events[i];

		if (events[i].point != e->point)
			return false;
		e->iteration = events[i].iteration;
		e->distance = events[i].value -
		              (span->words[e->word * (size_t)span->step] & PAYLOAD_MASK);
	}
	return true;
}

void word_recipe_forget(struct word_recipe *r)
{
	r->word_count = r->hits = r->misses = 0;
}

void word_recipe_consider(struct word_recipe *r, const struct word_decoder *d,
                          const struct word_span *span, const struct event *events, size_t count)
{
	if (r->hits >= HITS_ENOUGH)
		r->misses = 0;
	r->hits = 0;
	/* after 1, 2, 4, 8... failures */
	r->misses++;
	if (r->misses & (r->misses - 1))
		return;
	r->word_count = r->event_count = 0;
	if (!read_words(r, d, span) || !read_events(r, span, events, count))
		r->word_count = 0;
}

/* Whether the words have the codes, runs and gaps of the recipe. */
static bool fits(const struct word_recipe *r, const struct word_span *span)
{
	const uint64_t *word = span->words;
	uint64_t other = 0;

	if (!r->word_count || r->word_count > span->count)
		return false;
	for (uint32_t i = 0; i < r->word_count; i++, word += span->step)
		other |= (*word & r->mask[i]) ^ r->want[i];
	return !other;
}

/* Make room for the events; existing memory is not cleared. */
static struct event *push(struct array *out, size_t count)
{
	struct event *to = out->data;

	if (count > out->capacity - out->count || count > out->limit_count - out->count)
		return array_push(out, count, NULL);
	to += out->count;
	out->count += count;
	return to;
}

bool word_recipe_follow(struct word_recipe *r, const struct word_span *span, struct array *out)
{
	struct event *to;

	if (!fits(r, span))
		return false;
	to = r->event_count ? push(out, r->event_count) : NULL;
	if (!to && r->event_count)
		return false;
	for (uint32_t i = 0; i < r->event_count; i++) {
		const struct recipe_event *e = &r->events[i];
		uint64_t word = span->words[e->word * (size_t)span->step];

		to[i] = (struct event){ .value = (word & PAYLOAD_MASK) + e->distance,
			                .point = e->point,
			                .iteration = e->iteration };
	}
	r->hits++;
	return true;
}

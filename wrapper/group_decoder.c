/* SPDX-License-Identifier: Apache-2.0 */
#include "group_decoder.h"

#include "count_cells.h"
#include "err.h"
#include "slice_records.h"
#include "word_decoder.h"

#include <stdlib.h>
#include <string.h>

/* As many as a launch file takes of one group, and a few groups more. */
#define MOST_EVENTS    (UINT64_C(1) << 29)
#define KEEPABLE_BYTES (UINT64_C(16) << 20)

static const struct event no_event;

int group_decoder_init(struct group_decoder *d, const struct kernel_table *table, struct err *err)
{
	int rc;

	*d = (struct group_decoder){ .table = table };
	array_init(&d->groups, sizeof(struct decoded_group), MOST_EVENTS, "groups");
	array_init(&d->first, sizeof(uint64_t), MOST_EVENTS, "work-items");
	array_init(&d->events, sizeof(struct event), MOST_EVENTS, "events of a group");
	rc = word_decoder_create(&d->words, table, err);
	if (rc < 0 || !table->counts)
		return rc;
	d->sums = array_alloc(table->cell_count, sizeof(*d->sums), "counts", err);
	if (!d->sums)
		return ERR_NOMEM;
	word_decoder_count_into(d->words, d->sums);
	return 0;
}

void group_decoder_release(struct group_decoder *d)
{
	word_decoder_free(d->words);
	free(d->sums);
	array_release(&d->groups);
	array_release(&d->first);
	array_release(&d->events);
	memset(d, 0, sizeof(*d));
}

void group_decoder_clear(struct group_decoder *d)
{
	d->damaged = d->chunk_events = 0;
	array_clear(&d->groups);
	array_clear(&d->first);
	if (d->events.capacity * sizeof(struct event) > KEEPABLE_BYTES)
		array_release(&d->events);
	array_clear(&d->events);
}

void group_decoder_begin(struct group_decoder *d)
{
	group_decoder_clear(d);
	word_recipe_forget(&d->recipe);
	d->counted = 0;
	if (d->sums)
		memset(d->sums, 0, d->table->cell_count * sizeof(*d->sums));
}

/* Decode one chunk or place. False: no more of this work-item; *rc tells a failure. */
static bool add_words(struct group_decoder *d, const struct word_span *span, int *rc,
                      struct err *err)
{
	struct err cause = { 0 };

	*rc = word_decoder_add(d->words, span, &d->events, &cause);
	if (*rc == ERR_FORMAT) {
		d->damaged++;
		*rc = 0;
		return false;
	}
	if (*rc < 0)
		*rc = err_set(err, (enum err_code) * rc, "%s", cause.msg);
	return *rc == 0;
}

/* The chunks of a work-item in their order: a gap, where a damaged one was, ends it. */
static int add_chunks(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      uint32_t item, struct err *err)
{
	uint32_t chunk = slice_records_first(r, g, item);
	struct word_span span = { .count = r->slice.chunk_words, .step = r->layout.lanes };
	size_t before = d->events.count;
	bool goes_on = true;
	int rc = 0;

	for (uint32_t k = 0; goes_on && chunk != SLICE_RECORDS_NONE; k++) {
		if (slice_records_order(r, chunk) != k) {
			d->damaged++;
			return 0;
		}
		span.words = slice_records_chunk_words(r, chunk, item);
		goes_on = add_words(d, &span, &rc, err);
		chunk = slice_records_next(r, chunk);
	}
	d->chunk_events += d->events.count - before;
	return rc;
}

/* A work-item whose place is `place`. */
static int add_item(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                    uint32_t item, const struct word_span *place, struct err *err)
{
	bool has_chunks = slice_records_first(r, g, item) != SLICE_RECORDS_NONE;
	size_t before = d->events.count;
	const struct event *events;
	int rc = 0;

	if (!has_chunks && word_recipe_follow(&d->recipe, place, &d->events))
		return 0;
	word_decoder_begin(d->words);
	if (!add_words(d, place, &rc, err))
		return rc;
	if (has_chunks)
		return add_chunks(d, r, g, item, err);
	events = d->events.data;
	word_recipe_consider(&d->recipe, d->words, place, events ? events + before : NULL,
	                     d->events.count - before);
	return 0;
}

/* Count mode with slots: a group has sums, and no events. */
static void add_cells(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      uint32_t items)
{
	count_cells_add(d->table, slice_records_places(r, g), items, d->sums);
	d->counted += items;
}

int group_decoder_add(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      struct err *err)
{
	uint32_t size[3], items = launch_shape_group_size(r->shape, g, size);
	struct decoded_group *group;
	uint64_t *first;
	size_t begin = d->events.count;
	struct word_span place = { .words = slice_records_places(r, g),
		                   .count = r->slice.place_words,
		                   .step = items,
		                   .has_gaps = r->layout.slot_words > 0 };

	if (d->sums && r->layout.slot_words) {
		add_cells(d, r, g, items);
		return 0;
	}
	group = array_push(&d->groups, 1, err);
	first = group ? array_push(&d->first, (size_t)items + 1, err) : NULL;
	if (!first)
		return ERR_NOMEM;
	d->counted += items;
	word_decoder_differences(d->words, r->differences);
	*group = (struct decoded_group){ g, items, d->first.count - items - 1, begin };
	if (d->recipe_slice != r->slice.box.begin)
		word_recipe_forget(&d->recipe);
	d->recipe_slice = r->slice.box.begin;
	for (uint32_t item = 0; item < items; item++, place.words++) {
		int rc = add_item(d, r, g, item, &place, err);

		if (rc < 0)
			return rc;
		first[item + 1] = d->events.count - begin;
	}
	return 0;
}

uint64_t group_decoder_get(const struct group_decoder *d, size_t i, struct group_events *out)
{
	const struct decoded_group *group = (const struct decoded_group *)d->groups.data + i;
	const struct event *events = d->events.data;

	*out = (struct group_events){ .item_count = group->item_count,
		                      .first = (const uint64_t *)d->first.data + group->first,
		                      .events = events ? events + group->events : &no_event };
	return group->group;
}

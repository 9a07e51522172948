/* SPDX-License-Identifier: Apache-2.0 */
#include "group_decoder.h"

#include "array.h"
#include "err.h"
#include "event.h"
#include "kernel_table.h"
#include "launch_writer.h"
#include "slice_records.h"
#include "word_decoder.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* One group, or the rest of one: where its events and its first[] begin. */
struct decoded_group {
	uint64_t group;
	uint32_t item_count;
	size_t first, events;
	bool goes_on; /* another round follows */
};

#define MOST_STATE_BYTES (UINT64_C(4) << 20)

int group_rounds_init(struct group_rounds *g, const struct kernel_table *table, uint32_t items,
                      struct err *err)
{
	*g = (struct group_rounds){ .item_count = items,
		                    .state_bytes = word_decoder_state_bytes(table) };
	if (g->state_bytes > MOST_STATE_BYTES / items)
		return err_set(err, ERR_LIMIT, "the states of %u work-items are too large", items);
	g->skips = array_alloc(items, sizeof(*g->skips), "rounds of a group", err);
	g->items = array_alloc(items, sizeof(*g->items), "rounds of a group", err);
	g->states = array_alloc(items, g->state_bytes, "rounds of a group", err);
	return g->skips && g->items && g->states ? 0 : ERR_NOMEM;
}

void group_rounds_release(struct group_rounds *g)
{
	free(g->skips);
	free(g->items);
	free(g->states);
	memset(g, 0, sizeof(*g));
}

bool group_rounds_next(struct group_rounds *g)
{
	uint64_t before = g->chunks;

	g->chunks = 0;
	for (uint32_t i = 0; i < g->item_count; i++) {
		g->chunks += g->items[i].chunks;
		g->skips[i] = g->items[i].chunks ? g->items[i].chunks - 1 : 0;
	}
	g->round++;
	return g->chunks > before;
}

/* Returns the saved decoder state of a work-item. */
static unsigned char *group_rounds_state(const struct group_rounds *g, uint32_t item)
{
	return g->states + item * g->state_bytes;
}

/* Keep the last chunk of a work-item: the number and sum of its first `words` words. */
static void group_rounds_keep(struct group_rounds *g, uint32_t item, const uint64_t *chunk,
                              uint32_t words)
{
	g->items[item].words = words;
	g->items[item].sum = XXH64(chunk, words * sizeof(*chunk), 0);
}

/* Whether a chunk equals the one that was kept; the work-item must have one. */
static bool group_rounds_is_same(const struct group_rounds *g, uint32_t item, const uint64_t *chunk)
{
	const struct round_item *kept = &g->items[item];

	return XXH64(chunk, kept->words * sizeof(*chunk), 0) == kept->sum;
}

/* Maximum number of events: of a group without a sink, or of one work-item in one chunk. */
#define MOST_EVENTS (UINT64_C(1) << 29)

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
	d->damaged = d->chunk_events = d->sent_events = 0;
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

/* Decode one chunk or place. False: stop with this work-item; *rc is set on failure. */
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

static struct group_events events_of(const struct group_decoder *d,
                                     const struct decoded_group *group)
{
	const struct event *events = d->events.data;

	return (struct group_events){ .item_count = group->item_count,
		                      .first = (const uint64_t *)d->first.data + group->first,
		                      .events = events ? events + group->events : &no_event };
}

/* Send the first `count` waiting groups to the sink. */
static int send_groups(struct group_decoder *d, size_t count, struct err *err)
{
	const struct decoded_group *groups = d->groups.data;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct group_events g = events_of(d, &groups[i]);

		d->sent_events += g.first[g.item_count];
		rc = d->sink(d->context, groups[i].group, &g, !groups[i].goes_on, err);
	}
	return rc;
}

/* Drop all waiting groups except the one that is being decoded. */
static void forget_sent(struct group_decoder *d)
{
	struct decoded_group *groups = d->groups.data, *last = &groups[d->groups.count - 1];
	uint64_t *first = d->first.data;
	struct event *events = d->events.data;

	if (d->groups.count == 1)
		return;
	memmove(first, first + last->first, (last->item_count + (size_t)1) * sizeof(*first));
	memmove(events, events + last->events, (d->events.count - last->events) * sizeof(*events));
	d->first.count -= last->first;
	d->events.count -= last->events;
	groups[0] = *last;
	groups[0].first = groups[0].events = 0;
	d->groups.count = 1;
}

/* Send the first `to` events of the group that is being decoded to the sink; the last of them
 * belong to work-item `item`. */
static int send_part(struct group_decoder *d, uint32_t item, uint64_t to, struct err *err)
{
	const struct decoded_group *group = d->groups.data;
	uint64_t *first = d->first.data;
	struct event *events = d->events.data;
	const struct group_events part = { group->item_count, first, events };
	int rc;

	for (uint32_t i = item + 1; i <= group->item_count; i++)
		first[i] = to;
	rc = d->sink(d->context, group->group, &part, false, err);
	for (uint32_t i = 0; i <= item; i++)
		first[i] = 0; /* the unsent events are all of this work-item */
	memmove(events, events + to, (d->events.count - to) * sizeof(*events));
	d->events.count -= to;
	d->sent_events += to;
	return rc;
}

/* Within work-item `item` of the last group: send parts until less than a part waits. */
static int send_full(struct group_decoder *d, uint32_t item, struct err *err)
{
	uint64_t to;
	int rc;

	if (!d->sink || d->events.count <= LAUNCH_CHUNK_EVENTS_MAX)
		return 0;
	rc = send_groups(d, d->groups.count - 1, err);
	forget_sent(d);
	while (rc == 0 && d->events.count > LAUNCH_CHUNK_EVENTS_MAX) {
		to = launch_writer_cut(d->events.data, 0, d->events.count);
		rc = send_part(d, item, to, err);
	}
	return rc;
}

/* Decode the chunks of a work-item in order, up to a gap left by a damaged one. */
static int add_chunks(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      uint32_t item, struct err *err)
{
	uint32_t chunk = slice_records_first(r, g, item);
	struct word_span span = { .count = r->slice.chunk_words, .step = r->layout.lanes };
	bool goes_on = true;
	int rc = 0;

	for (uint32_t k = 0; goes_on && chunk != SLICE_RECORDS_NONE; k++) {
		size_t before = d->events.count;

		if (slice_records_order(r, chunk) != k) {
			d->damaged++;
			return 0;
		}
		span.words = slice_records_chunk_words(r, chunk, item);
		goes_on = add_words(d, &span, &rc, err);
		d->chunk_events += d->events.count - before;
		if (goes_on)
			rc = send_full(d, item, err);
		goes_on = goes_on && rc == 0;
		chunk = slice_records_next(r, chunk);
	}
	return rc;
}

/* Decode a work-item whose place is `place`. */
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

/* Decode the chunks of a work-item that are new in this round; `chunk` is its k-th. */
static int add_new(struct group_decoder *d, const struct slice_records *r, uint32_t chunk,
                   uint32_t item, struct err *err)
{
	struct word_span span = { .count = r->slice.chunk_words, .step = 1 };
	struct round_item *at = &r->rounds->items[item];
	int rc = 0;

	for (; rc == 0 && chunk != SLICE_RECORDS_NONE; chunk = slice_records_next(r, chunk)) {
		size_t before = d->events.count;

		span.words = slice_records_chunk_words(r, chunk, item);
		if (slice_records_order(r, chunk) != at->chunks || !add_words(d, &span, &rc, err)) {
			d->damaged += rc == 0;
			r->rounds->is_inconsistent = true;
			return rc;
		}
		d->chunk_events += d->events.count - before;
		at->chunks++;
		rc = send_full(d, item, err);
	}
	if (span.words)
		group_rounds_keep(r->rounds, item, span.words,
		                  (uint32_t)word_decoder_used(d->words));
	return rc;
}

/* Decode what a round recorded of a work-item. */
static int add_round(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                     uint32_t item, const struct word_span *place, struct err *err)
{
	uint32_t chunk = slice_records_first(r, g, item);
	struct group_rounds *rounds = r->rounds;
	const struct round_item *at = &rounds->items[item];
	int rc = 0;

	if (rounds->round == 0) {
		word_decoder_begin(d->words);
		if (!add_words(d, place, &rc, err)) {
			rounds->is_inconsistent = true;
			return rc;
		}
	} else {
		word_decoder_load(d->words, group_rounds_state(rounds, item));
	}
	if (at->chunks) {
		if (chunk == SLICE_RECORDS_NONE ||
		    slice_records_order(r, chunk) != at->chunks - 1 ||
		    !group_rounds_is_same(rounds, item,
		                          slice_records_chunk_words(r, chunk, item))) {
			rounds->is_inconsistent = true;
			return 0;
		}
		chunk = slice_records_next(r, chunk);
	}
	rc = add_new(d, r, chunk, item, err);
	word_decoder_save(d->words, group_rounds_state(rounds, item));
	return rc;
}

/* Count mode with slots: add a group's sums; it has no events. */
static void add_cells(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      uint32_t items)
{
	count_cells_add(d->table, slice_records_places(r, g), items, d->sums);
	d->counted += items;
}

/* Begin a group, without events. Returns 0 or ERR_NOMEM. */
static int begin_group(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                       uint32_t items, struct err *err)
{
	struct decoded_group *group = array_push(&d->groups, 1, err);
	bool is_new;

	if (!group || !array_push(&d->first, (size_t)items + 1, err))
		return ERR_NOMEM;
	*group = (struct decoded_group){ g, items, d->first.count - items - 1, d->events.count,
		                         r->rounds && !r->rounds->is_last };
	d->counted += items;
	word_decoder_differences(d->words, r->differences);
	is_new = word_decoder_sample(d->words, local_sample_has(&r->layout.sample, g));
	if (is_new || d->recipe_slice != r->slice.box.begin)
		word_recipe_forget(&d->recipe);
	d->recipe_slice = r->slice.box.begin;
	return 0;
}

/* End a work-item of the last group. */
static void end_item(struct group_decoder *d, uint32_t item)
{
	const struct decoded_group *group =
		(const struct decoded_group *)d->groups.data + (d->groups.count - 1);

	((uint64_t *)d->first.data)[group->first + item + 1] = d->events.count - group->events;
}

int group_decoder_add(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      struct err *err)
{
	uint32_t size[3], items = launch_shape_group_size(r->shape, g, size);
	struct word_span place = { .words = slice_records_places(r, g),
		                   .count = r->slice.place_words,
		                   .step = items,
		                   .has_gaps = r->layout.slot_words > 0 };
	int rc;

	if (d->sums && r->layout.slot_words) {
		add_cells(d, r, g, items);
		return 0;
	}
	rc = begin_group(d, r, g, items, err);
	for (uint32_t item = 0; rc == 0 && item < items; item++, place.words++) {
		rc = r->rounds ? add_round(d, r, g, item, &place, err)
		               : add_item(d, r, g, item, &place, err);
		if (rc == 0)
			rc = send_full(d, item, err);
		if (rc == 0)
			end_item(d, item);
	}
	return rc;
}

int group_decoder_send(struct group_decoder *d, struct err *err)
{
	return send_groups(d, d->groups.count, err);
}

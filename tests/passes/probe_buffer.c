/* SPDX-License-Identifier: Apache-2.0 */
#include "probe_buffer.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "word_decoder.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static size_t group_items(const struct kernel_table *t, const struct box *box)
{
	return round_up(box->local[0] * box->local[1], t->lanes);
}

static void fill_range(struct probe_header *h, const struct box *box)
{
	for (size_t d = 0; d < 3; d++) {
		h->group_first[d] = d < 2 ? box->first[d] : 0;
		h->group_count[d] = d < 2 ? box->global[d] / box->local[d] : 1;
		h->global_size[d] = d < 2 ? box->global[d] : 1;
		h->global_offset[d] = d < 2 ? box->offset[d] : 0;
	}
	h->slice_begin = box->first[0] + box->first[1] * h->group_count[0];
}

/* Set the offsets; returns the bytes of all. */
static size_t place(struct probe_header *h, const struct kernel_table *t, const struct box *box,
                    const struct probe_room *room)
{
	size_t groups = box->count[0] * box->count[1], items = group_items(t, box);
	size_t full = box->local[0] * box->local[1];
	size_t end = PROBE_PLACES_OFFSET(t->argument_count + t->difference_count) +
	             groups * full * h->place_words * sizeof(uint64_t);

	if (!t->item_words)
		end += full * sizeof(uint64_t);
	if (!t->item_words && t->lanes > 1) {
		h->directory_offset = end = round_up(end, 256);
		h->lane_chunks = room->chunk_count;
		end += groups * (items / t->lanes) * h->lane_chunks * sizeof(uint32_t);
	}
	if (room->selection) {
		h->selection_offset = end = round_up(end, 256);
		end += 4 * (groups / 32 + 1);
		h->discard_offset = end = round_up(end, 256);
		end += (size_t)PROBE_DISCARD_AREAS * PROBE_DISCARD_BYTES;
	}
	h->chunks_offset = end = round_up(end, 256);
	return end + h->chunk_count *
	                     (sizeof(struct probe_chunk) + (size_t)8 * h->chunk_words * t->lanes);
}

struct probe_header *probe_buffer_create(const struct kernel_table *t, const struct box *box,
                                         const struct probe_room *room, size_t *bytes)
{
	struct probe_header h = { .abi_version = PROBE_ABI_VERSION,
		                  .argument_count = (uint32_t)t->argument_count,
		                  .difference_count = t->difference_count,
		                  .group_items = (uint32_t)group_items(t, box) };
	char *buffer;

	fill_range(&h, box);
	h.chunk_count = t->item_words ? 0 : room->chunk_count;
	h.chunk_words = t->item_words ? 0 : room->chunk_words;
	h.place_words = t->item_words ? t->item_words * (room->is_wide ? PROBE_WIDE_FACTOR : 1)
	                              : room->place_words;
	*bytes = place(&h, t, box, room);
	buffer = malloc(*bytes);
	assert_non_null(buffer);
	memset(buffer, 0xa5, *bytes);
	memcpy(buffer, &h, sizeof(h));
	if (h.directory_offset)
		memset(buffer + h.directory_offset, 0, h.chunks_offset - h.directory_offset);
	if (room->selection)
		memcpy(buffer + h.selection_offset, room->selection,
		       4 * (box->count[0] * box->count[1] / 32 + 1));
	return (void *)buffer;
}

/* The k-th chunk of the lanes that hold a work-item, or NULL. */
static const struct probe_chunk *find_chunk(const struct probe_header *h, uint32_t lanes,
                                            uint64_t group, size_t item, uint32_t order)
{
	size_t bytes = sizeof(struct probe_chunk) + (size_t)8 * h->chunk_words * lanes;
	uint32_t count = h->next_chunk < h->chunk_count ? h->next_chunk : h->chunk_count;

	for (uint32_t i = 0; i < count; i++) {
		const void *at = (const char *)h + h->chunks_offset + i * bytes;
		const struct probe_chunk *c = at;

		assert_int_equal(c->item % lanes, 0);
		if (c->group == group && c->item == item / lanes * lanes && c->order == order)
			return c;
	}
	return NULL;
}

static void add(struct word_decoder *d, const struct word_span *span, struct array *events)
{
	struct err err = { 0 };

	if (word_decoder_add(d, span, events, &err))
		fail_msg("%s", err.msg);
}

static const uint64_t *places_of(const struct probe_header *h, const struct kernel_table *t)
{
	const void *places =
		(const char *)h + PROBE_PLACES_OFFSET(t->argument_count + t->difference_count);

	return places;
}

/* What work-items are decoded with. */
struct decoding {
	struct word_decoder *d;
	const struct probe_header *h;
	const struct box *box;
	const struct kernel_table *t;
};

static void decode_item(const struct decoding *x, uint64_t group, size_t item, struct array *events)
{
	size_t items = x->box->local[0] * x->box->local[1];
	uint32_t lanes = x->t->lanes;
	const struct word_span place = {
		places_of(x->h, x->t) + (group - x->h->slice_begin) * items * x->h->place_words +
			item,
		x->h->place_words, (uint32_t)items, x->t->item_words > 0
	};
	const struct probe_chunk *c;

	word_decoder_begin(x->d);
	add(x->d, &place, events);
	for (uint32_t k = 0; !x->t->item_words && (c = find_chunk(x->h, lanes, group, item, k));
	     k++)
		add(x->d,
		    &(struct word_span){ (const uint64_t *)(c + 1) + item % lanes,
		                         x->h->chunk_words, lanes, false },
		    events);
}

static void decode(const struct probe_header *h, const struct box *box,
                   const struct kernel_table *t, struct event_list *l, uint64_t *counts)
{
	const void *slots = (const char *)h + PROBE_ARGUMENTS_OFFSET;
	const uint64_t *differences = (const uint64_t *)slots + t->argument_count;
	size_t items = box->local[0] * box->local[1], groups = box->count[0] * box->count[1];
	struct word_decoder *d;
	struct array events;
	struct err err = { 0 };

	assert_int_equal(word_decoder_create(&d, t, &err), 0);
	word_decoder_differences(d, differences);
	if (counts)
		word_decoder_count_into(d, counts);
	array_init(&events, sizeof(struct event), SIZE_MAX / 32, "events");
	for (uint64_t g = h->slice_begin; g < h->slice_begin + groups; g++)
		for (size_t item = 0; item < items; item++) {
			array_clear(&events);
			decode_item(&(struct decoding){ d, h, box, t }, g, item, &events);
			if (l)
				event_list_append(event_list_item(l, g, item), &events, slots, t);
			else
				assert_int_equal(events.count, 0);
		}
	array_release(&events);
	word_decoder_free(d);
}

void probe_buffer_decode(const struct probe_header *header, const struct box *box,
                         const struct kernel_table *t, struct event_list *l)
{
	decode(header, box, t, l, NULL);
}

void probe_buffer_count(const struct probe_header *header, const struct box *box,
                        const struct kernel_table *t, uint64_t *counts)
{
	uint32_t items = (uint32_t)(box->local[0] * box->local[1]);
	size_t groups = box->count[0] * box->count[1];
	uint64_t *sums = calloc(t->cell_count + 1, sizeof(*sums));

	assert_non_null(sums);
	if (!t->item_words)
		decode(header, box, t, NULL, sums);
	for (size_t g = 0; t->item_words && g < groups; g++)
		count_cells_add(t, places_of(header, t) + g * items * header->place_words, items,
		                sums);
	count_cells_expand(t, sums, groups * items, counts);
	free(sums);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_records.h"

#include "array.h"
#include "err.h"
#include "probe_abi.h"

#include <stdlib.h>
#include <string.h>

void slice_records_init(struct slice_records *r, const struct launch_shape *shape,
                        const struct slice_layout *layout)
{
	*r = (struct slice_records){ .shape = shape, .layout = *layout };
}

void slice_records_release(struct slice_records *r)
{
	free(r->heads);
	free(r->links);
	memset(r, 0, sizeof(*r));
}

void slice_records_set(struct slice_records *r, const struct slice *slice, const void *records,
                       uint32_t used_chunks)
{
	r->slice = *slice;
	r->records = records;
	r->used_chunks = used_chunks;
	r->damaged = r->sets = 0;
}

/* Make *items hold `count` numbers, whatever they are. */
static int reserve(uint32_t **items, size_t *allocated, uint64_t count, struct err *err)
{
	uint32_t *bigger;

	if (*items && count <= *allocated)
		return 0;
	bigger = array_alloc(count, sizeof(**items), "chunks of a slice", err);
	if (!bigger)
		return ERR_NOMEM;
	free(*items);
	*items = bigger;
	*allocated = count;
	return 0;
}

static const struct probe_chunk *chunk_at(const struct slice_records *r, uint32_t i)
{
	uint64_t chunks = r->slice.chunks_offset - r->slice.places_offset;
	uint64_t at = chunks + i * slice_layout_chunk_bytes(&r->layout, r->slice.chunk_words);

	return (const struct probe_chunk *)(const void *)(r->records + at);
}

static uint64_t sets_of_group(const struct slice_records *r)
{
	return r->layout.group_items / r->layout.lanes;
}

static uint64_t set_of(const struct slice_records *r, uint64_t g, uint32_t item)
{
	return (g - r->slice.box.begin) * sets_of_group(r) + item / r->layout.lanes;
}

/* Whether a chunk can be one of this slice. */
static bool is_sound(const struct slice_records *r, const struct probe_chunk *c)
{
	uint32_t size[3];

	return c->group >= r->slice.box.begin && c->group < r->slice.box.end &&
	       c->item % r->layout.lanes == 0 && c->item < r->layout.group_items &&
	       c->item < launch_shape_group_size(r->shape, c->group, size);
}

int slice_records_index(struct slice_records *r, struct err *err)
{
	uint64_t sets = (r->slice.box.end - r->slice.box.begin) * sets_of_group(r);

	r->has_chunks = r->used_chunks > 0;
	if (!r->has_chunks)
		return 0;
	if (reserve(&r->heads, &r->head_count, sets, err) < 0 ||
	    reserve(&r->links, &r->link_count, r->used_chunks, err) < 0)
		return ERR_NOMEM;
	memset(r->heads, 0xff, sets * sizeof(*r->heads));
	/* Backwards, so that each list comes out in the order in which its chunks were asked for.
	 */
	for (uint32_t i = r->used_chunks; i-- > 0;) {
		const struct probe_chunk *c = chunk_at(r, i);
		uint32_t *head;

		if (!is_sound(r, c)) {
			r->damaged++;
			continue;
		}
		head = &r->heads[set_of(r, c->group, c->item)];
		r->sets += *head == SLICE_RECORDS_NONE;
		r->links[i] = *head;
		*head = i;
	}
	return 0;
}

uint32_t slice_records_first(const struct slice_records *r, uint64_t g, uint32_t item)
{
	return r->has_chunks ? r->heads[set_of(r, g, item)] : SLICE_RECORDS_NONE;
}

uint32_t slice_records_next(const struct slice_records *r, uint32_t chunk)
{
	return r->links[chunk];
}

uint32_t slice_records_order(const struct slice_records *r, uint32_t chunk)
{
	return chunk_at(r, chunk)->order;
}

const uint64_t *slice_records_chunk_words(const struct slice_records *r, uint32_t chunk,
                                          uint32_t item)
{
	const uint64_t *words = (const uint64_t *)(const void *)(chunk_at(r, chunk) + 1);

	return words + item % r->layout.lanes;
}

const uint64_t *slice_records_places(const struct slice_records *r, uint64_t g)
{
	const uint64_t *words = (const uint64_t *)(const void *)r->records;

	return words + slice_box_items_before(&r->slice.box, r->shape, g) * r->slice.place_words;
}

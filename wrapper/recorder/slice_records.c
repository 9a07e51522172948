/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_records.h"

#include "array.h"
#include "err.h"
#include "event.h"
#include "group_selection.h"
#include "probe_abi.h"
#include "slice_layout.h"

#include <stdlib.h>
#include <string.h>

static void fill_header(struct probe_header *h, const struct slice_layout *layout,
                        const struct launch_shape *shape, const struct slice *slice)
{
	*h = (struct probe_header){
		.abi_version = PROBE_ABI_VERSION,
		.chunk_count = slice->chunk_count,
		.chunk_words = slice->chunk_words,
		.slice_begin = slice->box.begin,
		.chunks_offset = slice->chunks_offset,
		.directory_offset = slice->directory_offset,
		.selection_offset = slice->selection_offset,
		.discard_offset = slice->discard_offset,
		.skips_offset = slice->skips_offset,
		.sample_offset = slice->sample_offset,
		.lane_chunks = slice->lane_chunks,
		.group_items = layout->group_items,
		.argument_count = layout->argument_count,
		.place_words = slice->place_words,
		.difference_count = layout->difference_count,
	};
	for (int d = 0; d < 3; d++) {
		h->group_first[d] = slice->box.first[d];
		h->group_count[d] = launch_shape_groups(shape, d);
		h->global_size[d] = shape->global[d];
		h->global_offset[d] = shape->offset[d];
	}
}

static void fill_selection(uint32_t *bits, const struct group_selection *s,
                           const struct slice_box *box)
{
	for (uint64_t g = group_selection_next(s, box->begin, box->end); g < box->end;
	     g = group_selection_next(s, g + 1, box->end))
		bits[(g - box->begin) / 32] |= 1u << (g - box->begin) % 32;
}

static void fill_sample(uint32_t *bits, const struct local_sample *s, const struct slice_box *box)
{
	for (uint64_t g = local_sample_next(s, box->begin, box->end); g < box->end;
	     g = local_sample_next(s, g + 1, box->end))
		bits[(g - box->begin) / 32] |= 1u << (g - box->begin) % 32;
}

/* Returns the place in host->bytes of the table at `offset` of the buffer. */
static void *table_at(const struct slice_host *host, const struct slice *slice, uint64_t offset)
{
	return host->bytes + slice->places_offset + offset - slice->tables_offset;
}

static int grow(struct slice_host *host, size_t bytes)
{
	if (bytes <= host->size)
		return 0;
	free(host->bytes);
	host->size = 0;
	host->bytes = array_alloc(bytes, 1, "header", NULL);
	if (!host->bytes)
		return ERR_NOMEM;
	host->size = bytes;
	return 0;
}

int slice_host_fill(struct slice_host *host, const struct slice_layout *layout,
                    const struct launch_shape *shape, const struct group_selection *selection,
                    const struct slice *slice)
{
	size_t bytes = slice->places_offset + slice->tables_bytes;

	if (grow(host, bytes) < 0)
		return ERR_NOMEM;
	memset(host->bytes, 0, bytes);
	fill_header((struct probe_header *)(void *)host->bytes, layout, shape, slice);
	if (slice->has_skips)
		memcpy(table_at(host, slice, slice->skips_offset), host->skips,
		       layout->full_items * sizeof(*host->skips));
	if (slice->selection_offset)
		fill_selection(table_at(host, slice, slice->selection_offset), selection,
		               &slice->box);
	if (slice->sample_offset)
		fill_sample(table_at(host, slice, slice->sample_offset), &layout->sample,
		            &slice->box);
	return 0;
}

void slice_host_release(struct slice_host *host)
{
	free(host->bytes);
	*host = (struct slice_host){ 0 };
}

/* The application's kernel may have overwritten the header; the slice has the maximum. */
uint32_t slice_host_used_chunks(const struct probe_header *header, const struct slice *slice)
{
	return header->next_chunk < slice->chunk_count ? header->next_chunk : slice->chunk_count;
}

uint64_t slice_host_lost_accesses(const struct probe_header *header)
{
	uint64_t lost = (uint64_t)header->lost_high << 32 | header->lost_low;

	return lost > header->lost_records ? lost : header->lost_records;
}

uint64_t slice_host_needed_bytes(const struct probe_header *header, uint64_t bytes, uint64_t events)
{
	uint64_t lost = (uint64_t)header->lost_high << 32 | header->lost_low, parts = 1, more;

	/* A record of several accesses has up to five events; others have one or two. */
	if (lost > header->lost_records)
		parts = EVENT_GRID_PARTS + 1;
	if (!events || __builtin_mul_overflow(header->lost_records * parts, bytes, &more) ||
	    __builtin_add_overflow(bytes, more / events, &bytes))
		return 0;
	return bytes >> 60 ? 0 : bytes;
}

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

/* Make room for `count` numbers in *items, whose contents are undefined. */
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

/* Whether a chunk's header makes sense in this slice. */
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
	/* Backwards, so that each list is in the order in which its chunks were allocated.
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

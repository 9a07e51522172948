/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_host.h"

#include "array.h"
#include "err.h"
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

/* A table that goes to `offset` of the buffer. */
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

/* The application's kernel may have run over the header: the slice says how many there are. */
uint32_t slice_host_used(const struct probe_header *header, const struct slice *slice)
{
	return header->next_chunk < slice->chunk_count ? header->next_chunk : slice->chunk_count;
}

uint64_t slice_host_lost(const struct probe_header *header)
{
	uint64_t lost = (uint64_t)header->lost_high << 32 | header->lost_low;

	return lost > header->lost_records ? lost : header->lost_records;
}

uint64_t slice_host_needed(const struct probe_header *header, uint64_t bytes, uint64_t events)
{
	uint64_t lost = (uint64_t)header->lost_high << 32 | header->lost_low, parts = 1, more;

	/* A record of several accesses is up to five events; others are one or two. */
	if (lost > header->lost_records)
		parts = EVENT_GRID_PARTS + 1;
	if (!events || __builtin_mul_overflow(header->lost_records * parts, bytes, &more) ||
	    __builtin_add_overflow(bytes, more / events, &bytes))
		return 0;
	return bytes >> 60 ? 0 : bytes;
}

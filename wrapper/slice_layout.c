/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_layout.h"

#include "kernel_table.h"
#include "probe_abi.h"

#define WORD_BYTES        8u
#define ALIGNMENT         256u
#define LEAST_LANE_CHUNKS 16u
/* A set of lanes may have this many times its share of the chunks. */
#define LANE_SHARE 16u

struct slice_layout slice_layout_of(const struct kernel_table *table,
                                    const struct launch_shape *shape, bool is_selective,
                                    bool is_wide)
{
	uint32_t lanes = table->lanes ? table->lanes : 1;
	uint64_t items = shape->local[0] * shape->local[1] * shape->local[2];

	return (struct slice_layout){
		.lanes = lanes,
		.group_items = (uint32_t)((items + lanes - 1) / lanes * lanes),
		.slot_words = table->item_words * (is_wide ? PROBE_WIDE_FACTOR : 1),
		.argument_count = (uint32_t)table->argument_count,
		.difference_count = table->difference_count,
		.is_selective = is_selective,
	};
}

uint64_t slice_layout_told_bytes(const struct slice_layout *l)
{
	return PROBE_ARGUMENTS_OFFSET +
	       ((uint64_t)l->argument_count + l->difference_count) * WORD_BYTES;
}

uint64_t slice_layout_chunk_bytes(const struct slice_layout *l, uint32_t chunk_words)
{
	return sizeof(struct probe_chunk) + (uint64_t)chunk_words * l->lanes * WORD_BYTES;
}

uint64_t slice_layout_group_bytes(const struct slice_layout *l)
{
	return (uint64_t)l->group_items * l->slot_words * WORD_BYTES;
}

static uint64_t align(uint64_t offset)
{
	return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Room in the directory for each set of lanes: the whole for one group, which must be able to fit.
 */
static uint32_t lane_chunks(uint64_t sets, uint64_t groups, uint64_t chunks)
{
	uint64_t share = chunks / sets * LANE_SHARE;

	if (groups == 1)
		return (uint32_t)chunks;
	return (uint32_t)smaller(share > LEAST_LANE_CHUNKS ? share : LEAST_LANE_CHUNKS, chunks);
}

/* A part of `bytes` behind *end; returns its offset. */
static uint64_t put(uint64_t *end, uint64_t bytes)
{
	uint64_t offset = align(*end);

	*end = offset + bytes;
	return offset;
}

bool slice_layout_place(const struct slice_layout *l, struct slice *s, uint64_t bytes)
{
	uint64_t groups = s->box.end - s->box.begin;
	uint64_t end = slice_layout_told_bytes(l);
	uint64_t chunk_bytes = slice_layout_chunk_bytes(l, s->chunk_words);
	bool has_chunks = !l->slot_words;

	/* Below this no product can wrap; next_chunk counts in 32 bits and must not either. */
	if (groups > bytes || bytes > UINT64_C(1) << 40)
		return false;
	s->directory_offset = s->selection_offset = s->discard_offset = s->lane_chunks = 0;
	if (has_chunks && l->lanes > 1) {
		uint64_t sets = groups * (l->group_items / l->lanes);

		s->lane_chunks =
			lane_chunks(sets, groups, smaller(bytes / chunk_bytes, UINT32_MAX / 2));
		if (!s->lane_chunks || sets > bytes / s->lane_chunks)
			return false;
		s->directory_offset = put(&end, sets * s->lane_chunks * sizeof(uint32_t));
	}
	if (l->is_selective)
		s->selection_offset = put(&end, (groups + 31) / 32 * sizeof(uint32_t));
	if (l->is_selective && has_chunks)
		s->discard_offset = put(&end, (uint64_t)PROBE_DISCARD_AREAS * PROBE_DISCARD_BYTES);
	s->records_offset = align(end);
	if (s->records_offset > bytes)
		return false;
	s->chunk_count = 0;
	if (has_chunks)
		s->chunk_count = (uint32_t)smaller((bytes - s->records_offset) / chunk_bytes,
		                                   UINT32_MAX / 2);
	s->end_offset = s->records_offset + s->chunk_count * chunk_bytes;
	if (has_chunks)
		return s->chunk_count > 0;
	if (groups > (bytes - s->records_offset) / slice_layout_group_bytes(l))
		return false;
	s->end_offset = s->records_offset + groups * slice_layout_group_bytes(l);
	return true;
}

uint64_t slice_layout_prefix(const struct slice *s)
{
	return s->discard_offset ? s->discard_offset : s->records_offset;
}

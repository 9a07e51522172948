/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_layout.h"

#include "kernel_table.h"
#include "probe_abi.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct slice_box slice_box_at(const struct launch_shape *shape, uint64_t begin, uint64_t most)
{
	uint64_t nx = launch_shape_groups(shape, 0), ny = launch_shape_groups(shape, 1);
	uint64_t nz = launch_shape_groups(shape, 2);
	struct slice_box box = { .begin = begin,
		                 .first = { begin % nx, begin / nx % ny, begin / nx / ny },
		                 .count = { nx, ny, 1 } };

	if (box.first[0] || most < nx) {
		box.count[0] = smaller(nx - box.first[0], most);
		box.count[1] = 1;
	} else if (box.first[1] || most / nx < ny) {
		box.count[1] = smaller(ny - box.first[1], most / nx);
	} else {
		box.count[2] = smaller(nz - box.first[2], most / nx / ny);
	}
	box.end = begin + box.count[0] * box.count[1] * box.count[2];
	return box;
}

void slice_box_range(const struct slice_box *box, const struct launch_shape *shape,
                     uint64_t offset[3], uint64_t global[3])
{
	for (int d = 0; d < 3; d++) {
		uint64_t origin = box->first[d] * shape->local[d];

		offset[d] = shape->offset[d] + origin;
		/* In the last group the product of group number and local size may exceed 64 bits.
		 */
		if (box->first[d] + box->count[d] == launch_shape_groups(shape, d))
			global[d] = shape->global[d] - origin;
		else
			global[d] = box->count[d] * shape->local[d];
	}
}

uint64_t slice_box_items_before(const struct slice_box *box, const struct launch_shape *shape,
                                uint64_t g)
{
	uint64_t nx = launch_shape_groups(shape, 0), ny = launch_shape_groups(shape, 1);
	uint64_t at[3] = { g % nx, g / nx % ny, g / nx / ny }, offset[3], global[3], before[3];
	uint32_t size[3];

	(void)launch_shape_group_size(shape, g, size);
	slice_box_range(box, shape, offset, global);
	for (int d = 0; d < 3; d++)
		before[d] = (at[d] - box->first[d]) * shape->local[d];
	/* Whole planes before it, then rows in the group's planes, then work-items in its rows. */
	return before[2] * global[0] * global[1] + size[2] * before[1] * global[0] +
	       (uint64_t)size[2] * size[1] * before[0];
}

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
		.full_items = (uint32_t)items,
		.group_items = (uint32_t)((items + lanes - 1) / lanes * lanes),
		.slot_words = table->item_words * (is_wide ? PROBE_WIDE_FACTOR : 1),
		.argument_count = (uint32_t)table->argument_count,
		.difference_count = table->difference_count,
		.is_selective = is_selective,
		.has_sample = table->local_groups > 0,
		.sample = local_sample_of(table->local_groups, launch_shape_group_count(shape),
		                          is_selective),
	};
}

uint64_t slice_layout_report_bytes(const struct slice_layout *l)
{
	return PROBE_ARGUMENTS_OFFSET +
	       ((uint64_t)l->argument_count + l->difference_count) * WORD_BYTES;
}

uint64_t slice_layout_chunk_bytes(const struct slice_layout *l, uint32_t chunk_words)
{
	return sizeof(struct probe_chunk) + (uint64_t)chunk_words * l->lanes * WORD_BYTES;
}

uint64_t slice_layout_group_bytes(const struct slice_layout *l, uint32_t place_words)
{
	return (uint64_t)l->full_items * place_words * WORD_BYTES;
}

static uint64_t align(uint64_t offset)
{
	return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Directory entries of each set of lanes: for a single group, which must be able to fit, all
 * chunks.
 */
static uint32_t lane_chunks(uint64_t sets, uint64_t groups, uint64_t chunks)
{
	uint64_t share = chunks / sets * LANE_SHARE;

	if (groups == 1)
		return (uint32_t)chunks;
	return (uint32_t)smaller(share > LEAST_LANE_CHUNKS ? share : LEAST_LANE_CHUNKS, chunks);
}

/* Place a part of `bytes` at *end. Returns its offset. */
static uint64_t put(uint64_t *end, uint64_t bytes)
{
	uint64_t offset = align(*end);

	*end = offset + bytes;
	return offset;
}

/* Place the directory, the bitmaps and the chunks to skip, where needed. False: they are too large.
 */
static bool put_tables(const struct slice_layout *l, struct slice *s, uint64_t bytes, uint64_t *end)
{
	uint64_t groups = s->box.end - s->box.begin;

	s->tables_offset = align(*end);
	if (!l->slot_words && l->lanes > 1) {
		uint64_t sets = groups * (l->group_items / l->lanes);
		uint64_t left = bytes > *end ? bytes - *end : 0;
		uint64_t chunk_bytes = slice_layout_chunk_bytes(l, s->chunk_words);

		/* With one group each chunk also needs a directory entry for each set. */
		chunk_bytes += groups == 1 ? sets * sizeof(uint32_t) : 0;
		s->lane_chunks =
			lane_chunks(sets, groups, smaller(left / chunk_bytes, UINT32_MAX / 2));
		if (!s->lane_chunks || sets > bytes / s->lane_chunks)
			return false;
		s->directory_offset = put(end, sets * s->lane_chunks * sizeof(uint32_t));
	}
	if (l->is_selective)
		s->selection_offset = put(end, (groups + 31) / 32 * sizeof(uint32_t));
	if (l->has_sample)
		s->sample_offset = put(end, (groups + 31) / 32 * sizeof(uint32_t));
	if (s->has_skips)
		s->skips_offset = put(end, l->group_items * sizeof(uint32_t));
	s->tables_bytes = *end > s->tables_offset ? *end - s->tables_offset : 0;
	return true;
}

/* Place as many chunks as fit. */
static bool put_chunks(const struct slice_layout *l, struct slice *s, uint64_t bytes, uint64_t end)
{
	uint64_t chunk_bytes = slice_layout_chunk_bytes(l, s->chunk_words);

	if (l->is_selective)
		s->discard_offset = put(&end, (uint64_t)PROBE_DISCARD_AREAS * PROBE_DISCARD_BYTES);
	s->chunks_offset = align(end);
	if (s->chunks_offset > bytes)
		return false;
	s->chunk_count =
		(uint32_t)smaller((bytes - s->chunks_offset) / chunk_bytes, UINT32_MAX / 2);
	if (s->lane_chunks && s->box.end - s->box.begin == 1)
		s->chunk_count = (uint32_t)smaller(s->chunk_count, s->lane_chunks);
	s->end_offset = s->chunks_offset + s->chunk_count * chunk_bytes;
	return s->chunk_count > 0;
}

bool slice_layout_place(const struct slice_layout *l, struct slice *s, uint64_t bytes)
{
	uint64_t groups = s->box.end - s->box.begin;
	uint64_t group_bytes = slice_layout_group_bytes(l, s->place_words);
	uint64_t end = PROBE_PLACES_OFFSET((uint64_t)l->argument_count + l->difference_count);

	/* Below this no product can wrap; next_chunk counts in 32 bits and must not either. */
	if (groups > bytes || bytes > UINT64_C(1) << 40 || end > bytes)
		return false;
	s->directory_offset = s->selection_offset = s->discard_offset = s->chunks_offset = 0;
	s->skips_offset = s->sample_offset = 0;
	s->chunk_count = s->lane_chunks = 0;
	s->places_offset = end;
	if (group_bytes && groups > (bytes - end) / group_bytes)
		return false;
	s->places_bytes = groups * group_bytes;
	end += s->places_bytes;
	if (!l->slot_words)
		end += (uint64_t)l->full_items * WORD_BYTES;
	if (!put_tables(l, s, bytes, &end))
		return false;
	if (!l->slot_words)
		return put_chunks(l, s, bytes, end);
	s->end_offset = end;
	return end <= bytes;
}

uint64_t slice_layout_record_bytes(const struct slice_layout *l, const struct slice *s,
                                   uint32_t used_chunks)
{
	if (!used_chunks)
		return s->places_bytes;
	return s->chunks_offset - s->places_offset +
	       used_chunks * slice_layout_chunk_bytes(l, s->chunk_words);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_probe.h"

#include <string.h>

static void *at(struct probe_header *h, uint64_t offset)
{
	return (unsigned char *)h + offset;
}

void mock_probe_begin(struct mock_probe *p, struct probe_header *header, uint32_t lanes,
                      const struct mock_item *item)
{
	const struct probe_header *h = header;
	uint64_t g = item->group - h->slice_begin,
		 places = PROBE_PLACES_OFFSET((uint64_t)h->argument_count);

	*p = (struct mock_probe){ .header = header,
		                  .lanes = lanes,
		                  .group = item->group,
		                  .item = item->item,
		                  .step = item->items,
		                  .room = h->place_words };
	if (h->selection_offset) {
		const uint32_t *bits = at(header, h->selection_offset);

		p->is_unselected = !(bits[g / 32] >> g % 32 & 1);
	}
	p->words =
		(uint64_t *)at(header, places) + g * item->full_items * h->place_words + item->item;
	for (uint32_t w = 0; w < h->place_words; w++)
		p->words[(uint64_t)w * item->items] = 0;
}

/* A fresh chunk; NULL when there is none. */
static struct probe_chunk *take_chunk(struct mock_probe *p)
{
	struct probe_header *h = p->header;
	uint64_t bytes = sizeof(struct probe_chunk) + (uint64_t)h->chunk_words * p->lanes * 8;
	struct probe_chunk *chunk;

	if (h->next_chunk >= h->chunk_count)
		return NULL;
	chunk = at(h, h->chunks_offset + h->next_chunk++ * bytes);
	memset(chunk, 0, bytes);
	*chunk = (struct probe_chunk){ p->group, p->item / p->lanes * p->lanes, p->order };
	return chunk;
}

/* The work-item's next chunk, which others of its set may have taken already. */
static struct probe_chunk *next_chunk(struct mock_probe *p)
{
	struct probe_header *h = p->header;
	uint64_t set =
		(p->group - h->slice_begin) * (h->group_items / p->lanes) + p->item / p->lanes;
	uint64_t bytes = sizeof(struct probe_chunk) + (uint64_t)h->chunk_words * p->lanes * 8;
	struct probe_chunk *chunk;
	uint32_t *entry;

	if (!h->directory_offset)
		return take_chunk(p);
	if (p->order >= h->lane_chunks)
		return NULL;
	entry = (uint32_t *)at(h, h->directory_offset) + set * h->lane_chunks + p->order;
	if (*entry == PROBE_NO_CHUNK)
		return NULL;
	if (*entry)
		return at(h, h->chunks_offset + (*entry - 1) * bytes);
	chunk = take_chunk(p);
	*entry = chunk ? h->next_chunk : PROBE_NO_CHUNK;
	return chunk;
}

/* Whether the chunk that is full is filled again: it is passed over. */
static bool is_passed_over(const struct mock_probe *p)
{
	struct probe_header *h = p->header;
	const uint32_t *skips = at(h, h->skips_offset);

	return h->skips_offset && p->words && p->order && p->order <= skips[p->item];
}

/* Words of groups that are not selected go to the discard area. */
static bool make_room(struct mock_probe *p)
{
	struct probe_header *h = p->header;
	struct probe_chunk *chunk;

	if (p->words && p->used < p->room)
		return true;
	if (!h->chunk_count)
		return false;
	if (p->is_unselected) {
		memset(at(h,
		          h->discard_offset + p->group % PROBE_DISCARD_AREAS * PROBE_DISCARD_BYTES),
		       0xee, PROBE_DISCARD_BYTES);
		return false;
	}
	if (is_passed_over(p)) {
		chunk = (struct probe_chunk *)(void *)p->words - 1;
		memset(p->words, 0, h->chunk_words * sizeof(*p->words));
		chunk->order = p->order;
	} else {
		chunk = p->words || !p->order ? next_chunk(p) : NULL;
	}
	p->order++;
	p->used = 0;
	p->step = p->lanes;
	p->room = h->chunk_words;
	p->words = chunk ? (uint64_t *)(void *)(chunk + 1) + p->item % p->lanes : NULL;
	return chunk;
}

void mock_probe_write(struct mock_probe *p, uint64_t word)
{
	if (make_room(p)) {
		p->words[(uint64_t)p->used++ * p->step] = word;
	} else if (!p->is_unselected) {
		p->header->lost_records++;
		p->header->lost_low++;
	}
}

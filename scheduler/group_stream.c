/* SPDX-License-Identifier: Apache-2.0 */
#include "group_stream.h"

#include "access_patterns.h"
#include "err.h"
#include "group_stream_private.h"
#include "stream_maker.h"

#include <string.h>

/* What a resident group may hold at most: 2^32 of each. */
static const size_t STREAM_LIMIT = (size_t)1 << 32;

/* Instructions with paths, which stay in memory. */
static const size_t PATHS_MAX = (size_t)1 << 20;

void group_stream_init(struct group_stream *s, uint32_t mask_words)
{
	memset(s, 0, sizeof(*s));
	array_init(&s->warps, sizeof(struct stream_warp), STREAM_LIMIT, "warps of a group");
	array_init(&s->instructions, sizeof(struct stream_instruction), STREAM_LIMIT,
	           "warp instructions of a group");
	array_init(&s->requests, sizeof(struct stream_request), STREAM_LIMIT,
	           "line requests of a group");
	array_init(&s->lane_ends, sizeof(size_t), STREAM_LIMIT, "warp instructions of a group");
	array_init(&s->items, sizeof(uint32_t), STREAM_LIMIT, "accesses of a group");
	array_init(&s->addresses, sizeof(uint64_t), STREAM_LIMIT, "accesses of a group");
	array_init(&s->paths, sizeof(struct loop_level), STREAM_LIMIT, "loops of a group");
	array_init(&s->ranks, sizeof(uint32_t), STREAM_LIMIT, "places of a group");
	stream_bundles_init(&s->bundles);
	stream_spill_init(&s->spill);
	pattern_set_init(&s->patterns, mask_words);
}

void group_stream_release(struct group_stream *s)
{
	array_release(&s->warps);
	array_release(&s->instructions);
	array_release(&s->requests);
	array_release(&s->lane_ends);
	array_release(&s->items);
	array_release(&s->addresses);
	array_release(&s->paths);
	array_release(&s->ranks);
	stream_bundles_release(&s->bundles);
	stream_spill_release(&s->spill);
	pattern_set_release(&s->patterns);
}

/* The number of the pattern of a use. */
static int find_pattern(struct group_stream *s, struct stream_maker *m, size_t use,
                        uint32_t *number, struct err *err)
{
	const struct line_use *u = (const struct line_use *)m->coalescer.uses.data + use;
	struct pattern_place *place = pattern_places_at(&m->places, u->lanes, u->piece);
	uint64_t key = pattern_places_key(&m->places, u->lanes, u->piece);
	int rc;

	if (u->piece && place->key == key) {
		*number = place->number;
		return 0;
	}
	rc = pattern_set_add(&s->patterns, coalescer_mask(&m->coalescer, use), u->lanes, number,
	                     err);
	if (!rc && u->piece)
		*place = (struct pattern_place){ key, *number };
	return rc;
}

int group_stream_add_requests(struct group_stream *s, struct stream_maker *m,
                              struct array *requests, struct err *err)
{
	const struct line_use *uses = m->coalescer.uses.data;
	size_t count = m->coalescer.uses.count;
	struct stream_request *added = array_append(requests, count, err);
	int rc = added ? 0 : ERR_NOMEM;

	for (size_t i = 0; i < count && !rc; i++) {
		added[i].line = uses[i].line;
		added[i].buffer = uses[i].buffer;
		rc = find_pattern(s, m, i, &added[i].pattern, err);
	}
	return rc;
}

/* What becomes one instruction: all active lanes of a warp, or those of a sub-warp. */
struct piece {
	const struct warp_step *step;
	const uint16_t *lane; /* of the warp or the large warp, for each active lane */
	uint32_t first_item;  /* its lane 0 */
	bool is_followed;
};

/* Keep the lanes of the instruction that was added last; a barrier has none. */
static int add_lanes(struct group_stream *s, const struct stream_maker *m, const struct piece *p,
                     struct err *err)
{
	bool is_access = m->table->sites[p->step->site].kind != SITE_BARRIER;
	uint32_t count = is_access ? p->step->lane_count : 0;
	size_t *end = array_append(&s->lane_ends, 1, err);
	uint32_t *items = array_append(&s->items, count, err);
	uint64_t *addresses = array_append(&s->addresses, count, err);

	if (!end || !items || !addresses)
		return ERR_NOMEM;
	*end = s->items.count;
	for (uint32_t i = 0; i < count; i++) {
		items[i] = p->first_item + p->lane[i];
		addresses[i] = p->step->address[i];
	}
	return 0;
}

/* Keep the loops of the instruction that was added last. */
static int add_path(struct group_stream *s, const struct stream_maker *m, struct err *err)
{
	uint32_t levels = loop_path_levels(m->table);
	struct loop_level *path;

	if (s->instructions.count > PATHS_MAX)
		return err_set(err, ERR_LIMIT,
		               "more than %zu warp instructions of one group in a static order",
		               PATHS_MAX);
	path = array_append(&s->paths, levels, err);

	if (!path)
		return ERR_NOMEM;
	s->path_levels = levels;
	memcpy(path, warp_former_path(m->former), levels * sizeof(*path));
	return 0;
}

const struct loop_level *group_stream_path(const struct group_stream *s,
                                           const struct stream_instruction *instruction)
{
	const struct loop_level *all = s->paths.data;

	return all ? all + (size_t)(instruction - group_stream_instruction(s, 0)) * s->path_levels
	           : NULL;
}

/* Keep what is in the arrays from growing, where that can be. */
static int spill(struct group_stream *s, const struct stream_maker *m, struct err *err)
{
	if (!m->spill || s->spill.is_refused || m->keeps_paths || m->reorder ||
	    stream_spill_bytes(s) < m->extent_bytes)
		return 0;
	return stream_spill_add(s, m->spill, err);
}

static int add_piece(struct group_stream *s, struct stream_maker *m, const struct piece *p,
                     struct err *err)
{
	const struct site *site = &m->table->sites[p->step->site];
	struct stream_instruction *instruction;
	int rc;

	if (side_counts_take(site)) {
		side_counts_step(&m->sides[p->step->site], m->gpu, site, p->step);
		return 0;
	}
	instruction = array_append(&s->instructions, 1, err);
	if (!instruction)
		return ERR_NOMEM;
	*instruction =
		(struct stream_instruction){ .site = p->step->site, .is_followed = p->is_followed };
	rc = m->keeps_lanes ? add_lanes(s, m, p, err) : 0;
	if (!rc && m->keeps_paths)
		rc = add_path(s, m, err);
	if (rc || site->kind == SITE_BARRIER)
		return rc;
	s->lanes += p->step->lane_count;
	s->accesses++;
	rc = coalesce(&m->coalescer, p->step, err);
	if (rc)
		return rc;
	if (m->patterns)
		access_patterns_step(m->patterns, p->step, &m->coalescer, 1);
	instruction->request_count = (uint32_t)m->coalescer.uses.count & STREAM_COUNT_MASK;
	rc = group_stream_add_requests(s, m, &s->requests, err);
	return rc ? rc : spill(s, m, err);
}

/* An access of a large warp, sub-warp by sub-warp. */
static int add_sub_warps(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                         struct err *err)
{
	uint16_t lane[WARP_LANES_MAX];
	struct piece p = { &m->sub_warp, lane, first_item, false };
	int rc = 0;

	large_warp_cut(&m->large, &m->step, m->warp_lanes);
	for (uint32_t k = 0; !rc && k < m->large.sub_warps; k++) {
		large_warp_take(&m->large, k, &m->sub_warp, lane);
		p.is_followed = k + 1 < m->large.sub_warps;
		rc = add_piece(s, m, &p, err);
	}
	return rc;
}

int group_stream_add_step(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                          struct err *err)
{
	const struct piece whole = { &m->step, m->step.lane, first_item, false };

	if (m->patterns)
		access_patterns_items(m->patterns, &m->step);
	if (m->lanes > m->warp_lanes && m->table->sites[m->step.site].kind != SITE_BARRIER)
		return add_sub_warps(s, m, first_item, err);
	return add_piece(s, m, &whole, err);
}

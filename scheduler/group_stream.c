/* SPDX-License-Identifier: Apache-2.0 */
#include "group_stream.h"

#include "err.h"
#include "expander.h"
#include "gpu.h"
#include "group_stream_private.h"
#include "outline.h"
#include "reorder_config.h"

#include <inttypes.h>
#include <string.h>

/* What a resident group may hold at most: 2^32 of each. */
static const size_t STREAM_LIMIT = (size_t)1 << 32;

int stream_maker_init(struct stream_maker *m, const struct gpu *gpu,
                      const struct kernel_table *table, const struct address_map *map,
                      struct side_counts *sides, struct err *err)
{
	m->gpu = gpu;
	m->sides = sides;
	m->keeps_lanes = m->takes_fronts = false;
	m->former = NULL;
	m->warp_lanes = m->lanes = gpu->warp_lanes;
	m->keeps_paths = false;
	m->reorder = NULL;
	m->table = table;
	m->expander = NULL;
	coalescer_init(&m->coalescer, gpu, map);
	if (lockstep_init(&m->lockstep, table, err))
		return ERR_NOMEM;
	return warp_former_create(&m->former, table, err);
}

void stream_maker_release(struct stream_maker *m)
{
	warp_former_free(m->former);
	m->former = NULL;
	lockstep_release(&m->lockstep);
	expander_free(m->expander);
	m->expander = NULL;
	coalescer_release(&m->coalescer);
}

void stream_maker_set_order(struct stream_maker *m, const struct issue_order *order)
{
	m->lanes = issue_order_lanes(order, m->warp_lanes);
	m->keeps_paths = order->kind == ISSUE_ORDER_reorder;
	m->takes_fronts |= m->keeps_paths || m->lanes > m->warp_lanes;
}

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
	pattern_set_release(&s->patterns);
}

int group_stream_add_requests(struct group_stream *s, struct stream_maker *m,
                              struct array *requests, struct err *err)
{
	const struct coalescer *c = &m->coalescer;
	const struct line_use *uses = c->uses.data;
	const uint64_t *masks = c->masks.data;
	struct stream_request *added = stream_append(requests, c->uses.count, err);

	if (!added)
		return ERR_NOMEM;
	for (size_t i = 0; i < c->uses.count; i++) {
		struct pattern_asked asked = { masks + i * c->mask_words, uses[i].lanes,
			                       uses[i].piece };
		int rc = pattern_set_find(&s->patterns, &m->places, &asked, &added[i].pattern, err);

		if (rc)
			return rc;
		added[i].line = uses[i].line;
		added[i].buffer = uses[i].buffer;
	}
	return 0;
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
	size_t *end = stream_append(&s->lane_ends, 1, err);
	uint32_t *items = stream_append(&s->items, count, err);
	uint64_t *addresses = stream_append(&s->addresses, count, err);

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
	struct loop_level *path = stream_append(&s->paths, levels, err);

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

void group_stream_lanes(const struct group_stream *s, const struct stream_instruction *access,
                        struct warp_access *a)
{
	const size_t *ends = s->lane_ends.data;
	size_t i = (size_t)(access - group_stream_instruction(s, 0));
	size_t first = i ? ends[i - 1] : 0;

	a->lane_count = (uint32_t)(ends[i] - first);
	a->item = (const uint32_t *)s->items.data + first;
	a->address = (const uint64_t *)s->addresses.data + first;
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
	instruction = stream_append(&s->instructions, 1, err);
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
	instruction->request_count = (uint32_t)m->coalescer.uses.count & STREAM_COUNT_MASK;
	return group_stream_add_requests(s, m, &s->requests, err);
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

	if (m->lanes > m->warp_lanes && m->table->sites[m->step.site].kind != SITE_BARRIER)
		return add_sub_warps(s, m, first_item, err);
	return add_piece(s, m, &whole, err);
}

static int mark_warp(struct group_stream *s, struct err *err)
{
	struct stream_warp *warp = stream_append(&s->warps, 1, err);

	if (!warp)
		return ERR_NOMEM;
	warp->first_instruction = s->instructions.count;
	warp->first_request = s->requests.count;
	return 0;
}

/* A warp in step, which m->lockstep has begun. */
static int form_in_step(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                        struct err *err)
{
	int rc = 0;

	while (!rc) {
		uint64_t length;
		int next = lockstep_next(&m->lockstep, &m->step, &length, err);

		if (next == LOCKSTEP_STEP)
			rc = group_stream_add_step(s, m, first_item, err);
		else if (next == LOCKSTEP_BUNDLE)
			rc = stream_bundles_add(s, m, first_item, length, err);
		else
			return next;
	}
	return rc;
}

/* Any warp, of plain events. */
static int form_by_fronts(struct group_stream *s, struct stream_maker *m,
                          const struct group_events *events, uint32_t first_item, uint32_t lanes,
                          struct err *err)
{
	int rc = warp_former_start(m->former, events, first_item, lanes, err);

	while (!rc) {
		rc = warp_former_next(m->former, &m->step, err);
		if (rc || !m->step.lane_count)
			return rc;
		rc = group_stream_add_step(s, m, first_item, err);
	}
	return rc;
}

/* Whether there are runs or grids among the events of a warp. */
static bool is_packed(const struct group_events *events, uint32_t first_item, uint32_t lanes)
{
	uint32_t points = 0;

	for (uint64_t i = events->first[first_item]; i < events->first[first_item + lanes]; i++)
		points |= events->events[i].point;
	return points & EVENT_RUN; /* the bit that those have and no others */
}

/* The plain events of the work-items up to the end of a warp, if `events` are packed. */
static int expand(struct stream_maker *m, const struct group_events *events, uint32_t first_item,
                  uint32_t lanes, struct group_events *out, struct err *err)
{
	struct err why = { 0 };

	for (uint32_t i = first_item; i < first_item + lanes; i++)
		if (outline_check(m->table, events->events + events->first[i],
		                  events->first[i + 1] - events->first[i], &why))
			return err_set(err, ERR_FORMAT, "work-item %" PRIu32 ", %s", i, why.msg);
	if (!m->expander && expander_create(&m->expander, m->table, err))
		return ERR_NOMEM;
	return expander_items(m->expander, events, first_item, lanes, out, err);
}

static int form_warp(struct group_stream *s, struct stream_maker *m,
                     const struct group_events *events, uint32_t first_item, struct err *err)
{
	uint32_t left = events->item_count - first_item;
	uint32_t lanes = left < m->lanes ? left : m->lanes;
	struct group_events plain = *events;
	bool is_in_step = false;
	int rc = mark_warp(s, err);

	if (!rc && !m->takes_fronts)
		rc = lockstep_start(&m->lockstep, events, first_item, lanes, &is_in_step, err);
	if (rc || is_in_step)
		return rc ? rc : form_in_step(s, m, first_item, err);
	if (is_packed(events, first_item, lanes))
		rc = expand(m, events, first_item, lanes, &plain, err);
	return rc ? rc : form_by_fronts(s, m, &plain, first_item, lanes, err);
}

/* Whether the bounds of the work-items are in order. */
static int check_bounds(const struct group_events *events, struct err *err)
{
	for (uint32_t i = 0; i < events->item_count; i++)
		if (events->first[i] > events->first[i + 1])
			return err_set(err, ERR_FORMAT,
			               "the events of work-item %" PRIu32 " end before they begin",
			               i);
	return 0;
}

int group_stream_form(struct group_stream *s, struct stream_maker *m, uint64_t group,
                      const struct group_events *events, struct err *err)
{
	struct err why = { 0 };
	uint64_t item = 0;
	int rc = check_bounds(events, &why);

	warp_former_keep_path(m->former, m->keeps_paths);
	s->group = group;
	s->warp_count = 0;
	s->lanes = s->accesses = 0;
	array_clear(&s->warps);
	array_clear(&s->instructions);
	array_clear(&s->requests);
	array_clear(&s->lane_ends);
	array_clear(&s->items);
	array_clear(&s->addresses);
	array_clear(&s->paths);
	array_clear(&s->ranks);
	stream_bundles_clear(&s->bundles);
	pattern_set_clear(&s->patterns);
	m->places = (struct pattern_places){ 0 };
	while (!rc && item < events->item_count) {
		rc = form_warp(s, m, events, (uint32_t)item, &why);
		item += m->lanes;
		s->warp_count++;
	}
	if (!rc)
		rc = mark_warp(s, &why);
	if (!rc && m->reorder)
		rc = reorder_config_rank(m->reorder, m->table, s, &why);
	if (rc)
		return err_set(err, (enum err_code)rc, "group %" PRIu64 ": %s", group, why.msg);
	return 0;
}

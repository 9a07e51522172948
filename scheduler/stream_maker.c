/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_maker.h"

#include "access_pattern.h"
#include "array.h"
#include "err.h"
#include "gpu.h"
#include "group_stream.h"
#include "reorder_config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void large_warp_cut(struct large_warp *l, const struct warp_step *step, uint32_t columns)
{
	assert(step->lane_count && columns && columns <= WARP_LANES_MAX);
	l->step = step;
	l->columns = columns;
	l->sub_warps = 0;
	memset(l->depth, 0, columns * sizeof(*l->depth));
	for (uint32_t i = 0; i < step->lane_count; i++) {
		uint32_t column = step->lane[i] % columns, k = l->depth[column]++;

		l->active[k * columns + column] = (uint16_t)i;
		if (l->depth[column] > l->sub_warps)
			l->sub_warps = l->depth[column];
	}
}

/* Only the widths of the taken lanes count for `is_mixed` and `bytes`. */
static void take_size(struct warp_step *out, uint32_t lane, uint64_t size)
{
	out->sizes[lane] = size;
	out->is_mixed |= size != out->sizes[0];
	if (size > out->bytes)
		out->bytes = (uint32_t)size;
}

void large_warp_take(const struct large_warp *l, uint32_t k, struct warp_step *out,
                     uint16_t *large_lane)
{
	const struct warp_step *step = l->step;

	assert(k < l->sub_warps);
	out->site = step->site;
	out->lane_count = 0;
	out->bytes = step->is_mixed ? 0 : step->bytes;
	out->is_mixed = false;
	for (uint32_t column = 0; column < l->columns; column++) {
		uint32_t lane = out->lane_count, i;

		if (l->depth[column] <= k)
			continue;
		i = l->active[k * l->columns + column];
		out->lane[lane] = (uint16_t)column;
		large_lane[lane] = step->lane[i];
		out->address[lane] = step->address[i];
		if (step->is_mixed)
			take_size(out, lane, step->sizes[i]);
		out->lane_count++;
	}
}

/* At SPILL_BYTES, a hundred groups take some megabytes. */
enum { SPILL_BYTES = 128 << 10, EXTENT_BYTES = 1 << 20 };

/* The most stored events of a warp that lockstep tries: 8 MB. */
enum { IN_STEP_EVENTS = 1 << 19 };

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
	m->spill = NULL;
	m->reorder = NULL;
	m->patterns = NULL;
	m->table = table;
	m->spill_bytes = SPILL_BYTES;
	m->extent_bytes = EXTENT_BYTES;
	m->places = (struct pattern_places){ 0 };
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
	coalescer_release(&m->coalescer);
}

void stream_maker_set_order(struct stream_maker *m, const struct issue_order *order)
{
	m->lanes = issue_order_lanes(order, m->warp_lanes);
	m->keeps_paths = order->kind == ISSUE_ORDER_reorder;
	m->takes_fronts |= m->keeps_paths || m->lanes > m->warp_lanes;
}

/* The most instructions with paths, which stay in memory. */
static const size_t PATHS_MAX = (size_t)1 << 20;

/* Store the number of a use's pattern in *number. */
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

static int add_requests(struct group_stream *s, struct stream_maker *m, struct array *requests,
                        struct err *err)
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

/* The lanes of one instruction: all active lanes of a warp, or those of a sub-warp. */
struct piece {
	const struct warp_step *step;
	const uint16_t *lane; /* of the warp or the large warp, for each active lane */
	uint32_t first_item;  /* the work-item of lane 0 */
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

/* Move the contents of the arrays to the file if they are large and that is possible. */
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
	rc = add_requests(s, m, &s->requests, err);
	return rc ? rc : spill(s, m, err);
}

/* Add an access of a large warp, sub-warp by sub-warp. */
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

static int add_step(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                    struct err *err)
{
	const struct piece whole = { &m->step, m->step.lane, first_item, false };

	if (m->patterns)
		access_patterns_items(m->patterns, &m->step);
	if (m->lanes > m->warp_lanes && m->table->sites[m->step.site].kind != SITE_BARRIER)
		return add_sub_warps(s, m, first_item, err);
	return add_piece(s, m, &whole, err);
}

/* Fewer iterations take less memory one by one. */
enum { BUNDLE_ITERATIONS_MIN = 4 };

/* Set m->step to a strand's access in an iteration. */
static void fill_step(struct stream_maker *m, const struct lockstep_strand *strand,
                      uint64_t iteration)
{
	m->step.site = strand->site;
	m->step.bytes = m->table->sites[strand->site].bytes;
	m->step.is_mixed = false;
	m->step.lane_count = m->lockstep.lane_count;
	for (uint32_t i = 0; i < m->step.lane_count; i++)
		m->step.address[i] = strand->first[i] + iteration * strand->stride[i];
}

/* Whether all lanes move by the same stride through `length` iterations, none out of its buffer. */
static bool is_steady(struct stream_maker *m, const struct lockstep_strand *strand, uint64_t length)
{
	uint32_t lanes = m->lockstep.lane_count, bytes = m->table->sites[strand->site].bytes;
	uint64_t stride = strand->stride[0], differs = 0;
	int64_t way;

	for (uint32_t i = 1; i < lanes; i++)
		differs |= strand->stride[i] ^ stride;
	if (differs || length > INT64_MAX ||
	    __builtin_mul_overflow((int64_t)stride, (int64_t)length - 1, &way))
		return false;
	return coalescer_is_steady(&m->coalescer, strand->first, lanes, way, bytes);
}

static bool are_steady(struct stream_maker *m, uint64_t length)
{
	const struct lockstep_strand *strands = m->lockstep.strands.data;

	for (size_t k = 0; k < m->lockstep.strands.count; k++)
		if (!side_counts_take(&m->table->sites[strands[k].site]) &&
		    !is_steady(m, &strands[k], length))
			return false;
	return true;
}

/* Add the iterations one after another. */
static int add_plainly(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                       uint64_t length, struct err *err)
{
	const struct lockstep_strand *strands = m->lockstep.strands.data;
	int rc = 0;

	for (uint64_t i = 0; i < length; i++)
		for (size_t k = 0; k < m->lockstep.strands.count && !rc; k++) {
			fill_step(m, &strands[k], i);
			rc = add_step(s, m, first_item, err);
		}
	return rc;
}

/* Returns b: 2^b times the stride is a whole number of lines. */
static uint32_t find_period_bits(uint64_t stride, uint32_t line_bytes)
{
	uint32_t line_bits = (uint32_t)__builtin_ctz(line_bytes), zeros;

	if (!stride)
		return 0;
	zeros = (uint32_t)__builtin_ctzll(stride);
	return zeros < line_bits ? line_bits - zeros : 0;
}

/* Add the requests of a strand in an iteration, as one of its classes. */
static int add_class(struct group_stream *s, struct stream_maker *m,
                     const struct lockstep_strand *strand, uint64_t iteration, struct err *err)
{
	struct stream_bundles *b = &s->bundles;
	struct stream_class *class = array_append(&b->classes, 1, err);
	int rc;

	if (!class)
		return ERR_NOMEM;
	fill_step(m, strand, iteration);
	rc = coalesce(&m->coalescer, &m->step, err);
	if (rc)
		return rc;
	*class = (struct stream_class){
		.instruction = { .site = strand->site,
		                 .request_count =
		                         (uint32_t)m->coalescer.uses.count & STREAM_COUNT_MASK },
		.first_request = b->requests.count,
	};
	return add_requests(s, m, &b->requests, err);
}

static int add_strand(struct group_stream *s, struct stream_maker *m,
                      const struct lockstep_strand *strand, uint64_t length, struct err *err)
{
	uint64_t stride = strand->stride[0], unmapped = m->coalescer.unmapped_lanes;
	uint32_t bits = find_period_bits(stride, m->coalescer.line_bytes);
	uint64_t classes = (uint64_t)1 << bits;
	struct stream_strand *added = array_append(&s->bundles.strands, 1, err);
	int rc = added ? 0 : ERR_NOMEM;

	if (rc)
		return rc;
	*added = (struct stream_strand){ s->bundles.classes.count, bits, stride << bits };
	if (classes > length)
		classes = length;
	for (uint64_t i = 0; i < classes && !rc; i++) {
		unmapped = m->coalescer.unmapped_lanes;
		rc = add_class(s, m, strand, i, err);
		if (!rc && m->patterns)
			access_patterns_step(m->patterns, &m->step, &m->coalescer,
			                     (length - i - 1) / classes + 1);
	}
	unmapped = m->coalescer.unmapped_lanes - unmapped; /* of one class: the same for all */
	m->coalescer.unmapped_lanes += unmapped * (length - classes);
	s->lanes += length * m->lockstep.lane_count;
	s->accesses += length;
	return rc;
}

/* Count the accesses of a strand to local or constant memory; they are not instructions. */
static int count_side(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                      const struct lockstep_strand *strand, uint64_t length, struct err *err)
{
	int rc = 0;

	for (uint64_t i = 0; i < length && !rc; i++) {
		fill_step(m, strand, i);
		rc = add_step(s, m, first_item, err);
	}
	return rc;
}

static int add_bundle(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                      uint64_t length, struct err *err)
{
	const struct lockstep_strand *strands = m->lockstep.strands.data;
	struct stream_bundle bundle = { length, s->bundles.strands.count, 0 }, *added;
	struct stream_instruction *instruction;

	if (m->patterns)
		access_patterns_items_bundle(m->patterns, &m->lockstep, m->step.lane, length);
	for (size_t k = 0; k < m->lockstep.strands.count; k++) {
		bool is_side = side_counts_take(&m->table->sites[strands[k].site]);
		int rc = is_side ? count_side(s, m, first_item, &strands[k], length, err)
		                 : add_strand(s, m, &strands[k], length, err);

		if (rc)
			return rc;
		bundle.strand_count += !is_side;
	}
	if (!bundle.strand_count)
		return 0;
	added = array_append(&s->bundles.bundles, 1, err);
	instruction = array_append(&s->instructions, 1, err);
	if (!added || !instruction)
		return ERR_NOMEM;
	*added = bundle;
	*instruction = (struct stream_instruction){
		.site = STREAM_BUNDLE,
		.request_count = (uint32_t)(s->bundles.bundles.count - 1) & STREAM_COUNT_MASK
	};
	return 0;
}

/* Add `length` iterations of m->lockstep's strands to the warp that begins with first_item: as a
 * bundle if possible, else one by one. m->step has the lanes. */
static int add_iterations(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                          uint64_t length, struct err *err)
{
	if (m->keeps_lanes || length < BUNDLE_ITERATIONS_MIN || !are_steady(m, length))
		return add_plainly(s, m, first_item, length, err);
	return add_bundle(s, m, first_item, length, err);
}

static int mark_warp(struct group_stream *s, struct err *err)
{
	struct stream_warp *warp = array_append(&s->warps, 1, err);

	if (!warp)
		return ERR_NOMEM;
	warp->first_instruction = s->spill.instructions + s->instructions.count;
	warp->first_request = s->spill.requests + s->requests.count;
	return 0;
}

/* Form a warp that m->lockstep has begun. */
static int form_in_step(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                        struct err *err)
{
	int rc = 0;

	while (!rc) {
		uint64_t length;
		int next = lockstep_next(&m->lockstep, &m->step, &length, err);

		if (next == LOCKSTEP_STEP)
			rc = add_step(s, m, first_item, err);
		else if (next == LOCKSTEP_BUNDLE)
			rc = add_iterations(s, m, first_item, length, err);
		else
			return next;
	}
	return rc;
}

/* Form any warp. */
static int form_by_fronts(struct group_stream *s, struct stream_maker *m,
                          const struct group_items *items, uint32_t first_item, uint32_t lanes,
                          struct err *err)
{
	int rc = warp_former_start(m->former, items, first_item, lanes, err);

	while (!rc) {
		rc = warp_former_next(m->former, &m->step, err);
		if (rc || !m->step.lane_count)
			return rc;
		rc = add_step(s, m, first_item, err);
	}
	return rc;
}

/* Whether to try lockstep for a warp, which takes memory for all of its events. */
static bool is_short(const struct group_items *items, uint32_t first_item, uint32_t lanes)
{
	const uint64_t *first = items->events.first;

	return !items->store && first[first_item + lanes] - first[first_item] <= IN_STEP_EVENTS;
}

static int form_warp(struct group_stream *s, struct stream_maker *m,
                     const struct group_items *items, uint32_t first_item, struct err *err)
{
	uint32_t left = items->events.item_count - first_item;
	uint32_t lanes = left < m->lanes ? left : m->lanes;
	bool is_in_step = false;
	int rc = mark_warp(s, err);

	if (m->patterns)
		access_patterns_warp(m->patterns, s->group, first_item, lanes);
	if (!rc && !m->takes_fronts && is_short(items, first_item, lanes))
		rc = lockstep_start(&m->lockstep, &items->events, first_item, lanes, &is_in_step,
		                    err);
	if (rc || is_in_step)
		return rc ? rc : form_in_step(s, m, first_item, err);
	return form_by_fronts(s, m, items, first_item, lanes, err);
}

/* Check that the bounds of the work-items ascend. */
static int check_bounds(const struct group_events *events, struct err *err)
{
	for (uint32_t i = 0; events->first && i < events->item_count; i++)
		if (events->first[i] > events->first[i + 1])
			return err_set(err, ERR_FORMAT,
			               "the events of work-item %" PRIu32 " end before they begin",
			               i);
	return 0;
}

/* Discard the previous group. */
static void clear(struct group_stream *s)
{
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
	stream_spill_clear(&s->spill);
	pattern_set_clear(&s->patterns);
}

int group_stream_form(struct group_stream *s, struct stream_maker *m, uint64_t group,
                      const struct group_items *items, struct err *err)
{
	struct err why = { 0 };
	uint64_t item = 0;
	int rc = check_bounds(&items->events, &why);

	warp_former_keep_path(m->former, m->keeps_paths);
	clear(s);
	s->group = group;
	pattern_places_clear(&m->places);
	while (!rc && item < items->events.item_count) {
		rc = form_warp(s, m, items, (uint32_t)item, &why);
		item += m->lanes;
		s->warp_count++;
	}
	if (m->patterns)
		access_patterns_group_end(m->patterns);
	if (!rc)
		rc = mark_warp(s, &why);
	if (!rc && m->reorder)
		rc = reorder_config_rank(m->reorder, m->table, s, &why);
	if (!rc && m->spill && !m->keeps_paths && !m->reorder && !s->spill.is_refused &&
	    (!m->keeps_lanes || s->spill.file))
		rc = stream_spill_end(s, m->spill, m->spill_bytes, &why);
	return rc ? err_set(err, (enum err_code)rc, "group %" PRIu64 ": %s", group, why.msg) : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "access_pattern.h"
#include "array.h"
#include "bits.h"
#include "err.h"
#include "gpu.h"
#include "kernel_table.h"
#include "launch_shape.h"
#include "lockstep.h"
#include "pattern_set.h"
#include "side_counts.h"
#include "warp_former.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static uint64_t amount(int64_t bytes)
{
	return bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
}

/* Order strides by magnitude, then by value, so that different strides are never equal. */
static bool is_smaller(const struct access_stride *x, const struct access_stride *y)
{
	uint64_t of_x = amount(x->bytes), of_y = amount(y->bytes);

	return of_x != of_y ? of_x < of_y : x->bytes < y->bytes;
}

/* Move a row up to its place: most frequent first, then smallest. */
static void move_up(struct access_stride *rows, size_t at)
{
	const struct access_stride row = rows[at];

	while (at && (rows[at - 1].pairs < row.pairs ||
	              (rows[at - 1].pairs == row.pairs && is_smaller(&row, &rows[at - 1])))) {
		rows[at] = rows[at - 1];
		at--;
	}
	rows[at] = row;
}

/* Remove the row of the largest stride if it is larger than that of *for_row. Returns whether it
 * was. */
static bool make_room(struct access_stride *rows, const struct access_stride *for_row)
{
	size_t largest = 0;

	for (size_t i = 1; i < ACCESS_STRIDES; i++)
		if (is_smaller(&rows[largest], &rows[i]))
			largest = i;
	if (is_smaller(&rows[largest], for_row))
		return false;
	for (size_t i = largest; i + 1 < ACCESS_STRIDES; i++)
		rows[i] = rows[i + 1];
	return true;
}

void access_pattern_add_stride(struct access_pattern *sum, int64_t bytes, uint64_t pairs)
{
	const struct access_stride row = { bytes, pairs };
	struct access_stride *rows = sum->strides;
	size_t at = 0;

	while (at < ACCESS_STRIDES && rows[at].pairs && rows[at].bytes != bytes)
		at++;
	if (!pairs || (at == ACCESS_STRIDES && !make_room(rows, &row)))
		return;
	if (at < ACCESS_STRIDES && rows[at].pairs)
		rows[at].pairs += pairs;
	else
		rows[at < ACCESS_STRIDES ? at : --at] = row;
	move_up(rows, at);
}

void access_pattern_add(struct access_pattern *sum, const struct access_pattern *more)
{
	sum->instructions += more->instructions;
	sum->lanes += more->lanes;
	sum->lanes_possible += more->lanes_possible;
	sum->idle_lanes += more->idle_lanes;
	sum->requests += more->requests;
	sum->requests_least += more->requests_least;
	sum->misaligned_requests += more->misaligned_requests;
	sum->sectors += more->sectors;
	sum->sectors_least += more->sectors_least;
	sum->close_sectors += more->close_sectors;
	sum->steps += more->steps;
	sum->slides += more->slides;
	sum->pairs += more->pairs;
	sum->items.accesses += more->items.accesses;
	sum->items.rereads += more->items.rereads;
	sum->items.overwritten += more->items.overwritten;
	for (size_t i = 0; i < ACCESS_STRIDES && more->strides[i].pairs; i++)
		access_pattern_add_stride(sum, more->strides[i].bytes, more->strides[i].pairs);
}

struct place_use {
	uint64_t address, bytes;
	uint32_t writer; /* site of the last write */
	bool is_written;
	bool is_changed; /* partly overwritten by another write: its contents are unknown */
};

/* The places of an argument, the most recent first. */
struct argument_places {
	uint32_t count;
	struct place_use at[ITEM_PLACES];
};

struct item_watch {
	const struct kernel_table *table;
	uint64_t stride;
	size_t arguments; /* plus one for pointers of no known argument */
	struct argument_places *places;
	uint32_t first_lane, lanes; /* of the warp; first_lane >= lanes: none is examined */
};

uint64_t item_watch_stride(const struct launch_shape *shape)
{
	uint32_t size[3];
	uint64_t items = launch_shape_group_count(shape) * launch_shape_group_size(shape, 0, size);
	uint64_t stride = items / ITEM_SAMPLE;

	return (stride < ITEM_STRIDE ? ITEM_STRIDE : stride) | 1;
}

int item_watch_create(struct item_watch **out, const struct kernel_table *table, uint64_t stride,
                      struct err *err)
{
	struct item_watch *w = array_alloc(1, sizeof(*w), "accesses of work-items", err);
	size_t items = (LARGE_WARP_LANES_MAX - 1) / stride + 1;

	if (!w)
		return ERR_NOMEM;
	w->table = table;
	w->stride = stride;
	w->arguments = table->argument_count + 1;
	w->places = array_alloc(items * w->arguments, sizeof(*w->places), "accesses of work-items",
	                        err);
	if (!w->places) {
		free(w);
		return ERR_NOMEM;
	}
	*out = w;
	return 0;
}

void item_watch_free(struct item_watch *w)
{
	if (w)
		free(w->places);
	free(w);
}

/* The places that a lane's work-item accessed through each argument. */
static struct argument_places *places_of(const struct item_watch *w, uint32_t lane)
{
	return &w->places[(lane - w->first_lane) / w->stride * w->arguments];
}

static void forget(const struct item_watch *w, struct argument_places *places)
{
	for (size_t i = 0; i < w->arguments; i++)
		places[i].count = 0;
}

bool item_watch_warp(struct item_watch *w, uint64_t first_item, uint32_t lanes)
{
	uint64_t before = first_item % w->stride, first = before ? w->stride - before : 0;

	w->lanes = lanes;
	w->first_lane = first < lanes ? (uint32_t)first : lanes;
	for (uint64_t lane = w->first_lane; lane < lanes; lane += w->stride)
		forget(w, places_of(w, (uint32_t)lane));
	return w->first_lane < lanes;
}

/* A write changes all other places that share bytes with its own: their contents become unknown. */
static void change_others(const struct item_watch *w, struct argument_places *places,
                          const struct place_use *own)
{
	for (size_t i = 0; i < w->arguments; i++)
		for (uint32_t k = 0; k < places[i].count; k++) {
			struct place_use *p = &places[i].at[k];

			if (p != own &&
			    p->address - own->address + p->bytes - 1 < p->bytes + own->bytes - 1)
				p->is_changed = true;
		}
}

/* Move the place to the front of its list, adding it if it is not there. */
static struct place_use *take_place(struct argument_places *list, uint64_t address, uint64_t bytes)
{
	struct place_use found = { .address = address, .bytes = bytes, .is_changed = true };
	uint32_t at = 0;

	while (at < list->count && (list->at[at].address != address || list->at[at].bytes != bytes))
		at++;
	if (at < list->count)
		found = list->at[at];
	else if (list->count < ITEM_PLACES)
		list->count++;
	else
		at--;
	memmove(&list->at[1], &list->at[0], at * sizeof(list->at[0]));
	list->at[0] = found;
	return &list->at[0];
}

static void see(const struct item_watch *w, struct argument_places *places, uint32_t number,
                uint64_t address, uint64_t bytes, struct access_pattern *sites)
{
	const struct site *site = &w->table->sites[number];
	size_t argument = (size_t)(site->argument + 1);
	struct place_use *place;

	if (site->kind == SITE_ATOMIC) {
		forget(w, places);
		return;
	}
	if (!bytes)
		return;
	place = take_place(&places[argument < w->arguments ? argument : 0], address, bytes);
	sites[number].items.accesses++;
	if (site->kind == SITE_READ) {
		sites[number].items.rereads += !place->is_changed;
		place->is_written = place->is_written && !place->is_changed;
	} else {
		if (place->is_written && !place->is_changed)
			sites[place->writer].items.overwritten++;
		change_others(w, places, place);
		place->is_written = true;
		place->writer = number;
	}
	place->is_changed = false;
}

/* Returns the index of a lane among the active lanes, which ascend; lane_count: it is not active.
 */
static uint32_t find_lane(const uint16_t *lane, uint32_t lane_count, uint32_t wanted)
{
	uint32_t first = 0, end = lane_count;

	if (wanted < lane_count && lane[wanted] == wanted)
		return wanted;
	while (first < end) {
		uint32_t middle = first + (end - first) / 2;

		if (lane[middle] < wanted)
			first = middle + 1;
		else
			end = middle;
	}
	return first < lane_count && lane[first] == wanted ? first : lane_count;
}

void item_watch_step(struct item_watch *w, const struct warp_step *step,
                     struct access_pattern *sites)
{
	const struct site *site = &w->table->sites[step->site];

	if (side_counts_take(site))
		return;
	for (uint64_t lane = w->first_lane; lane < w->lanes; lane += w->stride) {
		struct argument_places *places = places_of(w, (uint32_t)lane);
		uint32_t i = find_lane(step->lane, step->lane_count, (uint32_t)lane);

		if (site->kind == SITE_BARRIER)
			forget(w, places);
		else if (i < step->lane_count)
			see(w, places, step->site, step->address[i],
			    step->is_mixed ? step->sizes[i] : step->bytes, sites);
	}
}

void item_watch_bundle(struct item_watch *w, const struct lockstep *l, const uint16_t *lane,
                       uint64_t length, struct access_pattern *sites)
{
	const struct lockstep_strand *strands = l->strands.data;

	for (uint64_t one = w->first_lane; one < w->lanes; one += w->stride) {
		struct argument_places *places = places_of(w, (uint32_t)one);
		uint32_t i = find_lane(lane, l->lane_count, (uint32_t)one);

		for (uint64_t n = 0; i < l->lane_count && n < length; n++)
			for (size_t k = 0; k < l->strands.count; k++) {
				uint32_t number = strands[k].site;

				if (!side_counts_take(&w->table->sites[number]))
					see(w, places, number,
					    strands[k].first[i] + n * strands[k].stride[i],
					    w->table->sites[number].bytes, sites);
			}
	}
}

/* Rows of the method of Misra and Gries, for the strides of a group. */
enum { ROWS = 8 };

/* A site in the current group, and the last access of its warp there. */
struct site_group {
	uint64_t pairs;
	/* A row has levels[] - level pairs, if that is positive: pairs subtracted from all rows are
	 * added to level. */
	int64_t strides[ROWS];
	uint64_t levels[ROWS], level;
	uint64_t warp, address; /* warp 0: none yet */
	bool is_touched;
};

struct access_patterns {
	const struct kernel_table *table;
	uint32_t line_bytes, sector_bytes, warp_lanes;
	uint64_t group_items; /* of a full group */
	struct item_watch *items;
	bool has_items; /* this warp has examined work-items */
	struct access_pattern *sites;
	struct site_group *groups; /* per site */
	uint32_t *touched;         /* sites of the group, touched_count of them */
	size_t touched_count;
	uint64_t warp;     /* counts the warps, from 1 */
	uint32_t possible; /* lanes of the warp */
};

int access_patterns_create(struct access_patterns **out, const struct gpu *gpu,
                           const struct kernel_table *table, const struct launch_shape *shape,
                           struct err *err)
{
	struct access_patterns *p = array_alloc(1, sizeof(*p), "access patterns", err);
	size_t count = table->site_count;
	uint32_t size[3];

	if (!p)
		return ERR_NOMEM;
	p->table = table;
	p->line_bytes = gpu->l1_line_bytes;
	p->sector_bytes = gpu->l1_sector_bytes ? gpu->l1_sector_bytes : gpu->l1_line_bytes;
	p->warp_lanes = gpu->warp_lanes;
	p->group_items = launch_shape_group_size(shape, 0, size);
	p->sites = array_alloc(count, sizeof(*p->sites), "access patterns", err);
	p->groups = array_alloc(count, sizeof(*p->groups), "access patterns", err);
	p->touched = array_alloc(count, sizeof(*p->touched), "access patterns", err);
	if (!p->sites || !p->groups || !p->touched ||
	    item_watch_create(&p->items, table, item_watch_stride(shape), err)) {
		access_patterns_free(p);
		return ERR_NOMEM;
	}
	*out = p;
	return 0;
}

void access_patterns_free(struct access_patterns *p)
{
	if (!p)
		return;
	item_watch_free(p->items);
	free(p->sites);
	free(p->groups);
	free(p->touched);
	free(p);
}

void access_patterns_warp(struct access_patterns *p, uint64_t group, uint32_t first_item,
                          uint32_t lanes)
{
	p->warp++;
	p->possible = lanes < p->warp_lanes ? lanes : p->warp_lanes;
	p->has_items = item_watch_warp(p->items, group * p->group_items + first_item, lanes);
}

void access_patterns_items(struct access_patterns *p, const struct warp_step *step)
{
	if (p->has_items)
		item_watch_step(p->items, step, p->sites);
}

void access_patterns_items_bundle(struct access_patterns *p, const struct lockstep *l,
                                  const uint16_t *lane, uint64_t length)
{
	if (p->has_items)
		item_watch_bundle(p->items, l, lane, length, p->sites);
}

static uint64_t pairs_of(const struct site_group *g, uint32_t row)
{
	return g->levels[row] > g->level ? g->levels[row] - g->level : 0;
}

/* A new stride takes an empty row, or reduces all rows and itself by the least of their pairs. */
static void add_stride(struct site_group *g, int64_t bytes, uint64_t pairs)
{
	uint64_t has = UINT64_MAX, less;
	uint32_t least = 0;

	for (uint32_t i = 0; i < ROWS; i++)
		if (g->strides[i] == bytes && g->levels[i] > g->level) {
			g->levels[i] += pairs;
			return;
		}
	for (uint32_t i = 0; i < ROWS; i++)
		if (pairs_of(g, i) < has) {
			has = pairs_of(g, i);
			least = i;
		}
	less = has < pairs ? has : pairs;
	g->level += less;
	if (pairs > less) {
		g->strides[least] = bytes;
		g->levels[least] = g->level + (pairs - less);
	}
}

static void count_strides(struct site_group *g, const struct warp_step *step, uint64_t times)
{
	uint64_t run = 0;
	int64_t last = 0;

	for (uint32_t i = 1; i < step->lane_count; i++) {
		int64_t stride = (int64_t)(step->address[i] - step->address[i - 1]);

		if (step->lane[i] != step->lane[i - 1] + 1)
			continue;
		if (run && stride != last) {
			add_stride(g, last, run * times);
			run = 0;
		}
		last = stride;
		run++;
		g->pairs += times;
	}
	if (run)
		add_stride(g, last, run * times);
}

static void count_move(struct access_patterns *p, const struct warp_step *step, uint64_t times)
{
	struct site_group *g = &p->groups[step->site];
	struct access_pattern *s = &p->sites[step->site];
	uint64_t way = step->address[0] > g->address ? step->address[0] - g->address
	                                             : g->address - step->address[0];

	if (g->warp == p->warp) {
		s->steps += times;
		s->slides += way && way < p->line_bytes ? times : 0;
	}
	g->warp = p->warp;
	g->address = step->address[0];
}

/* The first and the last byte of a line's mask. */
static void find_ends(const uint64_t *mask, uint32_t words, uint64_t *first, uint64_t *last)
{
	uint32_t low = 0, high = words - 1;

	while (low < high && !mask[low])
		low++;
	while (high > low && !mask[high])
		high--;
	*first = UINT64_C(64) * low + (uint64_t)__builtin_ctzll(mask[low]);
	*last = UINT64_C(64) * high + 63 - (uint64_t)__builtin_clzll(mask[high]);
}

/* Sectors of a line with a byte of the mask. */
static uint64_t sectors_of(const uint64_t *mask, uint32_t words, uint32_t sector_bytes)
{
	uint64_t count = 0, last = UINT64_MAX;
	uint64_t sector_bits = sector_bytes < 64 ? (UINT64_C(1) << sector_bytes) - 1 : UINT64_MAX;

	for (uint32_t k = 0; k < words; k++)
		for (uint64_t word = mask[k]; word;) {
			uint64_t sector =
				(UINT64_C(64) * k + (uint64_t)__builtin_ctzll(word)) / sector_bytes;

			count += sector != last;
			last = sector;
			word &= ~(sector_bits << sector * sector_bytes % 64);
		}
	return count;
}

/* The range of the lanes' bytes, their number, and their sectors. */
struct extent {
	uint64_t begin, end; /* end: the last byte */
	uint64_t bytes, sectors;
};

static const struct extent no_extent = { .begin = UINT64_MAX };

static void add_extent(struct extent *sum, const struct extent *more)
{
	sum->begin = more->begin < sum->begin ? more->begin : sum->begin;
	sum->end = more->end > sum->end ? more->end : sum->end;
	sum->bytes += more->bytes;
	sum->sectors += more->sectors;
}

static struct extent extent_of(const struct access_patterns *p, struct coalescer *c, size_t use)
{
	const struct line_use *u = (const struct line_use *)c->uses.data + use;
	struct extent x = { 0 };
	uint64_t first, last;

	if (u->piece) {
		first = pattern_piece_from(u->piece);
		last = first + pattern_piece_bytes(u->piece) - 1;
		x.bytes = last - first + 1;
		x.sectors = last / p->sector_bytes - first / p->sector_bytes + 1;
	} else {
		const uint64_t *mask = coalescer_mask(c, use);

		x.sectors = sectors_of(mask, c->mask_words, p->sector_bytes);
		find_ends(mask, c->mask_words, &first, &last);
		for (uint32_t k = 0; k < c->mask_words; k++)
			x.bytes += bits_count(mask[k]);
	}
	x.begin = u->line + first;
	x.end = u->line + last;
	return x;
}

static bool is_close(const struct extent *x)
{
	return x->end - x->begin < x->bytes * 7 / 4;
}

/* The sectors beyond the fewest that could carry the bytes, if the bytes lie close. */
static uint64_t close_sectors(const struct access_patterns *p, const struct extent *x)
{
	return is_close(x) ? x->sectors - ((x->bytes - 1) / p->sector_bytes + 1) : 0;
}

/* Whether a use continues the row of the previous one: their lines are neighbours. */
static bool is_of_row(const struct coalescer *c, size_t use)
{
	const struct line_use *u = (const struct line_use *)c->uses.data + use;

	return u->line == u[-1].line + c->line_bytes || u[-1].line == u->line + c->line_bytes;
}

/* Add uses part[0]..part[1] - 1, which are those of one part. */
static void count_part(const struct access_patterns *p, struct access_pattern *s,
                       struct coalescer *c, const size_t part[2], uint64_t times)
{
	struct extent all = no_extent, row = no_extent;
	uint64_t least, count = part[1] - part[0], least_sectors, close_rows = 0;

	if (!count)
		return;
	for (size_t i = part[0]; i < part[1]; i++) {
		const struct extent x = extent_of(p, c, i);

		if (i > part[0] && !is_of_row(c, i)) {
			close_rows += close_sectors(p, &row);
			row = no_extent;
		}
		add_extent(&row, &x);
		add_extent(&all, &x);
	}
	close_rows += close_sectors(p, &row);
	least = (all.bytes - 1) / c->line_bytes + 1;
	least_sectors = (all.bytes - 1) / p->sector_bytes + 1;
	s->requests += times * count;
	s->requests_least += times * least;
	s->sectors += times * all.sectors;
	s->sectors_least += times * least_sectors;
	if (all.end - all.begin == all.bytes - 1)
		s->misaligned_requests += times * (count - least);
	s->close_sectors += times * (is_close(&all) ? all.sectors - least_sectors : close_rows);
}

void access_patterns_step(struct access_patterns *p, const struct warp_step *step,
                          struct coalescer *c, uint64_t times)
{
	struct access_pattern *s = &p->sites[step->site];
	struct site_group *g = &p->groups[step->site];
	size_t part[2] = { 0 };

	s->instructions += times;
	s->lanes += times * step->lane_count;
	s->lanes_possible += times * p->possible;
	if (!warp_step_is_dense(step))
		s->idle_lanes += times * (p->possible - step->lane_count);
	if (step->is_mixed || !step->bytes || !p->table->sites[step->site].bytes)
		return;
	if (!g->is_touched) {
		g->is_touched = true;
		p->touched[p->touched_count++] = step->site;
	}
	count_strides(g, step, times);
	count_move(p, step, times);
	for (uint32_t i = 0; i < c->part_count; i++) {
		part[1] = c->part_ends[i];
		count_part(p, s, c, part, times);
		part[0] = part[1];
	}
}

void access_patterns_group_end(struct access_patterns *p)
{
	for (size_t i = 0; i < p->touched_count; i++) {
		struct site_group *g = &p->groups[p->touched[i]];
		uint32_t most = 0;
		uint64_t pairs;

		for (uint32_t k = 1; k < ROWS; k++)
			if (pairs_of(g, k) > pairs_of(g, most))
				most = k;
		pairs = pairs_of(g, most);
		p->sites[p->touched[i]].pairs += g->pairs;
		if (pairs && 2 * pairs >= g->pairs)
			access_pattern_add_stride(&p->sites[p->touched[i]], g->strides[most],
			                          pairs);
		*g = (struct site_group){ 0 };
	}
	p->touched_count = 0;
}

void access_patterns_sum(const struct access_patterns *p, struct access_pattern *sites)
{
	for (size_t i = 0; i < p->table->site_count; i++)
		access_pattern_add(&sites[i], &p->sites[i]);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "reorder_unit.h"

#include "array.h"
#include "err.h"
#include "group_stream.h"

#include <assert.h>
#include <stdlib.h>

/* A warp and its next access to be sent. */
struct channel {
	const struct group_stream *stream;
	const struct stream_instruction *next, *end;
	uint64_t phase;
	uint32_t group_slot;
	uint32_t warp; /* number in its group */
	bool is_full;  /* the access has been issued */
};

struct reorder_unit {
	const struct kernel_table *table;
	uint32_t warps_per_group;
	uint32_t resident;        /* groups */
	bool has_last_groups;     /* no more groups will start */
	uint32_t with_accesses;   /* groups with accesses to send */
	uint32_t *unfinished;     /* per group slot: warps with accesses to send */
	struct channel *channels; /* per warp slot */
	uint32_t *heap;           /* warp slots with accesses to send; [0] is the next */
	uint32_t heap_count;
};

int reorder_unit_create(struct reorder_unit **out, const struct kernel_table *table,
                        uint32_t group_slots, uint32_t warps_per_group, struct err *err)
{
	size_t slots = (size_t)group_slots * warps_per_group;
	struct reorder_unit *u = array_alloc(1, sizeof(*u), "reorder unit", err);

	if (!u)
		return ERR_NOMEM;
	u->table = table;
	u->warps_per_group = warps_per_group;
	u->unfinished = array_alloc(group_slots, sizeof(*u->unfinished), "group slots", err);
	u->channels = array_alloc(slots, sizeof(*u->channels), "channels of warps", err);
	u->heap = array_alloc(slots, sizeof(*u->heap), "channels of warps", err);
	if (!u->unfinished || !u->channels || !u->heap) {
		reorder_unit_free(u);
		return ERR_NOMEM;
	}
	*out = u;
	return 0;
}

void reorder_unit_free(struct reorder_unit *u)
{
	if (!u)
		return;
	free(u->unfinished);
	free(u->channels);
	free(u->heap);
	free(u);
}

static int compare_places(const struct reorder_unit *u, const struct channel *a,
                          const struct channel *b)
{
	const uint32_t *rank_a = group_stream_rank(a->stream, a->next);
	const uint32_t *rank_b = group_stream_rank(b->stream, b->next);

	if (rank_a && rank_b)
		return (*rank_a > *rank_b) - (*rank_a < *rank_b);
	return loop_path_compare(u->table, group_stream_path(a->stream, a->next), a->next->site,
	                         group_stream_path(b->stream, b->next), b->next->site);
}

/* Whether warp slot i's next access comes before slot k's. */
static bool is_before(const struct reorder_unit *u, uint32_t i, uint32_t k)
{
	const struct channel *a = &u->channels[i], *b = &u->channels[k];
	int order;

	if (a->phase != b->phase)
		return a->phase < b->phase;
	order = compare_places(u, a, b);
	if (order)
		return order < 0;
	if (a->stream->group != b->stream->group)
		return a->stream->group < b->stream->group;
	return a->warp < b->warp;
}

static void sift_up(struct reorder_unit *u, uint32_t at)
{
	uint32_t slot = u->heap[at];

	for (; at && is_before(u, slot, u->heap[(at - 1) / 2]); at = (at - 1) / 2)
		u->heap[at] = u->heap[(at - 1) / 2];
	u->heap[at] = slot;
}

static void sift_down(struct reorder_unit *u)
{
	uint32_t slot = u->heap[0], at = 0, below;

	while ((below = 2 * at + 1) < u->heap_count) {
		if (below + 1 < u->heap_count && is_before(u, u->heap[below + 1], u->heap[below]))
			below++;
		if (!is_before(u, u->heap[below], slot))
			break;
		u->heap[at] = u->heap[below];
		at = below;
	}
	u->heap[at] = slot;
}

/* Pass the barriers before the next access; false if there is no access. */
static bool find_access(const struct reorder_unit *u, struct channel *c)
{
	while (c->next != c->end && u->table->sites[c->next->site].kind == SITE_BARRIER) {
		c->next++;
		c->phase++;
	}
	return c->next != c->end;
}

void reorder_unit_start_group(struct reorder_unit *u, uint32_t group_slot,
                              const struct group_stream *stream)
{
	const struct stream_warp *warps = stream->warps.data;
	uint32_t first = group_slot * u->warps_per_group;

	u->resident++;
	u->unfinished[group_slot] = 0;
	for (uint32_t i = 0; i < stream->warp_count; i++) {
		struct channel *c = &u->channels[first + i];

		*c = (struct channel){
			.stream = stream,
			.next = group_stream_instruction(stream, warps[i].first_instruction),
			.end = group_stream_instruction(stream, warps[i + 1].first_instruction),
			.group_slot = group_slot,
			.warp = i,
		};
		if (!find_access(u, c))
			continue;
		u->unfinished[group_slot]++;
		u->heap[u->heap_count] = first + i;
		sift_up(u, u->heap_count++);
	}
	u->with_accesses += u->unfinished[group_slot] > 0;
}

void reorder_unit_end_group(struct reorder_unit *u, uint32_t group_slot)
{
	assert(!u->unfinished[group_slot]);
	u->resident--;
}

void reorder_unit_set_last(struct reorder_unit *u, bool has_last_groups)
{
	u->has_last_groups = has_last_groups;
}

void reorder_unit_enter(struct reorder_unit *u, uint32_t warp_slot)
{
	assert(!u->channels[warp_slot].is_full);
	u->channels[warp_slot].is_full = true;
}

bool reorder_unit_next(const struct reorder_unit *u, uint32_t *warp_slot)
{
	if (!u->heap_count || (!u->has_last_groups && u->with_accesses < u->resident))
		return false;
	*warp_slot = u->heap[0];
	return u->channels[*warp_slot].is_full;
}

void reorder_unit_sent(struct reorder_unit *u)
{
	struct channel *c = &u->channels[u->heap[0]];

	c->is_full = false;
	c->next++;
	if (!find_access(u, c)) {
		u->heap[0] = u->heap[--u->heap_count];
		if (!--u->unfinished[c->group_slot])
			u->with_accesses--;
	}
	if (u->heap_count)
		sift_down(u);
}

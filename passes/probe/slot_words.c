/* SPDX-License-Identifier: Apache-2.0 */
#include "slot_words.h"

#include "array.h"
#include "err.h"
#include "insertion.h"
#include "loop_bounds.h"
#include "probe_abi.h"
#include "slot_places.h"

#include <stdlib.h>

#define WIDE_WORDS 3u

/* Words on the ways through the kernel, from the entry to behind each node. */
struct ways {
	struct insertion *in;
	uint64_t *own; /* per node: what it writes; in loops nothing, for that is in in_loops */
	uint64_t *most;
	uint64_t *least;
	uint64_t *times; /* per node: how often it is passed at most; 0: not known */
	uint32_t *position;
	uint64_t in_loops; /* most words of all nodes in loops */
	bool is_bounded;
};

bool slot_words_may_be_wide(const struct insertion *in, uint32_t point, int32_t loop)
{
	if (point > PROBE_MAX_POINT)
		return true;
	if (loop < 0 || !in->loops[loop].needs_variable)
		return false;
	return !in->bounds[loop].passes || in->bounds[loop].passes > PROBE_MAX_RUN;
}

uint32_t slot_words_of_site(const struct insertion *in, uint32_t site)
{
	const struct site *s = &in->kernel->table->sites[site];
	int32_t loop = in->kernel->flow.forest.innermost[in->site_node[site]];

	if (insertion_record(in, site) == RECORD_COMPANION)
		return 0;
	return (slot_words_may_be_wide(in, site, loop) ? WIDE_WORDS : 1) +
	       (site_kind_has_address(s->kind) && s->bytes == 0);
}

uint32_t slot_words_of_entry(const struct insertion *in, uint32_t loop)
{
	const struct kernel *k = in->kernel;
	uint32_t point = (uint32_t)(k->table->site_count + (size_t)k->table_loop[loop]);
	int32_t parent = k->flow.forest.loops[loop].parent;

	if (parent < 0 || !in->loops[loop].has_records ||
	    in->loops[loop].preheader == INSERTION_NONE)
		return 0;
	return slot_words_may_be_wide(in, point, parent) ? WIDE_WORDS : 1;
}

/* Count in the words that a node writes each time it is passed. */
static void add_words(struct ways *w, uint32_t node, uint32_t words)
{
	if (w->in->kernel->flow.forest.innermost[node] < 0)
		w->own[node] += words;
	else
		w->in_loops += words * (w->times[node] ? w->times[node] : 1);
	w->is_bounded &= w->times[node] != 0;
}

/* Sites, and entries of loops in loops. */
static void add_points(struct ways *w)
{
	const struct insertion *in = w->in;
	const struct loop_forest *forest = &in->kernel->flow.forest;
	uint32_t sites = (uint32_t)in->kernel->table->site_count;

	for (uint32_t s = 0; s < sites; s++) {
		if (insertion_record(in, s) == RECORD_COMPANION)
			continue;
		w->is_bounded &= insertion_record(in, s) == RECORD_POINT;
		add_words(w, in->site_node[s], slot_words_of_site(in, s));
	}
	for (uint32_t l = 0; l < forest->loop_count; l++)
		if (slot_words_of_entry(in, l))
			add_words(w, in->loops[l].preheader, slot_words_of_entry(in, l));
}

/* Extend the ways to a node from those before it; back edges count for nothing. */
static void extend(struct ways *w, uint32_t node)
{
	const struct graph *p = &w->in->predecessors;
	uint64_t most = 0, least = node == 0 ? 0 : UINT64_MAX;

	for (uint32_t e = p->first[node]; e < p->first[node + 1]; e++) {
		uint32_t from = p->successor[e];

		if (w->position[from] >= w->position[node])
			continue;
		most = w->most[from] > most ? w->most[from] : most;
		least = w->least[from] < least ? w->least[from] : least;
	}
	w->most[node] = most + w->own[node];
	w->least[node] = (least == UINT64_MAX ? 0 : least) + w->own[node];
}

static void walk(struct ways *w, uint64_t *most, uint64_t *least)
{
	const struct kernel_flow *flow = &w->in->kernel->flow;

	*most = 0;
	*least = UINT64_MAX;
	for (uint32_t n = 0; n < flow->graph.node_count; n++)
		w->position[n] = UINT32_MAX;
	for (size_t i = 0; i < flow->order_count; i++)
		w->position[flow->order[i]] = (uint32_t)i;
	for (size_t i = 0; i < flow->order_count; i++) {
		uint32_t n = flow->order[i];

		extend(w, n);
		if (flow->graph.first[n] != flow->graph.first[n + 1])
			continue;
		*most = w->most[n] > *most ? w->most[n] : *most;
		*least = w->least[n] < *least ? w->least[n] : *least;
	}
	*least = *least == UINT64_MAX ? 0 : *least;
}

static void put_words(struct kernel_table *t, uint64_t most, uint64_t least)
{
	t->item_words = most <= PROBE_MAX_SLOT_WORDS ? (uint32_t)most : 0;
	t->least_words = least < UINT32_MAX ? (uint32_t)least : UINT32_MAX;
}

static int find_words(struct ways *w, struct err *err)
{
	uint64_t most, least;
	int ret;

	loop_bounds_find(w->in, PROBE_MAX_SLOT_WORDS, w->in->bounds);
	loop_bounds_times(w->in, w->in->bounds, PROBE_MAX_SLOT_WORDS, w->times);
	w->is_bounded = !w->in->kernel->table->is_irreducible;
	add_points(w);
	walk(w, &most, &least);
	w->is_bounded &= !setting_is(w->in->settings->slots, "0");
	most = UINT64_MAX;
	ret = w->is_bounded ? slot_places_find(w->in, &most, err) : 0;
	put_words(w->in->kernel->table, most, least + w->in_loops);
	return ret;
}

int slot_words_fill(struct insertion *in, struct err *err)
{
	uint32_t count = in->kernel->flow.graph.node_count;
	struct ways w = { .in = in };
	int ret = ERR_NOMEM;

	w.own = array_alloc(count, sizeof(*w.own), "control flow", err);
	w.most = array_alloc(count, sizeof(*w.most), "control flow", err);
	w.least = array_alloc(count, sizeof(*w.least), "control flow", err);
	w.times = array_alloc(count, sizeof(*w.times), "control flow", err);
	w.position = array_alloc(count, sizeof(*w.position), "control flow", err);
	if (w.own && w.most && w.least && w.times && w.position)
		ret = find_words(&w, err);
	free(w.own);
	free(w.most);
	free(w.least);
	free(w.times);
	free(w.position);
	return ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "slot_words.h"

#include "array.h"
#include "err.h"
#include "insertion.h"
#include "probe_abi.h"

#include <stdlib.h>

#define COUNT_WORDS 2u
#define WIDE_WORDS  3u

/* Words on the ways through the kernel, from the entry to behind each node. */
struct ways {
	const struct insertion *in;
	uint64_t *own; /* per node: what it writes */
	uint64_t *most;
	uint64_t *least;
};

uint32_t slot_words_of_point(const struct insertion *in, uint32_t site)
{
	const struct site *s = &in->kernel->table->sites[site];
	uint32_t words = site > PROBE_MAX_POINT ? WIDE_WORDS : 1;

	return words + (site_kind_has_address(s->kind) && s->bytes == 0);
}

/* Extend the ways to a node from those before it; back edges count for nothing. */
static void extend(struct ways *w, const uint32_t *position, uint32_t node)
{
	const struct graph *p = &w->in->predecessors;
	uint64_t most = 0, least = node == 0 ? 0 : UINT64_MAX;

	for (uint32_t e = p->first[node]; e < p->first[node + 1]; e++) {
		uint32_t from = p->successor[e];

		if (position[from] >= position[node])
			continue;
		most = w->most[from] > most ? w->most[from] : most;
		least = w->least[from] < least ? w->least[from] : least;
	}
	w->most[node] = most + w->own[node];
	w->least[node] = (least == UINT64_MAX ? 0 : least) + w->own[node];
}

static void walk(struct ways *w, uint32_t *position, uint64_t *most, uint64_t *least)
{
	const struct kernel_flow *flow = &w->in->kernel->flow;

	*most = 0;
	*least = UINT64_MAX;
	for (uint32_t n = 0; n < flow->graph.node_count; n++)
		position[n] = UINT32_MAX;
	for (size_t i = 0; i < flow->order_count; i++)
		position[flow->order[i]] = (uint32_t)i;
	for (size_t i = 0; i < flow->order_count; i++) {
		uint32_t n = flow->order[i];

		extend(w, position, n);
		if (flow->graph.first[n] != flow->graph.first[n + 1])
			continue;
		*most = w->most[n] > *most ? w->most[n] : *most;
		*least = w->least[n] < *least ? w->least[n] : *least;
	}
	*least = *least == UINT64_MAX ? 0 : *least;
}

/* What each node writes; false when some of it is in a loop. */
static bool add_sites(struct ways *w)
{
	const struct insertion *in = w->in;
	bool is_bounded = !in->kernel->table->is_irreducible;

	for (uint32_t s = 0; s < in->kernel->table->site_count; s++) {
		uint32_t node = in->site_node[s];

		w->own[node] += slot_words_of_point(in, s);
		is_bounded &= in->kernel->flow.forest.innermost[node] < 0;
	}
	return is_bounded;
}

static void put_words(struct kernel_table *t, uint64_t most, uint64_t least)
{
	t->item_words = most <= PROBE_MAX_SLOT_WORDS ? (uint32_t)most : 0;
	t->least_words = least < UINT32_MAX ? (uint32_t)least : UINT32_MAX;
}

int slot_words_fill(const struct insertion *in, bool counts_only, struct err *err)
{
	uint32_t count = in->kernel->flow.graph.node_count;
	uint64_t most, least, sites = in->kernel->table->site_count;
	struct ways w = { .in = in };
	bool is_bounded;
	uint32_t *position = array_alloc(count, sizeof(*position), "control flow", err);
	int ret = ERR_NOMEM;

	w.own = array_alloc(count, sizeof(*w.own), "control flow", err);
	w.most = array_alloc(count, sizeof(*w.most), "control flow", err);
	w.least = array_alloc(count, sizeof(*w.least), "control flow", err);
	if (!position || !w.own || !w.most || !w.least)
		goto out;
	is_bounded = add_sites(&w);
	walk(&w, position, &most, &least);
	if (!is_bounded)
		most = UINT64_MAX;
	if (counts_only)
		most = least = COUNT_WORDS * sites;
	put_words(in->kernel->table, most, least);
	ret = 0;
out:
	free(position);
	free(w.own);
	free(w.most);
	free(w.least);
	return ret;
}

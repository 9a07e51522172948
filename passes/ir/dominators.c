/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_forest.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

struct walk {
	struct graph predecessors;
	uint32_t *order;    /* reverse post-order */
	uint32_t *position; /* of a node in it */
	size_t count;
};

static void walk_release(struct walk *w)
{
	graph_release(&w->predecessors);
	free(w->order);
	free(w->position);
}

static int walk_init(struct walk *w, const struct graph *g, struct err *err)
{
	int ret;

	memset(w, 0, sizeof(*w));
	w->order = array_alloc(g->node_count, sizeof(*w->order), "dominators", err);
	w->position = array_alloc(g->node_count, sizeof(*w->position), "dominators", err);
	ret = w->order && w->position ? graph_reverse(g, &w->predecessors, err) : ERR_NOMEM;
	if (!ret)
		ret = graph_reverse_post_order(g, w->order, w->position, &w->count, err);
	return ret;
}

/* The nearest common dominator of a and b so far: two fingers that climb (figure 3 of the paper).
 */
static uint32_t intersect(const struct walk *w, const uint32_t *idom, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (w->position[a] > w->position[b])
			a = idom[a];
		while (w->position[b] > w->position[a])
			b = idom[b];
	}
	return a;
}

static uint32_t dominator_of(const struct walk *w, const uint32_t *idom, uint32_t node)
{
	const struct graph *p = &w->predecessors;
	uint32_t found = GRAPH_NONE;

	for (uint32_t e = p->first[node]; e < p->first[node + 1]; e++) {
		uint32_t from = p->successor[e];

		if (idom[from] == GRAPH_NONE)
			continue; /* not reached yet, or never */
		found = found == GRAPH_NONE ? from : intersect(w, idom, from, found);
	}
	return found;
}

int dominators_compute(const struct graph *g, uint32_t *idom, struct err *err)
{
	struct walk w;
	int ret = walk_init(&w, g, err);
	bool has_changed = !ret;

	for (uint32_t n = 0; n < g->node_count; n++)
		idom[n] = GRAPH_NONE;
	if (g->node_count)
		idom[0] = 0;
	while (has_changed) {
		has_changed = false;
		for (size_t i = 1; i < w.count; i++) {
			uint32_t n = w.order[i], found = dominator_of(&w, idom, n);

			has_changed |= idom[n] != found;
			idom[n] = found;
		}
	}
	walk_release(&w);
	return ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "text_layout.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

static int allocate(struct text_layout *l, size_t nodes, size_t loops, struct err *err)
{
	l->follower = array_alloc(nodes, sizeof(*l->follower), "control flow", err);
	l->loop_follower = array_alloc(loops, sizeof(*l->loop_follower), "control flow", err);
	l->next = array_alloc(nodes, sizeof(*l->next), "control flow", err);
	l->is_inline = array_alloc(nodes, sizeof(*l->is_inline), "control flow", err);
	l->loop = array_alloc(nodes, sizeof(*l->loop), "control flow", err);
	if (!l->follower || !l->loop_follower || !l->next || !l->is_inline || !l->loop)
		return ERR_NOMEM;
	for (size_t i = 0; i < nodes; i++) {
		l->follower[i] = l->next[i] = GRAPH_NONE;
		l->loop[i] = -1;
	}
	for (size_t i = 0; i < loops; i++)
		l->loop_follower[i] = GRAPH_NONE;
	return 0;
}

/* Count the jumps to each node, except those back to a loop header. */
static void count_entries(const struct text_layout *l, const struct graph *g,
                          const struct loop_forest *f, const uint32_t *idom, uint32_t *entries)
{
	for (uint32_t n = 0; n < g->node_count; n++)
		for (uint32_t e = g->first[n]; idom[n] != GRAPH_NONE && e < g->first[n + 1]; e++) {
			uint32_t to = g->successor[e];

			if (l->loop[to] < 0 ||
			    !loop_forest_contains(f, l->loop[to], f->innermost[n]))
				entries[to]++;
		}
}

/* The outermost loop that contains `inside` but not `n`, or -1. */
static int32_t loop_left(const struct loop_forest *f, uint32_t inside, uint32_t n)
{
	int32_t left = -1;

	for (int32_t loop = f->innermost[inside]; loop >= 0; loop = f->loops[loop].parent)
		if (!loop_forest_contains(f, loop, f->innermost[n]))
			left = loop;
	return left;
}

static void place(struct text_layout *l, const struct loop_forest *f, uint32_t n, uint32_t parent,
                  uint32_t entries)
{
	int32_t left = loop_left(f, parent, n);
	uint32_t *list = left >= 0 ? &l->loop_follower[left] : &l->follower[parent];

	if (left < 0 && entries == 1) {
		l->is_inline[n] = true;
		return;
	}
	l->next[n] = *list;
	*list = n;
}

int text_layout_init(struct text_layout *l, const struct graph *g, const struct loop_forest *f,
                     const uint32_t *order, size_t count, struct err *err)
{
	uint32_t *idom = array_alloc(g->node_count, sizeof(*idom), "control flow", err);
	uint32_t *entries = array_alloc(g->node_count, sizeof(*entries), "control flow", err);
	int ret = idom && entries ? 0 : ERR_NOMEM;

	memset(l, 0, sizeof(*l));
	if (!ret)
		ret = allocate(l, g->node_count, f->loop_count, err);
	if (!ret)
		ret = dominators_compute(g, idom, err);
	if (ret)
		goto out;
	for (uint32_t i = 0; i < f->loop_count; i++)
		l->loop[f->loops[i].header] = (int32_t)i;
	count_entries(l, g, f, idom, entries);
	/* Backwards, so that the first comes first in its list. */
	for (size_t i = count; i-- > 0;)
		if (order[i] != 0)
			place(l, f, order[i], idom[order[i]], entries[order[i]]);
out:
	free(idom);
	free(entries);
	if (ret)
		text_layout_release(l);
	return ret;
}

void text_layout_release(struct text_layout *l)
{
	free(l->follower);
	free(l->loop_follower);
	free(l->next);
	free(l->is_inline);
	free(l->loop);
	memset(l, 0, sizeof(*l));
}

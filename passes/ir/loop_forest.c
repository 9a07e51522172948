/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers are taken in reverse of reverse post-order, so that inner loops are complete when the
 * loop around them is flooded backwards from its latches: a flood that meets a finished loop
 * adopts its outermost ancestor and goes on from the predecessors of that header.
 */
#include "loop_forest.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

struct search {
	struct loop_forest *forest;
	struct graph predecessors;
	uint32_t *order, *position, *idom;
	size_t reachable_count;
	struct array loops; /* struct forest_loop, inner before outer until the end */
	struct array work;  /* uint32_t nodes whose predecessors are to be flooded */
};

static void search_release(struct search *s)
{
	graph_release(&s->predecessors);
	free(s->order);
	free(s->position);
	free(s->idom);
	array_release(&s->loops);
	array_release(&s->work);
}

static int search_init(struct search *s, struct loop_forest *f, const struct graph *g,
                       struct err *err)
{
	int ret;

	memset(s, 0, sizeof(*s));
	s->forest = f;
	array_init(&s->loops, sizeof(struct forest_loop), INT32_MAX, "loops");
	array_init(&s->work, sizeof(uint32_t), SIZE_MAX, "a walk of a graph");
	s->order = array_alloc(g->node_count, sizeof(*s->order), "loops", err);
	s->position = array_alloc(g->node_count, sizeof(*s->position), "loops", err);
	s->idom = array_alloc(g->node_count, sizeof(*s->idom), "loops", err);
	f->innermost = array_alloc(g->node_count, sizeof(*f->innermost), "loops", err);
	if (!s->order || !s->position || !s->idom || !f->innermost)
		return ERR_NOMEM;
	for (uint32_t n = 0; n < g->node_count; n++)
		f->innermost[n] = -1;
	ret = graph_reverse(g, &s->predecessors, err);
	if (!ret)
		ret = graph_reverse_post_order(g, s->order, s->position, &s->reachable_count, err);
	return ret ? ret : dominators_compute(g, s->idom, err);
}

static bool dominates(const struct search *s, uint32_t a, uint32_t b)
{
	while (s->position[b] > s->position[a])
		b = s->idom[b];
	return a == b;
}

static int push(struct search *s, uint32_t node, struct err *err)
{
	uint32_t *item = array_push(&s->work, 1, err);

	if (!item)
		return err->code;
	*item = node;
	return 0;
}

/* Put `node`, or the finished loops around it, into loop `number`; queue where to go on. */
static int adopt(struct search *s, int32_t number, uint32_t node, struct err *err)
{
	struct forest_loop *loops = s->loops.data;
	int32_t outermost = s->forest->innermost[node];

	if (outermost < 0) {
		s->forest->innermost[node] = number;
		return push(s, node, err);
	}
	while (loops[outermost].parent >= 0)
		outermost = loops[outermost].parent;
	if (outermost == number)
		return 0;
	loops[outermost].parent = number;
	return push(s, loops[outermost].header, err);
}

/* Everything that reaches the queued nodes without passing the header belongs to the loop. */
static int flood(struct search *s, int32_t number, struct err *err)
{
	const struct graph *p = &s->predecessors;
	int ret = 0;

	while (!ret && s->work.count > 0) {
		uint32_t n = ((uint32_t *)s->work.data)[--s->work.count];

		for (uint32_t e = p->first[n]; !ret && e < p->first[n + 1]; e++)
			if (s->position[p->successor[e]] != GRAPH_NONE)
				ret = adopt(s, number, p->successor[e], err);
	}
	return ret;
}

/* Make the loop of `header` if an edge comes back to it. */
static int find_loop(struct search *s, uint32_t header, struct err *err)
{
	const struct graph *p = &s->predecessors;
	int32_t number = (int32_t)s->loops.count;
	struct forest_loop *loop = NULL;
	int ret = 0;

	for (uint32_t e = p->first[header]; !ret && e < p->first[header + 1]; e++) {
		uint32_t latch = p->successor[e];

		if (s->position[latch] == GRAPH_NONE || s->position[latch] < s->position[header])
			continue;
		if (!dominates(s, header, latch)) {
			s->forest->is_irreducible = true;
			continue;
		}
		if (!loop) {
			loop = array_push(&s->loops, 1, err);
			if (!loop)
				return err->code;
			*loop = (struct forest_loop){ .header = header, .parent = -1 };
			s->forest->innermost[header] = number;
		}
		if (latch != header)
			ret = adopt(s, number, latch, err);
	}
	return ret ? ret : flood(s, number, err);
}

/* Turn the numbering round: parents first; and give depths. */
static void renumber(struct search *s, const struct graph *g)
{
	struct loop_forest *f = s->forest;
	int32_t last = (int32_t)s->loops.count - 1;

	f->loop_count = (uint32_t)s->loops.count;
	f->loops = array_take(&s->loops);
	for (int32_t i = 0, j = last; i < j; i++, j--) {
		struct forest_loop swap = f->loops[i];

		f->loops[i] = f->loops[j];
		f->loops[j] = swap;
	}
	for (uint32_t i = 0; i < f->loop_count; i++) {
		struct forest_loop *l = &f->loops[i];

		l->parent = l->parent < 0 ? -1 : last - l->parent;
		l->depth = l->parent < 0 ? 1 : f->loops[l->parent].depth + 1;
	}
	for (uint32_t n = 0; n < g->node_count; n++)
		if (f->innermost[n] >= 0)
			f->innermost[n] = last - f->innermost[n];
}

int loop_forest_init(struct loop_forest *f, const struct graph *g, struct err *err)
{
	struct search s;
	struct err own = { 0 };
	int ret;

	memset(f, 0, sizeof(*f));
	err = err ? err : &own;
	ret = search_init(&s, f, g, err);
	for (size_t i = s.reachable_count; !ret && i-- > 0;)
		ret = find_loop(&s, s.order[i], err);
	if (!ret)
		renumber(&s, g);
	else
		loop_forest_release(f);
	search_release(&s);
	return ret;
}

void loop_forest_release(struct loop_forest *f)
{
	free(f->loops);
	free(f->innermost);
	memset(f, 0, sizeof(*f));
}

bool loop_forest_contains(const struct loop_forest *f, int32_t outer, int32_t inner)
{
	while (inner > outer)
		inner = f->loops[inner].parent;
	return inner == outer;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_COUNT ((size_t)INT32_MAX)

int graph_init(struct graph *g, size_t node_count, size_t edge_count, struct err *err)
{
	memset(g, 0, sizeof(*g));
	if (node_count > LIMIT_COUNT || edge_count > LIMIT_COUNT)
		return err_set(err, ERR_LIMIT,
		               "a control-flow graph of %zu nodes and %zu edges exceeds %zu",
		               node_count, edge_count, LIMIT_COUNT);
	g->first = array_alloc(node_count + 1, sizeof(*g->first), "a control-flow graph", err);
	g->successor = array_alloc(edge_count, sizeof(*g->successor), "a control-flow graph", err);
	if (!g->first || !g->successor) {
		graph_release(g);
		return ERR_NOMEM;
	}
	g->node_count = (uint32_t)node_count;
	return 0;
}

void graph_release(struct graph *g)
{
	free(g->first);
	free(g->successor);
	memset(g, 0, sizeof(*g));
}

int graph_reverse(const struct graph *g, struct graph *out, struct err *err)
{
	uint32_t edge_count = g->first[g->node_count];
	int ret = graph_init(out, g->node_count, edge_count, err);

	if (ret)
		return ret;
	/* first[n + 1] counts the edges into n, then becomes the end of n's list. */
	for (uint32_t e = 0; e < edge_count; e++)
		out->first[g->successor[e] + 1]++;
	for (uint32_t n = 0; n < g->node_count; n++)
		out->first[n + 1] += out->first[n];
	/* Filled from the back, so that each list ends up in ascending order. */
	for (uint32_t n = g->node_count; n-- > 0;)
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			out->successor[--out->first[g->successor[e] + 1]] = n;
	/* Each end has moved to its beginning: shift back. */
	for (uint32_t n = 0; n < g->node_count; n++)
		out->first[n] = out->first[n + 1];
	out->first[g->node_count] = edge_count;
	return 0;
}

int graph_reverse_post_order(const struct graph *g, uint32_t *order, uint32_t *position,
                             size_t *count, struct err *err)
{
	/* The path of the walk: cursor[n] is one past the next successor of n to visit. */
	uint32_t *path = array_alloc(g->node_count, sizeof(*path), "a walk of a graph", err);
	uint32_t *cursor = array_alloc(g->node_count, sizeof(*cursor), "a walk of a graph", err);
	size_t depth = 0, place = g->node_count;
	int ret = path && cursor ? 0 : ERR_NOMEM;

	for (uint32_t n = 0; !ret && n < g->node_count; n++) {
		position[n] = GRAPH_NONE;
		cursor[n] = g->first[n + 1];
	}
	if (!ret && g->node_count) {
		position[0] = 0;
		path[depth++] = 0;
	}
	while (depth > 0) {
		uint32_t n = path[depth - 1];

		if (cursor[n] > g->first[n]) {
			uint32_t s = g->successor[--cursor[n]];

			if (position[s] == GRAPH_NONE) {
				position[s] = 0;
				path[depth++] = s;
			}
		} else {
			order[--place] = n;
			depth--;
		}
	}
	if (!ret) {
		*count = g->node_count - place;
		memmove(order, order + place, *count * sizeof(*order));
		for (uint32_t i = 0; i < *count; i++)
			position[order[i]] = i;
	}
	free(path);
	free(cursor);
	return ret;
}

/*
 * The order in which sites are numbered: reverse post-order of the control-flow graph with the
 * nodes of every loop contiguous.
 *
 * A plain depth-first reverse post-order does not keep loops together: with h -> {b1, b2}, b1 ->
 * latch, b2 -> {latch, exit} the exit may come between b1 and b2. So the nodes directly in a loop
 * are ordered with each inner loop collapsed into one node, and then each collapsed loop is
 * replaced by its own order.
 */

struct walk {
	struct graph predecessors;
	uint32_t *order;    /* reverse post-order */
	uint32_t *position; /* each node's index in `order` */
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

/* The nearest common dominator of a and b so far: two fingers climb the tree (figure 3 of the
 * paper). */
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

/*
 * Headers are taken in reverse of reverse post-order, so that inner loops are complete when the
 * surrounding loop is flooded backwards from its latches. A flood that meets a finished loop adopts
 * its outermost ancestor and continues from the predecessors of that header.
 */

struct search {
	struct loop_forest *forest;
	struct graph predecessors;
	uint32_t *order, *position, *idom;
	size_t reachable_count;
	struct array loops; /* struct forest_loop, inner before outer until the end */
	struct array work;  /* uint32_t: nodes whose predecessors are still to be flooded */
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

/* Add `node`, or the finished loops around it, to loop `number`; queue where to continue. */
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

/* Create the loop of `header` if an edge goes back to it. */
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

/* Reverse the numbering so that parents come first, and set depths. */
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

/*
 * Loops are ordered from the innermost outwards. members[l] is the finished order of loop l's
 * nodes; the last entry is for the whole graph. While loop l is being ordered, an item is a node
 * directly in l, or a loop directly in l, represented by its header.
 */

struct ordering {
	const struct graph *g;
	const struct loop_forest *f;
	struct array *members; /* per loop, and one for the whole graph: uint32_t nodes */
	int32_t *
		visited_in; /* per node: the loop in whose walk its item was seen, or NOT_VISITED */
	struct array
		targets;   /* uint32_t: successors of the items on the path, still to be visited */
	struct array path; /* struct step */
	struct array finished; /* uint32_t: items in post-order */
};

struct step {
	uint32_t item;
	size_t first_target; /* its successors are targets[first_target ..] */
};

#define NOT_VISITED (-2)

static struct array *members_of(struct ordering *o, int32_t loop)
{
	return &o->members[loop < 0 ? (int32_t)o->f->loop_count : loop];
}

/*
 * The loop directly in `level` that contains `node`, or -1 when the node itself is directly in it.
 */
static int32_t child_holding(const struct ordering *o, int32_t level, uint32_t node)
{
	int32_t l = o->f->innermost[node], child = -1;

	while (l != level) {
		child = l;
		l = o->f->loops[l].parent;
	}
	return child;
}

static int append(struct array *a, uint32_t value, struct err *err)
{
	uint32_t *item = array_push(a, 1, err);

	if (!item)
		return ERR_NOMEM;
	*item = value;
	return 0;
}

/* Queue the successors of `node` that leave `child` (-1: any) and stay in `level`. */
static int queue_successors(struct ordering *o, int32_t level, int32_t child, uint32_t node,
                            struct err *err)
{
	int ret = 0;

	for (uint32_t e = o->g->first[node]; !ret && e < o->g->first[node + 1]; e++) {
		uint32_t s = o->g->successor[e];
		int32_t inside;

		if (!loop_forest_contains(o->f, level, o->f->innermost[s]))
			continue;
		inside = child_holding(o, level, s);
		if (inside >= 0 && inside == child)
			continue;
		ret = append(&o->targets, inside < 0 ? s : o->f->loops[inside].header, err);
	}
	return ret;
}

/* Step onto an item not yet seen: push it onto the path and queue its successors. */
static int enter(struct ordering *o, int32_t level, uint32_t item, struct err *err)
{
	int32_t child = child_holding(o, level, item);
	struct step *step = array_push(&o->path, 1, err);
	const struct array *nodes;
	int ret = 0;

	if (!step)
		return ERR_NOMEM;
	*step = (struct step){ .item = item, .first_target = o->targets.count };
	o->visited_in[item] = level;
	if (child < 0)
		return queue_successors(o, level, -1, item, err);
	nodes = members_of(o, child);
	for (size_t i = 0; !ret && i < nodes->count; i++)
		ret = queue_successors(o, level, child, ((uint32_t *)nodes->data)[i], err);
	return ret;
}

/*
 * Walk the items of `level` depth first from `first`, last successor first, so that the reversed
 * post-order has first successors first.
 */
static int walk(struct ordering *o, int32_t level, uint32_t first, struct err *err)
{
	int ret = enter(o, level, first, err);

	while (!ret && o->path.count > 0) {
		struct step *top = (struct step *)o->path.data + o->path.count - 1;
		uint32_t s;

		if (o->targets.count == top->first_target) {
			ret = append(&o->finished, top->item, err);
			o->path.count--;
			continue;
		}
		s = ((uint32_t *)o->targets.data)[--o->targets.count];
		if (o->visited_in[s] != level)
			ret = enter(o, level, s, err);
	}
	return ret;
}

static int order_level(struct ordering *o, int32_t level, struct err *err)
{
	struct array *out = members_of(o, level);
	int ret;

	array_clear(&o->finished);
	ret = walk(o, level, level < 0 ? 0 : o->f->loops[level].header, err);
	for (size_t i = o->finished.count; !ret && i-- > 0;) {
		uint32_t item = ((uint32_t *)o->finished.data)[i];
		int32_t child = child_holding(o, level, item);
		const struct array *nodes = child < 0 ? NULL : members_of(o, child);
		uint32_t *to = array_push(out, nodes ? nodes->count : 1, err);

		if (!to)
			ret = ERR_NOMEM;
		else if (nodes)
			memcpy(to, nodes->data, nodes->count * sizeof(*to));
		else
			*to = item;
	}
	return ret;
}

static int ordering_init(struct ordering *o, const struct graph *g, const struct loop_forest *f,
                         struct err *err)
{
	memset(o, 0, sizeof(*o));
	o->g = g;
	o->f = f;
	array_init(&o->targets, sizeof(uint32_t), SIZE_MAX, "a walk of a graph");
	array_init(&o->path, sizeof(struct step), SIZE_MAX, "a walk of a graph");
	array_init(&o->finished, sizeof(uint32_t), SIZE_MAX, "a walk of a graph");
	o->visited_in = array_alloc(g->node_count, sizeof(*o->visited_in), "node order", err);
	o->members = array_alloc((size_t)f->loop_count + 1, sizeof(*o->members), "node order", err);
	if (!o->visited_in || !o->members)
		return ERR_NOMEM;
	for (uint32_t n = 0; n < g->node_count; n++)
		o->visited_in[n] = NOT_VISITED;
	for (uint32_t l = 0; l <= f->loop_count; l++)
		array_init(&o->members[l], sizeof(uint32_t), UINT32_MAX, "node order");
	return 0;
}

static void ordering_release(struct ordering *o)
{
	for (uint32_t l = 0; o->members && l <= o->f->loop_count; l++)
		array_release(&o->members[l]);
	free(o->members);
	free(o->visited_in);
	array_release(&o->targets);
	array_release(&o->path);
	array_release(&o->finished);
}

int node_order_compute(const struct graph *g, const struct loop_forest *f, uint32_t *order,
                       size_t *count, struct err *err)
{
	struct ordering o;
	int ret = ordering_init(&o, g, f, err);

	*count = 0;
	for (int32_t l = (int32_t)f->loop_count - 1; !ret && g->node_count && l >= -1; l--)
		ret = order_level(&o, l, err);
	if (!ret && g->node_count) {
		const struct array *all = members_of(&o, -1);

		memcpy(order, all->data, all->count * sizeof(*order));
		*count = all->count;
	}
	ordering_release(&o);
	return ret;
}

/*
 * The graph with all edges reversed and the exit first, as dominators_compute() requires: node 0 is
 * the exit, node n + 1 is n.
 */
static int turn_round(const struct graph *g, struct graph *turned, struct err *err)
{
	size_t edge_count = g->first[g->node_count], leaving = 0;
	struct graph forward = { 0 };
	uint32_t edge = 0;
	int ret;

	for (uint32_t n = 0; n < g->node_count; n++)
		leaving += g->first[n] == g->first[n + 1];
	ret = graph_init(&forward, (size_t)g->node_count + 1, edge_count + leaving, err);
	if (ret)
		return ret;
	for (uint32_t n = 0; n < g->node_count; n++) {
		forward.first[n + 1] = edge;
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			forward.successor[edge++] = g->successor[e] + 1;
		if (g->first[n] == g->first[n + 1])
			forward.successor[edge++] = 0;
	}
	forward.first[g->node_count + 1] = edge;
	ret = graph_reverse(&forward, turned, err);
	graph_release(&forward);
	return ret;
}

int control_dependence_init(struct control_dependence *c, const struct graph *g, struct err *err)
{
	struct graph turned = { 0 };
	uint32_t *idom;
	int ret;

	*c = (struct control_dependence){ .graph = g, .exit = g->node_count };
	idom = array_alloc((size_t)g->node_count + 1, sizeof(*idom), "control flow", err);
	c->after = array_alloc(g->node_count, sizeof(*c->after), "control flow", err);
	ret = idom && c->after ? turn_round(g, &turned, err) : ERR_NOMEM;
	if (!ret)
		ret = dominators_compute(&turned, idom, err);
	for (uint32_t n = 0; !ret && n < g->node_count; n++) {
		uint32_t d = idom[n + 1];

		c->after[n] = d == GRAPH_NONE ? GRAPH_NONE : d == 0 ? c->exit : d - 1;
	}
	graph_release(&turned);
	free(idom);
	return ret;
}

void control_dependence_release(struct control_dependence *c)
{
	free(c->after);
	memset(c, 0, sizeof(*c));
}

/* From each successor of the jump, climb the tree up to what comes after all of them. */
bool control_dependence_is_direct(const struct control_dependence *c, uint32_t node, uint32_t jump)
{
	const struct graph *g = c->graph;
	uint32_t end = c->after[jump];

	for (uint32_t e = g->first[jump]; e < g->first[jump + 1]; e++)
		for (uint32_t n = g->successor[e]; n != end && n != c->exit && n != GRAPH_NONE;
		     n = c->after[n])
			if (n == node)
				return true;
	return false;
}

/* Nodes are pushed as they become members; the caller's nodes may come twice. */
int control_dependence_collect(const struct control_dependence *c, const uint32_t *nodes,
                               size_t count, bool *is_member, struct err *err)
{
	uint32_t node_count = c->graph->node_count;
	size_t depth = count;
	uint32_t *stack = array_alloc(count + node_count + 1, sizeof(*stack), "control flow", err);

	if (!stack)
		return ERR_NOMEM;
	memcpy(stack, nodes, count * sizeof(*stack));
	while (depth) {
		uint32_t of = stack[--depth];

		for (uint32_t jump = 0; jump < node_count; jump++) {
			if (is_member[jump] || !control_dependence_is_direct(c, of, jump))
				continue;
			is_member[jump] = true;
			stack[depth++] = jump;
		}
	}
	free(stack);
	return 0;
}

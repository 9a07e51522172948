/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops are ordered from the innermost out. members[l] is the finished order of loop l's nodes;
 * the last entry is the whole graph. While loop l is ordered, an item is a node directly in l,
 * or a loop directly in l, which its header stands for.
 */
#include "node_order.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

struct ordering {
	const struct graph *g;
	const struct loop_forest *f;
	struct array *members; /* per loop, and one more for the graph: uint32_t nodes */
	int32_t *visited_in;   /* per node: the loop in whose walk its item was seen; NOT_VISITED */
	struct array targets;  /* uint32_t: successors of the items on the path, still to be seen */
	struct array path;     /* struct step */
	struct array finished; /* uint32_t items in post-order */
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

/* The loop directly in `level` that holds `node`, or -1 when the node itself is directly in it. */
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

/* Step onto an item not yet seen: put it on the path and queue where it leads. */
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
 * Depth first from `first` over the items of `level`, last successor first, so that the reverse of
 * the order in which items are finished has first successors first.
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

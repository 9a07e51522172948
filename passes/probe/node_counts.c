/* SPDX-License-Identifier: Apache-2.0 */
#include "node_counts.h"

#include "array.h"
#include "equal_passes.h"
#include "err.h"
#include "insertion.h"
#include "loop_bounds.h"

#include <stdlib.h>

/* Loops of more iterations get a cell: they are counted through when this is found out. */
#define ITERATIONS_MOST 100000u
#define NO_CELL         UINT32_MAX

struct counting {
	const struct insertion *in;
	struct equal_passes equal;
	struct loop_bound *bounds;
	uint32_t *cell; /* per node that is the first of its equals, or NO_CELL */
};

/* A number times the passes of a node. */
struct multiple {
	uint64_t factor;
	uint32_t node;
};

void node_counts_release(struct node_counts *n)
{
	free(n->sites);
	free(n->node);
	*n = (struct node_counts){ 0 };
}

/* Whether a loop is left nowhere but at the end of that node. */
static bool is_left_only_at(const struct insertion *in, uint32_t l, uint32_t node)
{
	const struct kernel_flow *flow = &in->kernel->flow;

	for (uint32_t n = 0; n < flow->graph.node_count; n++)
		for (uint32_t e = flow->graph.first[n]; n != node && e < flow->graph.first[n + 1];
		     e++)
			if (loop_forest_contains(&flow->forest, (int32_t)l,
			                         flow->forest.innermost[n]) &&
			    !loop_forest_contains(&flow->forest, (int32_t)l,
			                          flow->forest.innermost[flow->graph.successor[e]]))
				return false;
	return true;
}

/* The one node that leads back to the header of a loop, or NONE. */
static uint32_t latch_of(const struct insertion *in, uint32_t l)
{
	const struct loop_forest *forest = &in->kernel->flow.forest;
	uint32_t header = forest->loops[l].header, latch = INSERTION_NONE;

	for (uint32_t e = in->predecessors.first[header]; e < in->predecessors.first[header + 1];
	     e++) {
		uint32_t from = in->predecessors.successor[e];

		if (!loop_forest_contains(forest, (int32_t)l, forest->innermost[from]))
			continue;
		if (latch != INSERTION_NONE)
			return INSERTION_NONE;
		latch = from;
	}
	return latch;
}

/*
 * How often a node, the first of its equals, is passed each time its loop is entered, if that is
 * known: as the test that alone leads out, or as the way back, which is passed once less.
 */
static bool find_passes(const struct counting *c, uint32_t l, uint32_t node, uint64_t *passes)
{
	const struct loop_bound *b = &c->bounds[l];
	uint32_t latch = latch_of(c->in, l);

	if (!b->passes || latch == INSERTION_NONE || c->in->loops[l].preheader == INSERTION_NONE ||
	    !is_left_only_at(c->in, l, b->test))
		return false;
	*passes = b->passes;
	if (equal_passes_first(&c->equal, b->test) == node)
		return true;
	--*passes;
	return equal_passes_first(&c->equal, latch) == node;
}

/* What the passes of a node are, by what enters the loops around it that are known. */
static struct multiple find_multiple(const struct counting *c, uint32_t node)
{
	const int32_t *innermost = c->in->kernel->flow.forest.innermost;
	struct multiple m = { 1, equal_passes_first(&c->equal, node) };
	uint64_t passes;

	/* What is in no loop of a graph that is not reducible may be passed again all the same. */
	if (c->in->kernel->flow.forest.is_irreducible)
		return (struct multiple){ 1, node };
	while (innermost[m.node] >= 0 &&
	       find_passes(c, (uint32_t)innermost[m.node], m.node, &passes) &&
	       passes <= SITE_FACTOR_MAX / m.factor) {
		m.factor *= passes;
		m.node = equal_passes_first(&c->equal, c->in->loops[innermost[m.node]].preheader);
	}
	return m;
}

/* Give nodes their cells in two rounds: first those that may be passed again, then the others. */
static void add_cells(struct node_counts *n, struct counting *c, const struct multiple *of_site,
                      bool in_loops)
{
	const struct loop_forest *forest = &c->in->kernel->flow.forest;

	for (size_t s = 0; s < c->in->kernel->table->site_count; s++) {
		uint32_t node = of_site[s].node;
		bool is_in_loop = forest->is_irreducible || forest->innermost[node] >= 0;

		if (c->cell[node] != NO_CELL || node == 0 || is_in_loop != in_loops)
			continue;
		c->cell[node] = n->cell_count;
		n->node[n->cell_count++] = node;
	}
}

static void fill(struct node_counts *n, struct counting *c, struct multiple *of_site)
{
	size_t count = c->in->kernel->table->site_count;

	for (uint32_t i = 0; i < c->in->kernel->flow.graph.node_count; i++)
		c->cell[i] = NO_CELL;
	for (size_t s = 0; s < count; s++)
		of_site[s] = find_multiple(c, c->in->site_node[s]);
	add_cells(n, c, of_site, true);
	n->counter_count = n->cell_count;
	add_cells(n, c, of_site, false);
	for (size_t s = 0; s < count; s++) {
		uint32_t cell = c->cell[of_site[s].node];

		n->sites[s] = (struct site_count){ .cell = cell == NO_CELL ? -1 : (int32_t)cell,
			                           .factor = of_site[s].factor };
	}
}

int node_counts_find(struct node_counts *n, const struct insertion *in, struct err *err)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	size_t sites = in->kernel->table->site_count;
	struct counting c = { .in = in };
	struct multiple *of_site = array_alloc(sites, sizeof(*of_site), "sites", err);
	int ret = equal_passes_init(&c.equal, flow, in->idom, err);

	*n = (struct node_counts){ 0 };
	n->sites = array_alloc(sites, sizeof(*n->sites), "sites", err);
	n->node = array_alloc(sites, sizeof(*n->node), "sites", err);
	c.bounds = array_alloc(flow->forest.loop_count, sizeof(*c.bounds), "loops", err);
	c.cell = array_alloc(flow->graph.node_count, sizeof(*c.cell), "control flow", err);
	if (!ret && of_site && n->sites && n->node && c.bounds && c.cell) {
		loop_bounds_find(in, ITERATIONS_MOST, c.bounds);
		fill(n, &c, of_site);
	} else {
		ret = ERR_NOMEM;
	}
	equal_passes_release(&c.equal);
	free(of_site);
	free(c.bounds);
	free(c.cell);
	return ret;
}

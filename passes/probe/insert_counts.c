/* SPDX-License-Identifier: Apache-2.0 */
#include "insert_counts.h"

#include "array.h"
#include "err.h"
#include "insertion.h"
#include "kernel_flow.h"
#include "probe_abi.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Which nodes of a kernel are executed equally often in every execution that ends.
 *
 * Two nodes outside loops: if one dominates the other and is post-dominated by it. Two nodes
 * directly in the same loop: if the same holds within one iteration, which ends where the loop's
 * header is entered again or the loop is left. Other nodes are not compared, and nothing is known
 * of irreducible graphs.
 */

struct equal_passes {
	const struct kernel_flow *flow;
	const uint32_t *idom; /* borrowed */
	/* For each loop depth from 0: immediate post-dominators, indexed by node number + 1; 0 is
	 * the end of everything, where an iteration of a loop up to that depth ends. */
	uint32_t **post;
	uint32_t depth_count;
};

/* Whether an edge goes back to the header of a loop of at most that depth that contains it. */
static bool is_cut(const struct kernel_flow *flow, uint32_t depth, uint32_t from, uint32_t to)
{
	const struct loop_forest *forest = &flow->forest;
	int32_t loop = forest->innermost[to];

	return loop >= 0 && forest->loops[loop].header == to &&
	       forest->loops[loop].depth <= depth &&
	       loop_forest_contains(forest, loop, forest->innermost[from]);
}

/*
 * The reversed graph: node 0 is the end, node n + 1 was n. Edges back to a header of at most that
 * depth lead to the end instead.
 */
static int turn(const struct kernel_flow *flow, uint32_t depth, struct graph *out, struct err *err)
{
	const struct graph *g = &flow->graph;
	struct graph forward;
	uint32_t edges = g->first[g->node_count];
	int ret =
		graph_init(&forward, (size_t)g->node_count + 1, (size_t)edges + g->node_count, err);
	uint32_t next = 0;

	for (uint32_t n = 0; !ret && n < g->node_count; n++) {
		forward.first[n + 1] = next;
		if (g->first[n] == g->first[n + 1])
			forward.successor[next++] = 0;
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
			uint32_t to = g->successor[e];

			forward.successor[next++] = is_cut(flow, depth, n, to) ? 0 : to + 1;
		}
	}
	if (!ret) {
		forward.first[g->node_count + 1] = next;
		ret = graph_reverse(&forward, out, err);
	}
	graph_release(&forward);
	return ret;
}

static int find_post_dominators(const struct kernel_flow *flow, uint32_t depth, uint32_t **out,
                                struct err *err)
{
	struct graph turned = { 0 };
	int ret = turn(flow, depth, &turned, err);

	if (!ret) {
		*out = array_alloc(turned.node_count, sizeof(**out), "control flow", err);
		ret = *out ? dominators_compute(&turned, *out, err) : ERR_NOMEM;
	}
	graph_release(&turned);
	return ret;
}

/* Prepare for a flow and its dominators, both borrowed. Release in any case. Returns 0 or
 * ERR_NOMEM. */
static int equal_passes_init(struct equal_passes *e, const struct kernel_flow *flow,
                             const uint32_t *idom, struct err *err)
{
	uint32_t depth = 0;
	int ret = 0;

	*e = (struct equal_passes){ .flow = flow, .idom = idom };
	for (uint32_t l = 0; l < flow->forest.loop_count; l++)
		depth = flow->forest.loops[l].depth > depth ? flow->forest.loops[l].depth : depth;
	e->post = array_alloc((size_t)depth + 1, sizeof(*e->post), "control flow", err);
	if (!e->post)
		return ERR_NOMEM;
	e->depth_count = depth + 1;
	for (uint32_t d = 0; !ret && d <= depth; d++)
		ret = find_post_dominators(flow, d, &e->post[d], err);
	return ret;
}

/* Free what it owns. Accepts a zeroed struct. */
static void equal_passes_release(struct equal_passes *e)
{
	for (uint32_t d = 0; d < e->depth_count; d++)
		free(e->post[d]);
	free(e->post);
	*e = (struct equal_passes){ 0 };
}

/* Whether `late` is on every path from `early` to the end. */
static bool is_inevitable(const uint32_t *post, uint32_t early, uint32_t late)
{
	uint32_t n = early + 1;

	while (n && n != late + 1 && post[n] != GRAPH_NONE)
		n = post[n];
	return n == late + 1;
}

/* The first node that is executed as often as this one: itself, or a dominator. */
static uint32_t equal_passes_first(const struct equal_passes *e, uint32_t node)
{
	const int32_t *innermost = e->flow->forest.innermost;
	int32_t loop = innermost[node];
	const uint32_t *post = e->post[loop < 0 ? 0 : e->flow->forest.loops[loop].depth];
	uint32_t first = node, n = node;

	while (e->idom[n] != GRAPH_NONE && e->idom[n] != n) {
		n = e->idom[n];
		if (innermost[n] == loop && is_inevitable(post, n, node))
			first = n;
	}
	return first;
}

/* Loops of more iterations get a cell, because finding the bound runs through the iterations. */
#define ITERATIONS_MOST 100000u
#define NO_CELL         UINT32_MAX

struct counting {
	const struct insertion *in;
	struct equal_passes equal;
	struct loop_bound *bounds;
	uint32_t *cell; /* per node that is the first of its class, or NO_CELL */
};

/* A number times the executions of a node. */
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

/* Whether a loop is left only at the end of that node. */
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

/* The only node that jumps back to the header of a loop, or NONE. */
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
 * How often a node, the first of its class, is executed each time its loop is entered, if known: as
 * the only exit test, or as the latch, which is executed once less.
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

/* Express the executions of a node by those of what enters the loops around it whose counts are
 * known. */
static struct multiple find_multiple(const struct counting *c, uint32_t node)
{
	const int32_t *innermost = c->in->kernel->flow.forest.innermost;
	struct multiple m = { 1, equal_passes_first(&c->equal, node) };
	uint64_t passes;

	/* In an irreducible graph, a node outside any loop may still be executed again. */
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

/* Assign cells in two rounds: first nodes that may be executed repeatedly, then the others. */
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

/* Decide for a kernel. Release with node_counts_release() in any case. Returns 0 or ERR_NOMEM. */
static int node_counts_find(struct node_counts *n, const struct insertion *in, struct err *err)
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

/* Number of slot words for these cells; at least one, so that there is a slot. */
static uint32_t words_of(const struct node_counts *c)
{
	uint32_t words = c->counter_count + (c->cell_count - c->counter_count + 7) / 8;

	return words ? words : 1;
}

int insert_counts_plan(struct insertion *in, struct node_counts *c, struct err *err)
{
	struct kernel_table *t = in->kernel->table;
	int ret = node_counts_find(c, in, err);
	uint32_t words = words_of(c);

	if (ret)
		return ret;
	in->counts = c;
	t->counts = c->sites;
	c->sites = NULL;
	t->counter_count = c->counter_count;
	t->cell_count = c->cell_count;
	t->item_words = words <= PROBE_MAX_SLOT_WORDS ? words : 0;
	t->least_words = words;
	return 0;
}

static void put_increment(struct insertion *in, uint32_t node, LLVMValueRef variable)
{
	LLVMValueRef count;

	insertion_at_end(in, node);
	count = LLVMBuildLoad2(in->b, in->u64, variable, "");
	count = LLVMBuildAdd(in->b, count, insertion_u64(in, 1), "warpline.count");
	LLVMBuildStore(in->b, count, variable);
}

static void tell_cell(struct insertion *in, uint32_t cell, LLVMValueRef count)
{
	const struct probe_runtime *r = in->runtime;
	uint32_t counters = in->counts->counter_count;
	LLVMValueRef arguments[3] = { insertion_u64(in, cell), count };

	if (!in->kernel->table->item_words) {
		arguments[0] = insertion_u32(in, cell);
		insertion_call(in, r->count, arguments, 2);
	} else if (cell < counters) {
		insertion_call(in, r->counter, arguments, 2);
	} else {
		arguments[0] = insertion_u64(in, counters);
		arguments[1] = insertion_u64(in, cell - counters);
		arguments[2] = count;
		insertion_call(in, r->flag, arguments, 3);
	}
}

int insert_counts(struct insertion *in, struct err *err)
{
	const struct kernel *k = in->kernel;
	uint32_t count = in->counts->cell_count;
	LLVMValueRef *variables = array_alloc(count, sizeof(LLVMValueRef), "sites", err);

	if (!variables)
		return ERR_NOMEM;
	for (uint32_t c = 0; c < count; c++) {
		variables[c] = insertion_variable(in, "warpline.counter");
		put_increment(in, in->counts->node[c], variables[c]);
	}
	for (uint32_t n = 0; n < k->flow.graph.node_count; n++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->flow.node[n]);

		for (uint32_t c = 0; LLVMIsAReturnInst(end) && c < count; c++) {
			LLVMPositionBuilderBefore(in->b, end);
			tell_cell(in, c, LLVMBuildLoad2(in->b, in->u64, variables[c], ""));
		}
	}
	for (size_t s = 0; s < k->table->site_count; s++)
		LLVMInstructionEraseFromParent(k->marks[s]);
	free(variables);
	return 0;
}

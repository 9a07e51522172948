/* SPDX-License-Identifier: Apache-2.0 */
#include "affine_sites.h"

#include "affine_expression.h"
#include "array.h"
#include "err.h"
#include "kernel_flow.h"
#include "mark.h"
#include "memory_space.h"
#include "program.h"

#include <llvm-c/Core.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Which nodes of a loop are executed between the loop's header and some other place in it, in one
 * iteration.
 *
 * For loops of reducible graphs. An iteration is a path from the header that does not return to it;
 * it ends at the latch, or at a node with an edge out of the loop. Inner loops are assumed to end.
 */

struct affine_paths {
	const struct kernel_flow *flow;
	struct graph predecessors;
	uint32_t *idom, *position, *stack;
	bool *is_seen;
};

enum affine_passage {
	AFFINE_NEVER,       /* the node is not executed */
	AFFINE_CONDITIONAL, /* it is executed if and only if every edge in the list is taken */
	AFFINE_UNKNOWN,     /* neither */
};

/* A node with more conditional edges above it is AFFINE_UNKNOWN. */
#define AFFINE_EDGES_MOST 8

/* Prepare for a flow, borrowed. Release with affine_paths_release(). Returns 0 or ERR_NOMEM. */
static int affine_paths_init(struct affine_paths *p, const struct kernel_flow *flow,
                             struct err *err)
{
	uint32_t count = flow->graph.node_count;
	size_t reachable_count;
	int ret;

	memset(p, 0, sizeof(*p));
	p->flow = flow;
	p->idom = array_alloc(count, sizeof(*p->idom), "paths", err);
	p->position = array_alloc(count, sizeof(*p->position), "paths", err);
	p->stack = array_alloc(count, sizeof(*p->stack), "paths", err);
	p->is_seen = array_alloc(count, sizeof(*p->is_seen), "paths", err);
	if (!p->idom || !p->position || !p->stack || !p->is_seen)
		return ERR_NOMEM;
	ret = graph_reverse_post_order(&flow->graph, p->stack, p->position, &reachable_count, err);
	if (!ret)
		ret = dominators_compute(&flow->graph, p->idom, err);
	return ret ? ret : graph_reverse(&flow->graph, &p->predecessors, err);
}

/* Free what it owns and zero it. Accepts a zeroed struct. */
static void affine_paths_release(struct affine_paths *p)
{
	graph_release(&p->predecessors);
	free(p->idom);
	free(p->position);
	free(p->stack);
	free(p->is_seen);
	memset(p, 0, sizeof(*p));
}

static bool lies_in(const struct affine_paths *p, int32_t loop, uint32_t node)
{
	const struct loop_forest *forest = &p->flow->forest;

	return loop_forest_contains(forest, loop, forest->innermost[node]);
}

/* The only node that jumps back to the header of a loop, or GRAPH_NONE if there are several. */
static uint32_t affine_paths_latch(const struct affine_paths *p, int32_t loop)
{
	const struct graph *g = &p->predecessors;
	uint32_t header = p->flow->forest.loops[loop].header, latch = GRAPH_NONE;

	for (uint32_t e = g->first[header]; e < g->first[header + 1]; e++) {
		if (!lies_in(p, loop, g->successor[e]))
			continue;
		if (latch != GRAPH_NONE)
			return GRAPH_NONE;
		latch = g->successor[e];
	}
	return latch;
}

static bool dominates(const struct affine_paths *p, uint32_t a, uint32_t b)
{
	while (p->position[b] > p->position[a])
		b = p->idom[b];
	return a == b;
}

/* Whether one node can reach another within one iteration, not through `avoid` (GRAPH_NONE: any
 * path). */
static bool reaches(struct affine_paths *p, int32_t loop, const struct affine_edge *way,
                    uint32_t avoid)
{
	const struct graph *g = &p->flow->graph;
	uint32_t depth = 0, header = p->flow->forest.loops[loop].header;

	if (way->from == way->to)
		return true;
	memset(p->is_seen, 0, g->node_count * sizeof(*p->is_seen));
	p->stack[depth++] = way->from;
	while (depth) {
		uint32_t n = p->stack[--depth];

		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
			uint32_t s = g->successor[e];

			if (s == avoid || s == header || p->is_seen[s] || !lies_in(p, loop, s))
				continue;
			if (s == way->to)
				return true;
			p->is_seen[s] = true;
			p->stack[depth++] = s;
		}
	}
	return false;
}

/* The next dominator that is directly in the loop. */
static uint32_t dominator_in(const struct affine_paths *p, int32_t loop, uint32_t node)
{
	do
		node = p->idom[node];
	while (p->flow->forest.innermost[node] != loop);
	return node;
}

/* The only predecessor if it is directly in the loop and branches two ways, else GRAPH_NONE. */
static uint32_t branch_before(const struct affine_paths *p, int32_t loop, uint32_t node)
{
	const struct graph *g = &p->flow->graph, *back = &p->predecessors;
	uint32_t from;

	if (back->first[node + 1] - back->first[node] != 1)
		return GRAPH_NONE;
	from = back->successor[back->first[node]];
	if (p->flow->forest.innermost[from] != loop || g->first[from + 1] - g->first[from] != 2)
		return GRAPH_NONE;
	return from;
}

/*
 * Whether an iteration of `loop` that ends at `end` executes `node`. `node` is directly in the
 * loop, `end` anywhere in it. For AFFINE_CONDITIONAL, edges[0 .. *count - 1] are the conditional
 * edges, none if it is always executed; each leaves a node directly in the loop that has a two-way
 * branch. If a node is executed in an iteration, all of its edges were taken, even those determined
 * for another end.
 *
 * Walks from the node up its dominators. Let y be a dominator of x directly in the loop, so that it
 * is executed at most once per iteration. If every path from y to the end passes x, then x is
 * executed exactly when y is. If x can only be reached over the edge y -> x, then x is executed
 * exactly when y is and the edge is taken. A dominator of the end is always executed.
 */
static enum affine_passage affine_paths_find(struct affine_paths *p, int32_t loop, uint32_t node,
                                             uint32_t end,
                                             struct affine_edge edges[AFFINE_EDGES_MOST],
                                             uint32_t *count)
{
	*count = 0;
	if (dominates(p, node, end))
		return AFFINE_CONDITIONAL;
	if (!reaches(p, loop, &(struct affine_edge){ node, end }, GRAPH_NONE))
		return AFFINE_NEVER;
	while (!dominates(p, node, end)) {
		uint32_t above = dominator_in(p, loop, node);

		if (reaches(p, loop, &(struct affine_edge){ above, end }, node)) {
			above = branch_before(p, loop, node);
			if (above == GRAPH_NONE || *count == AFFINE_EDGES_MOST)
				return AFFINE_UNKNOWN;
			edges[(*count)++] = (struct affine_edge){ above, node };
		}
		node = above;
	}
	return AFFINE_CONDITIONAL;
}

/* Code at the exits of a loop is repeated at each of them: no more than this many. */
#define EXITS_MOST 16
/* Each grid has variables that live throughout a loop. */
#define GRIDS_MOST 32

struct decision {
	const struct kernel *kernel;
	struct affine_sites *all;
	struct affine_paths paths;
	LLVMTargetDataRef layout;
	size_t grid_count;
};

bool affine_exit_leaves(const struct affine_exit *exit, const struct kernel_flow *flow,
                        int32_t loop)
{
	const struct loop_forest *forest = &flow->forest;

	return loop_forest_contains(forest, loop, forest->innermost[exit->from]) &&
	       !loop_forest_contains(forest, loop, forest->innermost[exit->to]);
}

/* Add the edges of a node that leave a loop, each target once. */
static int add_exits(struct array *exits, const struct kernel_flow *flow, uint32_t node,
                     struct err *err)
{
	const struct graph *g = &flow->graph;
	size_t first = exits->count;

	for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++) {
		struct affine_exit exit = { node, g->successor[e] }, *to = exits->data;
		size_t i = first;

		if (flow->forest.innermost[node] < 0 ||
		    !affine_exit_leaves(&exit, flow, flow->forest.innermost[node]))
			continue;
		while (i < exits->count && to[i].to != exit.to)
			i++;
		if (i < exits->count)
			continue;
		to = array_push(exits, 1, err);
		if (!to)
			return ERR_NOMEM;
		*to = exit;
	}
	return 0;
}

static int find_exits(struct affine_sites *a, const struct kernel_flow *flow, struct err *err)
{
	struct array exits;
	int ret = 0;

	array_init(&exits, sizeof(struct affine_exit), SIZE_MAX, "ways out of loops");
	for (size_t i = 0; !ret && i < flow->order_count; i++)
		ret = add_exits(&exits, flow, flow->order[i], err);
	a->exit_count = exits.count;
	a->exits = array_take(&exits);
	return ret;
}

/* The number of an edge among the site's conditions, added if necessary; NONE when that is
 * impossible. */
static int add_condition(const struct decision *d, struct affine_site *s, struct affine_edge edge,
                         uint32_t *set, struct err *err)
{
	struct affine_scope scope = { &d->kernel->flow, d->layout, s->loop };
	LLVMBasicBlockRef *node = d->kernel->flow.node;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(node[edge.from]);
	struct affine_condition *c = s->conditions;
	uint32_t i = 0;
	int ret;

	while (i < s->condition_count && (c[i].edge.from != edge.from || c[i].edge.to != edge.to))
		i++;
	*set |= 1u << i;
	if (i < s->condition_count)
		return 0;
	if (i == AFFINE_EDGES_MOST || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) {
		s->why = "under conditions that change";
		return 0;
	}
	c = &c[s->condition_count++];
	c->edge = edge;
	c->place = d->paths.position[edge.from];
	c->is_true = LLVMGetSuccessor(end, 0) == node[edge.to];
	ret = affine_expression_find(&c->value, &scope, LLVMGetCondition(end), &s->why, err);
	if (s->why || affine_expression_is_linear(&c->value) || c->value.may_trap)
		s->why = "under conditions that change";
	return ret;
}

/* The conditions under which an iteration that ends at `end` executes the site. */
static int find_conditions(struct decision *d, struct affine_site *s, const struct affine_edge *way,
                           uint32_t *set, struct err *err)
{
	struct affine_edge edges[AFFINE_EDGES_MOST];
	uint32_t count;
	int ret = 0;

	*set = 0;
	switch (affine_paths_find(&d->paths, s->loop, way->from, way->to, edges, &count)) {
	case AFFINE_NEVER:
		*set = AFFINE_CONDITIONS_NEVER;
		return 0;
	case AFFINE_UNKNOWN:
		s->why = "under conditions that change";
		return 0;
	case AFFINE_CONDITIONAL:
		break;
	}
	/* Outer ones first: an inner one may be undefined unless they hold. */
	for (uint32_t i = count; !ret && !s->why && i-- > 0;)
		ret = add_condition(d, s, edges[i], set, err);
	return ret;
}

/* In which iterations the site in `node` is executed. Sets s->why when unknown. */
static int find_passages(struct decision *d, struct affine_site *s, uint32_t node, struct err *err)
{
	const struct kernel_flow *flow = &d->kernel->flow;
	struct affine_edge way = { node, affine_paths_latch(&d->paths, s->loop) };
	uint32_t exit_count = 0;
	int ret;

	s->conditions = array_alloc(AFFINE_EDGES_MOST, sizeof(*s->conditions), "conditions", err);
	s->ended = array_alloc(d->all->exit_count, sizeof(*s->ended), "conditions", err);
	if (!s->conditions || !s->ended)
		return ERR_NOMEM;
	if (way.to == GRAPH_NONE) {
		s->why = "loop: several ways back";
		return 0;
	}
	ret = find_conditions(d, s, &way, &s->whole, err);
	for (size_t i = 0; !ret && !s->why && i < d->all->exit_count; i++) {
		if (!affine_exit_leaves(&d->all->exits[i], flow, s->loop))
			continue;
		if (++exit_count > EXITS_MOST)
			s->why = "loop: too many ways out";
		way.to = d->all->exits[i].from;
		ret = find_conditions(d, s, &way, &s->ended[i], err);
	}
	return ret;
}

/* Why the address of a site cannot be part of a run, or NULL. */
static const char *refusal(const struct kernel *k, const struct site *site, const struct mark *mark,
                           int32_t loop)
{
	LLVMModuleRef module = LLVMGetGlobalParent(k->function);
	unsigned space = memory_space_of_type(module, LLVMTypeOf(mark->pointer));

	if (k->table->is_irreducible)
		return "irreducible";
	if (loop < 0)
		return "in no loop";
	if (!site_kind_has_address(site->kind))
		return "no access";
	if (site->bytes == 0)
		return "size: known at run time only";
	if ((space != SPACE_GLOBAL && space != SPACE_CONSTANT && space != SPACE_LOCAL) ||
	    site->space != space)
		return "space: known at run time only";
	return NULL;
}

/* Whether the loop's rows are likely to form a grid in the surrounding loop. */
static int choose(struct decision *d, struct affine_site *s, struct err *err)
{
	struct affine_scope outer = { &d->kernel->flow, d->layout, -1 };
	bool is_regular = false;
	int ret = 0;

	s->record = RECORD_RUN;
	outer.loop = d->kernel->flow.forest.loops[s->loop].parent;
	if (outer.loop >= 0 && d->grid_count < GRIDS_MOST)
		ret = affine_regular_find(&s->address, s->loop, &outer, &is_regular, err);
	if (!is_regular)
		return ret;
	s->record = RECORD_GRID;
	s->parent = outer.loop;
	d->grid_count++;
	return ret;
}

static void release_site(struct affine_site *s)
{
	for (uint32_t i = 0; i < s->condition_count; i++)
		affine_expression_release(&s->conditions[i].value);
	free(s->conditions);
	free(s->ended);
	affine_expression_release(&s->address);
}

static int decide(struct decision *d, struct affine_site *s, size_t number, struct err *err)
{
	const struct kernel *k = d->kernel;
	LLVMValueRef instruction = k->marks[number];
	uint32_t node = kernel_flow_find(&k->flow, LLVMGetInstructionParent(instruction));
	struct affine_scope scope = { &k->flow, d->layout, k->flow.forest.innermost[node] };
	struct mark mark;
	const char *why;
	int ret = 0;

	s->parent = -1;
	s->loop = scope.loop;
	mark_read(instruction, &mark);
	s->why = refusal(k, &k->table->sites[number], &mark, s->loop);
	if (!s->why)
		ret = affine_expression_find_address(&s->address, &scope, mark.pointer, &s->why,
		                                     err);
	if (!ret && !s->why)
		ret = find_passages(d, s, node, err);
	if (!ret && !s->why)
		return choose(d, s, err);
	why = s->why;
	release_site(s);
	*s = (struct affine_site){ .record = RECORD_POINT, .why = why, .loop = -1, .parent = -1 };
	return ret;
}

int affine_sites_find(struct affine_sites *a, const struct kernel *kernel, struct err *err)
{
	LLVMModuleRef module = LLVMGetGlobalParent(kernel->function);
	struct decision d = { .kernel = kernel,
		              .all = a,
		              .layout = LLVMGetModuleDataLayout(module) };
	int ret;

	memset(a, 0, sizeof(*a));
	a->site_count = kernel->table->site_count;
	a->sites = array_alloc(a->site_count, sizeof(*a->sites), "sites", err);
	a->records = array_alloc(a->site_count, sizeof(*a->records), "sites", err);
	ret = a->sites && a->records ? find_exits(a, &kernel->flow, err) : ERR_NOMEM;
	if (!ret)
		ret = affine_paths_init(&d.paths, &kernel->flow, err);
	for (size_t i = 0; !ret && i < a->site_count; i++) {
		ret = decide(&d, &a->sites[i], i, err);
		a->records[i] = a->sites[i].record;
	}
	affine_paths_release(&d.paths);
	if (ret)
		affine_sites_release(a);
	return ret;
}

void affine_sites_release(struct affine_sites *a)
{
	for (size_t i = 0; a->sites && i < a->site_count; i++)
		release_site(&a->sites[i]);
	free(a->sites);
	free(a->records);
	free(a->exits);
	memset(a, 0, sizeof(*a));
}

static const char *const kind_names[] = {
#define SITE_KIND(NAME, name, ...) name,
#include "site_kinds.def"
#undef SITE_KIND
};

static void explain_companion(const struct companion *c, FILE *out)
{
	fprintf(out, "companion of %" PRIu32 ", after %" PRIu32 ", offset %" PRId64, c->leader,
	        c->after, c->offset);
	if (c->difference >= 0)
		fprintf(out, ", difference %" PRId32, c->difference);
	fputc('\n', out);
}

static void explain_site(const struct affine_site *s, const struct kernel *k, FILE *out)
{
	static const char *const names[] = { "point", "run", "grid" };

	fputs(names[s->record], out);
	if (s->record == RECORD_POINT) {
		fprintf(out, " (%s)\n", s->why);
		return;
	}
	fprintf(out, ", loop %" PRId32, k->table_loop[s->loop]);
	if (s->record == RECORD_GRID)
		fprintf(out, " in %" PRId32, k->table_loop[s->parent]);
	if (!affine_expression_is_linear(&s->address))
		fputs(", stride 0", out);
	if (s->address.check_count)
		fprintf(out, ", %zu checked", s->address.check_count);
	if (s->condition_count)
		fprintf(out, ", %" PRIu32 " conditions", s->condition_count);
	fputc('\n', out);
}

void affine_sites_explain(const struct affine_sites *a, const struct kernel *kernel, FILE *out)
{
	const struct kernel_table *t = kernel->table;

	for (size_t i = 0; i < a->site_count; i++) {
		fprintf(out, "%s %zu %s line %" PRIu32 ": ", t->name, i,
		        kind_names[t->sites[i].kind], t->sites[i].place.line);
		if (kernel_table_companion(t, (uint32_t)i))
			explain_companion(kernel_table_companion(t, (uint32_t)i), out);
		else
			explain_site(&a->sites[i], kernel, out);
	}
}

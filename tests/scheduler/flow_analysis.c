/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from a program's graph, by definition and not by a fast algorithm. */
#include "flow_program.h"

#include "cmocka_all.h"
#include "random.h"

#include <string.h>

/* A set of nodes for each node. */
struct node_sets {
	uint64_t of[FLOW_NODES][FLOW_WORDS];
};

typedef void successors_of(const struct flow_program *p, int n, int next[2]);

static bool has(const uint64_t *set, int n)
{
	return set[n / 64] >> n % 64 & 1;
}

static void put(uint64_t *set, int n)
{
	set[n / 64] |= UINT64_C(1) << n % 64;
}

static void in_graph(const struct flow_program *p, int n, int next[2])
{
	memcpy(next, p->nodes[n].next, sizeof(p->nodes[n].next));
}

static void in_text(const struct flow_program *p, int n, int next[2])
{
	in_graph(p, n, next);
	if (p->nodes[n].kind == FLOW_JUMP)
		next[0] = p->nodes[n].beside;
}

/* The nodes that can be reached from `from` without going through `without` (-1: any). */
static void reach(const struct flow_program *p, successors_of *successors, int from, int without,
                  uint64_t *set)
{
	int stack[FLOW_NODES * 2 + 1], depth = 0;

	memset(set, 0, FLOW_WORDS * sizeof(*set));
	stack[depth++] = from;
	while (depth) {
		int n = stack[--depth], next[2];

		if (n < 0 || n == without || has(set, n))
			continue;
		put(set, n);
		successors(p, n, next);
		stack[depth++] = next[0];
		stack[depth++] = next[1];
	}
}

/* pdom(n) = {n} and what is in pdom(s) of all successors s; from all nodes downward until it stays.
 */
static void find_post_dominators(const struct flow_program *p, successors_of *successors,
                                 struct node_sets *sets)
{
	bool changes = true;

	memset(sets, 0xff, sizeof(*sets));
	memset(sets->of[p->end], 0, sizeof(sets->of[0]));
	put(sets->of[p->end], p->end);
	while (changes) {
		changes = false;
		for (int n = 0; n < p->node_count; n++) {
			uint64_t set[FLOW_WORDS];
			int next[2];

			if (n == p->end)
				continue;
			memset(set, 0xff, sizeof(set));
			successors(p, n, next);
			for (int i = 0; i < 2; i++)
				for (int w = 0; next[i] >= 0 && w < FLOW_WORDS; w++)
					set[w] &= sets->of[next[i]][w];
			put(set, n);
			changes |= memcmp(set, sets->of[n], sizeof(set)) != 0;
			memcpy(sets->of[n], set, sizeof(set));
		}
	}
}

static int count(const uint64_t *set)
{
	int bits = 0;

	for (int w = 0; w < FLOW_WORDS; w++)
		bits += __builtin_popcountll(set[w]);
	return bits;
}

/* Post-dominators of a node are a chain: the immediate one has one fewer than the node. */
static void find_joins(const struct flow_program *p, successors_of *successors, int *join)
{
	static struct node_sets sets;
	uint64_t live[FLOW_WORDS];

	reach(p, successors, p->entry, -1, live);
	find_post_dominators(p, successors, &sets);
	for (int n = 0; n < p->node_count; n++) {
		join[n] = -1;
		for (int d = 0; d < p->node_count && has(live, n); d++)
			if (d != n && has(sets.of[n], d) &&
			    count(sets.of[d]) == count(sets.of[n]) - 1)
				join[n] = d;
		assert_true(join[n] >= 0 || n == p->end || !has(live, n));
	}
}

/* --- natural loops --------------------------------------------------------------------------- */

/* The nodes of the natural loop with header `head`; false when there is no such loop. */
static bool find_loop(const struct flow_program *p, int head, const uint64_t *live, uint64_t *set)
{
	uint64_t past[FLOW_WORDS], from[FLOW_WORDS];
	bool is_loop = false;

	memset(set, 0, FLOW_WORDS * sizeof(*set));
	reach(p, in_graph, p->entry, head, past);
	for (int n = 0; n < p->node_count; n++) {
		const int *next = p->nodes[n].next;

		if (!has(live, n) || has(past, n) || (next[0] != head && next[1] != head))
			continue;
		is_loop = true; /* the header dominates n, which leads back to it */
		for (int m = 0; m < p->node_count; m++) {
			reach(p, in_graph, m, head, from);
			if (has(live, m) && (m == head || has(from, n)))
				put(set, m);
		}
	}
	return is_loop;
}

static bool has_sites(const struct flow_program *p, const uint64_t *set)
{
	for (int n = 0; n < p->node_count; n++)
		if (has(set, n) && p->nodes[n].kind == FLOW_SITE)
			return true;
	return false;
}

/* Outer loops are found first: their headers are written first. Those without sites count not. */
static void find_loops(struct flow_program *p, struct node_sets *members, const uint64_t *live)
{
	static const uint64_t bases[] = { 0, 0, 0xfffffffe, 0x1fffffffe };
	struct random random = { p->seed };

	for (int n = 0; n < p->node_count; n++) {
		int l = (int)p->table.loop_count, head = p->nodes[n].next[0];

		if (p->nodes[n].kind != FLOW_LOOP || !has(live, n))
			continue;
		p->nodes[n].turns = find_loop(p, head, live, members->of[l]);
		if (!p->nodes[n].turns || !has_sites(p, members->of[l]))
			continue;
		p->header[l] = head;
		p->base[l] = bases[random_below(&random, 4)];
		p->loops[l] = (struct loop){ .parent = p->nodes[head].loop, .depth = 1 };
		if (p->loops[l].parent >= 0)
			p->loops[l].depth = p->loops[p->loops[l].parent].depth + 1;
		for (int m = 0; m < p->node_count; m++)
			if (has(members->of[l], m))
				p->nodes[m].loop = l;
		p->table.loop_count++;
	}
}

bool flow_program_holds(const struct flow_program *p, int outer, int inner)
{
	for (; inner >= 0 && inner != outer; inner = p->loops[inner].parent)
		;
	return inner == outer;
}

/* --- the order of sites ---------------------------------------------------------------------- */

struct sorting {
	struct flow_program *program;
	bool seen[FLOW_NODES];
	int begin[FLOW_LOOPS + 1], items[FLOW_LOOPS + 1][FLOW_NODES], count[FLOW_LOOPS + 1];
};

/* The loop directly in `level` that holds a node; -1: it is directly in `level` itself. */
static int part_of(const struct flow_program *p, int level, int n)
{
	int loop = p->nodes[n].loop;

	if (loop == level)
		return -1;
	while (p->loops[loop].parent != level)
		loop = p->loops[loop].parent;
	return loop;
}

/* Depth first over the nodes directly in `level` and the loops in it, each of which is one. */
static void visit(struct sorting *s, int level, int n)
{
	const struct flow_program *p = s->program;
	int part = part_of(p, level, n), at = part < 0 ? n : p->header[part];

	if (s->seen[at])
		return;
	s->seen[at] = true;
	for (int m = p->node_count - 1; m >= 0; m--)
		for (int i = 1; i >= 0; i--) {
			int to = p->nodes[m].next[i];
			bool is_inside =
				part < 0 ? m == n : flow_program_holds(p, part, p->nodes[m].loop);

			if (!is_inside || to < 0 ||
			    !flow_program_holds(p, level, p->nodes[to].loop))
				continue;
			if (part >= 0 && flow_program_holds(p, part, p->nodes[to].loop))
				continue;
			if (level >= 0 && to == p->header[level])
				continue;
			visit(s, level, to);
		}
	s->items[level + 1][s->count[level + 1]++] = at;
}

/* Reverse post-order of a level, the order of each loop in the place of its header. */
static void sort_level(struct sorting *s, int level, int first)
{
	struct flow_program *p = s->program;

	visit(s, level, first);
	for (int i = s->count[level + 1]; i-- > 0;) {
		int n = s->items[level + 1][i], part = part_of(p, level, n);

		if (part < 0) {
			p->order[p->order_count++] = n;
			continue;
		}
		s->seen[n] = false; /* it begins the walk of its loop */
		sort_level(s, part, n);
	}
}

static void number_sites(struct flow_program *p)
{
	static struct sorting s;
	static char name[] = "flow";

	memset(&s, 0, sizeof(s));
	s.program = p;
	sort_level(&s, -1, p->entry);
	p->table.name = name;
	p->table.sites = p->sites;
	p->table.loops = p->loops;
	for (int i = 0; i < p->order_count; i++) {
		struct flow_node *n = &p->nodes[p->order[i]];
		bool has_bytes = site_kind_has_address(n->site_kind);

		if (n->kind != FLOW_SITE)
			continue;
		n->site = (int)p->table.site_count++;
		p->node_of[n->site] = p->order[i];
		p->sites[n->site] = (struct site){ .kind = n->site_kind,
			                           .bytes = has_bytes ? 4 : 0,
			                           .space = SPACE_GLOBAL,
			                           .loop = n->loop,
			                           .argument = -1 };
	}
}

void flow_program_analyse(struct flow_program *p)
{
	static struct node_sets members;
	uint64_t live[FLOW_WORDS];

	reach(p, in_graph, p->entry, -1, live);
	find_loops(p, &members, live);
	number_sites(p);
	find_joins(p, in_graph, p->join_of_graph);
	find_joins(p, in_text, p->join_of_text);
}

/* --- classes --------------------------------------------------------------------------------- */

/* Nodes are made in the order of the text. */
bool flow_program_is_moved(const struct flow_program *p, int site)
{
	int n = p->node_of[site];

	for (int other = 0; other < site; other++)
		if (p->node_of[other] > n)
			return true;
	for (int around = p->nodes[n].written; around >= 0; around = p->nodes[around].written) {
		int head = p->nodes[around].next[0], loop = p->nodes[head].loop;
		bool holds = loop >= 0 && p->header[loop] == head &&
		             flow_program_holds(p, loop, p->nodes[n].loop);

		if (p->nodes[around].turns && !holds)
			return true;
	}
	return false;
}

bool flow_program_is_in_text_order(const struct flow_program *p)
{
	for (size_t site = 0; site < p->table.site_count; site++)
		if (flow_program_is_moved(p, (int)site))
			return false;
	return true;
}

bool flow_program_joins_as_written(const struct flow_program *p)
{
	for (int i = 0; i < p->order_count; i++) {
		int n = p->order[i], join = p->join_of_text[n];
		uint64_t set[FLOW_WORDS];
		int comes = 0;

		if (p->nodes[n].kind != FLOW_FORK || join == p->join_of_graph[n])
			continue;
		for (int side = 0; side < 2; side++) {
			reach(p, in_graph, p->nodes[n].next[side], -1, set);
			comes += has(set, join);
		}
		if (comes == 2)
			return false;
	}
	return true;
}

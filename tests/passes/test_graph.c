/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dominators, loops and the order of nodes against their definitions, worked out naively, over
 * random graphs.
 */
#include "err.h"
#include "graph.h"
#include "random_graph.h"

#include "cmocka_all.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NODES_MAX 24
#define ROUNDS    4000
#define SEED      0x5eed0001ull

/* Mark in seen[] what can be reached from `from` without entering `without`. */
static void reach(const struct graph *g, uint32_t from, uint32_t without, bool *seen)
{
	if (from == without || seen[from])
		return;
	seen[from] = true;
	for (uint32_t e = g->first[from]; e < g->first[from + 1]; e++)
		reach(g, g->successor[e], without, seen);
}

/* dominates[a][b]: without a, b cannot be reached from the entry. False for unreachable b. */
struct facts {
	bool reachable[NODES_MAX];
	bool dominates[NODES_MAX][NODES_MAX];
};

static void find_facts(const struct graph *g, struct facts *f)
{
	memset(f, 0, sizeof(*f));
	reach(g, 0, GRAPH_NONE, f->reachable);
	for (uint32_t a = 0; a < g->node_count; a++) {
		bool seen[NODES_MAX] = { false };

		reach(g, 0, a, seen);
		for (uint32_t b = 0; b < g->node_count; b++)
			f->dominates[a][b] = f->reachable[a] && f->reachable[b] && !seen[b];
	}
}

static bool has_edge(const struct graph *g, uint32_t from, uint32_t to)
{
	for (uint32_t e = g->first[from]; e < g->first[from + 1]; e++)
		if (g->successor[e] == to)
			return true;
	return false;
}

static bool is_header(const struct graph *g, const struct facts *f, uint32_t h)
{
	for (uint32_t n = 0; n < g->node_count; n++)
		if (f->dominates[h][n] && has_edge(g, n, h))
			return true;
	return false;
}

/*
 * By definition: n is in the loop of h when it is h, or can reach a latch of h without passing h.
 * (Only reachable nodes; then h dominates them all.)
 */
static bool is_in_loop(const struct graph *g, const struct facts *f, uint32_t h, uint32_t n)
{
	bool seen[NODES_MAX] = { false };

	if (n == h)
		return true;
	if (!f->reachable[n])
		return false;
	reach(g, n, h, seen);
	for (uint32_t l = 0; l < g->node_count; l++)
		if (seen[l] && f->dominates[h][l] && has_edge(g, l, h))
			return true;
	return false;
}

static void check_dominators(const struct graph *g, const struct facts *f)
{
	uint32_t idom[NODES_MAX];

	assert_int_equal(dominators_compute(g, idom, NULL), 0);
	assert_int_equal(idom[0], 0);
	for (uint32_t n = 1; n < g->node_count; n++) {
		if (!f->reachable[n]) {
			assert_int_equal(idom[n], GRAPH_NONE);
			continue;
		}
		/* The immediate one is a strict dominator that all other strict ones dominate. */
		assert_true(idom[n] != n && f->dominates[idom[n]][n]);
		for (uint32_t d = 0; d < g->node_count; d++)
			if (d != n && f->dominates[d][n])
				assert_true(f->dominates[d][idom[n]]);
	}
}

static int32_t loop_of_header(const struct loop_forest *forest, uint32_t h)
{
	for (uint32_t l = 0; l < forest->loop_count; l++)
		if (forest->loops[l].header == h)
			return (int32_t)l;
	return -1;
}

static void check_forest(const struct graph *g, const struct facts *f,
                         const struct loop_forest *forest)
{
	for (uint32_t h = 0; h < g->node_count; h++) {
		int32_t l = loop_of_header(forest, h);

		assert_int_equal(l >= 0, is_header(g, f, h));
		if (l < 0)
			continue;
		for (uint32_t n = 0; n < g->node_count; n++)
			assert_int_equal(loop_forest_contains(forest, l, forest->innermost[n]),
			                 is_in_loop(g, f, h, n));
	}
	for (uint32_t l = 0; l < forest->loop_count; l++) {
		const struct forest_loop *loop = &forest->loops[l];

		assert_true(loop->parent < (int32_t)l);
		assert_int_equal(loop->depth,
		                 loop->parent < 0 ? 1 : forest->loops[loop->parent].depth + 1);
	}
}

/* Reducible: without the edges into dominators nothing goes round. */
static bool is_reducible(const struct graph *g, const struct facts *f)
{
	bool gone[NODES_MAX] = { false };
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (uint32_t n = 0; n < g->node_count; n++) {
			bool is_entered = !f->reachable[n];

			for (uint32_t p = 0; p < g->node_count; p++)
				is_entered |= f->reachable[p] && !gone[p] && has_edge(g, p, n) &&
				              !f->dominates[n][p];
			if (gone[n] || is_entered)
				continue;
			gone[n] = has_changed = true;
		}
	}
	for (uint32_t n = 0; n < g->node_count; n++)
		if (f->reachable[n] && !gone[n])
			return false;
	return true;
}

static void check_contiguous(const struct loop_forest *forest, const uint32_t *order, size_t count)
{
	for (uint32_t l = 0; l < forest->loop_count; l++) {
		size_t first = count, last = 0, inside = 0;

		for (size_t i = 0; i < count; i++) {
			if (!loop_forest_contains(forest, (int32_t)l, forest->innermost[order[i]]))
				continue;
			first = i < first ? i : first;
			last = i;
			inside++;
		}
		assert_int_equal(last - first + 1, inside);
		assert_int_equal(order[first], forest->loops[l].header);
	}
}

static void check_order(const struct graph *g, const struct facts *f,
                        const struct loop_forest *forest)
{
	uint32_t order[NODES_MAX], place[NODES_MAX];
	size_t count, reachable_count = 0;

	assert_int_equal(node_order_compute(g, forest, order, &count, NULL), 0);
	for (uint32_t n = 0; n < g->node_count; n++) {
		reachable_count += f->reachable[n];
		place[n] = GRAPH_NONE;
	}
	assert_int_equal(count, reachable_count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(place[order[i]], GRAPH_NONE);
		place[order[i]] = i;
	}
	check_contiguous(forest, order, count);
	for (uint32_t n = 0; !forest->is_irreducible && n < g->node_count; n++)
		for (uint32_t e = g->first[n]; f->reachable[n] && e < g->first[n + 1]; e++)
			if (!f->dominates[g->successor[e]][n])
				assert_true(place[n] < place[g->successor[e]]);
}

typedef void make_graph(struct graph *, uint64_t *, uint32_t);

static void check_many(make_graph *make, bool is_always_reducible)
{
	uint64_t state = SEED;
	size_t irreducible_count = 0, loop_count = 0;

	printf("seed %#llx\n", (unsigned long long)SEED);
	for (int round = 0; round < ROUNDS; round++) {
		struct graph g;
		struct loop_forest forest;
		struct facts facts;

		make(&g, &state, 1 + random_below(&state, NODES_MAX));
		find_facts(&g, &facts);
		check_dominators(&g, &facts);
		assert_int_equal(loop_forest_init(&forest, &g, NULL), 0);
		assert_int_equal(forest.is_irreducible, !is_reducible(&g, &facts));
		check_forest(&g, &facts, &forest);
		check_order(&g, &facts, &forest);
		irreducible_count += forest.is_irreducible;
		loop_count += forest.loop_count;
		loop_forest_release(&forest);
		graph_release(&g);
	}
	/* The graphs are of the kind that they are meant to be. */
	assert_true(loop_count > ROUNDS / 2);
	assert_int_equal(irreducible_count > 0, !is_always_reducible);
}

static void any_graph_agrees_with_the_definitions(void **state)
{
	check_many(random_graph_any, false);
}

static void reducible_graphs_agree_with_the_definitions(void **state)
{
	check_many(random_graph_reducible, true);
}

/*
 * h = 1 -> {2, 3}, 2 -> latch 4, 3 -> {latch 4, exit 5}, 4 -> h. With the exit as the first
 * successor of 3, a plain reverse post-order puts it before the latch: the loop is torn apart.
 */
static void an_exit_waits_for_the_whole_loop(void **state)
{
	static uint32_t first[] = { 0, 1, 3, 4, 6, 7, 7 };
	static uint32_t successor[] = { 1, 2, 3, 4, 4, 5, 1 };
	static const uint32_t expected[] = { 0, 1, 2, 3, 4, 5 };
	const struct graph g = { .node_count = 6, .first = first, .successor = successor };
	uint32_t order[6], position[6];
	struct loop_forest forest;
	size_t count;

	assert_int_equal(loop_forest_init(&forest, &g, NULL), 0);
	assert_int_equal(node_order_compute(&g, &forest, order, &count, NULL), 0);
	assert_int_equal(count, 6);
	assert_memory_equal(order, expected, sizeof(expected));
	/* The exit first. */
	successor[4] = 5;
	successor[5] = 4;
	assert_int_equal(graph_reverse_post_order(&g, order, position, &count, NULL), 0);
	assert_true(position[5] < position[4]);
	assert_int_equal(node_order_compute(&g, &forest, order, &count, NULL), 0);
	assert_memory_equal(order, expected, sizeof(expected));
	loop_forest_release(&forest);
}

/* 200,000 loops of one node each, one behind the other: neither recursion nor squares. */
static void long_graphs_are_no_problem(void **state)
{
	enum { COUNT = 200000 };
	struct graph g;
	struct loop_forest forest;
	struct err err = { 0 };
	uint32_t *order;
	size_t count;

	assert_int_equal(graph_init(&g, COUNT, (size_t)2 * COUNT, &err), 0);
	for (uint32_t n = 0, edge = 0; n < COUNT; n++) {
		g.first[n] = edge;
		if (n > 0)
			g.successor[edge++] = n;
		if (n + 1 < COUNT)
			g.successor[edge++] = n + 1;
		g.first[n + 1] = edge;
	}
	order = test_calloc(COUNT, sizeof(*order));
	assert_int_equal(loop_forest_init(&forest, &g, &err), 0);
	assert_int_equal(forest.loop_count, COUNT - 1);
	assert_int_equal(node_order_compute(&g, &forest, order, &count, &err), 0);
	assert_int_equal(count, COUNT);
	for (uint32_t n = 0; n < COUNT; n++)
		assert_int_equal(order[n], n);
	test_free(order);
	loop_forest_release(&forest);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_graph_agrees_with_the_definitions),
		cmocka_unit_test(reducible_graphs_agree_with_the_definitions),
		cmocka_unit_test(an_exit_waits_for_the_whole_loop),
		cmocka_unit_test(long_graphs_are_no_problem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of nodes in structured code: by hand for small graphs, and over random ones what must
 * hold for all: each reachable node has one place, beside its immediate dominator.
 */
#include "err.h"
#include "graph.h"
#include "random_graph.h"
#include "text_layout.h"

#include "cmocka_all.h"

#include <string.h>

#define NODES_MAX 24
#define ROUNDS    3000
#define SEED      0x5eed0002ull

struct laid_out {
	struct loop_forest forest;
	struct text_layout layout;
	uint32_t order[NODES_MAX];
	size_t count;
};

static void lay_out(struct laid_out *l, const struct graph *g)
{
	assert_int_equal(loop_forest_init(&l->forest, g, NULL), 0);
	assert_int_equal(node_order_compute(g, &l->forest, l->order, &l->count, NULL), 0);
	assert_int_equal(text_layout_init(&l->layout, g, &l->forest, l->order, l->count, NULL), 0);
}

static void release(struct laid_out *l)
{
	text_layout_release(&l->layout);
	loop_forest_release(&l->forest);
}

/* if (0) 1 else 2; 3: the branches stand where they are jumped to, the end behind the condition. */
static void the_end_of_a_condition_stands_behind_it(void **state)
{
	uint32_t first[] = { 0, 2, 3, 4, 4 }, successor[] = { 1, 2, 3, 3 };
	struct graph g = { 4, first, successor };
	struct laid_out l;

	(void)state;
	lay_out(&l, &g);
	assert_true(l.layout.is_inline[1] && l.layout.is_inline[2] && !l.layout.is_inline[3]);
	assert_int_equal(l.layout.follower[0], 3);
	assert_int_equal(l.layout.next[3], GRAPH_NONE);
	assert_int_equal(l.layout.follower[1], GRAPH_NONE);
	release(&l);
}

/*
 * while (1) { 2; if (2) break; 3 } 4: 1 leaves to 4, 2 to 4 or 3, 3 back to 1. What the loop leaves
 * to stands behind the loop and not behind node 1, its immediate dominator.
 */
static void what_a_loop_leaves_to_stands_behind_the_loop(void **state)
{
	uint32_t first[] = { 0, 1, 3, 5, 6, 6 }, successor[] = { 1, 2, 4, 4, 3, 1 };
	struct graph g = { 5, first, successor };
	struct laid_out l;

	(void)state;
	lay_out(&l, &g);
	assert_int_equal(l.forest.loop_count, 1);
	assert_int_equal(l.layout.loop[1], 0);
	assert_int_equal(l.layout.loop[2], -1);
	assert_int_equal(l.layout.loop_follower[0], 4);
	assert_int_equal(l.layout.follower[1], GRAPH_NONE);
	/* A header is entered by one jump: the one back does not count. */
	assert_true(l.layout.is_inline[1] && l.layout.is_inline[2] && l.layout.is_inline[3]);
	release(&l);
}

/* A node that an inner loop leaves to, out of the outer one as well, stands behind the outer one.
 */
static void a_jump_out_of_two_loops_ends_behind_both(void **state)
{
	/* 1 { 2 { 3 } 4 } with 2 -> 5 out of both, 3 -> 2 and 3 -> 4, 4 -> 1. */
	uint32_t first[] = { 0, 1, 2, 4, 6, 7, 7 }, successor[] = { 1, 2, 3, 5, 2, 4, 1 };
	struct graph g = { 6, first, successor };
	struct laid_out l;

	(void)state;
	lay_out(&l, &g);
	assert_int_equal(l.forest.loop_count, 2);
	assert_int_equal(l.layout.loop_follower[l.layout.loop[1]], 5);
	assert_int_equal(l.layout.loop_follower[l.layout.loop[2]], 4);
	release(&l);
}

/* Take the nodes of one list out of `left`; each must have the immediate dominator that it should.
 */
static void take_list(const struct laid_out *l, const uint32_t *position, uint32_t head, bool *left)
{
	uint32_t before = GRAPH_NONE;

	for (uint32_t n = head; n != GRAPH_NONE; n = l->layout.next[n]) {
		assert_true(left[n]);
		left[n] = false;
		assert_false(l->layout.is_inline[n]);
		if (before != GRAPH_NONE)
			assert_true(position[before] < position[n]);
		before = n;
	}
}

static void check(const struct graph *g)
{
	uint32_t idom[NODES_MAX], position[NODES_MAX] = { 0 };
	bool left[NODES_MAX] = { false };
	struct laid_out l;

	lay_out(&l, g);
	assert_int_equal(dominators_compute(g, idom, NULL), 0);
	for (size_t i = 0; i < l.count; i++) {
		position[l.order[i]] = (uint32_t)i;
		left[l.order[i]] = l.order[i] != 0;
	}
	for (uint32_t p = 0; p < g->node_count; p++) {
		for (uint32_t n = l.layout.follower[p]; n != GRAPH_NONE; n = l.layout.next[n])
			assert_int_equal(idom[n], p);
		take_list(&l, position, l.layout.follower[p], left);
	}
	for (uint32_t i = 0; i < l.forest.loop_count; i++) {
		int32_t loop = (int32_t)i;

		for (uint32_t n = l.layout.loop_follower[i]; n != GRAPH_NONE;
		     n = l.layout.next[n]) {
			assert_true(
				loop_forest_contains(&l.forest, loop, l.forest.innermost[idom[n]]));
			assert_false(loop_forest_contains(&l.forest, loop, l.forest.innermost[n]));
		}
		take_list(&l, position, l.layout.loop_follower[i], left);
	}
	for (uint32_t n = 0; n < g->node_count; n++) {
		assert_true(!left[n] || l.layout.is_inline[n]);
		/* The only jump to an inline node comes from its immediate dominator. */
		for (uint32_t p = 0; left[n] && p < g->node_count; p++)
			for (uint32_t e = g->first[p]; e < g->first[p + 1]; e++)
				if (g->successor[e] == n && idom[p] != GRAPH_NONE && p != idom[n])
					assert_true(l.layout.loop[n] >= 0);
	}
	release(&l);
}

static void every_node_has_one_place(void **state)
{
	uint64_t seed = SEED;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct graph g;

		if (i % 2)
			random_graph_any(&g, &seed, 1 + random_below(&seed, NODES_MAX));
		else
			random_graph_reducible(&g, &seed, 1 + random_below(&seed, NODES_MAX));
		check(&g);
		graph_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_of_a_condition_stands_behind_it),
		cmocka_unit_test(what_a_loop_leaves_to_stands_behind_the_loop),
		cmocka_unit_test(a_jump_out_of_two_loops_ends_behind_both),
		cmocka_unit_test(every_node_has_one_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

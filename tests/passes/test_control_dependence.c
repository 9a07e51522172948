/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control dependence against its definition, worked out by walking, over random graphs: a node
 * depends on a jump if behind one of its ways the node is surely passed, and behind the jump not.
 */
#include "err.h"
#include "graph.h"
#include "random_graph.h"

#include "cmocka_all.h"

#include <stdbool.h>
#include <string.h>

#define NODES_MAX 16
#define ROUNDS    3000
#define SEED      0x5eed0901ull

/* Whether a return can be reached from `from` without entering `without`. */
static bool can_leave(const struct graph *g, uint32_t from, uint32_t without, bool *seen)
{
	if (from == without || seen[from])
		return false;
	seen[from] = true;
	if (g->first[from] == g->first[from + 1])
		return true;
	for (uint32_t e = g->first[from]; e < g->first[from + 1]; e++)
		if (can_leave(g, g->successor[e], without, seen))
			return true;
	return false;
}

static bool leaves(const struct graph *g, uint32_t from, uint32_t without)
{
	bool seen[NODES_MAX] = { false };

	return can_leave(g, from, without, seen);
}

/* Whether each way from `from` to a return passes `node`; there is such a way. */
static bool is_surely_passed(const struct graph *g, uint32_t node, uint32_t from)
{
	return leaves(g, from, GRAPH_NONE) && !leaves(g, from, node);
}

static bool depends(const struct graph *g, uint32_t node, uint32_t jump)
{
	if (node != jump && is_surely_passed(g, node, jump))
		return false;
	for (uint32_t e = g->first[jump]; e < g->first[jump + 1]; e++)
		if (is_surely_passed(g, node, g->successor[e]))
			return true;
	return false;
}

/* Every node can reach a return: else there is nothing to compare. */
static bool is_leaving(const struct graph *g)
{
	for (uint32_t n = 0; n < g->node_count; n++)
		if (!leaves(g, n, GRAPH_NONE))
			return false;
	return true;
}

static void check(const struct graph *g)
{
	struct control_dependence c;
	struct err err = { 0 };

	assert_int_equal(control_dependence_init(&c, g, &err), 0);
	for (uint32_t node = 0; node < g->node_count; node++) {
		bool is_member[NODES_MAX] = { false }, expected[NODES_MAX] = { false };

		for (uint32_t jump = 0; jump < g->node_count; jump++)
			assert_int_equal(control_dependence_is_direct(&c, node, jump),
			                 depends(g, node, jump));
		assert_int_equal(control_dependence_collect(&c, &node, 1, is_member, &err), 0);
		for (uint32_t round = 0; round < g->node_count; round++)
			for (uint32_t of = 0; of < g->node_count; of++)
				for (uint32_t jump = 0; jump < g->node_count; jump++)
					if (of == node || expected[of])
						expected[jump] |= depends(g, of, jump);
		assert_memory_equal(is_member, expected, sizeof(expected));
	}
	control_dependence_release(&c);
}

static void random_graphs_agree_with_the_definition(void **state)
{
	uint64_t seed = SEED;
	unsigned checked = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct graph g;
		uint32_t count = 2 + random_below(&seed, NODES_MAX - 2);

		if (round & 1)
			random_graph_reducible(&g, &seed, count);
		else
			random_graph_any(&g, &seed, count);
		if (is_leaving(&g)) {
			check(&g);
			checked++;
		}
		graph_release(&g);
	}
	assert_true(checked > 100);
}

/* 0 -> 1, 2; 1 -> 3; 2 -> 3; 3 -> 3, 4: a choice, then a loop of one node. */
static void a_choice_and_a_loop(void **state)
{
	static uint32_t first[] = { 0, 2, 3, 4, 6, 6 }, successor[] = { 1, 2, 3, 3, 3, 4 };
	const struct graph g = { .node_count = 5, .first = first, .successor = successor };
	static const bool expected[5][5] = {
		[1] = { [0] = true },
		[2] = { [0] = true },
		[3] = { [3] = true },
	};
	struct control_dependence c;
	struct err err = { 0 };

	assert_int_equal(control_dependence_init(&c, &g, &err), 0);
	for (uint32_t node = 0; node < 5; node++)
		for (uint32_t jump = 0; jump < 5; jump++)
			assert_int_equal(control_dependence_is_direct(&c, node, jump),
			                 expected[node][jump]);
	control_dependence_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_choice_and_a_loop),
		cmocka_unit_test(random_graphs_agree_with_the_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

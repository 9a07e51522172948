/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instrumented kernels whose control flow or number of sites asks for another form of probes, on a
 * real device: the events are those worked out here from the text of flow_kernels.cl, and the
 * results those of the kernels as they were.
 *
 * argv: warpline-instrument, flow_kernels.cl. Exits 77 when there is no device.
 */
#include "event_list.h"
#include "probed_launch.h"

#include "cmocka_all.h"

#include <stdio.h>

/*
 * Sites: in[i], in[j] of the inner loop, out[id]. The outer loop is 0, the inner 1. An inner loop
 * in which nothing happens (i % 7 < 2) is not told of.
 */
static void points_in_some_iterations_tell_the_right_ones(void **state)
{
	int in[64];
	const int n = 64;
	struct launch launch = { .kernel = "sparse",
		                 .global = { 4, 1 },
		                 .local = { 2, 1 },
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, 16, true },
		                                { &n, sizeof(n), false } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, 2, 2);
	for (int i = 0; i < n; i++)
		in[i] = 3 * i + 1;
	for (size_t id = 0; id < 4; id++) {
		struct item_events *to = event_list_item(&e, id / 2, id % 2);

		for (size_t i = 0; i < 64; i++) {
			if (i % 20 == id)
				event_list_access(to, 0, i, 0, 4 * i);
			if (i % 3 != 2 || i % 7 < 2)
				continue;
			event_list_enter(to, 1, i);
			for (size_t j = 1; j < i % 7; j += 2)
				event_list_access(to, 1, j, 0, 4 * j);
		}
		event_list_access(to, 2, 0, 1, 4 * id);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* Sites: in[id + i + j] of the two loops, in[0] under a condition, out[id]. j is 8, then 4. */
static void loops_of_constant_length_have_slots(void **state)
{
	int in[32];
	struct launch launch = { .kernel = "constant_loops",
		                 .global = { 16, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { in, sizeof(in), true }, { NULL, 64, true } },
		                 .argument_count = 2 };
	struct event_list e;

	event_list_init(&e, 4, 4);
	for (int i = 0; i < 32; i++)
		in[i] = 7 * i - 50;
	for (size_t id = 0; id < 16; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		for (size_t i = 0; i < 3; i++) {
			event_list_enter(to, 1, i);
			for (size_t j = 0; j < 2; j++)
				event_list_access(to, 0, j, 0, 4 * (id + i + 8 - 4 * j));
		}
		if (id & 1)
			event_list_access(to, 1, 0, 0, 0);
		event_list_access(to, 2, 0, 1, 4 * id);
	}
	/* 3 entries, 6 loads in the loops and 2 accesses behind them. */
	assert_int_equal(probed_launch_table(FORM_ITEM, "constant_loops")->item_words, 3 + 6 + 2);
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* Four stores for each of 6 x 4 groups of 4 x 2, from an offset; dimension d is 1, then 7. */
static void slices_do_not_change_the_range(void **state)
{
	for (uint32_t d = 1; d < 8; d += 6) {
		struct launch launch = { .kernel = "range",
			                 .global = { 24, 8 },
			                 .local = { 4, 2 },
			                 .offset = { 12, 100 },
			                 .arguments = { { NULL, (size_t)16 * 24 * 8, true },
			                                { &d, sizeof(d), false } },
			                 .argument_count = 2 };
		struct event_list e;

		event_list_init(&e, 24, 8);
		for (size_t y = 0; y < 8; y++)
			for (size_t x = 0; x < 24; x++)
				for (uint32_t s = 0; s < 4; s++)
					event_list_access(event_list_item(&e, x / 4 + y / 2 * 6,
					                                  x % 4 + y % 2 * 4),
					                  s, 0, 0,
					                  16 * (x + 24 * y) + 4 * (size_t)s);
		probed_launch_check(&launch, &e);
		event_list_release(&e);
	}
}

/* One SIXTEEN(i): for 0, 3, 5 and 7 two read-modify-writes, the value loaded first. */
static void expect_sixteen(struct item_events *to, uint32_t site, uint64_t iteration, size_t id,
                           size_t i)
{
	const size_t steps[] = { 0, 3, 5, 7 };

	for (size_t k = 0; k < 4; k++)
		for (size_t half = 0; half < 2; half++) {
			event_list_access(to, site++, iteration, 0, 4 * (i + steps[k] + half));
			event_list_access(to, site++, iteration, 1, 4 * (id + 32 * half));
			event_list_access(to, site++, iteration, 1, 4 * (id + 32 * half));
		}
}

static void many_sites_are_recorded_out_of_line(void **state)
{
	int in[64];
	struct launch launch = { .kernel = "many",
		                 .global = { 32, 1 },
		                 .local = { 8, 1 },
		                 .arguments = { { in, sizeof(in), true }, { NULL, 256, true } },
		                 .argument_count = 2 };
	struct event_list e;

	event_list_init(&e, 4, 8);
	for (int i = 0; i < 64; i++)
		in[i] = 5 * i;
	for (size_t id = 0; id < 32; id++) {
		struct item_events *to = event_list_item(&e, id / 8, id % 8);

		expect_sixteen(to, 0, 0, id, id);
		for (size_t i = 0; i < id % 3; i++)
			expect_sixteen(to, 24, i, id, i);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/*
 * Groups of 4; the odd numbers in in[] make group 1 and group 3 return at once. In both iterations
 * a barrier; behind it, where in[i] > 3 (in[1] is 4 more than in[0]), out[id] += and another one.
 * Sites: in[group], in[id], barrier, in[i], load and store of out[id], barrier, load and store.
 */
static void barriers_under_conditions_keep_their_flow(void **state)
{
	const int in[16] = { 2, 5, 6, 3, 8, 9, 1, 0, 4, 4, 4, 4, 7, 7, 7, 7 };
	struct launch launch = { .kernel = "conditional",
		                 .global = { 16, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, sizeof(in), true },
		                                { NULL, 16, false } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, 4, 4);
	for (size_t id = 0; id < 16; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		event_list_access(to, 0, 0, 0, 4 * (id / 4));
		if (in[id / 4] & 1)
			continue;
		event_list_access(to, 1, 0, 0, 4 * id);
		for (uint64_t i = 0; i < 2; i++) {
			event_list_sync(to, 2, i);
			event_list_access(to, 3, i, 0, 4 * i);
			if (in[i] <= 3)
				continue;
			event_list_access(to, 4, i, 1, 4 * id);
			event_list_access(to, 5, i, 1, 4 * id);
			event_list_sync(to, 6, i);
		}
		event_list_access(to, 7, 0, 1, 4 * id);
		event_list_access(to, 8, 0, 1, 4 * id);
	}
	probed_launch_check_form(&launch, FORM_APART, &e);
	event_list_release(&e);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_in_some_iterations_tell_the_right_ones),
		cmocka_unit_test(loops_of_constant_length_have_slots),
		cmocka_unit_test(slices_do_not_change_the_range),
		cmocka_unit_test(many_sites_are_recorded_out_of_line),
		cmocka_unit_test(barriers_under_conditions_keep_their_flow),
	};

	return probed_launch_main(argc, argv, "", tests, sizeof(tests) / sizeof(tests[0]));
}

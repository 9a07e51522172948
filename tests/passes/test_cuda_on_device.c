/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of CUDA on a real device: the events and the results are those worked out here from the
 * text of cuda_kernels.cu; what runs without probes is what the text door makes of it.
 *
 * argv: warpline-instrument, cuda_kernels.cu. Exits 77 when there is no device.
 */
#include "event_list.h"
#include "probed_launch.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS = 3, ITEMS = 4, COUNT = GROUPS * ITEMS };

#define SHAPE .global = { COUNT, 1 }, .local = { ITEMS, 1 }

/* Events as expected, and in buffer `out` those numbers. */
static void check(const struct launch *l, struct event_list *e, size_t out, const void *numbers)
{
	void *results[ARGUMENTS_MAX];

	probed_launch_plain(l, results);
	assert_memory_equal(results[out], numbers, l->arguments[out].bytes);
	for (size_t i = 0; i < l->argument_count; i++)
		free(results[i]);
	probed_launch_check(l, e);
	event_list_release(e);
}

static struct item_events *item(struct event_list *e, size_t i)
{
	return event_list_item(e, i / ITEMS, i % ITEMS);
}

/* Sites: in[], barrier, out[]; the third argument is the dynamic shared memory. */
static void shared_memory_is_local(void **state)
{
	int in[COUNT], out[COUNT];
	struct launch launch = { .kernel = "reversed",
		                 SHAPE,
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, sizeof(out), true },
		                                { NULL, ITEMS * sizeof(int), false } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, GROUPS, ITEMS);
	for (size_t i = 0; i < COUNT; i++) {
		size_t mirrored = i / ITEMS * ITEMS + ITEMS - 1 - i % ITEMS;

		in[i] = 7 * (int)i + 1;
		out[i] = 7 * (int)mirrored + 1 + 100 * (int)(mirrored % ITEMS);
		event_list_access(item(&e, i), 0, 0, 0, 4 * i);
		event_list_sync(item(&e, i), 1, 0);
		event_list_access(item(&e, i), 2, 0, 1, 4 * i);
	}
	check(&launch, &e, 1, out);
}

/* Bytes 0 to 7 hold first and slope, 8 to 15 step and what is between, 16 to 23 the pointer. */
static void structures_by_value_come_in_words(void **state)
{
	const int first = -3;
	const float slope = 2.5f;
	const uint64_t step = 1000, from = 4096;
	int out[COUNT];
	unsigned char start[8];
	/* the value arguments, and the buffer behind them */
	struct launch launch = { .kernel = "along",
		                 SHAPE,
		                 .arguments = { { start, 8, false },
		                                { &step, 8, false },
		                                { &from, 8, false },
		                                { NULL, sizeof(out), true } },
		                 .argument_count = 4 };
	struct event_list e;

	memcpy(start, &first, 4);
	memcpy(start + 4, &slope, 4);
	event_list_init(&e, GROUPS, ITEMS);
	for (size_t i = 0; i < COUNT; i++) {
		out[i] = -3 + (int)(i * 5 / 2) + 1000 + 1;
		event_list_access(item(&e, i), 0, 0, 3, 4 * i);
	}
	check(&launch, &e, 3, out);
}

/* Hidden: the variables, in the order of the text. Sites: shift, out[], shift, shift. */
static void variables_are_arguments(void **state)
{
	const int shift = 5, weights[] = { 1, 10, 100, 1000 };
	int out[COUNT];
	struct launch launch = { .kernel = "weighed",
		                 SHAPE,
		                 .arguments = { { NULL, sizeof(out), true },
		                                { &shift, sizeof(shift), true },
		                                { weights, sizeof(weights), true } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, GROUPS, ITEMS);
	for (size_t i = 0; i < COUNT; i++) {
		out[i] = weights[i % 4] + shift;
		event_list_access(item(&e, i), 0, 0, 1, 0);
		event_list_access(item(&e, i), 1, 0, 0, 4 * i);
		if (i)
			continue;
		event_list_access(item(&e, i), 2, 0, 1, 0);
		event_list_access(item(&e, i), 3, 0, 1, 0);
	}
	check(&launch, &e, 0, out);
}

/* Sites: in[i], all 16 bytes; *to, in every second work-item. */
static void accesses_stay_whole(void **state)
{
	float in[4 * COUNT], out[COUNT] = { 0 };
	struct launch launch = { .kernel = "pieces",
		                 SHAPE,
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, sizeof(out), true } },
		                 .argument_count = 2 };
	struct event_list e;

	event_list_init(&e, GROUPS, ITEMS);
	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		in[i] = 0.5f * (float)i;
	for (size_t i = 0; i < COUNT; i++) {
		event_list_access(item(&e, i), 0, 0, 0, 16 * i);
		if (i % 2 == 0)
			continue;
		out[i] = in[4 * i + 1];
		event_list_access(item(&e, i), 1, 0, 1, 4 * i);
	}
	assert_int_equal(probed_launch_table(FORM_ITEM, "pieces")->sites[0].bytes, 16);
	check(&launch, &e, 1, out);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_memory_is_local),
		cmocka_unit_test(structures_by_value_come_in_words),
		cmocka_unit_test(variables_are_arguments),
		cmocka_unit_test(accesses_stay_whole),
	};

	return probed_launch_main(argc, argv, "", tests, sizeof(tests) / sizeof(tests[0]));
}

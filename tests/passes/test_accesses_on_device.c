/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kind of access, on a real device, local and constant memory included: the events are those
 * worked out here from the text of access_kernels.cl, and the results are those of the kernels as
 * they were.
 *
 * argv: warpline-instrument, access_kernels.cl. Exits 77 when there is no device.
 */
#include "event_list.h"
#include "probed_launch.h"

#include "cmocka_all.h"

#include <stdio.h>

static void fill(float *a, size_t count)
{
	for (size_t i = 0; i < count; i++)
		a[i] = 0.1f + (float)i / 7.0f;
}

/*
 * Two by two groups of 3x2 work-items: work-item 5 is (2, 1). Each group copies 16 values: element
 * e by work-item e % 6, so 0 to 3 have three, 4 and 5 two. Loops in order: reads of `in`, writes of
 * `part`, reads of `part`, writes of `out`, two apart.
 */
static void copies_are_shared_out_among_work_items(void **state)
{
	enum { GROUPS = 4, ITEMS = 6, N = 16 };
	int in[GROUPS * N];
	const int n = N;
	struct launch launch = { .kernel = "copies",
		                 .global = { 6, 4 },
		                 .local = { 3, 2 },
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, (size_t)2 * sizeof(in), true },
		                                { NULL, (size_t)N * sizeof(int), false },
		                                { &n, sizeof(n), false } },
		                 .argument_count = 4 };
	struct event_list e;

	for (int i = 0; i < GROUPS * N; i++)
		in[i] = 1000 - i * i;
	event_list_init(&e, GROUPS, ITEMS);
	for (size_t group = 0; group < GROUPS; group++)
		for (size_t item = 0; item < ITEMS; item++) {
			struct item_events *to = event_list_item(&e, group, item);

			for (size_t k = 0; item + ITEMS * k < N; k++)
				event_list_access(to, 0, k, 0, 4 * (group * N + item + ITEMS * k));
			for (size_t k = 0; item + ITEMS * k < N; k++)
				event_list_access(to, 1, k, 0, 4 * (item + ITEMS * k));
			event_list_sync(to, 2, 0);
			for (size_t k = 0; item + ITEMS * k < N; k++)
				event_list_access(to, 3, k, 0, 4 * (item + ITEMS * k));
			for (size_t k = 0; item + ITEMS * k < N; k++)
				event_list_access(to, 4, k, 1, 8 * (group * N + item + ITEMS * k));
		}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* Elements of three take the room of four: 16 bytes each, 48 apart, from the second on. */
static void copies_of_three_move_four(void **state)
{
	float in[64];
	struct launch launch = { .kernel = "triples",
		                 .global = { 8, 1 },
		                 .local = { 8, 1 },
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, (size_t)5 * 12, true },
		                                { NULL, (size_t)5 * 16, false } },
		                 .argument_count = 3 };
	struct event_list e;

	fill(in, 64);
	event_list_init(&e, 1, 8);
	for (size_t item = 0; item < 8; item++) {
		struct item_events *to = event_list_item(&e, 0, item);

		if (item < 5) {
			event_list_access(to, 0, 0, 0, 16 + 48 * item);
			event_list_access(to, 1, 0, 0, 16 * item);
		}
		event_list_sync(to, 2, 0);
		if (item < 5) {
			event_list_access(to, 3, 0, 0, 16 * item);
			event_list_access(to, 4, 0, 1, 12 * item);
		}
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* Four halves are 8 bytes; vloada_half3 and vstorea_half3 step by four. */
static void halves_are_recorded(void **state)
{
	unsigned short h[256];
	struct launch launch = { .kernel = "halves",
		                 .global = { 16, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { h, sizeof(h), true },
		                                { NULL, (size_t)48 * sizeof(float), true } },
		                 .argument_count = 2 };
	struct event_list e;

	for (int i = 0; i < 256; i++)
		h[i] = (unsigned short)(0x3c00 + 5 * i); /* from 1.0 on */
	event_list_init(&e, 4, 4);
	for (size_t id = 0; id < 16; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		event_list_access(to, 0, 0, 0, 8 * id);
		event_list_access(to, 1, 0, 0, 8 * id);
		event_list_access(to, 2, 0, 1, 12 * id);
		event_list_access(to, 3, 0, 0, 2 * (64 + 4 * id));
		event_list_access(to, 4, 0, 0, 2 * (128 + 4 * id));
		event_list_access(to, 5, 0, 0, 2 * id);
		event_list_access(to, 6, 0, 0, 2 * (192 + id));
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

static void second_results_are_writes(void **state)
{
	static const struct {
		uint64_t argument, element;
	} writes[] = { { 0, 16 }, { 0, 32 }, { 0, 48 }, { 1, 0 }, { 1, 16 }, { 1, 32 } };
	float f[64];
	struct launch launch = { .kernel = "results",
		                 .global = { 16, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { f, sizeof(f), true },
		                                { NULL, (size_t)48 * sizeof(int), true } },
		                 .argument_count = 2 };
	struct event_list e;

	fill(f, 64);
	event_list_init(&e, 4, 4);
	for (size_t id = 0; id < 16; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		event_list_access(to, 0, 0, 0, 4 * id);
		for (uint32_t w = 0; w < 6; w++)
			event_list_access(to, 1 + w, 0, writes[w].argument,
			                  4 * (writes[w].element + id));
		event_list_access(to, 7, 0, 0, 4 * id);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* The first prefetch has its size in the table, the second says it: 3 * 16. */
static void prefetches_have_address_and_size(void **state)
{
	float a[4 * 9];
	const int n = 3;
	struct launch launch = { .kernel = "prefetches",
		                 .global = { 8, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { a, sizeof(a), true },
		                                { NULL, 4 * (size_t)8 * sizeof(float), true },
		                                { &n, sizeof(n), false } },
		                 .argument_count = 3 };
	struct event_list e;

	fill(a, 36);
	event_list_init(&e, 2, 4);
	for (size_t id = 0; id < 8; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		event_list_access(to, 0, 0, 0, 16 * id);
		event_list_size(to, 1, 0, 48);
		event_list_access(to, 1, 0, 0, 0);
		event_list_access(to, 2, 0, 0, 16 * id);
		event_list_access(to, 3, 0, 1, 16 * id);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* In local memory flag has bytes 0 to 2, tile begins at 8, and l, an argument, at its own 0. */
static void local_addresses_are_offsets(void **state)
{
	const int c[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
	struct launch launch = { .kernel = "streams",
		                 .global = { 16, 1 },
		                 .local = { 8, 1 },
		                 .arguments = { { c, sizeof(c), true },
		                                { NULL, (size_t)16 * sizeof(int), true },
		                                { NULL, (size_t)8 * sizeof(int), false } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, 2, 8);
	for (size_t id = 0; id < 16; id++) {
		struct item_events *to = event_list_item(&e, id / 8, id % 8);
		size_t i = id % 8;

		if (i < 3)
			event_list_access(to, 0, 0, 0, i);
		event_list_access(to, 1, 0, 0, 4 * i);
		event_list_access(to, 2, 0, 0, 8 + 8 * i);
		event_list_sync(to, 3, 0);
		event_list_access(to, 4, 0, 0, 8 + 8 * (7 - i));
		event_list_access(to, 5, 0, 0, 4 * i);
		event_list_access(to, 6, 0, 0, 4 * i);
		event_list_access(to, 7, 0, 0, 0);
		event_list_access(to, 8, 0, 1, 4 * id);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

static void atomics_of_32_and_64_bits_are_recorded(void **state)
{
	struct launch launch = { .kernel = "atomics",
		                 .global = { 8, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { NULL, (size_t)9 * sizeof(int), true },
		                                { NULL, (size_t)2 * 8, true },
		                                { NULL, (size_t)8 * sizeof(float), true } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, 2, 4);
	for (size_t id = 0; id < 8; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		event_list_access(to, 0, 0, 0, 0);
		event_list_access(to, 1, 0, 0, 4 * (id + 1));
		event_list_access(to, 2, 0, 1, 0);
		event_list_access(to, 3, 0, 1, 8);
		event_list_access(to, 4, 0, 2, 4 * id);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* Of 1024 and 512 bits: two reads and a write of a[i]; a read of f[i], sincos(), a read, a write.
 */
static void wide_vectors_keep_their_values(void **state)
{
	double a[16 * 8];
	float f[16 * 16];
	struct launch launch = { .kernel = "wide",
		                 .global = { 8, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { a, sizeof(a), true }, { f, sizeof(f), true } },
		                 .argument_count = 2 };
	struct event_list e;

	fill(f, 256);
	for (size_t i = 0; i < 128; i++)
		a[i] = 0.3 + (double)i / 11.0;
	event_list_init(&e, 2, 4);
	for (size_t id = 0; id < 8; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		event_list_access(to, 0, 0, 0, 128 * id);
		event_list_access(to, 1, 0, 0, 128 * id);
		event_list_access(to, 2, 0, 0, 128 * id);
		event_list_access(to, 3, 0, 1, 64 * id);
		event_list_access(to, 4, 0, 1, 64 * (id + 8));
		event_list_access(to, 5, 0, 1, 64 * id);
		event_list_access(to, 6, 0, 1, 64 * id);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* The value that is not there is in private memory: that is no access. */
static void explicit_atomics_are_recorded(void **state)
{
	struct launch launch = { .kernel = "explicit_atomics",
		                 .global = { 8, 1 },
		                 .local = { 8, 1 },
		                 .arguments = { { NULL, (size_t)18 * sizeof(int), true },
		                                { NULL, (size_t)8 * sizeof(int), true } },
		                 .argument_count = 2 };
	struct event_list e;

	event_list_init(&e, 1, 8);
	for (size_t id = 0; id < 8; id++) {
		struct item_events *to = event_list_item(&e, 0, id);

		event_list_access(to, 0, 0, 0, 0);
		event_list_access(to, 1, 0, 0, 4);
		event_list_sync(to, 2, 0);
		event_list_access(to, 3, 0, 0, 4 * (id + 2));
		event_list_sync(to, 4, 0);
		event_list_access(to, 5, 0, 0, 4);
		event_list_access(to, 6, 0, 0, 4 * (id + 10));
		event_list_access(to, 7, 0, 1, 4 * id);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_are_shared_out_among_work_items),
		cmocka_unit_test(copies_of_three_move_four),
		cmocka_unit_test(halves_are_recorded),
		cmocka_unit_test(second_results_are_writes),
		cmocka_unit_test(prefetches_have_address_and_size),
		cmocka_unit_test(local_addresses_are_offsets),
		cmocka_unit_test(atomics_of_32_and_64_bits_are_recorded),
		cmocka_unit_test(wide_vectors_keep_their_values),
	};
	const struct CMUnitTest explicit_tests[] = {
		cmocka_unit_test(explicit_atomics_are_recorded),
	};

	if (argc == 4)
		return probed_launch_main(argc, argv, "constant,local", explicit_tests, 1);
	return probed_launch_main(argc, argv, "constant,local", tests,
	                          sizeof(tests) / sizeof(tests[0]));
}

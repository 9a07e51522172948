/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instrumented kernels on a real device: the events in the buffer are those worked out here from
 * the text of device_kernels.cl, and the results are those of the kernels as they were.
 *
 * argv: warpline-instrument, device_kernels.cl. Exits 77 when there is no device.
 */
#include "event_list.h"
#include "probed_launch.h"

#include "cmocka_all.h"

#include <stdio.h>

/* The matrix product of 8x8 with groups of 4x4. Argument 3 is the 8. */
#define N ((size_t)8)

static struct launch matmul_launch(const float *a, const float *b, const int *n)
{
	return (struct launch){ .kernel = "matmul",
		                .global = { N, N },
		                .local = { 4, 4 },
		                .arguments = { { a, N * N * sizeof(float), true },
		                               { b, N * N * sizeof(float), true },
		                               { NULL, N * N * sizeof(float), true },
		                               { n, sizeof(*n), false } },
		                .argument_count = 4 };
}

/* Sites in order: the loads of a and b in the loop, then the store of c. */
static void matmul_expect(struct event_list *expected)
{
	event_list_init(expected, 4, 16);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			struct item_events *to =
				event_list_item(expected, j / 4 + i / 4 * 2, j % 4 + i % 4 * 4);

			for (size_t k = 0; k < N; k++) {
				event_list_access(to, 0, k, 0, 4 * (i * N + k));
				event_list_access(to, 1, k, 1, 4 * (k * N + j));
			}
			event_list_access(to, 2, 0, 2, 4 * (i * N + j));
		}
}

static void fill(float *a, float *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		a[i] = 0.1f + (float)i / 7.0f;
		b[i] = 1.0f / (3.0f + (float)i);
	}
}

static void matrix_product_is_recorded_exactly(void **state)
{
	float a[N * N], b[N * N];
	const int n = (int)N;
	struct launch launch = matmul_launch(a, b, &n);
	struct event_list expected;

	fill(a, b, N * N);
	matmul_expect(&expected);
	probed_launch_check(&launch, &expected);
	event_list_release(&expected);
}

/*
 * Sites: length[id] in the loop's condition, in[] before and in the inner loop, out[id] after it.
 * The outer loop is 0, the inner 1. An iteration that `continue`s still counts.
 */
static void trip_counts_from_data_are_recorded_exactly(void **state)
{
	const int length[8] = { 0, 1, 2, 3, 4, 5, 6, 2 };
	const int in[16] = { 5, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
	struct launch launch = { .kernel = "nested",
		                 .global = { 8, 1 },
		                 .local = { 2, 1 },
		                 .arguments = { { length, sizeof(length), true },
		                                { in, sizeof(in), true },
		                                { NULL, sizeof(length), true } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, 4, 2);
	for (size_t id = 0; id < 8; id++) {
		struct item_events *to = event_list_item(&e, id / 2, id % 2);

		for (size_t i = 0;; i++) {
			event_list_access(to, 0, i, 0, 4 * id);
			if ((int)i >= length[id])
				break;
			if (i == 1)
				continue;
			event_list_access(to, 1, i, 1, 4 * (i + 8));
			event_list_enter(to, 1, i);
			for (size_t j = 0; j <= i && j < 3; j++)
				event_list_access(to, 2, j, 1, 4 * (i + j));
			event_list_access(to, 3, i, 2, 4 * id);
		}
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/* Groups of 8: three steps, so three barriers; item 0 alone stores. Local memory is no event. */
static void barriers_keep_their_place(void **state)
{
	int in[32];
	struct launch launch = { .kernel = "reduce",
		                 .global = { 32, 1 },
		                 .local = { 8, 1 },
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, 4 * sizeof(int), true },
		                                { NULL, 8 * sizeof(int), false } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, 4, 8);
	for (size_t id = 0; id < 32; id++) {
		struct item_events *to = event_list_item(&e, id / 8, id % 8);

		in[id] = (int)(id * id) - 40;
		event_list_access(to, 0, 0, 0, 4 * id);
		for (uint32_t step = 0; step < 3; step++)
			event_list_sync(to, 1, step);
		if (id % 8 == 0)
			event_list_access(to, 2, 0, 1, 4 * (id / 8));
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/*
 * Sites in the order of the text; the function's load is inlined between the two accesses of
 * p[id].second: value first, then the load and store of +=.
 */
static void every_kind_of_access_is_recorded(void **state)
{
	int v[16], p[8], count[2] = { 0, 0 };
	const int w[4] = { 11, 13, 17, 19 };
	struct launch launch = { .kernel = "kinds",
		                 .global = { 4, 1 },
		                 .local = { 2, 1 },
		                 .arguments = { { v, sizeof(v), true },
		                                { p, sizeof(p), true },
		                                { count, sizeof(count), true },
		                                { w, sizeof(w), true } },
		                 .argument_count = 4 };
	struct event_list e;

	for (int i = 0; i < 16; i++)
		v[i] = i * 3;
	for (int i = 0; i < 8; i++)
		p[i] = 100 - i;
	event_list_init(&e, 2, 2);
	for (size_t id = 0; id < 4; id++) {
		struct item_events *to = event_list_item(&e, id / 2, id % 2);

		event_list_access(to, 0, 0, 0, 16 * id);
		event_list_access(to, 1, 0, 1, 8 * id);
		event_list_access(to, 2, 0, 0, 16 * id);
		if (id != 0)
			event_list_access(to, 3, 0, 3, 4 * id);
		event_list_access(to, 4, 0, 1, 8 * id + 4);
		event_list_access(to, 5, 0, 1, 8 * id + 4);
		event_list_access(to, 6, 0, 2, 0);
		event_list_access(to, 7, 0, 2, 4);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

/*
 * Sites: element e of the copy by work-item e, in a loop; the store, the fence of global memory,
 * the load and store of *=, that of local memory.
 */
static void what_devices_lack_is_put_differently(void **state)
{
	float in[16], unused[16];
	struct launch launch = { .kernel = "absent",
		                 .global = { 16, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, sizeof(in), true },
		                                { NULL, 4 * sizeof(float), false } },
		                 .argument_count = 3 };
	struct event_list e;

	fill(in, unused, 16);
	event_list_init(&e, 4, 4);
	for (size_t id = 0; id < 16; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		event_list_access(to, 0, 0, 0, 4 * id);
		event_list_access(to, 1, 0, 1, 4 * id);
		event_list_sync(to, 2, 0);
		event_list_access(to, 3, 0, 1, 4 * id);
		event_list_access(to, 4, 0, 1, 4 * id);
		event_list_sync(to, 5, 0);
	}
	probed_launch_check(&launch, &e);
	event_list_release(&e);
}

static void rounding_is_that_of_the_plain_kernel(void **state)
{
	enum { COUNT = 256 };
	float a[COUNT + 1], b[COUNT + 1];
	struct launch launch = { .kernel = "rounding",
		                 .global = { COUNT, 1 },
		                 .local = { 16, 1 },
		                 .arguments = { { a, sizeof(a), true },
		                                { b, sizeof(b), true },
		                                { NULL, sizeof(a), true } },
		                 .argument_count = 3 };
	struct event_list found;
	struct probing how = { .slice_groups = 16, .chunk_count = 1024, .chunk_words = 16 };
	void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];

	fill(a, b, COUNT + 1);
	event_list_init(&found, 16, 16);
	probed_launch_plain(&launch, plain);
	probed_launch_run(&launch, &how, probed, &found);
	probed_launch_assert_same(&launch, plain, probed);
	event_list_release(&found);
}

/*
 * 64 work-items of 17 events each; each needs several chunks of 9 words. With 20 chunks everything
 * else is lost and counted: what was kept and what was lost make 64 * 17.
 */
static void what_finds_no_room_is_counted(void **state)
{
	float a[N * N], b[N * N];
	const int n = (int)N;
	struct launch launch = matmul_launch(a, b, &n);

	fill(a, b, N * N);
	for (int form = FORM_ITEM; form <= FORM_LANE; form++) {
		struct probing how = { .form = (enum form)form,
			               .slice_groups = 4,
			               .chunk_count = form == FORM_ITEM ? 20 : 3,
			               .chunk_words = 9 };
		void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];
		struct event_list found;

		event_list_init(&found, 4, 16);
		probed_launch_plain(&launch, plain);
		probed_launch_run(&launch, &how, probed, &found);
		probed_launch_assert_same(&launch, plain, probed);
		assert_int_equal(event_list_total(&found) + how.lost_events, (size_t)64 * 17);
		/* Each chunk holds at most 9 of each lane; 16 work-items share those of a group. */
		assert_true(event_list_total(&found) <= (form == FORM_ITEM ? 20 * 9 : 3 * 16 * 9));
		assert_int_equal(how.lost_records, how.lost_events);
		event_list_release(&found);
	}
}

/* Of the four groups the second and the fourth are chosen; chunks suffice for those alone. */
static void groups_that_are_not_chosen_leave_nothing(void **state)
{
	const uint32_t selection = 1 << 1 | 1 << 3;
	float a[N * N], b[N * N];
	const int n = (int)N;
	struct launch launch = matmul_launch(a, b, &n);
	struct event_list expected;

	fill(a, b, N * N);
	matmul_expect(&expected);
	for (size_t i = 0; i < 32; i++)
		event_list_item(&expected, i / 16 * 2, i % 16)->count = 0;
	for (int form = FORM_ITEM; form <= FORM_LANE; form++) {
		struct probing how = { .form = (enum form)form,
			               .slice_groups = 4,
			               .chunk_count = 32 * 7,
			               .chunk_words = 9,
			               .selection = &selection };
		void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];
		struct event_list found;

		event_list_init(&found, 4, 16);
		probed_launch_plain(&launch, plain);
		probed_launch_run(&launch, &how, probed, &found);
		probed_launch_assert_same(&launch, plain, probed);
		assert_int_equal(how.lost_events, 0);
		event_list_assert_equal(&found, &expected);
		event_list_release(&found);
	}
	event_list_release(&expected);
}

/* Each site of the matrix product as often as its events are. */
static void counts_are_those_of_the_events(void **state)
{
	float a[N * N], b[N * N];
	const int n = (int)N;
	struct launch launch = matmul_launch(a, b, &n);
	uint64_t counts[3] = { 0 };
	struct probing how = { .form = FORM_COUNT, .slice_groups = 3, .counts = counts };
	void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];

	fill(a, b, N * N);
	probed_launch_plain(&launch, plain);
	probed_launch_run(&launch, &how, probed, NULL);
	probed_launch_assert_same(&launch, plain, probed);
	assert_int_equal(counts[0], N * N * N);
	assert_int_equal(counts[1], N * N * N);
	assert_int_equal(counts[2], N * N);
	assert_int_equal(how.lost_events, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matrix_product_is_recorded_exactly),
		cmocka_unit_test(trip_counts_from_data_are_recorded_exactly),
		cmocka_unit_test(barriers_keep_their_place),
		cmocka_unit_test(every_kind_of_access_is_recorded),
		cmocka_unit_test(what_devices_lack_is_put_differently),
		cmocka_unit_test(rounding_is_that_of_the_plain_kernel),
		cmocka_unit_test(what_finds_no_room_is_counted),
		cmocka_unit_test(groups_that_are_not_chosen_leave_nothing),
		cmocka_unit_test(counts_are_those_of_the_events),
	};

	return probed_launch_main(argc, argv, "", tests, sizeof(tests) / sizeof(tests[0]));
}

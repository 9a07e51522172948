/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "kernel_table.h"

#include <string.h>

#define ITEMS    5u
#define COUNTERS 2u
#define FLAGS    9u
#define CELLS    (COUNTERS + FLAGS)

static uint32_t random_state = 4711;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

static const struct kernel_table cells = { .counter_count = COUNTERS, .cell_count = CELLS };

/* By the definition: a counter of work-item i is word c * items + i; a flag a byte behind all. */
static void sums_are_those_of_the_columns(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		uint64_t words[ITEMS * (COUNTERS + 2)], sums[CELLS] = { 0 },
							expected[CELLS] = { 0 };
		uint32_t items = 1 + random_below(ITEMS);
		unsigned char *flags = (unsigned char *)(words + (size_t)COUNTERS * items);

		memset(words, 0xee, sizeof(words));
		for (uint32_t i = 0; i < items; i++) {
			for (uint32_t c = 0; c < COUNTERS; c++) {
				words[c * items + i] = (uint64_t)random_below(9) << 40;
				expected[c] += words[c * items + i];
			}
			for (uint32_t f = 0; f < FLAGS; f++) {
				flags[f * items + i] = (unsigned char)random_below(2);
				expected[COUNTERS + f] += flags[f * items + i];
			}
		}
		count_cells_add(&cells, words, items, sums);
		assert_memory_equal(sums, expected, sizeof(sums));
	}
}

/* 3 times 10 work-items; the cells' own 7 times 2; what does not fit is all there is. */
static void sites_are_multiples_of_cells(void **state)
{
	struct site_count counts[] = { { -1, 3 }, { 0, 2 }, { 0, 1ull << 40 }, { 1, 1 }, { 1, 0 } };
	const struct kernel_table t = { .site_count = 5, .counts = counts, .cell_count = 2 };
	uint64_t found[] = { 1, 0, 0, 5, 0 };
	const uint64_t sums[] = { 1ull << 30, UINT64_MAX - 3 };

	(void)state;
	count_cells_expand(&t, sums, 10, found);
	assert_int_equal(found[0], 31);
	assert_int_equal(found[1], 1ull << 31);
	assert_int_equal(found[2], UINT64_MAX);
	assert_int_equal(found[3], UINT64_MAX);
	assert_int_equal(found[4], 0);
}

static void sums_do_not_wrap(void **state)
{
	const struct kernel_table t = { .counter_count = 1, .cell_count = 1 };
	const uint64_t words[] = { UINT64_MAX, 2 };
	uint64_t sum = 0;

	(void)state;
	count_cells_add(&t, words, 2, &sum);
	assert_int_equal(sum, UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_columns),
		cmocka_unit_test(sites_are_multiples_of_cells),
		cmocka_unit_test(sums_do_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

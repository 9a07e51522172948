/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "l1_play.h"
#include "miss_classes.h"

enum { STEPS = 3000 };

/* The definition: other lines since the last touch of its own, counted over the whole history. */
static bool oracle_is_there(const uint64_t *lines, size_t now, uint32_t capacity)
{
	uint32_t others = 0;

	for (size_t t = now; t-- > 0;) {
		bool is_counted = false;

		if (lines[t] == lines[now])
			return others < capacity;
		for (size_t later = t + 1; later < now; later++)
			is_counted |= lines[later] == lines[t];
		others += !is_counted;
	}
	return false;
}

static void a_line_is_there_when_fewer_than_capacity_others_came_since(void **state)
{
	static const uint32_t capacities[] = { 1, 2, 3, 7, 16, 40 };
	static uint64_t lines[STEPS];

	for (size_t i = 0; i < sizeof(capacities) / sizeof(capacities[0]); i++) {
		uint64_t random = 77 + i, range = capacities[i] * 2 + 1;
		struct full_lru lru;

		print_message("seed %zu\n", 77 + i);
		assert_int_equal(full_lru_init(&lru, capacities[i], NULL), 0);
		for (size_t t = 0; t < STEPS; t++) {
			lines[t] = random_below(&random, range) << (random_below(&random, 2) * 50);
			assert_int_equal(full_lru_touch(&lru, lines[t]),
			                 oracle_is_there(lines, t, capacities[i]));
		}
		full_lru_release(&lru);
	}
}

static void line_0_and_the_last_line_are_lines_like_others(void **state)
{
	const uint64_t last = UINT64_MAX >> 4;
	struct full_lru lru;

	assert_int_equal(full_lru_init(&lru, 1, NULL), 0);
	assert_false(full_lru_touch(&lru, 0));
	assert_true(full_lru_touch(&lru, 0));
	assert_false(full_lru_touch(&lru, last));
	assert_true(full_lru_touch(&lru, last));
	assert_false(full_lru_touch(&lru, 0));
	full_lru_release(&lru);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_there_when_fewer_than_capacity_others_came_since),
		cmocka_unit_test(line_0_and_the_last_line_are_lines_like_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

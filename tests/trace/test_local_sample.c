/* SPDX-License-Identifier: Apache-2.0 */
/* In which groups of a launch local memory is recorded: numbers made by hand, and laws. */
#include "cmocka_all.h"

#include "launch_shape.h"

#include <stddef.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void few_groups_are_all_in_it(void **state)
{
	(void)state;
	for (uint64_t groups = 1; groups <= 32; groups++) {
		struct local_sample s = local_sample_of(32, groups, false);

		assert_true(local_sample_is_whole(&s));
		for (uint64_t g = 0; g < groups; g++)
			assert_true(local_sample_has(&s, g));
	}
}

static void what_the_user_chose_is_in_it(void **state)
{
	struct local_sample chosen = local_sample_of(32, 1000, true);
	struct local_sample unasked = local_sample_of(0, 1000, false);

	(void)state;
	assert_true(local_sample_is_whole(&chosen));
	assert_true(local_sample_is_whole(&unasked));
	assert_true(local_sample_has(&chosen, 999));
}

/*
 * By hand, from FORMAT.md: of 5 groups in 2 pieces the pieces are {0, 1} and {2, 3, 4}.
 * SplitMix64's first number from seed 0, which is that of piece 0, is e220a8397b1dcdaf (Vigna's
 * splitmix64.c); it is odd: group 1. That from seed 1 is 910a2dec89025cc1; its digits add up to
 * 110, and so, as 16 is 1 modulo 3, it is 2 modulo 3: group 4.
 */
static void two_pieces_are_as_derived_by_hand(void **state)
{
	struct local_sample s = local_sample_of(2, 5, false);

	(void)state;
	assert_false(local_sample_has(&s, 0));
	assert_true(local_sample_has(&s, 1));
	assert_int_equal(local_sample_next(&s, 0, 5), 1);
	assert_int_equal(local_sample_next(&s, 2, 5), 4);
}

/* Each piece, of groups floor(p * groups / pieces) on, has one group in the sample. */
static void each_piece_has_one_group(void **state)
{
	static const uint64_t sizes[] = { 33, 34, 48, 63, 64, 65, 100, 1000, 4096, 4099 };
	static const uint32_t pieces[] = { 1, 2, 3, 7, 32 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes) * COUNT(pieces); i++) {
		uint64_t groups = sizes[i % COUNT(sizes)], g = 0, all = 0;
		uint32_t wanted = pieces[i / COUNT(sizes)];
		struct local_sample s = local_sample_of(wanted, groups, false);

		for (uint64_t p = 0; p < wanted; p++) {
			uint64_t in_piece = 0;

			for (; g < (p + 1) * groups / wanted; g++)
				in_piece += local_sample_has(&s, g);
			assert_int_equal(in_piece, 1);
			all += in_piece;
		}
		assert_int_equal(g, groups);
	}
}

static void the_next_one_is_the_first_that_is_in_it(void **state)
{
	struct local_sample s = local_sample_of(32, 777, false);

	(void)state;
	for (uint64_t from = 0; from <= 777; from++)
		for (uint64_t end = from; end <= 777; end += 37) {
			uint64_t g = from;

			while (g < end && !local_sample_has(&s, g))
				g++;
			assert_int_equal(local_sample_next(&s, from, end), g);
		}
}

/* In step with no row: of 64 x 64 groups no column has as many as a quarter of them. */
static void no_column_has_many(void **state)
{
	struct local_sample s = local_sample_of(32, 4096, false);
	unsigned columns[64] = { 0 };

	(void)state;
	for (uint64_t g = local_sample_next(&s, 0, 4096); g < 4096;
	     g = local_sample_next(&s, g + 1, 4096))
		assert_true(++columns[g % 64] < 8);
}

/* The largest launch there can be. */
static void nothing_wraps_around(void **state)
{
	uint64_t groups = UINT64_C(1) << 32, last;
	struct local_sample s = local_sample_of(LOCAL_SAMPLE_MAX, groups, false);

	(void)state;
	last = local_sample_next(&s, groups - 4096, groups);
	assert_true(last >= groups - 4096 && last < groups);
	assert_true(local_sample_has(&s, last));
	assert_true(local_sample_next(&s, 0, groups) < 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_groups_are_all_in_it),
		cmocka_unit_test(what_the_user_chose_is_in_it),
		cmocka_unit_test(two_pieces_are_as_derived_by_hand),
		cmocka_unit_test(each_piece_has_one_group),
		cmocka_unit_test(the_next_one_is_the_first_that_is_in_it),
		cmocka_unit_test(no_column_has_many),
		cmocka_unit_test(nothing_wraps_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Bars of a histogram: none lost, none on both sides of the edge. */
#include "cmocka_all.h"

#include "plot_bins.h"
#include "random.h"

enum { NUMBERS = 5000, ROUNDS = 200 };

static const uint64_t FIRST_SEED = 407;

static void bins_are_0_to_7_and_then_powers_of_two(void **unused)
{
	static const struct {
		uint64_t edge;
		size_t count, before;
		uint64_t firsts[16], lasts[16];
	} rows[] = {
		/* 40 is the last number that was seen. */
		{ UINT64_MAX,
		  11,
		  11,
		  { 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32 },
		  { 0, 1, 2, 3, 4, 5, 6, 7, 15, 31, 63 } },
		{ 4,
		  11,
		  4,
		  { 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32 },
		  { 0, 1, 2, 3, 4, 5, 6, 7, 15, 31, 63 } },
		{ 16,
		  11,
		  9,
		  { 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32 },
		  { 0, 1, 2, 3, 4, 5, 6, 7, 15, 31, 63 } },
		{ 12,
		  12,
		  9,
		  { 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32 },
		  { 0, 1, 2, 3, 4, 5, 6, 7, 11, 15, 31, 63 } },
		{ 100,
		  12,
		  12,
		  { 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64 },
		  { 0, 1, 2, 3, 4, 5, 6, 7, 15, 31, 63, 99 } },
	};
	uint64_t counts[48] = { [40] = 3 };

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plot_bins b;

		plot_bins_make(&b, counts, 48, rows[i].edge);
		assert_int_equal(b.count, rows[i].count);
		assert_int_equal(b.edge, rows[i].before);
		for (size_t k = 0; k < b.count; k++) {
			assert_int_equal(b.bins[k].first, rows[i].firsts[k]);
			assert_int_equal(b.bins[k].last, rows[i].lasts[k]);
		}
	}
}

static void nothing_has_no_bars_but_up_to_the_edge(void **unused)
{
	const uint64_t none[3] = { 0 };
	struct plot_bins b;

	(void)unused;
	plot_bins_make(&b, none, 3, UINT64_MAX);
	assert_int_equal(b.count, 0);
	plot_bins_make(&b, none, 0, 2);
	assert_int_equal(b.count, 2);
	assert_int_equal(b.edge, 2);
	assert_int_equal(b.bins[1].count, 0);
}

static void bars_hold_what_lies_in_them(void **unused)
{
	static uint64_t counts[NUMBERS];

	(void)unused;
	for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
		struct random random = { seed };
		uint64_t below = 0, before = 0, all = 0, sum = 0;
		uint64_t edge = random_next(&random) % (NUMBERS + 100) + 1;
		size_t n = random_next(&random) % NUMBERS + 1;
		struct plot_bins b;

		for (size_t i = 0; i < n; i++) {
			counts[i] = random_next(&random) % 4;
			all += counts[i];
			below += i < edge ? counts[i] : 0;
		}
		plot_bins_make(&b, counts, n, edge);
		for (size_t k = 0; k < b.count; k++) {
			uint64_t inside = 0;

			for (uint64_t i = b.bins[k].first; i <= b.bins[k].last && i < n; i++)
				inside += counts[i];
			if (b.bins[k].count != inside ||
			    (k && b.bins[k].first != b.bins[k - 1].last + 1))
				fail_msg("seed %llu, bar %zu", (unsigned long long)seed, k);
			sum += inside;
			before += k < b.edge ? inside : 0;
		}
		assert_int_equal(sum, all);
		assert_int_equal(before, below);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_are_0_to_7_and_then_powers_of_two),
		cmocka_unit_test(nothing_has_no_bars_but_up_to_the_edge),
		cmocka_unit_test(bars_hold_what_lies_in_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

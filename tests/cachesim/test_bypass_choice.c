/* SPDX-License-Identifier: Apache-2.0 */
/* Which list an expert would apply, row by row; against a choice by the definition; hybrids. */
#include "cmocka_all.h"

#include "bypass_choice.h"
#include "bypass_list.h"
#include "err.h"
#include "warp_curve.h"

#include <stdbool.h>
#include <string.h>

enum { MAX = 6 };

static char kernel[] = "k";

static struct bypass_option option_of(uint64_t cycles, uint64_t bytes, size_t rules)
{
	return (struct bypass_option){ { .cycles = cycles, .bytes_from_l2 = bytes }, rules };
}

/* By 1 %: of 10000 cycles and 10000 bytes that is 100. */
static void the_choice_is_what_gains_with_the_fewest_rules(void **state)
{
	static const struct {
		const char *name;
		size_t count;
		uint64_t options[MAX][3]; /* cycles, bytes, rules */
		size_t want;
	} rows[] = {
		{ "nothing else", 1, { { 10000, 10000, 0 } }, 0 },
		{ "a gain of 1 %", 2, { { 10000, 10000, 0 }, { 9900, 10000, 3 } }, 1 },
		{ "of less", 2, { { 10000, 10000, 0 }, { 9901, 10000, 3 } }, 0 },
		{ "worse", 2, { { 10000, 10000, 0 }, { 20000, 1, 1 } }, 0 },
		{ "the best",
		  4,
		  { { 10000, 10000, 0 }, { 9000, 9000, 1 }, { 8000, 9000, 2 }, { 8500, 9000, 1 } },
		  2 },
		{ "fewer rules, 1 % worse than the best",
		  3,
		  { { 10000, 10000, 0 }, { 8000, 9000, 5 }, { 8100, 9000, 1 } },
		  2 },
		{ "fewer rules, worse by more",
		  3,
		  { { 10000, 10000, 0 }, { 8000, 9000, 5 }, { 8101, 9000, 1 } },
		  1 },
		{ "fewer rules, more bytes",
		  3,
		  { { 10000, 10000, 0 }, { 8000, 9000, 5 }, { 8000, 9101, 1 } },
		  1 },
		{ "as few rules, better",
		  3,
		  { { 10000, 10000, 0 }, { 8010, 9000, 1 }, { 8000, 9000, 1 } },
		  2 },
		{ "equals: the first",
		  3,
		  { { 10000, 10000, 0 }, { 8000, 9000, 1 }, { 8000, 9000, 1 } },
		  1 },
		/* The best gains 1.5 %; who gains 0.6 % is near it, but no gain himself. */
		{ "near the best, and no gain",
		  3,
		  { { 10000, 10000, 0 }, { 9850, 9000, 5 }, { 9940, 9000, 1 } },
		  1 },
		{ "no cycles at all", 2, { { 0, 10000, 0 }, { 0, 1, 1 } }, 1 },
		{ "cycles from nothing", 2, { { 0, 10000, 0 }, { 1, 1, 1 } }, 0 },
		/* 1 % of 150 is 1.5: 149 gains less, 148 more. */
		{ "small figures", 2, { { 150, 0, 0 }, { 149, 0, 1 } }, 0 },
		{ "small figures", 2, { { 150, 0, 0 }, { 148, 0, 1 } }, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bypass_option options[MAX];
		size_t got;

		for (size_t k = 0; k < rows[i].count; k++)
			options[k] = option_of(rows[i].options[k][0], rows[i].options[k][1],
			                       (size_t)rows[i].options[k][2]);
		got = bypass_choose(options, rows[i].count, BYPASS_CYCLES,
		                    BYPASS_CHOICE_THRESHOLD_PPM);
		if (got != rows[i].want)
			fail_msg("row %zu, %s: %zu", i, rows[i].name, got);
	}
}

/* Where no cycles are gained: bytes, and what they may cost. */
static void ten_parts_of_bytes_are_worth_one_of_cycles(void **state)
{
	static const struct {
		const char *name;
		size_t count;
		uint64_t options[MAX][3];
		size_t want;
	} rows[] = {
		{ "10 % of bytes", 2, { { 10000, 10000, 0 }, { 10000, 9000, 1 } }, 1 },
		{ "less", 2, { { 10000, 10000, 0 }, { 10000, 9001, 1 } }, 0 },
		{ "20 % of bytes for 1 %", 2, { { 10000, 10000, 0 }, { 10099, 8000, 1 } }, 1 },
		{ "18 % for 0.8 %", 2, { { 10000, 10000, 0 }, { 10080, 8200, 1 } }, 1 },
		{ "18 % for 0.81 %", 2, { { 10000, 10000, 0 }, { 10081, 8200, 1 } }, 0 },
		{ "0.5 % of cycles and 5 %", 2, { { 10000, 10000, 0 }, { 9950, 9500, 1 } }, 1 },
		{ "0.5 % of cycles and less", 2, { { 10000, 10000, 0 }, { 9950, 9501, 1 } }, 0 },
		{ "0.5 % of cycles for more bytes",
		  2,
		  { { 10000, 10000, 0 }, { 9950, 10001, 1 } },
		  0 },
		{ "99 % for 0.99 %", 2, { { 10000, 10000, 0 }, { 10099, 100, 1 } }, 1 },
		{ "100 % for 1 %", 2, { { 10000, 10000, 0 }, { 10100, 0, 1 } }, 0 },
		{ "the most bytes",
		  4,
		  { { 10000, 10000, 0 },
		    { 9950, 9000, 1 },
		    { 10050, 2000, 3 },
		    { 10000, 2101, 1 } },
		  2 },
		{ "as many bytes, fewer rules",
		  4,
		  { { 10000, 10000, 0 },
		    { 9950, 9000, 1 },
		    { 10050, 2000, 3 },
		    { 10000, 2100, 1 } },
		  3 },
		{ "a gain in cycles goes first",
		  3,
		  { { 10000, 10000, 0 }, { 10000, 1, 1 }, { 9900, 12000, 1 } },
		  2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bypass_option options[MAX];
		size_t got;

		for (size_t k = 0; k < rows[i].count; k++)
			options[k] = option_of(rows[i].options[k][0], rows[i].options[k][1],
			                       (size_t)rows[i].options[k][2]);
		got = bypass_choose(options, rows[i].count, BYPASS_CYCLES,
		                    BYPASS_CHOICE_THRESHOLD_PPM);
		if (got != rows[i].want)
			fail_msg("row %zu, %s: %zu", i, rows[i].name, got);
	}
}

static void without_a_threshold_any_gain_counts_and_none_does_not(void **state)
{
	const struct bypass_option options[] = { option_of(10000, 5, 0), option_of(9999, 5, 7),
		                                 option_of(10000, 1, 1) };

	assert_int_equal(bypass_choose(options, 3, BYPASS_CYCLES, 0), 1);
	assert_int_equal(bypass_choose(&options[2], 1, BYPASS_CYCLES, 0), 0);
	assert_int_equal(bypass_choose(options, 3, BYPASS_BYTES, 0), 2);
	assert_int_equal(bypass_choose(options, 3, BYPASS_BYTES, 1000000), 0);
}

/* 10000 bytes from L2 with all cached: a list may move 10100. */
static void a_balanced_choice_moves_no_more_bytes(void **state)
{
	const struct bypass_option options[] = { option_of(10000, 10000, 0),
		                                 option_of(5000, 10101, 1),
		                                 option_of(6000, 10100, 2),
		                                 option_of(7000, 50, 3) };

	assert_int_equal(bypass_choose(options, 2, BYPASS_BALANCED, 10000), 0);
	assert_int_equal(bypass_choose(options, 3, BYPASS_BALANCED, 10000), 2);
	assert_int_equal(bypass_choose(options, 4, BYPASS_BALANCED, 10000), 2);
	assert_int_equal(bypass_choose(options, 4, BYPASS_CYCLES, 10000), 1);
}

/* --- by the definition ---------------------------------------------------------------------------
 */

/* Of figures below 2^20 doubles are exact. */
static bool gains(const struct bypass_option *o, const struct bypass_option *options, size_t count,
                  double part)
{
	double before = (double)options[0].measure.cycles, least = before;

	for (size_t i = 0; i < count; i++)
		if ((double)options[i].measure.cycles < least)
			least = (double)options[i].measure.cycles;
	return before - (double)o->measure.cycles >= before * part && before > least &&
	       (double)o->measure.cycles <= least + before * part;
}

static bool trades(const struct bypass_option *o, const struct bypass_option *options, size_t count,
                   double part)
{
	double gain =
		1 - (double)o->measure.bytes_from_l2 / (double)options[0].measure.bytes_from_l2;
	double loss = (double)o->measure.cycles / (double)options[0].measure.cycles - 1;

	return gain > 0 && loss < part && gain / 10 - loss >= part - 1e-12;
}

static bool is_better(const struct bypass_option *o, const struct bypass_option *b)
{
	if (o->rules != b->rules)
		return o->rules < b->rules;
	if (o->measure.cycles != b->measure.cycles)
		return o->measure.cycles < b->measure.cycles;
	return o->measure.bytes_from_l2 < b->measure.bytes_from_l2;
}

typedef bool (*contender_fn)(const struct bypass_option *o, const struct bypass_option *options,
                             size_t count, double part);

/* 0: there is none. */
static size_t choose_among(const struct bypass_option *options, size_t count, double part,
                           contender_fn is_contender)
{
	double bytes = 1e18;
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (is_contender(&options[i], options, count, part) &&
		    (double)options[i].measure.bytes_from_l2 < bytes)
			bytes = (double)options[i].measure.bytes_from_l2;
	bytes += (double)options[0].measure.bytes_from_l2 * part;
	for (size_t i = 1; i < count; i++)
		if (is_contender(&options[i], options, count, part) &&
		    (double)options[i].measure.bytes_from_l2 <= bytes &&
		    (!best || is_better(&options[i], &options[best])))
			best = i;
	return best;
}

static size_t choose_naively(const struct bypass_option *options, size_t count, double part)
{
	size_t best = choose_among(options, count, part, gains);

	return best ? best : choose_among(options, count, part, trades);
}

/* 1/64, so that products are exact: 15625 ppm. */
static void the_choice_is_that_of_the_definition(void **state)
{
	uint64_t seed = 0xc0;
	size_t chosen[MAX] = { 0 };

	print_message("seed %#llx\n", (unsigned long long)seed);
	for (size_t round = 0; round < 50000; round++) {
		struct bypass_option options[MAX];
		size_t count = 1 + round % MAX, want;

		for (size_t i = 0; i < count; i++) {
			uint64_t r[3];

			for (size_t k = 0; k < 3; k++) {
				seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
				r[k] = seed >> 33;
			}
			options[i] = option_of(640 - round % 2 * 20 + r[0] % 40, 500 + r[1] % 170,
			                       (size_t)r[2] % 4);
		}
		want = choose_naively(options, count, 1.0 / 64);
		assert_int_equal(bypass_choose(options, count, BYPASS_CYCLES, 15625), want);
		chosen[want]++;
	}
	for (size_t i = 0; i < MAX; i++)
		assert_true(chosen[i]);
}

/* --- hybrids -------------------------------------------------------------------------------------
 */

/* Cycles by PI, where the sites bypass too; of two warps. */
static int measure(void *context, const struct bypass_list *const *lists, size_t count,
                   struct bypass_measure *out, struct err *err)
{
	const uint64_t *cycles = context;

	for (size_t i = 0; i < count; i++) {
		const struct bypass_rule *last = &lists[i]->rules[lists[i]->count - 1];
		uint64_t pi = last->kind == BYPASS_ALL     ? 0
		              : last->kind == BYPASS_WARPS ? last->number
		                                           : 2;

		assert_int_equal(lists[i]->rules[0].kind, BYPASS_SITE);
		assert_int_equal(lists[i]->count, pi == 2 ? 2 : 3);
		out[i] = (struct bypass_measure){ .cycles = cycles[pi] };
	}
	return 0;
}

static char letter_of(enum bypass_kind kind)
{
	if (kind == BYPASS_SITE)
		return 's';
	return kind == BYPASS_WARPS ? (char)'w' : (char)'a';
}

static void a_hybrid_has_no_rule_that_does_nothing(void **state)
{
	static const struct {
		uint64_t cycles[3];
		const char *want; /* the rules' kinds */
	} rows[] = {
		{ { 9, 5, 7 }, "ssw" }, /* PI 1 on what sites leave */
		{ { 9, 8, 7 }, "ss" },  /* PI 2 is all warps: the sites alone */
		{ { 5, 8, 7 }, "a" },   /* all bypass: the sites too */
	};
	const struct bypass_rule site = { .kind = BYPASS_SITE, .number = 3, .sm = -1 };
	struct bypass_list sites = { 0 };

	assert_int_equal(bypass_list_add(&sites, &site, NULL), 0);
	assert_int_equal(bypass_list_add(&sites, &site, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t cycles[3];
		const struct bypass_judge judge = { measure, cycles, BYPASS_CYCLES, NULL };
		struct bypass_list list = { 0 };
		struct warp_curve curve;
		char got[4] = "";

		memcpy(cycles, rows[i].cycles, sizeof(cycles));
		assert_int_equal(warp_curve_measure(&curve, &judge, kernel, 2, &sites, NULL), 0);
		assert_int_equal(warp_curve_hybrid(&curve, kernel, &sites, &list, NULL), 0);
		for (size_t k = 0; k < list.count && k < 3; k++)
			got[k] = letter_of(list.rules[k].kind);
		assert_string_equal(got, rows[i].want);
		assert_int_equal(curve.count, 3);
		bypass_list_release(&list);
		warp_curve_release(&curve);
	}
	bypass_list_release(&sites);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_choice_is_what_gains_with_the_fewest_rules),
		cmocka_unit_test(ten_parts_of_bytes_are_worth_one_of_cycles),
		cmocka_unit_test(without_a_threshold_any_gain_counts_and_none_does_not),
		cmocka_unit_test(a_balanced_choice_moves_no_more_bytes),
		cmocka_unit_test(the_choice_is_that_of_the_definition),
		cmocka_unit_test(a_hybrid_has_no_rule_that_does_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Curves over PI made by hand, at and beside every threshold; and curves of a judge that reads the
 * lists which it is given. */
#include "cmocka_all.h"

#include "bypass_list.h"
#include "err.h"
#include "warp_curve.h"

#include <stdio.h>
#include <string.h>

/* Noise of a curve whose least point is 1000 is 20; a slip is then max(20, (high - 1000) / 10). */
static void classes_follow_the_thresholds(void **state)
{
	static const struct {
		const char *name;
		size_t count;
		uint64_t v[9];
		enum warp_class want;
	} rows[] = {
		{ "one point", 1, { 5 }, WARP_INSENSITIVE },
		{ "all 0", 3, { 0, 0, 0 }, WARP_INSENSITIVE },
		{ "flat", 5, { 1000, 1010, 1020, 1000, 1015 }, WARP_INSENSITIVE },
		{ "just not flat, rising", 3, { 1000, 1010, 1021 }, WARP_BYPASS_FAVOURITE },
		{ "just not flat, falling", 3, { 1021, 1010, 1000 }, WARP_CACHE_FAVOURITE },
		{ "rising", 5, { 1000, 1200, 1400, 1700, 2000 }, WARP_BYPASS_FAVOURITE },
		{ "falling", 5, { 2000, 1700, 1400, 1200, 1000 }, WARP_CACHE_FAVOURITE },
		{ "two points", 2, { 1000, 1500 }, WARP_BYPASS_FAVOURITE },
		{ "two points", 2, { 1500, 1000 }, WARP_CACHE_FAVOURITE },
		{ "a step up, then flat", 4, { 1000, 1900, 1900, 1900 }, WARP_BYPASS_FAVOURITE },
		{ "a step down, then flat", 4, { 1900, 1000, 1000, 1000 }, WARP_CACHE_FAVOURITE },
		/* high - low = 1000: a dip of 100 is a slip, one of 101 is none. */
		{ "rising with a slip", 4, { 1000, 1500, 1400, 2000 }, WARP_BYPASS_FAVOURITE },
		{ "rising with a dip", 4, { 1000, 1500, 1399, 2000 }, WARP_IRREGULAR },
		{ "falling with a slip", 4, { 2000, 1400, 1500, 1000 }, WARP_CACHE_FAVOURITE },
		{ "falling with a bump", 4, { 2000, 1400, 1501, 1000 }, WARP_IRREGULAR },
		/* The dip lies behind more than one point. */
		{ "a long dip", 5, { 1000, 1600, 1550, 1499, 2000 }, WARP_IRREGULAR },
		{ "a bowl", 5, { 2000, 1500, 1000, 1200, 1600 }, WARP_CONGESTED },
		{ "a bowl at its rim", 5, { 2000, 1000, 1200, 1300, 1600 }, WARP_CONGESTED },
		{ "a bowl with slips",
		  7,
		  { 2000, 1400, 1500, 1000, 1500, 1400, 1800 },
		  WARP_CONGESTED },
		{ "a bump on the way down",
		  7,
		  { 2000, 1400, 1501, 1000, 1500, 1400, 1800 },
		  WARP_IRREGULAR },
		{ "a dip on the way up",
		  7,
		  { 2000, 1400, 1500, 1000, 1500, 1399, 1800 },
		  WARP_IRREGULAR },
		/* An end that is within the noise of the best is as good. */
		{ "a bowl as high as noise", 3, { 1020, 1000, 1500 }, WARP_BYPASS_FAVOURITE },
		{ "a bowl above noise", 3, { 1021, 1000, 1500 }, WARP_CONGESTED },
		{ "a bowl as high as noise", 3, { 1500, 1000, 1020 }, WARP_CACHE_FAVOURITE },
		{ "a bowl above noise", 3, { 1500, 1000, 1021 }, WARP_CONGESTED },
		{ "a hill", 5, { 1000, 1500, 2000, 1500, 1000 }, WARP_IRREGULAR },
		{ "teeth", 6, { 1500, 1000, 1500, 1000, 1500, 1400 }, WARP_IRREGULAR },
		/* Both ends as good as the best, with a slip between: the first class that fits. */
		{ "small differences", 4, { 1000, 1030, 1015, 1010 }, WARP_BYPASS_FAVOURITE },
		{ "great numbers", 3, { UINT64_MAX, UINT64_MAX / 2, UINT64_MAX }, WARP_CONGESTED },
		{ "from 0", 3, { 0, 1, 2 }, WARP_BYPASS_FAVOURITE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum warp_class got = warp_curve_classify(rows[i].v, rows[i].count);

		if (got != rows[i].want)
			fail_msg("row %zu, %s: %s", i, rows[i].name, warp_class_word(got));
	}
}

/* A curve and its mirror image are of the same class, with the favourites exchanged. */
static void a_mirrored_curve_is_of_the_mirrored_class(void **state)
{
	uint64_t seed = 51;
	size_t seen[WARP_IRREGULAR + 1] = { 0 };

	print_message("seed %llu\n", (unsigned long long)seed);
	for (size_t round = 0; round < 20000; round++) {
		uint64_t v[9], mirror[9];
		size_t count = 2 + round % 8;
		enum warp_class a, b;

		for (size_t i = 0; i < count; i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			v[i] = 1000 + (seed >> 33) % (round % 3 ? 400 : 30);
			mirror[count - 1 - i] = v[i];
		}
		a = warp_curve_classify(v, count);
		b = warp_curve_classify(mirror, count);
		seen[a]++;
		/* Where both ends are among the best, the bypassing one is asked first. */
		if (v[0] * 50 <= v[count - 1] * 51 && v[count - 1] * 50 <= v[0] * 51)
			continue;
		if (a == WARP_BYPASS_FAVOURITE)
			a = WARP_CACHE_FAVOURITE;
		else if (a == WARP_CACHE_FAVOURITE)
			a = WARP_BYPASS_FAVOURITE;
		assert_int_equal(a, b);
	}
	for (size_t i = 0; i <= WARP_IRREGULAR; i++)
		assert_true(seen[i]);
}

/* --- measuring -----------------------------------------------------------------------------------
 */

static char kernel[] = "k";

enum { NO_RULE = 1000, EVERYTHING = 1001 };

/* What a judge was asked, and what it is to say of each PI. */
struct play {
	uint32_t warps;
	uint64_t cycles[80], bytes[80];
	uint32_t asked[80];
	size_t count;
	size_t base_rules;
	int ret;
	enum bypass_objective objective;
	struct bypass_measure before;
};

/* Each list is the base and one rule at most, of kernel `k`. */
static uint32_t read_list(const struct play *p, const struct bypass_list *list)
{
	const struct bypass_rule *rule;

	for (size_t i = 0; i < p->base_rules; i++)
		assert_int_equal(list->rules[i].kind, BYPASS_SITE);
	if (list->count == p->base_rules)
		return NO_RULE;
	assert_int_equal(list->count, p->base_rules + 1);
	rule = &list->rules[p->base_rules];
	assert_string_equal(rule->kernel, "k");
	if (rule->kind == BYPASS_ALL)
		return EVERYTHING;
	assert_int_equal(rule->kind, BYPASS_WARPS);
	return (uint32_t)rule->number;
}

static int measure(void *context, const struct bypass_list *const *lists, size_t count,
                   struct bypass_measure *out, struct err *err)
{
	struct play *p = context;

	for (size_t i = 0; i < count; i++) {
		uint32_t asked = read_list(p, lists[i]);
		uint32_t pi = asked == NO_RULE ? p->warps : asked == EVERYTHING ? 0 : asked;

		p->asked[p->count++] = asked;
		out[i] = (struct bypass_measure){ .cycles = p->cycles[pi % 80],
			                          .bytes_from_l2 = p->bytes[pi % 80] };
	}
	return p->ret;
}

static int run(struct play *p, const struct bypass_list *base, struct warp_curve *curve,
               struct err *err)
{
	const struct bypass_judge judge = { measure, p, p->objective, &p->before };

	p->base_rules = base ? base->count : 0;
	return warp_curve_measure(curve, &judge, kernel, p->warps, base, err);
}

static void every_threshold_is_measured_and_the_least_taken(void **state)
{
	struct play p = { .objective = BYPASS_CYCLES,
		          .warps = 4,
		          .cycles = { 90, 70, 50, 60, 80 } };
	const uint32_t asked[] = { EVERYTHING, 1, 2, 3, NO_RULE };
	struct bypass_list list = { 0 };
	struct warp_curve curve;

	assert_int_equal(run(&p, NULL, &curve, NULL), 0);
	assert_int_equal(p.count, 5);
	assert_memory_equal(p.asked, asked, sizeof(asked));
	assert_int_equal(curve.count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(curve.points[i].pi, i);
		assert_int_equal(curve.points[i].measure.cycles, p.cycles[i]);
	}
	assert_int_equal(curve.best, 2);
	assert_int_equal(curve.shape, WARP_CONGESTED);
	assert_int_equal(warp_curve_list(&curve, kernel, &list, NULL), 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.rules[0].kind, BYPASS_WARPS);
	assert_int_equal(list.rules[0].number, 2);
	bypass_list_release(&list);
	warp_curve_release(&curve);
}

/* Equals: the one that changes least. */
static void of_thresholds_as_good_the_greatest_is_best(void **state)
{
	static const struct {
		uint64_t cycles[4];
		size_t best, rules;
		enum bypass_kind kind;
	} rows[] = {
		{ { 5, 5, 5, 5 }, 3, 0, BYPASS_ALL },
		{ { 9, 5, 5, 6 }, 2, 1, BYPASS_WARPS },
		{ { 5, 6, 6, 6 }, 0, 1, BYPASS_ALL },
		{ { 5, 6, 6, 5 }, 3, 0, BYPASS_ALL },
		/* Half a percent is no difference, more is. */
		{ { 3000, 2000, 2005, 2010 }, 3, 0, BYPASS_ALL },
		{ { 3000, 2000, 2010, 2011 }, 2, 1, BYPASS_WARPS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct play p = { .objective = BYPASS_CYCLES, .warps = 3 };
		struct bypass_list list = { 0 };
		struct warp_curve curve;

		memcpy(p.cycles, rows[i].cycles, sizeof(rows[i].cycles));
		assert_int_equal(run(&p, NULL, &curve, NULL), 0);
		assert_int_equal(curve.best, rows[i].best);
		assert_int_equal(warp_curve_list(&curve, kernel, &list, NULL), 0);
		assert_int_equal(list.count, rows[i].rules);
		if (list.count)
			assert_int_equal(list.rules[0].kind, rows[i].kind);
		bypass_list_release(&list);
		warp_curve_release(&curve);
	}
}

/* With as many cycles, or nearly, PI 0 moves 3 bytes and PI 1 moves 2. */
static void among_as_many_cycles_the_fewest_bytes_are_best(void **state)
{
	struct play p = { .objective = BYPASS_CYCLES,
		          .warps = 3,
		          .cycles = { 1004, 1005, 1000, 1000 },
		          .bytes = { 3, 2, 9, 9 } };
	struct warp_curve curve;

	assert_int_equal(run(&p, NULL, &curve, NULL), 0);
	assert_int_equal(curve.best, 1);
	assert_int_equal(curve.shape, WARP_INSENSITIVE);
	warp_curve_release(&curve);
}

/* 500 bytes with all cached: 505 are as many, 506 are more. */
static void a_balanced_best_point_moves_no_more_bytes(void **state)
{
	static const struct {
		uint64_t cycles[4], bytes[4];
		size_t best;
	} rows[] = {
		{ { 400, 600, 800, 1000 }, { 2000, 506, 505, 500 }, 2 },
		{ { 400, 600, 800, 1000 }, { 505, 506, 505, 500 }, 0 },
		{ { 400, 600, 800, 1000 }, { 900, 900, 900, 500 }, 3 },
		{ { 400, 600, 800, 1000 }, { 900, 902, 901, 950 }, 0 }, /* none: the fewest */
		{ { 400, 400, 800, 1000 }, { 901, 900, 901, 950 }, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct play p = { .warps = 3, .before.bytes_from_l2 = 500 };
		struct warp_curve curve;

		memcpy(p.cycles, rows[i].cycles, sizeof(rows[i].cycles));
		memcpy(p.bytes, rows[i].bytes, sizeof(rows[i].bytes));
		assert_int_equal(run(&p, NULL, &curve, NULL), 0);
		assert_int_equal(curve.best, rows[i].best);
		warp_curve_release(&curve);
		p.objective = BYPASS_CYCLES;
		assert_int_equal(run(&p, NULL, &curve, NULL), 0);
		assert_int_equal(curve.best, rows[i].cycles[0] == rows[i].cycles[1]);
		warp_curve_release(&curve);
	}
}

static void the_base_is_in_every_list(void **state)
{
	const struct bypass_rule rule = { .kind = BYPASS_SITE, .number = 7, .sm = -1 };
	struct play p = { .objective = BYPASS_CYCLES, .warps = 2, .cycles = { 1, 2, 3 } };
	struct bypass_list base = { 0 };
	struct warp_curve curve;

	assert_int_equal(bypass_list_add(&base, &rule, NULL), 0);
	assert_int_equal(bypass_list_add(&base, &rule, NULL), 0);
	assert_int_equal(run(&p, &base, &curve, NULL), 0);
	assert_int_equal(p.count, 3);
	warp_curve_release(&curve);
	bypass_list_release(&base);
}

/* 64 warps are 65 points; of 640, every tenth threshold is one, of 1000 floor(k * 1000 / 64). */
static void wide_groups_have_65_points_with_both_ends(void **state)
{
	static const uint32_t warps[] = { 64, 65, 640, 1000 };

	for (size_t w = 0; w < sizeof(warps) / sizeof(warps[0]); w++) {
		struct play p = { .objective = BYPASS_CYCLES, .warps = warps[w] };
		struct warp_curve curve;

		assert_int_equal(run(&p, NULL, &curve, NULL), 0);
		assert_int_equal(curve.count, 65);
		for (uint32_t k = 0; k < 65; k++)
			assert_int_equal(curve.points[k].pi, k * warps[w] / 64);
		assert_int_equal(curve.best, 64);
		assert_int_equal(curve.shape, WARP_INSENSITIVE);
		warp_curve_release(&curve);
	}
}

static void a_judge_that_fails_ends_it(void **state)
{
	struct play p = { .objective = BYPASS_CYCLES, .warps = 2, .ret = ERR_FORMAT };
	struct warp_curve curve;

	assert_int_equal(run(&p, NULL, &curve, NULL), ERR_FORMAT);
	warp_curve_release(&curve);
}

static void words_are_those_of_the_table(void **state)
{
	assert_string_equal(warp_class_word(WARP_CONGESTED), "congested");
	assert_string_equal(warp_class_word(WARP_INSENSITIVE), "insensitive");
	assert_non_null(strstr(warp_class_text(WARP_IRREGULAR), "no trend"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_follow_the_thresholds),
		cmocka_unit_test(a_mirrored_curve_is_of_the_mirrored_class),
		cmocka_unit_test(every_threshold_is_measured_and_the_least_taken),
		cmocka_unit_test(of_thresholds_as_good_the_greatest_is_best),
		cmocka_unit_test(among_as_many_cycles_the_fewest_bytes_are_best),
		cmocka_unit_test(a_balanced_best_point_moves_no_more_bytes),
		cmocka_unit_test(the_base_is_in_every_list),
		cmocka_unit_test(wide_groups_have_65_points_with_both_ends),
		cmocka_unit_test(a_judge_that_fails_ends_it),
		cmocka_unit_test(words_are_those_of_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"
#include "cmocka_all.h"
#include "kernel_table.h"
#include "recording.h"
#include "str.h"

static char name[] = "k", left_name[] = "left", other_name[] = "other";
static const struct kernel_table table = { .name = name };

/* A kernel of 1000 cycles and 1000 bytes with all cached. */
static const struct recording recording;
static struct bypass_run run = { .recording = &recording };

static void fill(struct bypass_try *t, uint64_t cycles, uint64_t bytes)
{
	struct bypass_entry *all = &t->entries[BYPASS_ROW_ALL];

	*t = (struct bypass_try){
		.kernel = { .run = &run,
		            .name = name,
		            .table = &table,
		            .cache_all = { .cycles = 1000, .bytes_from_l2 = 1000 } },
		.entries[BYPASS_ROW_CACHE_ALL] = { .is_there = true,
		                                   .measure = { .cycles = 1000,
		                                                .bytes_from_l2 = 1000 } },
		.best = BYPASS_ROW_ALL,
	};
	all->is_there = true;
	all->measure =
		(struct bypass_measure){ .cycles = cycles, .bytes_from_l2 = bytes, .bypasses = 1 };
	assert_int_equal(bypass_list_parse(&all->list, "all", NULL), 0);
}

static void check(struct bypass_try *tries, size_t count, const char *expected)
{
	static const struct bypass_wish wish = { .limit = 1 };
	struct bypass_report r = { .wish = &wish, .tries = tries, .count = count };
	struct str words;

	bypass_report_sum(&r);
	str_init(&words, 4096);
	assert_int_equal(bypass_sentence_all(&r, &words, NULL), 0);
	assert_string_equal(words.text, expected);
	str_release(&words);
}

static void what_a_list_saves_is_said_before_what_it_costs(void **state)
{
	static const struct {
		uint64_t cycles, bytes;
		const char *words;
	} rows[] = {
		{ 900, 500, "10.0% fewer cycles, 50.0% fewer bytes from L2" },
		{ 900, 1100, "10.0% fewer cycles, 10.0% more bytes from L2" },
		{ 1008, 500, "50.0% fewer bytes from L2, for 0.8% more cycles" },
		{ 1000, 500, "as many cycles, 50.0% fewer bytes from L2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char expected[128];
		struct bypass_try t;

		fill(&t, rows[i].cycles, rows[i].bytes);
		snprintf(expected, sizeof(expected), "k: let all reads bypass L1: %s",
		         rows[i].words);
		check(&t, 1, expected);
		bypass_list_release(&t.entries[BYPASS_ROW_ALL].list);
	}
}

static void kernels_that_were_not_played_are_named(void **state)
{
	struct bypass_try tries[4] = { 0 };

	(void)state;
	tries[0].kernel.name = left_name;
	tries[3].kernel.name = other_name;
	fill(&tries[1], 900, 500);
	fill(&tries[2], 1008, 500);
	check(tries, 1, "no launch was replayed");
	check(tries, 2,
	      "k: let all reads bypass L1: 10.0% fewer cycles, 50.0% fewer bytes from L2; no "
	      "launch of left was replayed");
	check(tries, 3,
	      "2 of 2 kernels gain, together 4.6% fewer cycles, 50.0% fewer bytes from L2; no "
	      "launch of left was replayed");
	check(tries, 4,
	      "2 of 2 kernels gain, together 4.6% fewer cycles, 50.0% fewer bytes from L2; no "
	      "launch of 2 other kernels was replayed");
	tries[2].best = BYPASS_ROW_CACHE_ALL;
	check(tries + 1, 2,
	      "1 of 2 kernels gains, together 5.0% fewer cycles, 25.0% fewer bytes from L2");
	tries[1].best = BYPASS_ROW_CACHE_ALL;
	check(tries, 3,
	      "no gain: do not bypass; none of 2 kernels gains; no launch of left was replayed");
	bypass_list_release(&tries[1].entries[BYPASS_ROW_ALL].list);
	bypass_list_release(&tries[2].entries[BYPASS_ROW_ALL].list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_list_saves_is_said_before_what_it_costs),
		cmocka_unit_test(kernels_that_were_not_played_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

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
	struct bypass_study study = { .wish = { .limit = 1 }, .tries = tries, .count = count };
	struct str words;

	bypass_study_sum(&study);
	str_init(&words, 4096);
	assert_int_equal(bypass_sentence_all(&study, &words, NULL), 0);
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

static char mm[] = "mm.cl", other[] = "lib.h", mm_name[] = "mm", a[] = "A", b[] = "B", c[] = "C",
	    d[] = "D", short_text[] = "A[i]",
	    long_text[] = "B[0123456789 + 0123456789 + 0123456789 + 0123456789]";

static struct kernel_argument arguments[] = {
	{ .name = a }, { .name = b }, { .name = c }, { .name = d }
};

static struct site sites[] = {
	{ .kind = SITE_READ, .argument = 0, .place = { mm, 9, 1 }, .expression = short_text },
	{ .kind = SITE_READ, .argument = 1, .place = { mm, 9, 9 }, .expression = long_text },
	{ .kind = SITE_READ, .argument = 2, .place = { mm, 5, 1 } },
	{ .kind = SITE_WRITE, .argument = 3, .place = { mm, 9, 1 } },
	{ .kind = SITE_READ, .argument = 3, .place = { other, 2, 1 } },
	{ .kind = SITE_READ, .argument = -1 },
	{ .kind = SITE_READ, .argument = 3, .place = { mm, 7, 1 } }, /* never made */
	{ .kind = SITE_READ, .argument = 2, .place = { mm, 11, 1 } },
	{ .kind = SITE_READ, .argument = 2, .place = { mm, 12, 1 } },
	{ .kind = SITE_READ, .argument = 2, .place = { mm, 13, 1 } },
};
enum { SITES = sizeof(sites) / sizeof(sites[0]) };

static const struct kernel_table mm_table = { .name = mm_name,
	                                      .sites = sites,
	                                      .site_count = SITES,
	                                      .arguments = arguments,
	                                      .argument_count = 4 };

static const struct {
	const char *list, *words;
} lists[] = {
	{ "site:0", "mm.cl:9: let the read of A[i] bypass L1" },
	{ "site:1", "mm.cl:9: let the read of B[...] bypass L1" },
	{ "site:2,site:0", "mm.cl:5,9: let reads of A[i] and C bypass L1" },
	{ "line:9", "mm.cl:9: let reads of A[i] and B[...] bypass L1" },
	{ "site:0,site:3", "mm.cl:9: let the read of A[i] bypass L1" },
	{ "site:0,site:4", "mm: let reads of A[i] and D bypass L1" },
	{ "site:5", "mm: let the read of site 5 bypass L1" },
	{ "site:0,site:2,site:7,site:8",
	  "mm.cl:5,9,11,...: let reads of A[i], C, C and 1 more bypass L1" },
	{ "site:0,site:2,site:7,site:8,site:9",
	  "mm.cl:5,9,11,...: let reads of A[i], C, C and 2 more bypass L1" },
	{ "argument:C", "mm.cl:5,11,12,...: let all reads of C bypass L1" },
	{ "argument:C,argument:A", "mm.cl:5,9,11,...: let all reads of C and A bypass L1" },
	{ "argument:A,argument:B,argument:C,argument:D",
	  "mm: let all reads of A, B, C and 1 more argument bypass L1" },
	{ "argument:D", "lib.h:2: let all reads of D bypass L1" },
	{ "all", "mm: let all reads bypass L1" },
	{ "warps:0", "mm: let all reads bypass L1" },
	{ "warps:3", "mm: let all reads of warps 3 to 7 of each group bypass L1" },
	{ "warps:7", "mm: let all reads of warp 7 of each group bypass L1" },
	{ "warps:5,warps:3", "mm: let all reads of warps 3 to 7 of each group bypass L1" },
	{ "site:0,warps:7",
	  "mm.cl:9: let the read of A[i], and all reads of warp 7 of each group bypass L1" },
	{ "buffer:2", "mm: let the reads of buffer 2 bypass L1" },
	{ "buffer:2,buffer:4", "mm: let the reads of buffer 2, buffer 4 bypass L1" },
	{ "address:0x80", "mm: let the reads of 1 line of memory bypass L1" },
	{ "buffer:2,address:0x80,address:0x100",
	  "mm: let the reads of buffer 2 and 2 lines of memory bypass L1" },
	{ "site:0,buffer:2", "mm.cl:9: let the read of A[i], and the reads of buffer 2 bypass L1" },
};

static void a_list_is_said_in_words(void **state)
{
	struct address_use_row uses[SITES];
	const struct recording nothing = { 0 };
	struct bypass_run of_mm = { .recording = &nothing };
	struct bypass_try t = { .kernel = { .run = &of_mm, .table = &mm_table, .warps = 8 },
		                .uses = uses };

	(void)state;
	for (size_t i = 0; i < SITES; i++)
		uses[i] = (struct address_use_row){ .reads = i != 6 };
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct bypass_list list = { 0 };
		struct str words;

		str_init(&words, 4096);
		assert_int_equal(bypass_list_parse(&list, lists[i].list, NULL), 0);
		assert_int_equal(bypass_sentence_list(&words, &t, &list, NULL), 0);
		assert_string_equal(words.text, lists[i].words);
		str_release(&words);
		bypass_list_release(&list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_list_saves_is_said_before_what_it_costs),
		cmocka_unit_test(kernels_that_were_not_played_are_named),
		cmocka_unit_test(a_list_is_said_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

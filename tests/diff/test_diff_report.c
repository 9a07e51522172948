/* SPDX-License-Identifier: Apache-2.0 */
/* What is said first, and how changes are written. */
#include "cmocka_all.h"
#include "diff_report.h"
#include "err.h"
#include "made_reports.h"

#include <string.h>

static void changes_are_written_as_people_read_them(void **state)
{
	static const struct {
		uint64_t a, b;
		const char *text;
	} rows[] = {
		{ 5, 5, "=" },
		{ 0, 0, "=" },
		{ 0, 5, "new" },
		{ 5, 0, "-100.0%" },
		{ 100, 59, "-41.0%" },
		{ 100, 103, "+3.0%" },
		{ 100000, 99970, "-0.03%" },
		{ 10000, 10005, "+0.1%" },
		{ 10000, 10004, "+0.04%" },
		{ 10, 99, "+890.0%" },
		{ 10, 124, "x12.4" },
		{ UINT64_MAX, 1, "-100.0%" },
		{ 1, UINT64_MAX, "x18446744073709551616.0" },
	};
	char text[DIFF_CHANGE_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(diff_change_text(text, rows[i].a, rows[i].b), rows[i].text);
}

static const struct {
	struct made_line a[MADE_LINES], b[MADE_LINES];
	const char *sentence;
} sentences[] = {
	{ { { 9, "B[k]", 100 } },
	  { { 9, "B[k]", 100 } },
	  "A and B are the same: no number differs." },
	/* 100 misses are 200 requests and 12,800 bytes, of which 32 are a turn: 600 turns. */
	{ { { 9, "B[k]", 100 }, { 10, "C[k]", 100 } },
	  { { 9, "B[k]", 18 }, { 10, "C[k]", 100 } },
	  "B is better, with 41.0% less memory work (1,200 -> 708 turns); it moves 41.0% fewer "
	  "bytes from L2 (25,600 -> 15,104), makes 41.0% fewer requests (400 -> 236) and has 41.0% "
	  "fewer misses (200 -> 118); most of it at mm.cl:9, \"B[k]\"." },
	{ { { 9, "B[k]", 100 } },
	  { { 12, "B[k]", 150 } },
	  "B is worse, with 50.0% more memory work (600 -> 900 turns); it moves 50.0% more bytes "
	  "from L2 (12,800 -> 19,200), makes 50.0% more requests (200 -> 300) and has 50.0% more "
	  "misses (100 -> 150); most of it at mm.cl:12 (A: 9), \"B[k]\"." },
	{ { { 9, "B[k]", 100 } },
	  { { 9, "B[k]", 300 } },
	  "B is worse, with 3.0 times as much memory work (600 -> 1,800 turns); it moves 3.0 times "
	  "as many bytes from L2 (12,800 -> 38,400), makes 3.0 times as many requests (200 -> 600) "
	  "and has 3.0 times as many misses (100 -> 300); most of it at mm.cl:9, \"B[k]\"." },
	{ { { 9, "B[k]", 1000 } },
	  { { 9, "B[k]", 1000 }, { 10, "a\033b", 500 } },
	  "B is worse, with 50.0% more memory work (6,000 -> 9,000 turns); it moves 50.0% more "
	  "bytes from L2 (128,000 -> 192,000), makes 50.0% more requests (2,000 -> 3,000) and has "
	  "50.0% more misses (1,000 -> 1,500); most of it at mm.cl:10, \"a\\x1bb\", which is "
	  "new." },
	{ { { 9, "B[k]", 1000 } },
	  { { 9, "B[k]", 1001 } },
	  "B is about the same as A: nothing that costs differs by 1%." },
	{ { { 9, "B[k]", 0 } },
	  { { 9, "B[k]", 1 } },
	  "B is worse, with 6 turns of memory work where A has none; it moves 128 bytes from L2 "
	  "where A has none, makes 2 requests where A has none and has 1 misses where A has none; "
	  "most of it at mm.cl:9, \"B[k]\"." },
};

static void sentence_of(const struct made_report *a, const struct made_report *b,
                        struct str *sentence)
{
	struct diff d;
	const struct diff_report report = { .diff = &d };

	assert_int_equal(diff_make(&d, &a->data, &b->data, NULL), 0);
	str_init(sentence, 1 << 16);
	assert_int_equal(diff_sentence(&report, sentence, NULL), 0);
	diff_release(&d);
}

static void the_sentence_says_what_changed_and_where(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		struct made_report a, b;
		struct str sentence;

		made_report_init(&a, "mm", sentences[i].a, 1);
		made_report_init(&b, "mm", sentences[i].b, 1);
		sentence_of(&a, &b, &sentence);
		assert_string_equal(sentence.text, sentences[i].sentence);
		str_release(&sentence);
	}
}

/* A launch of `groups` groups, of which an SM holds 2 at a time; the GPU has 4 SMs. */
struct side {
	uint64_t groups, requests, bytes, local, conflicts, waits, dram, cycles;
};

static void make_side(struct made_report *m, const struct side *s)
{
	static const struct made_line none[] = { { 0 } };

	made_report_init(m, "mm", none, 1);
	m->data.total = (struct report_numbers){
		.l1 = { .reads = s->requests, .bytes_from_l2 = s->bytes },
		.cycles = s->cycles,
		.atomic_waits = s->waits,
		.side = { .local_instructions = s->local, .bank_conflicts = s->conflicts },
		.dram = { .bytes_read = s->dram },
	};
	m->launches[0].counts = m->kernels[0].counts = m->data.total;
	m->launches[0].resident_groups = 2;
	m->recorded[0].shape.global[0] = s->groups;
}

static const struct {
	struct side a, b;
	const char *sentence;
} verdicts[] = {
	/* Local memory that replaces requests costs less than these: 32,000 turns against 10,000,
	   conflicts among them. */
	{ { 8, 32000, 0, 0, 0, 0, 0, 5000 },
	  { 8, 4000, 0, 5000, 1000, 0, 0, 1000 },
	  "B is better, with 68.8% less memory work (32,000 -> 10,000 turns); it makes 87.5% fewer "
	  "requests (32,000 -> 4,000) and takes 80.0% fewer cycles (5,000 -> 1,000); 6,000 of B's "
	  "turns are of local memory." },
	/* ... and more, and as much. */
	{ { 8, 4000, 0, 0, 0, 0, 0, 0 },
	  { 8, 1000, 0, 5000, 1000, 0, 0, 0 },
	  "B is worse, with 75.0% more memory work (4,000 -> 7,000 turns); it makes 5,000 local "
	  "instructions where A has none and has 1,000 bank conflicts where A has none." },
	{ { 8, 4000, 0, 0, 0, 0, 0, 0 },
	  { 8, 1000, 0, 3000, 0, 0, 0, 0 },
	  "B is about the same as A; it makes 75.0% fewer requests (4,000 -> 1,000); 3,000 of B's "
	  "turns are of local memory." },
	/* Cycles of a launch that does not fill the GPU say nothing; nor do those that do not
	   follow the work. 7 groups are one too few. */
	{ { 3, 1000, 0, 0, 0, 0, 0, 100 },
	  { 3, 500, 0, 0, 0, 0, 0, 149 },
	  "B is better, with 50.0% less memory work (1,000 -> 500 turns); it makes 50.0% fewer "
	  "requests (1,000 -> 500); cycles cannot be compared: only 3 of 4 SMs have work." },
	{ { 7, 1000, 0, 0, 0, 0, 0, 100 },
	  { 7, 500, 0, 0, 0, 0, 0, 50 },
	  "B is better, with 50.0% less memory work (1,000 -> 500 turns); it makes 50.0% fewer "
	  "requests (1,000 -> 500); cycles cannot be compared: too few groups to fill the SMs." },
	{ { 8, 1000, 0, 0, 0, 0, 0, 100 },
	  { 8, 500, 0, 0, 0, 0, 0, 149 },
	  "B is better, with 50.0% less memory work (1,000 -> 500 turns); it makes 50.0% fewer "
	  "requests (1,000 -> 500)." },
	/* As much work on more SMs, or on fewer; less on fewer is for the reader to judge. */
	{ { 1, 1000, 0, 0, 0, 0, 0, 100 },
	  { 4, 1000, 0, 0, 0, 0, 0, 50 },
	  "B is better, with as much memory work, done by 4 of 4 SMs where A uses 1." },
	{ { 4, 1000, 0, 0, 0, 0, 0, 100 },
	  { 1, 1000, 0, 0, 0, 0, 0, 50 },
	  "B is worse, with as much memory work, done by 1 of 4 SMs where A uses 4." },
	{ { 4, 1000, 0, 0, 0, 0, 0, 100 },
	  { 1, 500, 0, 0, 0, 0, 0, 50 },
	  "B is not clearly better: it has 50.0% less memory work (1,000 -> 500 turns), done by 1 "
	  "of 4 SMs where A uses 4; it makes 50.0% fewer requests (1,000 -> 500)." },
	/* DRAM is no part of the turns: it decides where these are alike, and can speak against
	 * them.
	 */
	{ { 8, 1000, 0, 0, 0, 0, 64, 0 },
	  { 8, 1000, 0, 0, 0, 0, 32, 0 },
	  "B is better, with as much memory work; it moves 50.0% fewer bytes of DRAM (64 -> 32)." },
	{ { 8, 1000, 0, 0, 0, 0, 64, 0 },
	  { 8, 500, 0, 0, 0, 0, 96, 0 },
	  "B is not clearly better: it has 50.0% less memory work (1,000 -> 500 turns); it makes "
	  "50.0% fewer requests (1,000 -> 500), but moves 50.0% more bytes of DRAM (64 -> 96)." },
	/* 3,200 bytes are 100 turns. Atomics that no longer wait are most of what is saved; a
	   tenth of it is worth a word, less is not. */
	{ { 8, 1000, 3200, 0, 0, 900, 0, 0 },
	  { 8, 950, 0, 0, 0, 0, 0, 0 },
	  "B is better, with 52.5% less memory work (2,000 -> 950 turns); it has no atomic waits "
	  "where A has 900." },
};

static void a_verdict_weighs_all_work_and_is_explained_by_what_agrees_with_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		struct made_report a, b;
		struct str sentence;

		make_side(&a, &verdicts[i].a);
		make_side(&b, &verdicts[i].b);
		sentence_of(&a, &b, &sentence);
		assert_string_equal(sentence.text, verdicts[i].sentence);
		str_release(&sentence);
	}
}

static void a_verdict_is_as_far_as_local_memory_was_recorded(void **state)
{
	static const struct side one = { 8, 1000, 0, 0, 0, 0, 0, 0 },
				 other = { 8, 500, 0, 0, 0, 0, 0, 0 };
	struct made_report a, b;
	struct str sentence;

	(void)state;
	make_side(&a, &one);
	make_side(&b, &other);
	b.recorded[0].local_bytes = 4096;
	sentence_of(&a, &b, &sentence);
	assert_string_equal(
		sentence.text,
		"B is better as far as recorded, with 50.0% less memory work (1,000 -> 500 "
		"turns); it makes 50.0% fewer requests (1,000 -> 500); local memory of B "
		"was not recorded.");
	str_release(&sentence);
}

static void turns_of_different_lengths_are_not_compared(void **state)
{
	static const struct side one = { 8, 1000, 3200, 0, 0, 0, 0, 100 },
				 other = { 8, 500, 4000, 0, 0, 0, 0, 100 };
	struct made_report a, b;
	struct str sentence;

	(void)state;
	make_side(&a, &one);
	make_side(&b, &other);
	b.setup.gpu.l1_fill_bytes = 64;
	sentence_of(&a, &b, &sentence);
	assert_string_equal(sentence.text, "B makes 50.0% fewer requests (1,000 -> 500), but moves "
	                                   "25.0% more bytes from L2 (3,200 -> 4,000).");
	str_release(&sentence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_are_written_as_people_read_them),
		cmocka_unit_test(the_sentence_says_what_changed_and_where),
		cmocka_unit_test(a_verdict_weighs_all_work_and_is_explained_by_what_agrees_with_it),
		cmocka_unit_test(a_verdict_is_as_far_as_local_memory_was_recorded),
		cmocka_unit_test(turns_of_different_lengths_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

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
	/* 100 misses are 200 requests and 12,800 bytes. */
	{ { { 9, "B[k]", 100 }, { 10, "C[k]", 100 } },
	  { { 9, "B[k]", 18 }, { 10, "C[k]", 100 } },
	  "B moves 41.0% fewer bytes from L2 (25,600 -> 15,104), makes 41.0% fewer "
	  "requests (400 "
	  "-> 236) and has 41.0% fewer misses (200 -> 118); most of it at mm.cl:9, "
	  "\"B[k]\"." },
	{ { { 9, "B[k]", 100 } },
	  { { 12, "B[k]", 150 } },
	  "B moves 50.0% more bytes from L2 (12,800 -> 19,200), makes 50.0% more requests "
	  "(200 -> "
	  "300) and has 50.0% more misses (100 -> 150); most of it at mm.cl:12 (A: 9), "
	  "\"B[k]\"." },
	{ { { 9, "B[k]", 100 } },
	  { { 9, "B[k]", 300 } },
	  "B moves 3.0 times as many bytes from L2 (12,800 -> 38,400), makes 3.0 times as "
	  "many "
	  "requests (200 -> 600) and has 3.0 times as many misses (100 -> 300); most of it "
	  "at "
	  "mm.cl:9, \"B[k]\"." },
	{ { { 9, "B[k]", 1000 } },
	  { { 9, "B[k]", 1000 }, { 10, "a\033b", 500 } },
	  "B moves 50.0% more bytes from L2 (128,000 -> 192,000), makes 50.0% more "
	  "requests (2,000 "
	  "-> 3,000) and has 50.0% more misses (1,000 -> 1,500); most of it at mm.cl:10, "
	  "\"a\\x1bb\", which is new." },
	{ { { 9, "B[k]", 1000 } },
	  { { 9, "B[k]", 1001 } },
	  "B is as A in all but details: bytes from L2 and of DRAM, requests, misses, bank "
	  "conflicts and cycles differ by less than 1%." },
	{ { { 9, "B[k]", 0 } },
	  { { 9, "B[k]", 1 } },
	  "B moves 128 bytes from L2 where A has none, makes 2 requests where A has none "
	  "and has 1 "
	  "misses where A has none; most of it at mm.cl:9, \"B[k]\"." },
};

static void the_sentence_says_what_changed_and_where(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		struct made_report a, b;
		struct diff d;
		struct str sentence;
		const struct diff_report report = { .diff = &d };

		made_report_init(&a, "mm", sentences[i].a, 1);
		made_report_init(&b, "mm", sentences[i].b, 1);
		assert_int_equal(diff_make(&d, &a.data, &b.data, NULL), 0);
		str_init(&sentence, 1 << 16);
		assert_int_equal(diff_sentence(&report, &sentence, NULL), 0);
		assert_string_equal(sentence.text, sentences[i].sentence);
		str_release(&sentence);
		diff_release(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_are_written_as_people_read_them),
		cmocka_unit_test(the_sentence_says_what_changed_and_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor.h"

#include "cmocka_all.h"

#include <string.h>

/*
 * By hand, from Crawford 2014: M is the digit 22 of base 36, so M1 = 22 * 36 + 1 = 793 = 0x319,
 * M2 = 0x31a, M10 = 22 * 36^2 + 1 * 36 + 0 = 28548 = 0x6f84,
 * M9999 = 22 * 36^4 + 9 * 36^3 + 9 * 36^2 + 9 * 36 + 9 = 36951552 + 419904 + 11664 + 333
 *       = 37383453 = 0x23a6d1d.
 * The first three lines are of its listing 5.1: its first loop (0), first and second iteration.
 */
static const struct {
	const char *text;
	struct ancestor_line line;
} good[] = {
	{ "0x9CAE000F0000319|0x0|0x10000000000",
	  { ANCESTOR_READ, 0x09cae000, 1, 1, { 0 }, { 1 }, { 0 } } },
	{ "0x9CBB200F000031A|0x10|0x20000000000",
	  { ANCESTOR_READ, 0x09cbb200, 2, 1, { 0 }, { 2 }, { 16, 0, 0 } } },
	{ "0x1|0x10|0x0", { ANCESTOR_LOCAL_BARRIER, 0, 0, 0, { 0 }, { 0 }, { 16, 0, 0 } } },
	{ "0x2|0x0|0x0", { ANCESTOR_GLOBAL_BARRIER, 0, 0, 0, { 0 }, { 0 }, { 0 } } },
	{ "0xFFFFFFFFA0006F84|0x300002FFFFF|0x0",
	  { ANCESTOR_WRITE, 0xffffffff, 10, 0, { 0 }, { 0 }, { 0xfffff, 2, 3 } } },
	{ "0xF23A6D1D|0x0|0xFFFFF0000000000",
	  { ANCESTOR_READ, 0, 9999, 1, { 15 }, { 65535 }, { 0 } } },
	{ "0xA0000319|0x0|0x10003E0007F0001",
	  { ANCESTOR_WRITE, 0, 1, 3, { 1, 14, 15 }, { 3, 7, 1 }, { 0 } } },
};

static void known_lines_are_read_and_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct ancestor_line *want = &good[i].line;
		struct ancestor_line got;
		char text[ANCESTOR_LINE_BYTES];

		assert_true(!ancestor_parse(good[i].text, &got));
		assert_int_equal(got.kind, want->kind);
		assert_int_equal(got.address, want->address);
		assert_int_equal(got.number, want->number);
		assert_int_equal(got.loop_count, want->loop_count);
		assert_memory_equal(got.loops, want->loops, sizeof(got.loops));
		assert_memory_equal(got.iterations, want->iterations, sizeof(got.iterations));
		assert_memory_equal(got.id, want->id, sizeof(got.id));
		assert_string_equal(ancestor_print(text, want), good[i].text);
	}
}

static void prefix_and_case_do_not_matter(void **state)
{
	struct ancestor_line a, b;

	(void)state;
	assert_true(!ancestor_parse("0x9CAE000F0000319|0x10|0x10000000000", &a));
	assert_true(!ancestor_parse("09cae000f0000319|00010|10000000000", &b));
	assert_memory_equal(&a, &b, sizeof(a));
	assert_true(!ancestor_parse("-", &a));
	assert_int_equal(a.kind, ANCESTOR_END);
	assert_true(!ancestor_parse("----------", &a));
	assert_int_equal(a.kind, ANCESTOR_END);
}

/* The sentence is found by a word of it. */
static void wrong_lines_say_what_was_expected(void **state)
{
	static const struct {
		const char *text, *word;
	} cases[] = {
		{ "", "three hexadecimal numbers" },
		{ "--x", "three hexadecimal numbers" },
		{ "0x1|0x0", "three hexadecimal numbers" },
		{ "0x1|0x0|0x0|0x0", "three hexadecimal numbers" },
		{ "0x|0x0|0x0", "three hexadecimal numbers" },
		{ "0x1 |0x0|0x0", "three hexadecimal numbers" },
		{ "-1|0|0", "three hexadecimal numbers" },
		{ "0x11111111111111111|0x0|0x0", "three hexadecimal numbers" }, /* 17 digits */
		{ "0x0|0x0|0x0", "F (read) or A (write)" },
		{ "0x3|0x0|0x0", "F (read) or A (write)" },
		{ "0x9CAE000B0000319|0x0|0x0", "F (read) or A (write)" },
		{ "0x9CAE000F0000000|0x0|0x0", "M1..M9999" },
		{ "0x9CAE000F0000016|0x0|0x0", "M1..M9999" }, /* M alone */
		{ "0x9CAE000F0000318|0x0|0x0", "M1..M9999" }, /* M0 */
		{ "0x9CAE000F0006F60|0x0|0x0", "M1..M9999" }, /* M00 */
		{ "0x9CAE000F0006F61|0x0|0x0", "M1..M9999" }, /* M01 */
		{ "0x9CAE000F0000322|0x0|0x0", "M1..M9999" }, /* MA */
		{ "0x9CAE000F00002F5|0x0|0x0", "M1..M9999" }, /* L1 */
		{ "0x9CAE000F0000319|0x1000000000000000|0x0", "five digits a dimension" },
		{ "0x9CAE000F0000319|0x0|0x1000010000000000", "a loop word" }, /* bit 60 */
		{ "0x9CAE000F0000319|0x0|0x1", "a loop word" },                /* no outer part */
		{ "0x9CAE000F0000319|0x0|0x100000000000000",
		  "a loop word" },                                        /* loop 1, iteration 0 */
		{ "0x9CAE000F0000319|0x0|0x10000100000", "a loop word" }, /* loop 0 in loop 0 */
		{ "0x9CAE000F0000319|0x0|0x100010000100000", "a loop word" }, /* loop 0 in loop 1 */
		{ "0x1|0x0|0x10000000000", "the loop word 0" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ancestor_line line;
		const char *expected = ancestor_parse(cases[i].text, &line);

		if (!expected || !strstr(expected, cases[i].word))
			fail_msg("'%s' gives: %s", cases[i].text, expected ? expected : "nothing");
	}
}

static void every_name_survives(void **state)
{
	(void)state;
	for (int n = 1; n <= ANCESTOR_LAST_NUMBER; n++) {
		struct ancestor_line line = { .kind = ANCESTOR_WRITE, .number = (uint16_t)n };
		struct ancestor_line back;
		char text[ANCESTOR_LINE_BYTES];

		assert_true(!ancestor_parse(ancestor_print(text, &line), &back));
		assert_int_equal(back.number, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_lines_are_read_and_written),
		cmocka_unit_test(prefix_and_case_do_not_matter),
		cmocka_unit_test(wrong_lines_say_what_was_expected),
		cmocka_unit_test(every_name_survives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

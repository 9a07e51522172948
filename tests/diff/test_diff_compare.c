/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines, buffers and launches belong together, and what differs. */
#include "cmocka_all.h"
#include "diff_compare.h"
#include "diff_pairs.h"
#include "err.h"
#include "made_reports.h"

#include <string.h>

/* The line of B that a line of A is matched with, by numbers; 0: it is gone. */
static uint32_t match_of(const struct diff *d, uint32_t number)
{
	const struct diff_rows *rows = &d->sections[DIFF_SECTION_lines];

	for (size_t i = 0; i < rows->count; i++) {
		const struct report_line *a = rows->list[i].item[DIFF_A];
		const struct report_line *b = rows->list[i].item[DIFF_B];

		if (a && a->line == number)
			return b ? b->line : 0;
	}
	fail_msg("line %u of A is in no row", number);
	return 0;
}

static size_t count_new(const struct diff_rows *rows)
{
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++)
		count += !rows->list[i].item[DIFF_A];
	return count;
}

static void lines_are_matched_by_their_text(void **state)
{
	static const struct {
		struct made_line a[MADE_LINES], b[MADE_LINES];
		uint32_t matches[MADE_LINES]; /* of the lines of A */
		size_t added;
	} rows[] = {
		/* A line in front of all moves them. */
		{ { { 3, "x = in[i];", 4 }, { 4, "y = in[j];", 2 } },
		  { { 3, "z = in[k];", 9 }, { 5, "x = in[i];", 4 }, { 6, "y = in[j];", 2 } },
		  { 5, 6 },
		  1 },
		/* Blanks do not count. */
		{ { { 3, "x  =\tin[i];", 4 } }, { { 9, "x = in[i];", 4 } }, { 9 }, 0 },
		/* They change places. */
		{ { { 3, "x", 4 }, { 4, "y", 2 } }, { { 3, "y", 2 }, { 4, "x", 4 } }, { 4, 3 }, 0 },
		/* Lines of one text, by number; one is gone. */
		{ { { 3, "x", 4 }, { 7, "x", 2 }, { 9, "x", 2 } },
		  { { 5, "x", 4 }, { 6, "x", 2 } },
		  { 5, 6, 0 },
		  0 },
		/* One line between the same two was edited. */
		{ { { 3, "x", 4 }, { 4, "B[k * n + j]", 2 }, { 5, "y", 1 } },
		  { { 3, "x", 4 }, { 5, "T[j * n + k]", 1 }, { 8, "y", 1 } },
		  { 3, 5, 8 },
		  0 },
		/* One became two: who is who would be a guess. */
		{ { { 3, "x", 4 }, { 4, "out = in", 2 }, { 5, "y", 1 } },
		  { { 3, "x", 4 }, { 4, "tile = in", 1 }, { 5, "out = tile", 1 }, { 8, "y", 1 } },
		  { 3, 0, 8 },
		  2 },
		/* Edited, but elsewhere: it is another line. */
		{ { { 3, "p", 4 }, { 4, "x", 2 } }, { { 3, "x", 4 }, { 4, "q", 2 } }, { 0, 3 }, 1 },
		/* No source: by number. */
		{ { { 3, NULL, 4 }, { 4, NULL, 2 } },
		  { { 4, NULL, 2 }, { 5, NULL, 4 } },
		  { 0, 4 },
		  1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct made_report a, b;
		struct diff d;

		made_report_init(&a, "mm", rows[i].a, 1);
		made_report_init(&b, "mm", rows[i].b, 1);
		assert_int_equal(diff_make(&d, &a.data, &b.data, NULL), 0);
		for (size_t k = 0; rows[i].a[k].number; k++)
			if (match_of(&d, rows[i].a[k].number) != rows[i].matches[k])
				fail_msg("row %zu, line %u", i, rows[i].a[k].number);
		assert_int_equal(count_new(&d.sections[DIFF_SECTION_lines]), rows[i].added);
		diff_release(&d);
	}
}

static void a_kernel_that_is_left_on_both_sides_was_renamed(void **state)
{
	const struct made_line lines[] = { { 3, "x", 4 }, { 0, NULL, 0 } };
	struct made_report a, b;
	const struct diff_rows *kernels;
	struct diff d;

	(void)state;
	made_report_init(&a, "naive", lines, 1);
	made_report_init(&b, "tiled", lines, 1);
	assert_int_equal(diff_make(&d, &a.data, &b.data, NULL), 0);
	kernels = &d.sections[DIFF_SECTION_kernels];
	assert_int_equal(kernels->count, 1);
	assert_string_equal(kernels->list[0].kernel[DIFF_A], "naive");
	assert_string_equal(kernels->list[0].kernel[DIFF_B], "tiled");
	assert_int_equal(match_of(&d, 3), 3);
	assert_true(diff_is_same(&d));
	diff_release(&d);
}

static void what_changed_most_comes_first(void **state)
{
	/* Of 100 misses on the side that has more: line 5 changes by 60, line 3 by 10, line 4 by
	 * nothing. */
	const struct made_line of_a[] = {
		{ 3, "x", 30 }, { 4, "y", 10 }, { 5, "z", 60 }, { 0, NULL, 0 }
	};
	const struct made_line of_b[] = { { 3, "x", 20 }, { 4, "y", 10 }, { 0, NULL, 0 } };
	struct made_report a, b;
	const struct diff_rows *lines;
	struct diff d;

	(void)state;
	made_report_init(&a, "mm", of_a, 1);
	made_report_init(&b, "mm", of_b, 1);
	assert_int_equal(diff_make(&d, &a.data, &b.data, NULL), 0);
	lines = &d.sections[DIFF_SECTION_lines];
	assert_int_equal(lines->count, 3);
	assert_int_equal(lines->changed, 2);
	assert_int_equal(((const struct report_line *)lines->list[0].item[DIFF_A])->line, 5);
	assert_true(lines->list[0].weight == 0.6);
	assert_int_equal(((const struct report_line *)lines->list[1].item[DIFF_A])->line, 3);
	assert_true(lines->list[1].weight == 0.1);
	assert_true(diff_row_is_same(&lines->list[2]));
	assert_int_equal(d.total.counts[DIFF_A].of[DIFF_bytes_from_l2], 12800);
	assert_int_equal(d.total.counts[DIFF_B].of[DIFF_requests], 60);
	assert_false(diff_is_same(&d));
	diff_release(&d);
}

static void the_order_of_changes_does_not_hang_on_that_of_lines(void **state)
{
	/* All are gone, so that each changes by all that it has. */
	static const uint64_t misses[][3] = { { 60, 10, 30 }, { 10, 60, 30 }, { 10, 30, 60 } };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct made_line of_a[] = { { 3, "x", misses[i][0] },
			                          { 4, "y", misses[i][1] },
			                          { 5, "z", misses[i][2] },
			                          { 0, NULL, 0 } };
		const struct made_line of_b[] = { { 3, "other", 1 }, { 0, NULL, 0 } };
		const uint64_t sorted[] = { 60, 30, 10, 1 };
		struct made_report a, b;
		const struct diff_rows *lines;
		struct diff d;

		made_report_init(&a, "mm", of_a, 1);
		made_report_init(&b, "mm", of_b, 1);
		assert_int_equal(diff_make(&d, &a.data, &b.data, NULL), 0);
		lines = &d.sections[DIFF_SECTION_lines];
		assert_int_equal(lines->count, 4);
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(
				lines->list[k].counts[k < 3 ? DIFF_A : DIFF_B].of[DIFF_misses],
				sorted[k]);
		diff_release(&d);
	}
}

static void buffers_are_matched_by_who_sees_them(void **state)
{
	const struct made_line lines[] = { { 3, "x", 4 }, { 0, NULL, 0 } };
	struct made_report a, b;
	const struct diff_rows *buffers;
	struct diff d;

	(void)state;
	made_report_init(&a, "mm", lines, 1);
	made_report_init(&b, "mm", lines, 1);
	made_report_buffer(&a, 0, "A");
	made_report_buffer(&a, 1, "B");
	made_report_buffer(&a, 2, "C");
	made_report_buffer(&b, 0, "scratch"); /* is new, and moves the others */
	made_report_buffer(&b, 1, "B");
	made_report_buffer(&b, 2, "A");
	assert_int_equal(diff_make(&d, &a.data, &b.data, NULL), 0);
	buffers = &d.sections[DIFF_SECTION_buffers];
	assert_int_equal(buffers->count, 4);
	for (size_t i = 0; i < buffers->count; i++) {
		const struct report_buffer *x = buffers->list[i].item[DIFF_A];
		const struct report_buffer *y = buffers->list[i].item[DIFF_B];

		if (x && y)
			assert_string_equal(x->names, y->names);
		else
			assert_string_equal((x ? x : y)->names, x ? "C" : "scratch");
	}
	diff_release(&d);
}

static void launches_are_matched_in_their_order(void **state)
{
	const struct made_line lines[] = { { 3, "x", 4 }, { 0, NULL, 0 } };
	struct made_report a, b;
	const struct diff_rows *launches;
	struct diff d;

	(void)state;
	made_report_init(&a, "mm", lines, 2);
	made_report_init(&b, "mm", lines, 3);
	assert_int_equal(diff_make(&d, &a.data, &b.data, NULL), 0);
	launches = &d.sections[DIFF_SECTION_launches];
	assert_int_equal(launches->count, 3);
	assert_int_equal(launches->changed, 1);
	assert_null(launches->list[0].item[DIFF_A]);
	assert_false(diff_is_same(&d));
	diff_release(&d);
}

static void texts_are_compared_without_their_blanks(void **state)
{
	static const struct {
		const char *a, *b;
		bool is_same;
	} rows[] = {
		{ "a b", "a  b", true }, { "a\tb", "a b", true }, { "ab", "a b", false },
		{ "", "", true },        { "a", "", false },      { "a \t b", "a b", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(diff_is_same_text(rows[i].a, rows[i].b), rows[i].is_same);
		assert_int_equal(diff_is_same_text(rows[i].b, rows[i].a), rows[i].is_same);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_matched_by_their_text),
		cmocka_unit_test(a_kernel_that_is_left_on_both_sides_was_renamed),
		cmocka_unit_test(what_changed_most_comes_first),
		cmocka_unit_test(the_order_of_changes_does_not_hang_on_that_of_lines),
		cmocka_unit_test(buffers_are_matched_by_who_sees_them),
		cmocka_unit_test(launches_are_matched_in_their_order),
		cmocka_unit_test(texts_are_compared_without_their_blanks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

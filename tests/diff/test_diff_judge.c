/* SPDX-License-Identifier: Apache-2.0 */
/* When B is so much worse that CI is told. */
#include "cmocka_all.h"
#include "diff_judge.h"
#include "err.h"
#include "made_reports.h"

#include <string.h>

/* Regressions found between two reports of so many misses. */
static size_t count_found(uint64_t a, uint64_t b, const char *above, const char *on,
                          bool is_by_kernel)
{
	const struct made_line of_a[] = { { 3, "x", a }, { 0, NULL, 0 } };
	const struct made_line of_b[] = { { 3, "x", b }, { 0, NULL, 0 } };
	struct made_report x, y;
	struct diff_judge j;
	struct diff d;
	size_t found;

	made_report_init(&x, "mm", of_a, 1);
	made_report_init(&y, "mm", of_b, 1);
	assert_int_equal(diff_make(&d, &x.data, &y.data, NULL), 0);
	assert_int_equal(diff_judge_init(&j, above, on, is_by_kernel, NULL), 0);
	assert_int_equal(diff_judge_look(&j, &d, NULL), 0);
	found = j.found.count;
	diff_judge_release(&j);
	diff_release(&d);
	return found;
}

static void more_than_so_many_percent_more_is_a_regression(void **state)
{
	static const struct {
		uint64_t a, b;
		const char *above;
		bool is_found;
	} rows[] = {
		{ 100, 105, "5", false },
		{ 100, 106, "5", true },
		{ 100, 106, "5%", true },
		{ 1000, 1005, "0.5", false },
		{ 1000, 1006, "0.5", true },
		{ 100, 100, "0", false },
		{ 100, 101, "0", true },
		{ 100, 50, "0", false },
		{ 0, 1, "1000", true },
		{ 0, 0, "0", false },
		{ 1, 3, "200", false },
		{ 1, 4, "200", true },
		{ UINT64_C(1) << 40, (UINT64_C(1) << 40) + 1, "0", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		/* Misses, requests and bytes all are multiples of one another here. */
		assert_int_equal(count_found(rows[i].a, rows[i].b, rows[i].above, NULL, false),
		                 rows[i].is_found ? 3 : 0);
		assert_int_equal(count_found(rows[i].a, rows[i].b, rows[i].above, "misses", false),
		                 rows[i].is_found ? 1 : 0);
		assert_int_equal(
			count_found(rows[i].a, rows[i].b, rows[i].above, "misses,cold", true),
			rows[i].is_found ? 4 : 0);
		assert_int_equal(count_found(rows[i].a, rows[i].b, rows[i].above, "cycles", false),
		                 0);
		assert_int_equal(count_found(rows[i].a, rows[i].b, NULL, NULL, false), 0);
	}
}

static void options_that_make_no_sense_are_refused(void **state)
{
	static const struct {
		const char *above, *on, *message;
	} rows[] = {
		{ "x", NULL, "--fail-above: 'x' is not a percentage" },
		{ "", NULL, "--fail-above: '' is not a percentage" },
		{ "%", NULL, "not a percentage" },
		{ "5%%", NULL, "not a percentage" },
		{ "5k", NULL, "not a percentage" },
		{ "-1", NULL, "not a percentage" },
		{ "1.2.3", NULL, "not a percentage" },
		{ "5", "miss", "--fail-on: 'miss' is not a metric" },
		{ "5", "mises", "is 'misses' meant" },
		{ "5", "", "not a metric" },
		{ "5", "misses,", "not a metric" },
		{ NULL, "misses", "--fail-on: expected --fail-above" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct diff_judge j;

		assert_int_equal(diff_judge_init(&j, rows[i].above, rows[i].on, false, &err),
		                 ERR_USAGE);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("row %zu: %s", i, err.msg);
		diff_judge_release(&j);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_than_so_many_percent_more_is_a_regression),
		cmocka_unit_test(options_that_make_no_sense_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

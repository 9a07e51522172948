/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_text.h"

#include "cmocka_all.h"

static void counts_have_separators(void **state)
{
	static const struct {
		uint64_t count;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1,000" },
		{ 123456, "123,456" },
		{ 1234567, "1,234,567" },
		{ UINT64_MAX, "18,446,744,073,709,551,615" },
	};
	char text[COUNT_TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(count_text(text, cases[i].count), cases[i].text);
}

static void shapes_leave_trailing_ones_out(void **state)
{
	static const struct {
		uint64_t size[3];
		const char *text;
	} cases[] = {
		{ { 1, 1, 1 }, "1" },
		{ { 64, 1, 1 }, "64" },
		{ { 64, 2, 1 }, "64x2" },
		{ { 1, 1, 2 }, "1x1x2" },
		{ { 1, 5, 1 }, "1x5" },
		{ { UINT64_MAX, UINT64_MAX, UINT64_MAX },
		  "18446744073709551615x18446744073709551615x18446744073709551615" },
	};
	char text[SHAPE_TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(shape_text(text, cases[i].size), cases[i].text);
}

static void shares_are_percentages(void **state)
{
	char text[COUNT_TEXT_BYTES];

	(void)state;
	assert_string_equal(share_text(text, 1, 8), "12.50%");
	assert_string_equal(share_text(text, 8, 8), "100.00%");
	assert_string_equal(share_text(text, 0, 3), "0.00%");
	assert_string_equal(share_text(text, 0, 0), "-");
}

static void amounts_are_singular_for_one_only(void **state)
{
	char text[SHAPE_TEXT_BYTES];

	(void)state;
	assert_string_equal(amount_text(text, 0, "loop"), "0 loops");
	assert_string_equal(amount_text(text, 1, "loop"), "1 loop");
	assert_string_equal(amount_text(text, 2, "loop"), "2 loops");
	assert_string_equal(amount_text(text, 1000, "event"), "1,000 events");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_have_separators),
		cmocka_unit_test(shapes_leave_trailing_ones_out),
		cmocka_unit_test(amounts_are_singular_for_one_only),
		cmocka_unit_test(shares_are_percentages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "number_list.h"

#include <stdio.h>

static void lists_are_numbers_and_ranges(void **state)
{
	static const struct {
		enum number_range range;
		const char *text, *want;
	} rows[] = {
		{ NUMBER_RANGE_ALL, "4", "4" },
		{ NUMBER_RANGE_ALL, "3..6", "3 4 5 6" },
		{ NUMBER_RANGE_ALL, "7..7", "7" },
		{ NUMBER_RANGE_ALL, "8,2,5..6,2,6", "2 5 6 8" },
		{ NUMBER_RANGE_ALL, "1k", "1024" },
		{ NUMBER_RANGE_POWERS, "1..16", "1 2 4 8 16" },
		{ NUMBER_RANGE_POWERS, "3..17,48", "4 8 16 48" },
		{ NUMBER_RANGE_POWERS, "2000..2000", "x: 2000..2000 adds no power of two" },
		{ NUMBER_RANGE_ALL, "6..3", "x: 6..3 ends before it begins" },
		{ NUMBER_RANGE_ALL, "0", "x: 0 is outside 1..2000" },
		{ NUMBER_RANGE_ALL, "1..2001", "x: 2001 is outside 1..2000" },
		{ NUMBER_RANGE_ALL, "1..1025", "x: more than 1024 numbers" },
		{ NUMBER_RANGE_ALL, "", "x: '' is not a number" },
		{ NUMBER_RANGE_ALL, "1,", "x: '' is not a number" },
		{ NUMBER_RANGE_ALL, "1...3", "x: '.3' is not a number" },
		{ NUMBER_RANGE_ALL, "..3", "x: '' is not a number" },
	};
	static struct number_list list;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		char got[128] = "";
		size_t used = 0;

		const struct number_bounds bounds = { "x", 1, 2000, rows[i].range };

		if (number_list_parse(&list, rows[i].text, &bounds, &err)) {
			assert_string_equal(err.msg, rows[i].want);
			assert_int_equal(err.code, ERR_USAGE);
			continue;
		}
		for (size_t k = 0; k < list.count; k++)
			used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%u",
			                         k ? " " : "", list.numbers[k]);
		assert_string_equal(got, rows[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_numbers_and_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

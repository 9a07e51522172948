/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "launch_filter.h"
#include "recorder_settings.h"

#include <string.h>

static void make(struct launch_filter *f, const struct recorder_settings *settings)
{
	struct err err = { 0 };

	if (launch_filter_init(f, settings, &err) != 0)
		fail_msg("%s", err.msg);
}

static void an_expression_is_sought_anywhere_in_a_name(void **state)
{
	static const struct {
		char expression[16];
		const char *name;
		bool is_selected;
	} rows[] = {
		{ "mul", "matmul", true },        { "mul", "matmult", true },
		{ "^mul", "matmul", false },      { "^matmul$", "matmul", true },
		{ "^matmul$", "matmul2", false }, { "a|b", "xbx", true },
		{ "[0-9]+", "step3", true },      { "[0-9]+", "step", false },
		{ "Mul", "matmul", false },       { "(ab){2}", "xababx", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct launch_filter f;
		char expression[16];

		memcpy(expression, rows[i].expression, sizeof(expression));
		make(&f, &(struct recorder_settings){ .kernel = expression });
		assert_int_equal(launch_filter_has_kernel(&f, rows[i].name), rows[i].is_selected);
		launch_filter_release(&f);
	}
}

static void a_launch_needs_its_number_and_one_of_its_groups(void **state)
{
	static const struct {
		char launches[8], groups[8];
		uint64_t number, group_count;
		bool is_selected;
	} rows[] = {
		{ "2..3", "", 1, 9, false }, { "2..3", "", 2, 9, true }, { "2..3", "", 3, 9, true },
		{ "2..3", "", 4, 9, false }, { "", "5", 0, 5, false },   { "", "5", 0, 6, true },
		{ "", "/7", 0, 1, true },    { "1", "5", 1, 5, false },  { "1", "5", 1, 6, true },
		{ "1", "5", 0, 6, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct launch_filter f;
		char launches[8], groups[8];

		memcpy(launches, rows[i].launches, sizeof(launches));
		memcpy(groups, rows[i].groups, sizeof(groups));
		make(&f, &(struct recorder_settings){ .launches = *launches ? launches : NULL,
		                                      .groups = *groups ? groups : NULL });
		assert_int_equal(launch_filter_has_launch(&f, rows[i].number, rows[i].group_count),
		                 rows[i].is_selected);
		launch_filter_release(&f);
	}
}

static void without_settings_everything_is_selected(void **state)
{
	struct launch_filter f;

	make(&f, &(struct recorder_settings){ .kernel = NULL });
	assert_true(launch_filter_has_kernel(&f, "any"));
	assert_true(launch_filter_has_launch(&f, 7, 0));
	launch_filter_release(&f);
	memset(&f, 0, sizeof(f));
	launch_filter_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_expression_is_sought_anywhere_in_a_name),
		cmocka_unit_test(a_launch_needs_its_number_and_one_of_its_groups),
		cmocka_unit_test(without_settings_everything_is_selected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

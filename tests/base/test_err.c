/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"

#include <string.h>

static void the_first_failure_wins(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(err_set(&err, ERR_IO, "%s: %d", "a", 1), ERR_IO);
	assert_int_equal(err_set(&err, ERR_FORMAT, "b"), ERR_FORMAT);
	assert_int_equal(err.code, ERR_IO);
	assert_string_equal(err.msg, "a: 1");
}

static void a_message_is_not_needed(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, ERR_LIMIT, "%s", "x"), ERR_LIMIT);
}

static void a_long_message_is_cut_and_ended(void **state)
{
	struct err err = { 0 };
	char text[2000];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	err_set(&err, ERR_IO, "%s", text);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
}

static void every_code_has_a_value_and_a_text(void **state)
{
	static const struct {
		int code, value;
		const char *text;
	} rows[] = {
		{ 0, 0, "no error" },
		{ ERR_NOMEM, -1, "out of memory" },
		{ ERR_IO, -2, "input/output error" },
		{ ERR_FORMAT, -3, "malformed file" },
		{ ERR_VERSION, -4, "unsupported format version" },
		{ ERR_CONFIG, -5, "invalid configuration" },
		{ ERR_USAGE, -6, "wrong use of a command" },
		{ ERR_LIMIT, -7, "a limit was exceeded" },
		{ ERR_UNSUPPORTED, -8, "not supported" },
		{ ERR_DEVICE, -9, "an OpenCL call failed" },
		{ ERR_SUBPROCESS, -10, "a helper program failed" },
		{ 1, 1, "unknown error" },
		{ -999, -999, "unknown error" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(rows[i].code, rows[i].value);
		assert_string_equal(err_text(rows[i].code), rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_failure_wins),
		cmocka_unit_test(a_message_is_not_needed),
		cmocka_unit_test(a_long_message_is_cut_and_ended),
		cmocka_unit_test(every_code_has_a_value_and_a_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void appended_parts_make_the_whole(void **state)
{
	char expected[3000] = "";
	struct str s;

	(void)state;
	str_init(&s, 10000);
	for (int i = 0; i < 500; i++) {
		assert_int_equal(
			i % 2 ? str_printf(&s, NULL, "%d,", i) : str_append(&s, "ab", 2, NULL), 0);
		if (i % 2)
			snprintf(expected + strlen(expected), 16, "%d,", i);
		else
			snprintf(expected + strlen(expected), 8, "ab");
	}
	assert_string_equal(s.text, expected);
	assert_int_equal(s.length, strlen(expected));
	str_release(&s);
	assert_null(s.text);
}

static void a_text_may_hold_nul_bytes(void **state)
{
	struct str s;

	(void)state;
	str_init(&s, 100);
	assert_int_equal(str_append(&s, "a\0b", 3, NULL), 0);
	assert_int_equal(str_append(&s, "", 0, NULL), 0);
	assert_int_equal(s.length, 3);
	assert_memory_equal(s.text, "a\0b", 4);
	str_release(&s);
}

static void a_failed_append_changes_nothing(void **state)
{
	static const struct {
		size_t limit;
		const char *first, *second;
		int code;
	} rows[] = {
		{ 5, "abc", "de", 0 },     { 5, "abc", "def", ERR_LIMIT },  { 0, "", "", 0 },
		{ 0, "", "x", ERR_LIMIT }, { SIZE_MAX, "", "", ERR_LIMIT }, /* there is no room for
		                                                               the final NUL */
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct str s;
		int ret;

		str_init(&s, rows[i / 2].limit);
		if (rows[i / 2].first[0])
			assert_int_equal(str_append(&s, rows[i / 2].first, 3, &err), 0);
		ret = i % 2 ? str_printf(&s, &err, "%s", rows[i / 2].second)
		            : str_append(&s, rows[i / 2].second, strlen(rows[i / 2].second), &err);
		assert_int_equal(ret, rows[i / 2].code);
		if (ret && s.text)
			assert_string_equal(s.text, rows[i / 2].first);
		if (ret)
			assert_non_null(strstr(err.msg, "past its limit"));
		str_release(&s);
	}
}

static void texts_are_copied_and_taken(void **state)
{
	char *copy = str_copy("abc", NULL), *made = str_format(NULL, "%d-%s", 7, "x");
	struct str s;

	(void)state;
	assert_string_equal(copy, "abc");
	assert_string_equal(made, "7-x");
	free(copy);
	free(made);
	str_init(&s, 10);
	assert_null(str_take(&s));
	str_append(&s, "x", 1, NULL);
	copy = str_take(&s);
	assert_string_equal(copy, "x");
	assert_true(s.text == NULL && s.length == 0);
	free(copy);
	str_append(&s, "y", 1, NULL);
	assert_string_equal(s.text, "y");
	str_release(&s);
}

static void control_characters_are_made_visible(void **state)
{
	/* NEL (U+0085) and CSI (U+009b) are two bytes each in UTF-8; U+00a0 and U+00e9 are no
	 * controls. A byte that stands alone is no UTF-8, and may be a control elsewhere. */
	static const char *const rows[][2] = {
		{ "", "" },
		{ "plain \xc3\xa9 \xc2\xa0", "plain \xc3\xa9 \xc2\xa0" },
		{ "\x1b[2J", "\\x1b[2J" },
		{ "a\tb\nc\x7f", "a\\x09b\\x0ac\\x7f" },
		{ "\xc2\x9b"
		  "1m\xc2\x85",
		  "\\xc2\\x9b1m\\xc2\\x85" },
		{ "\xc2", "\\xc2" },
		{ "f\xfcr \x9b"
		  "2J",
		  "f\\xfcr \\x9b2J" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *seen = str_visible(rows[i][0], NULL);

		assert_string_equal(seen, rows[i][1]);
		free(seen);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appended_parts_make_the_whole),
		cmocka_unit_test(a_text_may_hold_nul_bytes),
		cmocka_unit_test(a_failed_append_changes_nothing),
		cmocka_unit_test(texts_are_copied_and_taken),
		cmocka_unit_test(control_characters_are_made_visible),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

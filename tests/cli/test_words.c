/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include "cmocka_all.h"

#include <string.h>

static void words_are_found_and_listed(void **state)
{
	char text[64], small[6];

	(void)state;
	assert_int_equal(words_find("a|bc|d", "a"), 0);
	assert_int_equal(words_find("a|bc|d", "bc"), 1);
	assert_int_equal(words_find("a|bc|d", "d"), 2);
	assert_int_equal(words_find("a|bc|d", "b"), -1);
	assert_int_equal(words_find("a|bc|d", ""), -1);
	assert_int_equal(words_find("a|bc|d", "a|bc"), -1);
	assert_string_equal(words_list("a|bc|d", text, sizeof(text)), "a, bc, d");
	assert_true(strlen(words_list("a|bc|d", small, sizeof(small))) < sizeof(small));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_found_and_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

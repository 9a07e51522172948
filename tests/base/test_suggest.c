/* SPDX-License-Identifier: Apache-2.0 */
#include "suggest.h"

#include "cmocka_all.h"

#include <string.h>

static void distances_are_edits(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned distance;
	} cases[] = {
		{ "", "", 0 },
		{ "abc", "abc", 0 },
		{ "", "abc", 3 },
		{ "abc", "ab", 1 },
		{ "abc", "abcd", 1 },
		{ "abc", "axc", 1 },
		{ "abc", "acb", 1 },
		{ "abc", "xyz", 3 },
		{ "replay", "relpay", 1 },
		{ "dump", "dumb", 1 },
		{ "info", "inof", 1 },
		{ "0123456789012345678901234567890123456789", "", 32 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(suggestion_distance(cases[i].a, cases[i].b), cases[i].distance);
		assert_int_equal(suggestion_distance(cases[i].b, cases[i].a), cases[i].distance);
	}
}

static void only_near_names_are_suggested(void **state)
{
	static const struct {
		const char *wrong, *best;
	} cases[] = {
		{ "reply", "replay" }, { "recrod", "record" }, { "gpu", "gpus" },
		{ "xyz", NULL },       { "d", NULL },          { "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct suggestion s;

		suggestion_init(&s, cases[i].wrong);
		suggestion_offer(&s, "record");
		suggestion_offer(&s, "replay");
		suggestion_offer(&s, "gpus");
		if (cases[i].best)
			assert_string_equal(s.best, cases[i].best);
		else
			assert_true(s.best == NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_edits),
		cmocka_unit_test(only_near_names_are_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

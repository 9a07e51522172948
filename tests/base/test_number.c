/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "number.h"

#include <string.h>

static void numbers_are_read_whole_or_refused(void **state)
{
	static const struct {
		const char *text;
		uint64_t min, max;
		int64_t expected; /* -1: not a number, -2: outside the range */
	} rows[] = {
		{ "0", 0, 10, 0 },
		{ "10", 0, 10, 10 },
		{ "11", 0, 10, -2 },
		{ "1", 2, 10, -2 },
		{ "007", 0, 10, 7 },
		{ "0x1F", 0, 100, 31 },
		{ "0XfF", 0, 255, 255 },
		{ "16k", 0, 1 << 20, 16384 },
		{ "1M", 0, 1 << 20, 1 << 20 },
		{ "2g", 0, UINT64_MAX, 1ll << 31 },
		{ "0x10k", 0, UINT64_MAX, 16384 },
		{ "18446744073709551616", 0, UINT64_MAX, -2 },
		{ "17179869184g", 0, UINT64_MAX, -2 }, /* 2^34 * 2^30 = 2^64 */
		{ "17179869183g", 0, UINT64_MAX, INT64_MIN },
		{ "", 0, 10, -1 },
		{ "-1", 0, 10, -1 },
		{ "+1", 0, 10, -1 },
		{ " 1", 0, 10, -1 },
		{ "1 ", 0, 10, -1 },
		{ "1.5", 0, 10, -1 },
		{ "k", 0, 10, -1 },
		{ "1kk", 0, UINT64_MAX, -1 },
		{ "1t", 0, UINT64_MAX, -1 },
		{ "0x", 0, 10, -1 },
		{ "0xg", 0, 10, -1 },
		{ "12a", 0, 100, -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		uint64_t out = 12345, expected = (uint64_t)rows[i].expected;
		int ret =
			number_parse(rows[i].text, "--size", rows[i].min, rows[i].max, &out, &err);

		if (rows[i].expected == INT64_MIN)
			expected = 17179869183ull << 30;
		if (rows[i].expected == -1 || rows[i].expected == -2) {
			const char *says =
				rows[i].expected == -1 ? "is not a number" : "is outside";

			if (ret != ERR_USAGE || !strstr(err.msg, says) ||
			    strncmp(err.msg, "--size: ", 8) != 0)
				fail_msg("'%s': %d says '%s'", rows[i].text, ret, err.msg);
			assert_int_equal(out, 12345);
		} else if (ret || out != expected) {
			fail_msg("'%s': %d, %llu", rows[i].text, ret, (unsigned long long)out);
		}
	}
}

static void seconds_are_read_to_the_nanosecond_or_refused(void **state)
{
	static const struct {
		const char *text;
		uint64_t expected; /* 0: refused */
		const char *says;
	} rows[] = {
		{ "1", 1000000000, NULL },
		{ "0.5", 500000000, NULL },
		{ "2.000000001", 2000000001, NULL },
		{ "0090", 90000000000, NULL },
		{ "1000000000", 1000000000000000000, NULL },
		{ "1000000001", 0, "at most 1000000000 seconds" },
		{ "99999999999999999999999", 0, "at most 1000000000 seconds" },
		{ "0", 0, "more than 0" },
		{ "0.000000000", 0, "more than 0" },
		{ "0.0000000001", 0, "not a number of seconds" },
		{ "1.", 0, "not a number of seconds" },
		{ "1,5", 0, "not a number of seconds" },
		{ ".5", 0, "not a number of seconds" },
		{ "-1", 0, "not a number of seconds" },
		{ " 1", 0, "not a number of seconds" },
		{ "1s", 0, "not a number of seconds" },
		{ "1.5e3", 0, "not a number of seconds" },
		{ "", 0, "not a number of seconds" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		uint64_t out = 7;
		int ret = number_parse_seconds(rows[i].text, "--duration", &out, &err);

		if (rows[i].expected
		            ? ret || out != rows[i].expected
		            : ret != ERR_USAGE || out != 7 || !strstr(err.msg, rows[i].says) ||
		                      strncmp(err.msg, "--duration: ", 12) != 0)
			fail_msg("'%s': %d, %llu, '%s'", rows[i].text, ret, (unsigned long long)out,
			         err.msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_whole_or_refused),
		cmocka_unit_test(seconds_are_read_to_the_nanosecond_or_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of an expression, and which of two values comes first. */
#include "cmocka_all.h"
#include "query_value.h"
#include "random.h"

#include <string.h>

static void numbers_are_read_with_their_suffixes(void **state)
{
	static const struct {
		const char *text;
		uint64_t number;
	} rows[] = {
		{ "0", 0 },
		{ "9", 9 },
		{ "16k", 16000 },
		{ "16Ki", 16384 },
		{ "2M", 2000000 },
		{ "2Mi", 2097152 },
		{ "3G", 3000000000 },
		{ "1Gi", 1073741824 },
		{ "1T", 1000000000000 },
		{ "1Ti", 1099511627776 },
		{ "0x40", 64 },
		{ "0XfF", 255 },
		{ "0x2Ki", 2048 },
		{ "18446744073709551615", UINT64_MAX },
		{ "0xffffffffffffffff", UINT64_MAX },
		{ "007", 7 },
	};
	struct cell value;
	enum cell_type type;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(query_value_parse(rows[i].text, strlen(rows[i].text), &value, &type));
		assert_int_equal(type, CELL_NUMBER);
		assert_int_equal(value.number, rows[i].number);
	}
}

static void points_and_percents_are_read_as_decimals(void **state)
{
	static const struct {
		const char *text;
		double real;
	} rows[] = {
		{ "0.5", 0.5 },
		{ "1.5k", 1500 },
		{ "50%", 0.5 },
		{ "12.5%", 0.125 },
		{ "0.1", 0.1 },
		{ ".25", 0.25 },
		{ "3.", 3 },
		{ "0.25Ki", 256 },
		{ "0.3%", 0.003 },
		{ "100%", 1 },
		{ "123456789012.345", 123456789012.345 },
	};
	struct cell value;
	enum cell_type type;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(query_value_parse(rows[i].text, strlen(rows[i].text), &value, &type));
		assert_int_equal(type, CELL_REAL);
		assert_true(value.real == rows[i].real);
	}
}

static void what_is_no_number_is_refused(void **state)
{
	static const char *const rows[] = {
		"",
		"k",
		"9k9",
		"-1",
		"1K",
		"1kk",
		"1i",
		"0x",
		"0xg",
		"1e3",
		".",
		"%",
		"5%%",
		"1 ",
		"0x1%x",
		"1..2",
		"1.2.3",
		"18446744073709551616",
		"0x10000000000000000",
		"18446744073709551615k",
		"1234567890.123456",
		"1234567890123456%",
	};
	struct cell value;
	enum cell_type type;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (query_value_parse(rows[i], strlen(rows[i]), &value, &type))
			fail_msg("'%s' was read", rows[i]);
}

/* Twice a value, exactly: reals of this test are below 2^62 and multiples of a half. */
static uint64_t twice(const struct cell *v, enum cell_type type)
{
	return type == CELL_REAL ? (uint64_t)(v->real * 2) : v->number * 2;
}

static struct cell random_value(struct random *r, enum cell_type *type, uint64_t near)
{
	uint64_t number = near + random_below(r, 5) - 2;

	*type = random_below(r, 2) ? CELL_REAL : CELL_NUMBER;
	if (*type == CELL_NUMBER)
		return cell_number(number);
	return cell_real((double)number +
	                 (number < UINT64_C(1) << 51 && random_below(r, 2) ? 0.5 : 0));
}

static void numbers_and_decimals_compare_exactly(void **state)
{
	struct random r = { 7 };

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint64_t near = (random_next(&r) >> (2 + random_below(&r, 60))) + 2;
		enum cell_type of_a, of_b;
		struct cell a = random_value(&r, &of_a, near);
		struct cell b = random_value(&r, &of_b, near);
		uint64_t x = twice(&a, of_a), y = twice(&b, of_b);
		int order = query_value_compare(&a, of_a, &b, of_b);

		if ((order < 0) != (x < y) || (order > 0) != (x > y))
			fail_msg("seed 7, pair %d", i);
	}
}

static void the_ends_of_the_range_compare_exactly(void **state)
{
	const struct cell most = cell_number(UINT64_MAX), next = cell_real(0x1p64);
	const struct cell none = cell_none(), least = cell_number(0);
	const struct cell below = cell_real(-0.5), odd = cell_number((1ull << 53) + 1);
	const struct cell even = cell_real(0x1p53);

	(void)state;
	assert_true(query_value_compare(&most, CELL_NUMBER, &next, CELL_REAL) < 0);
	assert_true(query_value_compare(&next, CELL_REAL, &most, CELL_NUMBER) > 0);
	assert_true(query_value_compare(&least, CELL_NUMBER, &below, CELL_REAL) > 0);
	assert_true(query_value_compare(&odd, CELL_NUMBER, &even, CELL_REAL) > 0);
	assert_true(query_value_compare(&none, CELL_NUMBER, &least, CELL_NUMBER) < 0);
	assert_true(query_value_compare(&least, CELL_NUMBER, &none, CELL_NUMBER) > 0);
	assert_int_equal(query_value_compare(&none, CELL_TEXT, &none, CELL_TEXT), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_with_their_suffixes),
		cmocka_unit_test(points_and_percents_are_read_as_decimals),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(numbers_and_decimals_compare_exactly),
		cmocka_unit_test(the_ends_of_the_range_compare_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

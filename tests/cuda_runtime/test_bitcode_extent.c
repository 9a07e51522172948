/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "cuda_compile.h"

#include <stdint.h>
#include <string.h>

#define MAGIC   0xDEC04342u
#define WRAPPER 0x0B17C0DEu

enum { UNITS_BYTES = 13 * 4 };

/* ENTER_SUBBLOCK of unit `number` with abbreviations of `width` bits. */
static uint32_t unit(uint32_t number, uint32_t width)
{
	return 1 | number << 2 | width << 10;
}

static void the_end_is_where_no_unit_begins(void **state)
{
	/* Identification of one word, module of three, names of two; then other data. */
	const uint32_t words[] = { MAGIC, unit(13, 5), 1, 7, unit(8, 3), 3,          1, 2,
		                   3,     unit(23, 3), 2, 9, 9,          0xDEC04342, 5 };

	assert_int_equal(bitcode_extent(words, sizeof(words)), UNITS_BYTES);
	assert_int_equal(bitcode_extent(words, UNITS_BYTES), UNITS_BYTES);
}

static void a_unit_beyond_the_limit_is_none(void **state)
{
	const uint32_t words[] = { MAGIC, unit(8, 3), 3, 1, 2, 3 };

	for (size_t limit = 0; limit < sizeof(words); limit++)
		assert_int_equal(bitcode_extent(words, limit), 0);
	assert_int_equal(bitcode_extent(words, sizeof(words)), sizeof(words));
}

static void what_is_no_bitcode_has_no_extent(void **state)
{
	const uint32_t other[] = { 0x464c457f, unit(8, 3), 1, 0 };
	const uint32_t empty[] = { MAGIC, 0, 0, 0 };
	const uint32_t strange[] = { MAGIC, unit(9, 3), 1, 0 }; /* no unit of a file */
	const uint32_t huge[] = { MAGIC, unit(8, 3), 0xffffffff, 0 };

	assert_int_equal(bitcode_extent(other, sizeof(other)), 0);
	assert_int_equal(bitcode_extent(empty, sizeof(empty)), 0);
	assert_int_equal(bitcode_extent(strange, sizeof(strange)), 0);
	assert_int_equal(bitcode_extent(huge, sizeof(huge)), 0);
}

static void a_wrapper_says_its_size(void **state)
{
	const uint32_t words[] = { WRAPPER, 0, 20, 8, 0, MAGIC, 0 };
	const uint32_t beyond[] = { WRAPPER, 0, 20, 0xfffffff0, 0, MAGIC, 0 };

	assert_int_equal(bitcode_extent(words, sizeof(words)), 28);
	assert_int_equal(bitcode_extent(words, 24), 0);
	assert_int_equal(bitcode_extent(beyond, sizeof(beyond)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_is_where_no_unit_begins),
		cmocka_unit_test(a_unit_beyond_the_limit_is_none),
		cmocka_unit_test(what_is_no_bitcode_has_no_extent),
		cmocka_unit_test(a_wrapper_says_its_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

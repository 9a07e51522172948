/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

/* The oracle: item i holds i + 1, however the array grew, and new items are zero. */
static void items_keep_their_values_while_the_array_grows(void **state)
{
	struct array a;

	(void)state;
	array_init(&a, sizeof(uint64_t), 100000, "numbers");
	for (uint64_t i = 0; i < 5000;) {
		uint64_t count = i % 7;
		uint64_t *items = array_push(&a, count, NULL);

		assert_non_null(items);
		for (uint64_t k = 0; k < count; k++) {
			assert_int_equal(items[k], 0);
			items[k] = ++i;
		}
		i += count == 0;
		if (count == 0)
			*(uint64_t *)array_push(&a, 1, NULL) = i;
	}
	for (size_t i = 0; i < a.count; i++)
		assert_int_equal(((uint64_t *)a.data)[i], i + 1);
	array_release(&a);
	assert_null(a.data);
}

static void a_limit_is_reached_exactly(void **state)
{
	static const struct {
		size_t limit, before, push;
		int code;
	} rows[] = {
		{ 10, 0, 10, 0 },
		{ 10, 0, 11, ERR_LIMIT },
		{ 10, 9, 1, 0 },
		{ 10, 9, 2, ERR_LIMIT },
		{ 10, 10, 0, 0 },
		{ 10, 10, 1, ERR_LIMIT },
		{ 0, 0, 1, ERR_LIMIT },
		{ SIZE_MAX, 5, SIZE_MAX, ERR_LIMIT },
		{ SIZE_MAX, 0, SIZE_MAX / 4, ERR_NOMEM }, /* times 8 does not fit */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct array a;
		void *items;

		array_init(&a, 8, rows[i].limit, "numbers");
		assert_true(rows[i].before == 0 || array_push(&a, rows[i].before, &err));
		items = array_push(&a, rows[i].push, &err);
		assert_int_equal(err.code, rows[i].code);
		assert_int_equal(items == NULL, rows[i].code != 0);
		assert_int_equal(a.count, rows[i].before + (rows[i].code ? 0 : rows[i].push));
		if (rows[i].code == ERR_LIMIT)
			assert_non_null(strstr(err.msg, "numbers: more than "));
		array_release(&a);
	}
}

static void clearing_keeps_the_memory_and_taking_gives_it_away(void **state)
{
	struct array a;
	void *data;

	(void)state;
	array_init(&a, 1, 100, "bytes");
	assert_null(array_take(&a));
	memcpy(array_push(&a, 3, NULL), "abc", 3);
	data = a.data;
	array_clear(&a);
	assert_int_equal(a.count, 0);
	assert_ptr_equal(array_push(&a, 1, NULL), data);
	assert_int_equal(*(char *)data, 0);
	data = array_take(&a);
	assert_non_null(data);
	assert_true(a.data == NULL && a.count == 0 && a.capacity == 0);
	free(data);
	assert_non_null(array_push(&a, 1, NULL));
	array_release(&a);
}

static void allocations_are_zero_and_never_overflow(void **state)
{
	struct err err = { 0 };
	uint32_t *numbers = array_alloc(1000, sizeof(*numbers), "numbers", &err);
	void *nothing = array_alloc(0, 8, "nothing", &err);

	(void)state;
	assert_true(numbers && nothing);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], 0);
	free(numbers);
	free(nothing);
}

static void a_zeroed_array_may_be_released(void **state)
{
	struct array a = { 0 };

	(void)state;
	array_release(&a);
	array_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_keep_their_values_while_the_array_grows),
		cmocka_unit_test(a_limit_is_reached_exactly),
		cmocka_unit_test(clearing_keeps_the_memory_and_taking_gives_it_away),
		cmocka_unit_test(allocations_are_zero_and_never_overflow),
		cmocka_unit_test(a_zeroed_array_may_be_released),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "handle_map.h"

#include <stdlib.h>

#define SEED  42u
#define KEYS  200
#define STEPS 200000

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* Against a plain array, one cell per key. */
static void it_names_what_was_put_last(void **state)
{
	static char places[KEYS * 64]; /* keys as an allocator gives them: 64 bytes apart */
	void *oracle[KEYS] = { NULL };
	struct handle_map map = { 0 };
	struct err err = { 0 };
	size_t count = 0;

	print_message("seed %u\n", SEED);
	for (int step = 0; step < STEPS; step++) {
		size_t k = random_below(KEYS);
		const void *key = &places[k * 64];
		void *value = &places[random_below(KEYS * 64)], *old = &map;

		switch (random_below(3)) {
		case 0:
			assert_int_equal(handle_map_put(&map, key, value, &old, &err), 0);
			assert_ptr_equal(old, oracle[k]);
			count += !oracle[k];
			oracle[k] = value;
			break;
		case 1:
			assert_ptr_equal(handle_map_remove(&map, key), oracle[k]);
			count -= oracle[k] != NULL;
			oracle[k] = NULL;
			break;
		default:
			assert_ptr_equal(handle_map_get(&map, key), oracle[k]);
		}
		assert_int_equal(map.count, count);
	}
	for (size_t k = 0; k < KEYS; k++)
		assert_ptr_equal(handle_map_get(&map, &places[k * 64]), oracle[k]);
	handle_map_release(&map);
}

static void an_empty_map_knows_nothing(void **state)
{
	struct handle_map map = { 0 };
	int key = 0;

	assert_null(handle_map_get(&map, &key));
	assert_null(handle_map_get(&map, NULL));
	assert_null(handle_map_remove(&map, &key));
	handle_map_release(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_names_what_was_put_last),
		cmocka_unit_test(an_empty_map_knows_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

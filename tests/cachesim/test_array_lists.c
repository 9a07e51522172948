/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first 2 million of the lists on which other simulators agree (bench/array_speed takes all 20
 * million): every policy misses as often as the oracle does.
 */
#include "cmocka_all.h"

#include "address_lists.h"
#include "cache_array.h"
#include "naive_array.h"
#include "set_index.h"

#include <stdlib.h>

enum { COUNT = 2000000, LINE_SHIFT = 7 };

struct shape {
	uint32_t sets, ways, index;
};

static uint64_t misses_of(struct cache_array *a, const struct set_index *index,
                          const uint64_t *list)
{
	uint64_t misses = 0;

	for (size_t i = 0; i < COUNT; i++) {
		uint64_t line = list[i] >> LINE_SHIFT;
		uint32_t set = set_index_find(index, line);
		uint32_t slot = cache_array_find(a, set, line);

		if (slot != CACHE_ARRAY_NONE) {
			cache_array_use(a, slot);
			continue;
		}
		misses++;
		cache_array_put(a, cache_array_victim(a, set), line);
	}
	return misses;
}

static uint64_t naive_misses_of(struct naive_array *n, const struct set_index *index,
                                const uint64_t *list)
{
	uint64_t misses = 0;

	for (size_t i = 0; i < COUNT; i++) {
		uint64_t line = list[i] >> LINE_SHIFT;
		uint32_t set = set_index_find(index, line);
		int64_t slot = naive_array_find(n, set, line);

		if (slot >= 0) {
			naive_array_use(n, slot);
			continue;
		}
		misses++;
		naive_array_put(n, naive_array_victim(n, set), line);
	}
	return misses;
}

static void compare(const uint64_t *list, const struct shape *shape, uint32_t kind)
{
	const struct gpu_spec function = { .kind = shape->index };
	struct gpu_spec policy = { .kind = kind };
	const struct cache_array_setup setup = { shape->sets, shape->ways, &policy, 0 };
	struct cache_array array;
	struct naive_array naive;
	struct set_index index;
	uint64_t misses;

	if (kind == GPU_POLICY_RANDOM)
		policy.number = 7;
	for (uint32_t i = 0; kind == GPU_POLICY_WAYS && i < shape->ways; i++)
		policy.list[policy.count++] = i % 3;
	assert_int_equal(set_index_init_for(&index, &function, shape->sets, 128, "l1", NULL), 0);
	assert_int_equal(cache_array_init(&array, &setup, NULL), 0);
	naive_array_init(&naive, shape->sets, shape->ways, &policy);
	misses = misses_of(&array, &index, list);
	assert_int_equal(misses, naive_misses_of(&naive, &index, list));
	assert_in_range(misses, 1, COUNT - 1);
	naive_array_release(&naive);
	cache_array_release(&array);
}

static void both_count_the_same(void (*fill)(uint64_t *list))
{
	static const struct shape shapes[] = { { 32, 4, GPU_L1_INDEX_MODULO },
		                               { 32, 4, GPU_L1_INDEX_FERMI },
		                               { 64, 6, GPU_L1_INDEX_MODULO },
		                               { 4, 24, GPU_L1_INDEX_XOR } };
	uint64_t *list = malloc(COUNT * sizeof(*list));

	assert_non_null(list);
	fill(list);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		for (uint32_t kind = 0; kind <= GPU_POLICY_WAYS; kind++)
			if (i < 2 || kind <= GPU_POLICY_FIFO || kind == GPU_POLICY_SRRIP)
				compare(list, &shapes[i], kind);
	free(list);
}

static void fill_matrix(uint64_t *list)
{
	address_list_matrix(list, COUNT);
}

static void fill_mixed(uint64_t *list)
{
	assert_true(address_list_mixed(list, COUNT));
}

static void a_matrix_product_misses_as_often_as_by_the_oracle(void **state)
{
	(void)state;
	both_count_the_same(fill_matrix);
}

static void a_mixed_list_misses_as_often_as_by_the_oracle(void **state)
{
	(void)state;
	both_count_the_same(fill_mixed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_matrix_product_misses_as_often_as_by_the_oracle),
		cmocka_unit_test(a_mixed_list_misses_as_often_as_by_the_oracle),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

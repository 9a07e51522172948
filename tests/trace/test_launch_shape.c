/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "launch_shape.h"

#include <string.h>

static void impossible_shapes_are_refused(void **state)
{
	const struct {
		struct launch_shape shape;
		const char *says; /* NULL: fine */
	} rows[] = {
		{ { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } }, NULL },
		{ { 3, { 5, 4, 3 }, { 2, 4, 9 }, { 7, 0, 1 } }, NULL },
		{ { 1, { 10, 1, 1 }, { 1048576, 1, 1 }, { 0 } }, NULL },
		{ { 1, { INT64_MAX, 1, 1 }, { 1, 1, 1 }, { 0 } }, NULL },
		{ { 1, { 1, 1, 1 }, { 1, 1, 1 }, { UINT64_MAX, 0, 0 } }, NULL },
		{ { 0, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } }, "0 dimensions, expected 1..3" },
		{ { 4, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } }, "4 dimensions, expected 1..3" },
		{ { 2, { 1, 0, 1 }, { 1, 1, 1 }, { 0 } }, "dimension 1: a size is 0" },
		{ { 2, { 1, 1, 1 }, { 0, 1, 1 }, { 0 } }, "dimension 0: a size is 0" },
		{ { 1, { 1, 2, 1 }, { 1, 1, 1 }, { 0 } }, "unused dimension 1" },
		{ { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 0, 1 } }, "unused dimension 2" },
		{ { 2, { 1, 1, 1 }, { 1025, 1024, 1 }, { 0 } }, "more than 1048576 work-items" },
		{ { 3, { 1, 1, 1 }, { 1ull << 32, 1ull << 32, 1 }, { 0 } }, "more than 1048576" },
		{ { 1, { 1ull << 63, 1, 1 }, { 1, 1, 1 }, { 0 } }, "do not fit in 63 bits" },
		{ { 2, { 1ull << 32, 1ull << 31, 1 }, { 1, 1, 1 }, { 0 } }, "63 bits" },
		{ { 1, { 2, 1, 1 }, { 1, 1, 1 }, { UINT64_MAX, 0, 0 } },
		  "does not fit in 64 bits" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		int ret = launch_shape_check(&rows[i].shape, &err);

		assert_int_equal(ret, rows[i].says ? ERR_FORMAT : 0);
		if (rows[i].says && !strstr(err.msg, rows[i].says))
			fail_msg("row %zu says '%s'", i, err.msg);
	}
}

/* A work-item placed by the definitions of SEMANTICS 2, and whether the code agrees. */
static void check_item(const struct launch_shape *s, const uint64_t at[3])
{
	uint64_t g = 0, item = 0, groups = 1, items = 1, id[3];
	uint32_t size[3], left[3];

	for (int d = 0; d < 3; d++) {
		uint64_t group = at[d] / s->local[d], rest = s->global[d] - group * s->local[d];

		left[d] = (uint32_t)(rest < s->local[d] ? rest : s->local[d]);
		g += group * groups;
		item += at[d] % s->local[d] * items;
		groups *= (s->global[d] + s->local[d] - 1) / s->local[d];
		items *= left[d];
	}
	assert_int_equal(launch_shape_group_size(s, g, size), items);
	assert_memory_equal(size, left, sizeof(size));
	launch_shape_global_id(s, g, (uint32_t)item, id);
	for (int d = 0; d < 3; d++)
		assert_true(id[d] == at[d] + s->offset[d]);
	assert_int_equal(launch_shape_group_count(s), groups);
}

/* Every group's work-items together are those of the NDRange, and each is where it should be. */
static void check_all_items(const struct launch_shape *s)
{
	uint64_t total = s->global[0] * s->global[1] * s->global[2], sum = 0;
	uint32_t size[3];

	for (uint64_t i = 0; i < total; i++) {
		const uint64_t at[3] = { i % s->global[0], i / s->global[0] % s->global[1],
			                 i / s->global[0] / s->global[1] };

		check_item(s, at);
	}
	for (uint64_t g = 0; g < launch_shape_group_count(s); g++)
		sum += launch_shape_group_size(s, g, size);
	assert_int_equal(sum, total);
}

static void every_work_item_has_one_place(void **state)
{
	static const struct launch_shape shapes[] = {
		{ 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } },
		{ 1, { 10, 1, 1 }, { 4, 1, 1 }, { 100, 0, 0 } },
		{ 1, { 3, 1, 1 }, { 64, 1, 1 }, { 0 } },
		{ 2, { 16, 16, 1 }, { 4, 8, 1 }, { 0 } },
		{ 2, { 7, 5, 1 }, { 3, 2, 1 }, { 1, 1ull << 40, 0 } },
		{ 3, { 5, 4, 7 }, { 2, 3, 4 }, { 9, 8, 7 } },
		{ 3, { 2, 2, 9 }, { 2, 2, 1 }, { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		assert_int_equal(launch_shape_check(&shapes[i], NULL), 0);
		check_all_items(&shapes[i]);
	}
}

/* 2^63 - 1 work-items in groups of 2^20: 2^43 groups, the last one short of one work-item. */
static void the_largest_shape_does_not_overflow(void **state)
{
	const struct launch_shape s = { 1, { INT64_MAX, 1, 1 }, { 1 << 20, 1, 1 }, { 0 } };
	uint32_t size[3];
	uint64_t id[3];

	(void)state;
	assert_int_equal(launch_shape_check(&s, NULL), 0);
	assert_true(launch_shape_group_count(&s) == 1ull << 43);
	assert_int_equal(launch_shape_group_size(&s, (1ull << 43) - 1, size), (1 << 20) - 1);
	launch_shape_global_id(&s, (1ull << 43) - 1, (1 << 20) - 2, id);
	assert_true(id[0] == INT64_MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(impossible_shapes_are_refused),
		cmocka_unit_test(every_work_item_has_one_place),
		cmocka_unit_test(the_largest_shape_does_not_overflow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

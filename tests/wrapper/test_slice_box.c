/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "slice_layout.h"

#include <stdbool.h>
#include <string.h>

#define SEED 4711u

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

static void random_shape(struct launch_shape *shape)
{
	*shape = (struct launch_shape){ .dimensions = 1 + random_below(3) };
	for (uint32_t d = 0; d < 3; d++) {
		bool is_used = d < shape->dimensions;

		shape->local[d] = is_used ? 1 + random_below(5) : 1;
		shape->global[d] = is_used ? 1 + random_below(40) : 1;
		shape->offset[d] = is_used ? random_below(9) : 0;
		/* Every other shape has no partial groups. */
		if (random_below(2))
			shape->global[d] *= shape->local[d];
	}
}

/*
 * Run a box as OpenCL does: each work-item of the range goes to the group that its global id is
 * in, from the range's own beginning. Those groups, in linear order, must be begin, begin + 1, ...
 * and each work-item of the launch's group must come once.
 */
static void run_box(const struct launch_shape *shape, const struct slice_box *box, uint8_t *seen)
{
	uint64_t offset[3], global[3], x, y, z, expected = box->begin;

	slice_box_range(box, shape, offset, global);
	for (z = 0; z < box->count[2]; z++)
		for (y = 0; y < box->count[1]; y++)
			for (x = 0; x < box->count[0]; x++)
				assert_int_equal(box->first[0] + x +
				                         launch_shape_groups(shape, 0) *
				                                 (box->first[1] + y +
				                                  launch_shape_groups(shape, 1) *
				                                          (box->first[2] + z)),
				                 expected++);
	assert_int_equal(expected, box->end);
	for (z = 0; z < global[2]; z++)
		for (y = 0; y < global[1]; y++)
			for (x = 0; x < global[0]; x++) {
				uint64_t at[3] = { offset[0] + x - shape->offset[0],
					           offset[1] + y - shape->offset[1],
					           offset[2] + z - shape->offset[2] };

				/* A group of the box begins at a multiple of the local size. */
				assert_int_equal(at[0] / shape->local[0],
				                 box->first[0] + x / shape->local[0]);
				assert_int_equal(at[1] / shape->local[1],
				                 box->first[1] + y / shape->local[1]);
				assert_true(at[0] < shape->global[0] && at[1] < shape->global[1] &&
				            at[2] < shape->global[2]);
				seen[at[0] +
				     shape->global[0] * (at[1] + shape->global[1] * at[2])]++;
			}
}

static void boxes_tile_the_grid_in_linear_order(void **state)
{
	static uint8_t seen[200 * 200 * 200];

	print_message("seed %u\n", SEED);
	for (int round = 0; round < 2000; round++) {
		struct launch_shape shape;
		struct slice_box box = { .end = 0 };
		uint64_t groups, items;

		random_shape(&shape);
		groups = launch_shape_group_count(&shape);
		items = shape.global[0] * shape.global[1] * shape.global[2];
		if (items > 100000)
			continue;
		memset(seen, 0, items);
		while (box.end < groups) {
			uint64_t most = 1 + random_below(random_below(3) ? 50 : 5000);
			uint64_t begin = box.end;

			box = slice_box_at(&shape, begin, most);
			assert_int_equal(box.begin, begin);
			assert_true(box.end > begin && box.end - begin <= most);
			run_box(&shape, &box, seen);
		}
		assert_int_equal(box.end, groups);
		for (uint64_t i = 0; i < items; i++)
			assert_int_equal(seen[i], 1);
	}
}

/* 5 x 3 x 4 groups: from the middle of a row to its end; then rows to the end of the plane; then
 * planes, of which two are 30 groups. */
static void a_box_is_as_large_as_it_can_be(void **state)
{
	static const struct launch_shape shape = { 3, { 10, 9, 8 }, { 2, 3, 2 }, { 0, 0, 0 } };
	static const struct {
		uint64_t begin, most, end;
	} rows[] = {
		{ 0, 1, 1 },    { 0, 4, 4 },    { 2, 100, 5 },    { 5, 100, 15 }, { 5, 9, 10 },
		{ 15, 44, 45 }, { 15, 29, 30 }, { 15, 1000, 60 }, { 15, 14, 25 }, { 59, 7, 60 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice_box box = slice_box_at(&shape, rows[i].begin, rows[i].most);

		assert_int_equal(box.end, rows[i].end);
	}
}

/* 2^62 groups of one work-item. */
static void huge_grids_do_not_wrap(void **state)
{
	static const struct launch_shape shape = {
		2, { UINT64_C(1) << 31, UINT64_C(1) << 31, 1 }, { 1, 1, 1 }, { 7, 9, 0 }
	};
	struct slice_box box = slice_box_at(&shape, UINT64_C(1) << 61, UINT64_MAX);
	uint64_t offset[3], global[3];

	assert_int_equal(box.end, UINT64_C(1) << 62);
	slice_box_range(&box, &shape, offset, global);
	assert_int_equal(offset[0], 7);
	assert_int_equal(offset[1], (UINT64_C(1) << 30) + 9);
	assert_int_equal(global[1], UINT64_C(1) << 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_tile_the_grid_in_linear_order),
		cmocka_unit_test(a_box_is_as_large_as_it_can_be),
		cmocka_unit_test(huge_grids_do_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Points on a grid of cells, against a list of all points. */
#include "cmocka_all.h"

#include "plot_raster.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

enum { POINTS = 3000, ROUNDS = 60 };

static const uint64_t FIRST_SEED = 811;

struct point {
	uint64_t x, y, value;
};

static void an_axis_has_the_smallest_cells_that_fit(void **unused)
{
	static const struct {
		uint64_t low, high;
		uint32_t least, limit;
		struct plot_axis axis;
	} rows[] = {
		{ 0, 0, 0, 640, { 0, 1, 0 } },
		{ 0, 639, 0, 640, { 0, 640, 0 } },
		{ 0, 640, 0, 640, { 0, 321, 1 } }, /* numbers 640 and 641 are the last cell */
		{ 5, 5, 2, 10, { 1, 1, 2 } },
		{ 7, 8, 3, 10, { 0, 2, 3 } }, /* 7 and 8 lie in cells of their own */
		{ 100, 227, 0, 64, { 50, 64, 1 } },
		{ 101, 228, 0, 64, { 25, 33, 2 } }, /* 65 cells of two: too many */
		{ 0, UINT64_MAX, 0, 2, { 0, 2, 63 } },
		{ UINT64_MAX, UINT64_MAX, 0, 2, { UINT64_MAX, 1, 0 } },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plot_axis a =
			plot_axis_fit(rows[i].low, rows[i].high, rows[i].least, rows[i].limit);

		assert_int_equal(a.first, rows[i].axis.first);
		assert_int_equal(a.count, rows[i].axis.count);
		assert_int_equal(a.shift, rows[i].axis.shift);
		assert_int_equal(plot_axis_cell(&a, rows[i].low), 0);
		assert_int_equal(plot_axis_cell(&a, rows[i].high), a.count - 1);
	}
}

/* Whether a point lies in a cell, by what a cell is: 2^shift numbers from a multiple of that on. */
static bool is_in(const struct plot_axis *a, uint32_t cell, uint64_t number)
{
	uint64_t begin = plot_axis_number(a, cell), size = UINT64_C(1) << a->shift;

	return begin % size == 0 && number >= begin && number - begin < size;
}

static void check_cell(const struct plot_raster *r, uint32_t column, uint32_t row,
                       const struct point *points)
{
	const struct plot_cell *cell = plot_raster_cell(r, column, row);
	uint64_t count = 0;
	bool has_value = false;

	for (size_t i = 0; i < POINTS; i++) {
		if (!is_in(&r->x, column, points[i].x) || !is_in(&r->y, row, points[i].y))
			continue;
		count++;
		has_value = has_value || points[i].value == cell->value;
	}
	assert_int_equal(cell->count, count);
	assert_true(has_value || !count);
}

static void every_point_is_in_the_cell_that_holds_it_and_in_no_other(void **unused)
{
	static struct point points[POINTS];

	(void)unused;
	for (uint64_t round = 0; round < ROUNDS; round++) {
		struct random random = { FIRST_SEED + round };
		uint64_t x0, y0, stride;
		struct plot_raster r;

		print_message("  seed %llu\n", (unsigned long long)random.state);
		x0 = random_next(&random) % 1000;
		y0 = random_next(&random) >> (random_next(&random) % 60);
		stride = 1 + random_next(&random) % 70;
		for (size_t i = 0; i < POINTS; i++)
			points[i] = (struct point){ x0 + i, y0 / 2 + i * stride % 4096,
				                    random_next(&random) % 50 };
		/* the last points and the highest lie outside */
		assert_int_equal(plot_raster_init(&r, plot_axis_fit(x0, x0 + POINTS - 100, 0, 20),
		                                  plot_axis_fit(y0 / 2, y0 / 2 + 4000, 2, 12),
		                                  NULL),
		                 0);
		for (size_t i = 0; i < POINTS; i++)
			plot_raster_add(&r, points[i].x, points[i].y, points[i].value);
		for (uint32_t column = 0; column < r.x.count; column++)
			for (uint32_t row = 0; row < r.y.count; row++)
				check_cell(&r, column, row, points);
		plot_raster_release(&r);
	}
}

/* 64 work-items take turns: to take each 64th access would show one work-item alone. Each cell
 * here has 64 accesses, so all cells together must show nearly all work-items, nearly as often. */
static void the_colour_of_a_cell_follows_no_pattern_in_time(void **unused)
{
	enum { CELLS = 512, ITEMS = 64 };
	uint32_t shown[ITEMS] = { 0 }, neighbours = 0;
	struct plot_raster r;

	(void)unused;
	assert_int_equal(plot_raster_init(&r, (struct plot_axis){ 0, CELLS, 6 },
	                                  (struct plot_axis){ 0, 1, 0 }, NULL),
	                 0);
	for (uint64_t i = 0; i < (uint64_t)CELLS * ITEMS; i++)
		plot_raster_add(&r, i, 0, i % ITEMS);
	for (uint32_t i = 0; i < CELLS; i++) {
		assert_int_equal(r.cells[i].count, ITEMS);
		shown[r.cells[i].value]++;
		neighbours += i && r.cells[i].value == r.cells[i - 1].value;
	}
	for (uint32_t i = 0; i < ITEMS; i++)
		assert_in_range(shown[i], 1, 24); /* 8 on average; 24 is more than 5 sigma off */
	assert_in_range(neighbours, 0, 24);
	plot_raster_release(&r);
}

static void the_order_of_adding_does_not_matter(void **unused)
{
	struct plot_raster a, b;

	(void)unused;
	assert_int_equal(plot_raster_init(&a, plot_axis_fit(0, 999, 0, 30),
	                                  plot_axis_fit(0, 99, 0, 10), NULL),
	                 0);
	assert_int_equal(plot_raster_init(&b, a.x, a.y, NULL), 0);
	for (uint64_t i = 0; i < 1000; i++) {
		plot_raster_add(&a, i, i * 37 % 100, i % 17);
		plot_raster_add(&b, 999 - i, (999 - i) * 37 % 100, (999 - i) % 17);
	}
	assert_memory_equal(a.cells, b.cells, (size_t)a.x.count * a.y.count * sizeof(a.cells[0]));
	plot_raster_release(&a);
	plot_raster_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_axis_has_the_smallest_cells_that_fit),
		cmocka_unit_test(every_point_is_in_the_cell_that_holds_it_and_in_no_other),
		cmocka_unit_test(the_colour_of_a_cell_follows_no_pattern_in_time),
		cmocka_unit_test(the_order_of_adding_does_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

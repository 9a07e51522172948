/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of a heat map, against a list of the events. */
#include "cmocka_all.h"

#include "plot_heat.h"
#include "random.h"

#include <string.h>

enum { EVENTS = 3000, ROUNDS = 40, PLANES = 2 };

static const uint64_t FIRST_SEED = 811;

struct event {
	uint64_t time, count;
	uint32_t plane, row;
};

static void make_events(struct random *r, struct event events[EVENTS], uint32_t rows)
{
	uint64_t longest = UINT64_C(1) << random_next(r) % 40;

	for (size_t i = 0; i < EVENTS; i++)
		events[i] = (struct event){ random_next(r) % longest, random_next(r) % 5,
			                    (uint32_t)(random_next(r) % PLANES),
			                    (uint32_t)(random_next(r) % rows) };
}

/* Of the events in a plane and row, and from one time to another. */
static uint64_t count_events(const struct event *events, uint32_t plane, uint32_t row,
                             uint64_t first, uint64_t last)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < EVENTS; i++)
		if (events[i].plane == plane && events[i].row == row && events[i].time >= first &&
		    events[i].time <= last)
			sum += events[i].count;
	return sum;
}

static uint64_t last_time(const struct event *events)
{
	uint64_t last = 0;

	for (size_t i = 0; i < EVENTS; i++)
		if (events[i].time > last)
			last = events[i].time;
	return last;
}

static void check_cells(const struct plot_heat *h, const struct event *events)
{
	for (uint32_t p = 0; p < h->planes; p++)
		for (uint32_t r = 0; r < h->rows; r++) {
			assert_int_equal(plot_heat_row(h, p, r),
			                 count_events(events, p, r, 0, UINT64_MAX));
			for (uint32_t c = 0; c < h->used; c++)
				assert_int_equal(plot_heat_cell(h, p, r, c),
				                 count_events(events, p, r, c * h->unit,
				                              c * h->unit + h->unit - 1));
		}
}

static void check_round(uint64_t seed)
{
	static struct event events[EVENTS];
	struct random random = { seed };
	uint32_t rows = (uint32_t)(random_next(&random) % 7) + 1;
	uint32_t limit = (uint32_t)(random_next(&random) % 20) + 2;
	uint64_t unit = random_next(&random) % 9 + 1, least = unit;
	struct plot_heat h;

	print_message("  seed %llu\n", (unsigned long long)seed);
	make_events(&random, events, rows);
	assert_int_equal(plot_heat_init(&h, PLANES, rows, limit, unit, NULL), 0);
	for (size_t i = 0; i < EVENTS; i++)
		plot_heat_add(&h, events[i].plane, events[i].row, events[i].time, events[i].count);
	while (last_time(events) / least >= limit)
		least *= 2;
	assert_int_equal(h.unit, least); /* as short as they can be */
	assert_int_equal(h.used, last_time(events) / least + 1);
	check_cells(&h, events);
	plot_heat_release(&h);
}

static void every_cell_counts_the_events_of_its_row_and_time(void **unused)
{
	(void)unused;
	for (uint64_t i = 0; i < ROUNDS; i++)
		check_round(FIRST_SEED + i);
}

static void the_order_of_events_does_not_matter(void **unused)
{
	static struct event events[EVENTS];
	struct random random = { FIRST_SEED };
	struct plot_heat a, b;

	(void)unused;
	make_events(&random, events, 5);
	assert_int_equal(plot_heat_init(&a, PLANES, 5, 9, 3, NULL), 0);
	assert_int_equal(plot_heat_init(&b, PLANES, 5, 9, 3, NULL), 0);
	for (size_t i = 0; i < EVENTS; i++) {
		const struct event *e = &events[i], *f = &events[EVENTS - 1 - i];

		plot_heat_add(&a, e->plane, e->row, e->time, e->count);
		plot_heat_add(&b, f->plane, f->row, f->time, f->count);
	}
	assert_int_equal(a.unit, b.unit);
	assert_int_equal(a.used, b.used);
	assert_memory_equal(a.cells, b.cells, (size_t)PLANES * 5 * 9 * sizeof(*a.cells));
	plot_heat_release(&a);
	plot_heat_release(&b);
}

/* Sums by column: 0: 7, 1: 0, 2: 9, 3: 7, 4: 2. */
static void make_columns(struct plot_heat *h)
{
	static const struct event events[] = { { 0, 3, 0, 0 }, { 0, 4, 0, 1 }, { 2, 9, 0, 1 },
		                               { 3, 7, 0, 0 }, { 4, 1, 0, 0 }, { 4, 1, 0, 1 },
		                               { 1, 50, 1, 0 } };

	assert_int_equal(plot_heat_init(h, PLANES, 2, 8, 1, NULL), 0);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		plot_heat_add(h, events[i].plane, events[i].row, events[i].time, events[i].count);
}

static void the_fullest_columns_come_in_their_order(void **unused)
{
	static const struct {
		uint32_t limit, count, columns[5];
	} rows[] = { { 0, 0, { 0 } },         { 1, 1, { 2 } },
		     { 2, 2, { 0, 2 } }, /* of 0 and 3, which are alike, the first */
		     { 3, 3, { 0, 2, 3 } },   { 4, 4, { 0, 2, 3, 4 } },
		     { 5, 4, { 0, 2, 3, 4 } } }; /* 1 is empty */
	struct plot_heat h;

	(void)unused;
	make_columns(&h);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t columns[5] = { 0 };

		assert_int_equal(plot_heat_fullest(&h, 0, columns, rows[i].limit), rows[i].count);
		assert_memory_equal(columns, rows[i].columns, rows[i].count * sizeof(*columns));
	}
	plot_heat_release(&h);
}

static void focus_is_the_share_of_the_fullest_row_at_each_time(void **unused)
{
	struct plot_heat h;

	(void)unused;
	make_columns(&h);
	/* 4 of 7, 9 of 9, 7 of 7, 1 of 2: 21 of 25 */
	assert_true(plot_heat_focus(&h, 0) == 21.0 / 25.0);
	assert_true(plot_heat_focus(&h, 1) == 1.0);
	assert_int_equal(plot_heat_sum(&h, 0), 25);
	assert_int_equal(plot_heat_column(&h, 0, 3), 7);
	plot_heat_release(&h);
	assert_int_equal(plot_heat_init(&h, 1, 2, 2, 1, NULL), 0);
	assert_true(plot_heat_focus(&h, 0) == 0);
	plot_heat_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_counts_the_events_of_its_row_and_time),
		cmocka_unit_test(the_order_of_events_does_not_matter),
		cmocka_unit_test(the_fullest_columns_come_in_their_order),
		cmocka_unit_test(focus_is_the_share_of_the_fullest_row_at_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

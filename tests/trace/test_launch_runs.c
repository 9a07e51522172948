/* SPDX-License-Identifier: Apache-2.0 */
/* Runs and grids on their way into launch files. */
#include "cmocka_all.h"

#include "err.h"
#include "kernel_table.h"
#include "launch_writer.h"
#include "packed_run.h"
#include "trace_scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char name[] = "k";

/* Site 0 in no loop, 1 in a loop, 2 in one inside it, 3 there without a size, 4 there a fence. */
static struct site sites[] = {
	{ .bytes = 4, .loop = -1, .argument = -1 },
	{ .bytes = 4, .loop = 0, .argument = -1 },
	{ .bytes = 4, .loop = 1, .argument = -1 },
	{ .bytes = 0, .loop = 1, .argument = -1 },
	{ .kind = SITE_FENCE, .loop = 1, .argument = -1 },
};
static struct loop loops[] = { { .parent = -1, .depth = 1 }, { .parent = 0, .depth = 2 } };

/* A record of a run or grid, with one thing wrong in its events. */
static const struct {
	struct packed_run run;
	uint32_t cut;     /* so many of its events are missing */
	uint32_t changed; /* this event has... */
	uint32_t point, iteration;
	uint64_t value; /* ...these added */
	bool is_irreducible;
	const char *says; /* NULL: it is good */
} rows[] = {
	{ .run = { .site = 1, .count = 7 } },
	{ .run = { .site = 2, .count = 1, .first = UINT64_MAX - 1 } },
	{ .run = { .is_grid = true, .site = 2, .count = 7, .rows = 3 } },
	{ .run = { .site = 9, .count = 7 },
	  .says = "event 1: a run or grid of site 9: its site is" },
	{ .run = { .site = 0, .count = 7 }, .says = "site 0: its site lies in no loop" },
	{ .run = { .site = 3, .count = 7 }, .says = "its site has no size" },
	{ .run = { .site = 4, .count = 7 }, .says = "its site has no size" },
	{ .run = { .site = 1 }, .says = "it stands for no access" },
	{ .run = { .is_grid = true, .site = 2, .count = 7 }, .says = "it stands for no access" },
	{ .run = { .is_grid = true, .site = 2, .rows = 7 }, .says = "it stands for no access" },
	{ .run = { .is_grid = true, .site = 1, .count = 7, .rows = 3 },
	  .says = "its site lies in one loop only" },
	{ .run = { .site = 2, .count = 2, .first = UINT64_MAX - 1 },
	  .says = "its iterations do not fit in 64 bits" },
	{ .run = { .site = 1, .count = 7 }, .is_irreducible = true, .says = "flow is irreducible" },
	{ .run = { .site = 1, .count = 7 }, .cut = 1, .says = "not a record with all its parts" },
	{ .run = { .is_grid = true, .site = 2, .count = 7, .rows = 3 },
	  .cut = 4,
	  .says = "not a record with all its parts" },
	{ .run = { .site = 1, .count = 7 }, .changed = 2, .point = 1, .says = "not a record" },
	{ .run = { .site = 1, .count = 7 }, .changed = 1, .iteration = 1, .says = "not a record" },
	{ .run = { .site = 1, .count = 7 }, .changed = 2, .iteration = 1, .says = "not a record" },
	{ .run = { .is_grid = true, .site = 2, .count = 7, .rows = 3 },
	  .changed = 3,
	  .iteration = 1,
	  .says = "not a record" },
	{ .run = { .is_grid = true, .site = 2, .count = 7, .rows = 3 },
	  .changed = 4,
	  .value = 1,
	  .says = "not a record" },
	{ .run = { .site = 1, .count = 7 },
	  .changed = 0,
	  .point = EVENT_PART - EVENT_RUN,
	  .says = "not a record" },
};

static void a_run_that_cannot_be_is_refused_and_not_added(void **state)
{
	static const struct launch_shape shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } };
	struct kernel_table table = {
		.name = name, .sites = sites, .site_count = 5, .loops = loops, .loop_count = 2
	};
	struct scratch_dir dir;

	(void)state;
	scratch_make(&dir);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct event events[1 + PACKED_RUN_EVENTS_MAX] = { { 0 } };
		uint32_t count = packed_run_put(&rows[i].run, events + 1) - rows[i].cut;
		struct event *changed = &events[1 + rows[i].changed];
		const uint64_t first[] = { 0, 1 + count };
		const struct group_events g = { 1, first, events };
		const char *path = scratch_path(&dir, "x.wll");
		struct launch_totals totals;
		struct launch_writer *w = NULL;
		struct err err = { 0 };
		int ret;

		table.is_irreducible = rows[i].is_irreducible;
		changed->point += rows[i].point;
		changed->iteration += rows[i].iteration;
		changed->value += rows[i].value;
		assert_int_equal(launch_writer_open(&w, path, &shape, &table, &err), 0);
		ret = launch_writer_add(w, 0, &g, &err);
		if (ret != (rows[i].says ? ERR_FORMAT : 0) ||
		    (rows[i].says && !strstr(err.msg, rows[i].says)))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
		assert_int_equal(launch_writer_close(w, true, &totals, NULL), 0);
		assert_int_equal(totals.groups, ret ? 0 : 1);
		remove(path);
	}
	scratch_remove(&dir);
}

/* A grid of (2^32 - 1)^2 = 2^64 - 2^33 + 1 accesses: two are more than 2^64 - 1, in one group or in
 * two. What was too much is not added. */
static void totals_that_do_not_fit_are_refused(void **state)
{
	static const struct launch_shape shape = { 1, { 3, 1, 1 }, { 1, 1, 1 }, { 0 } };
	static const struct packed_run grid = {
		.is_grid = true, .site = 2, .count = UINT32_MAX, .rows = UINT32_MAX
	};
	const struct kernel_table table = {
		.name = name, .sites = sites, .site_count = 5, .loops = loops, .loop_count = 2
	};
	struct event events[2 * PACKED_RUN_EVENTS_MAX];
	const uint64_t once[] = { 0, 5 }, twice[] = { 0, 10 };
	const struct group_events one = { 1, once, events }, two = { 1, twice, events };
	struct launch_totals totals;
	struct launch_writer *w = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };

	(void)state;
	packed_run_put(&grid, events);
	packed_run_put(&grid, events + 5);
	scratch_make(&dir);
	assert_int_equal(launch_writer_open(&w, scratch_path(&dir, "x.wll"), &shape, &table, &err),
	                 0);
	assert_int_equal(launch_writer_add(w, 0, &two, &err), ERR_LIMIT);
	assert_non_null(strstr(err.msg, "group 0: more than 2^64 - 1 accesses"));
	err.code = 0;
	assert_int_equal(launch_writer_add(w, 1, &one, &err), 0);
	assert_int_equal(launch_writer_add(w, 2, &one, &err), ERR_LIMIT);
	assert_non_null(strstr(err.msg, "group 2: with it the launch has more than 2^64 - 1"));
	assert_int_equal(launch_writer_close(w, true, &totals, NULL), 0);
	assert_true(totals.reads == UINT64_MAX - (UINT64_C(1) << 33) + 2);
	assert_int_equal(totals.events, 5);
	scratch_remove(&dir);
}

/*
 * A run of site 0, in loop 1, or a grid of site 1, in loop 2, in the activations of loop 1 in
 * iterations 0, 1, 2 and 5 of loop 0, at 10, 20, 30 and 60. By FORMAT.md, in values of one byte:
 *
 *   loop 1     0, 1 and 2 are as predicted, 5 is 3 + 2:                                1
 *   stride 1   of the first one; then it stays:                                        1
 *   address    10; 20 - 10; 30 - 20, and the stride of 10 is believed; 60 as it says:  3
 *   stride of rows 1, of a grid:                                                       1
 */
static void records_are_predicted_from_the_loop_around(void **state)
{
	static struct site nest_sites[] = { { .bytes = 4, .loop = 1, .argument = -1 },
		                            { .bytes = 4, .loop = 2, .argument = -1 } };
	static struct loop nest[] = { { .parent = -1, .depth = 1 },
		                      { .parent = 0, .depth = 2 },
		                      { .parent = 1, .depth = 3 } };
	const struct kernel_table table = {
		.name = name, .sites = nest_sites, .site_count = 2, .loops = nest, .loop_count = 3
	};
	static const struct launch_shape shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } };
	static const uint64_t outer[] = { 0, 1, 2, 5 };

	(void)state;
	for (uint32_t is_grid = 0; is_grid < 2; is_grid++) {
		struct event events[4 * (1 + PACKED_RUN_EVENTS_MAX)];
		uint64_t ends[2] = { 0 };
		struct group_events g = { 1, ends, events };
		struct launch_writer *w = NULL;
		struct scratch_dir dir;
		unsigned char *bytes;
		size_t length;

		for (size_t i = 0; i < 4; i++) {
			struct packed_run run = { .is_grid = is_grid,
				                  .site = is_grid,
				                  .count = 1,
				                  .rows = is_grid,
				                  .address = 10 + 10 * outer[i],
				                  .stride = 1,
				                  .row_stride = is_grid };

			events[ends[1]++] = (struct event){ outer[i], EVENT_LOOP | 1, 0 };
			ends[1] += packed_run_put(&run, events + ends[1]);
		}
		scratch_make(&dir);
		assert_int_equal(
			launch_writer_open(&w, scratch_path(&dir, "x"), &shape, &table, NULL), 0);
		assert_int_equal(launch_writer_add(w, 0, &g, NULL), 0);
		assert_int_equal(launch_writer_close(w, true, NULL, NULL), 0);
		bytes = scratch_read(scratch_path(&dir, "x"), &length);
		assert_int_equal(bytes[120 + 56 + 8 * 5], 5 + is_grid); /* column values1 */
		for (size_t c = 6; c < 9; c++)
			assert_int_equal(bytes[120 + 56 + 8 * c], 0);
		free(bytes);
		scratch_remove(&dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_that_cannot_be_is_refused_and_not_added),
		cmocka_unit_test(records_are_predicted_from_the_loop_around),
		cmocka_unit_test(totals_that_do_not_fit_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

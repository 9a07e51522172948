/* SPDX-License-Identifier: Apache-2.0 */
/* Expansion by hand: one row is a work-item's packed events and what they must become. */
#include "cmocka_all.h"

#include "err.h"
#include "expander.h"
#include "kernel_table.h"
#include "packed_run.h"
#include "whole_group.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define EVENTS       20
#define EPOCH        (UINT64_C(1) << 32)

/* Loop 0 of sites 1..6, loop 1 in it of 2..4, loop 2 in that of 4; loop 3 of site 7. */
#define SITE(size, loop_number) { .bytes = (size), .loop = (loop_number), .argument = -1 }
static struct site sites[] = { SITE(4, -1), SITE(4, 0), SITE(4, 1), SITE(4, 1), SITE(4, 2),
	                       SITE(4, 0),  SITE(0, 0), SITE(4, 3), SITE(4, -1) };
static struct loop loops[] = { { .parent = -1, .depth = 1 },
	                       { .parent = 0, .depth = 2 },
	                       { .parent = 1, .depth = 3 },
	                       { .parent = -1, .depth = 1 } };
static char k[] = "k";
static const struct kernel_table table = { .name = k,
	                                   .sites = sites,
	                                   .site_count = COUNT(sites),
	                                   .loops = loops,
	                                   .loop_count = COUNT(loops) };

/* clang-format off */
#define S(site, address, iteration) { (address), (site), (uint32_t)(iteration) }
#define L(loop, outer) { (outer), EVENT_LOOP | (loop), 0 }
#define E(loop, iteration) { (iteration), EVENT_EPOCH | (loop), 0 }
#define Z(site, bytes) { (bytes), EVENT_SIZE | (site), 0 }
#define P(site, value, iteration) { (value), EVENT_PART | (site), (iteration) }
#define RUN(site, count, address, first, stride) \
	{ (address), EVENT_RUN | (site), (count) }, P(site, first, 0), P(site, (uint64_t)(stride), 0)
#define GRID(site, count, address, first, rows, stride, row_stride) \
	{ (address), EVENT_GRID | (site), (count) }, P(site, first, rows), \
	P(site, (uint64_t)(stride), 0), P(site, (uint64_t)(row_stride), 0), P(site, 0, 0)
#define END { 0, UINT32_MAX, UINT32_MAX }

static const struct {
	const char *name;
	struct event packed[EVENTS], plain[EVENTS];
} rows[] = {
	{ "nothing", { END }, { END } },
	{ "what is not packed stays, canonical or not",
	  { L(1, 9), S(7, 1, 5), E(0, 3), S(1, 1, 2), S(1, 1, 1), END },
	  { L(1, 9), S(7, 1, 5), E(0, 3), S(1, 1, 2), S(1, 1, 1), END } },
	{ "a run", { RUN(1, 3, 100, 0, 4), END },
	  { S(1, 100, 0), S(1, 104, 1), S(1, 108, 2), END } },
	{ "a run that begins while another goes on, and its last iteration",
	  { RUN(5, 3, 200, 0, -8), RUN(1, 3, 100, 1, 4), END },
	  { S(5, 200, 0), S(1, 100, 1), S(5, 192, 1), S(1, 104, 2), S(5, 184, 2), S(1, 108, 3), END } },
	{ "runs of one site, with a gap and without",
	  { RUN(1, 2, 100, 0, 4), RUN(1, 1, 900, 5, 0), RUN(1, 2, 300, 2, 1), END },
	  { S(1, 100, 0), S(1, 104, 1), S(1, 300, 2), S(1, 301, 3), S(1, 900, 5), END } },
	{ "a run and accesses of the same loop, before and behind it",
	  { S(5, 1, 0), S(5, 2, 2), RUN(1, 3, 100, 0, 4), S(5, 3, 7), END },
	  { S(1, 100, 0), S(5, 1, 0), S(1, 104, 1), S(1, 108, 2), S(5, 2, 2), S(5, 3, 7), END } },
	{ "a run goes on where accesses have ended",
	  { S(1, 1, 0), RUN(5, 2, 50, 1, 2), END },
	  { S(1, 1, 0), S(5, 50, 1), S(5, 52, 2), END } },
	{ "loops of runs alone stand where their sites are",
	  { S(0, 1, 0), S(8, 2, 0), RUN(7, 1, 70, 0, 0), RUN(1, 1, 10, 0, 0), END },
	  { S(0, 1, 0), S(1, 10, 0), S(7, 70, 0), S(8, 2, 0), END } },
	{ "a loop of runs alone before one of accesses",
	  { S(7, 1, 0), RUN(1, 2, 10, 0, 1), END },
	  { S(1, 10, 0), S(1, 11, 1), S(7, 1, 0), END } },
	{ "a grid",
	  { GRID(2, 2, 100, 3, 2, 4, 1000), END },
	  { L(1, 3), S(2, 100, 0), S(2, 104, 1), L(1, 4), S(2, 1100, 0), S(2, 1104, 1), END } },
	{ "a grid joins the activation that there is",
	  { L(1, 1), S(3, 55, 1), GRID(2, 2, 100, 0, 3, 4, 10), END },
	  { L(1, 0), S(2, 100, 0), S(2, 104, 1), L(1, 1), S(2, 110, 0), S(2, 114, 1), S(3, 55, 1),
	    L(1, 2), S(2, 120, 0), S(2, 124, 1), END } },
	{ "rows of several grids are one activation, however long they are",
	  { GRID(3, 1, 300, 0, 2, 0, 1), GRID(2, 3, 100, 1, 1, 4, 0), END },
	  { L(1, 0), S(3, 300, 0), L(1, 1), S(2, 100, 0), S(3, 301, 0), S(2, 104, 1), S(2, 108, 2), END } },
	{ "a grid between the sites of the loop around it, and beyond them",
	  { S(1, 1, 0), RUN(5, 2, 50, 0, 1), GRID(2, 1, 20, 0, 3, 0, 1), END },
	  { S(1, 1, 0), L(1, 0), S(2, 20, 0), S(5, 50, 0), L(1, 1), S(2, 21, 0), S(5, 51, 1),
	    L(1, 2), S(2, 22, 0), END } },
	{ "runs belong to the activation that they stand in",
	  { L(1, 0), RUN(2, 2, 10, 0, 1), L(1, 3), RUN(2, 1, 30, 4, 1), S(1, 5, 4), END },
	  { L(1, 0), S(2, 10, 0), S(2, 11, 1), L(1, 3), S(2, 30, 4), S(1, 5, 4), END } },
	{ "also when events of other loops come between",
	  { L(1, 0), S(2, 1, 0), S(5, 2, 0), RUN(3, 1, 9, 0, 0), L(1, 1), S(2, 3, 0), END },
	  { L(1, 0), S(2, 1, 0), S(3, 9, 0), S(5, 2, 0), L(1, 1), S(2, 3, 0), END } },
	{ "a grid whose outer loop lies in another",
	  { L(1, 7), GRID(4, 1, 40, 3, 2, 0, 2), END },
	  { L(1, 7), L(2, 3), S(4, 40, 0), L(2, 4), S(4, 42, 0), END } },
	{ "a row and a run in one activation, with an activation inside",
	  { GRID(2, 2, 20, 0, 1, 1, 0), L(1, 0), RUN(3, 1, 30, 1, 0), L(2, 1), S(4, 4, 0), END },
	  { L(1, 0), S(2, 20, 0), S(2, 21, 1), S(3, 30, 1), L(2, 1), S(4, 4, 0), END } },
	{ "an activation in which nothing happens leaves no trace",
	  { L(1, 0), L(1, 2), RUN(2, 1, 9, 0, 0), L(1, 3), L(2, 0), END },
	  { L(1, 2), S(2, 9, 0), END } },
	{ "a size stays with its access",
	  { Z(6, 9), S(6, 60, 1), RUN(5, 2, 50, 0, 1), END },
	  { S(5, 50, 0), S(5, 51, 1), Z(6, 9), S(6, 60, 1), END } },
	{ "a run past 2^32 - 1",
	  { RUN(1, 3, 0, UINT32_MAX, 4), END },
	  { S(1, 0, UINT32_MAX), E(0, EPOCH), S(1, 4, 0), S(1, 8, 1), END } },
	{ "a run past 2^32 - 1 beside accesses that have epochs",
	  { S(5, 1, UINT32_MAX), E(0, EPOCH), S(5, 2, 1), RUN(1, 2, 0, UINT32_MAX, 4), END },
	  { S(1, 0, UINT32_MAX), S(5, 1, UINT32_MAX), E(0, EPOCH), S(1, 4, 0), S(5, 2, 1), END } },
	{ "the last iterations that there can be",
	  { RUN(1, 2, 0, UINT64_MAX - 2, 4), END },
	  { E(0, UINT64_MAX << 32), S(1, 0, UINT32_MAX - 2), S(1, 4, UINT32_MAX - 1), END } },
	{ "a grid past 2^32 - 1: an activation has the whole iteration",
	  { GRID(2, 1, 0, UINT32_MAX, 2, 0, 4), RUN(5, 1, 9, EPOCH, 0), END },
	  { L(1, UINT32_MAX), S(2, 0, 0), L(1, EPOCH), S(2, 4, 0), E(0, EPOCH), S(5, 9, 0), END } },
};

static const struct {
	struct event packed[EVENTS];
	int code;
	const char *says;
} hostile[] = {
	{ { RUN(2, 1, 0, 0, 0), L(1, 0), END }, ERR_FORMAT, "a run of site 2 outside an activation of loop 1" },
	{ { GRID(4, 1, 0, 0, 1, 0, 0), END }, ERR_FORMAT, "a run of site 4 outside an activation of loop 1" },
	{ { RUN(1, 2, 0, 0, 0), RUN(1, 2, 0, 1, 0), END }, ERR_FORMAT, "site 1 has two records for iteration 1" },
	{ { RUN(1, 2, 0, 3, 0), RUN(1, 1, 0, 3, 0), END }, ERR_FORMAT, "site 1 has two records for iteration 3" },
	{ { S(1, 0, 1), RUN(1, 3, 0, 0, 0), END }, ERR_FORMAT, "site 1 has two records for iteration 1" },
	{ { GRID(2, 2, 0, 0, 1, 0, 0), L(1, 0), RUN(2, 1, 0, 1, 0), END }, ERR_FORMAT, "site 2 has two records for iteration 1" },
	{ { S(1, 0, 2), S(1, 0, 1), RUN(5, 1, 0, 0, 0), END }, ERR_FORMAT, "loop 0 goes back from iteration 2 to 1" },
	{ { L(1, 2), L(1, 1), RUN(5, 1, 0, 0, 0), END }, ERR_FORMAT, "loop 0 goes back from iteration 2 to 1" },
	{ { L(0, 0), RUN(1, 1, 0, 0, 0), END }, ERR_FORMAT, "loop 0 is entered by an event: it lies in no other" },
	{ { S(7, 0, 0), S(1, 0, 0), RUN(1, 1, 0, 5, 0), END }, ERR_FORMAT, "loop 0, which lies in no other, is entered twice" },
	{ { S(1, 0, 0), S(2, 0, 0), RUN(1, 1, 0, 5, 0), END }, ERR_FORMAT, "loop 1 has events without being entered" },
	{ { E(0, EPOCH + 1), RUN(1, 1, 0, 5, 0), END }, ERR_FORMAT, "loop 0 has an epoch at iteration 4294967297" },
	{ { Z(6, 1), S(1, 0, 0), RUN(5, 1, 0, 5, 0), END }, ERR_FORMAT, "a size for site 6 without its access" },
	{ { Z(6, 1), RUN(5, 1, 0, 5, 0), END }, ERR_FORMAT, "a size for site 6 without its access" },
};
/* clang-format on */

static uint64_t length(const struct event *events)
{
	uint64_t count = 0;

	while (events[count].point != UINT32_MAX)
		count++;
	return count;
}

/* Two work-items that do nothing are around the one at hand. */
static int expand(const struct event *packed, struct group_events *out, struct err *err)
{
	const uint64_t first[] = { 0, 0, length(packed), length(packed) };
	const struct group_events in = { 3, first, packed };

	return whole_group_expand(&table, &in, 77, out, err);
}

static void runs_and_grids_become_what_was_derived_by_hand(void **state)
{

	(void)state;
	assert_int_equal(kernel_table_check(&table, NULL), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t count = length(rows[i].plain);
		struct group_events out;
		struct err err = { 0 };

		print_message("  %s\n", rows[i].name);
		assert_int_equal(expand(rows[i].packed, &out, &err), 0);
		assert_int_equal(out.item_count, 3);
		assert_int_equal(out.first[1], 0);
		assert_int_equal(out.first[2], count);
		assert_int_equal(out.first[3], count);
		for (uint64_t e = 0; e < count; e++)
			if (memcmp(&out.events[e], &rows[i].plain[e], sizeof(struct event)) != 0)
				fail_msg("event %zu is another", (size_t)e);
	}
}

static void what_cannot_be_is_refused_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(hostile); i++) {
		struct group_events out;
		struct err err = { 0 };
		int ret = expand(hostile[i].packed, &out, &err);

		if (ret != hostile[i].code || !strstr(err.msg, hostile[i].says))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
		assert_non_null(strstr(err.msg, "work-item 1: "));
		assert_int_equal(expand(rows[2].packed, &out, NULL), 0); /* it goes on */
	}
}

/* 2^64 - 2^33 + 1 accesses come piece by piece: those of the first million are as they should be,
 * and a piece stays as long as it was. */
static void what_a_grid_stands_for_takes_no_memory(void **state)
{
	static const struct event packed[] = { GRID(2, UINT32_MAX, 1000, 7, UINT32_MAX, 4, 8) };
	const struct item_events from = { .events = packed,
		                          .count = sizeof(packed) / sizeof(packed[0]) };
	struct expander *x = NULL;
	uint64_t seen = 0, longest = 0;

	(void)state;
	assert_int_equal(expander_create(&x, &table, NULL), 0);
	assert_int_equal(expander_start(x, &from, NULL), 0);
	while (seen < 1000000) {
		const struct event *events;
		uint64_t count;

		assert_int_equal(expander_next(x, &events, &count, NULL), 0);
		assert_true(count > 0);
		longest = count > longest ? count : longest;
		for (uint64_t i = 0; i < count; i++, seen++) {
			const struct event e = { 1000 + 4 * (seen - 1), 2, (uint32_t)seen - 1 };

			assert_memory_equal(&events[i], seen ? &e : &(struct event)L(1, 7),
			                    sizeof(e));
		}
	}
	assert_in_range(longest, 100, 2000);
	expander_free(x);
}

/* 3,000 runs of 3,000 sites that go on side by side have more events in an iteration than a piece.
 */
static void a_wide_iteration_is_one_piece(void **state)
{
	enum { WIDE = 3000, LENGTH = 5 };
	static struct site wide_sites[WIDE];
	static struct event packed[3 * WIDE];
	static struct loop loop = { .parent = -1, .depth = 1 };
	static char name[] = "wide";
	const struct kernel_table wide = { .name = name,
		                           .sites = wide_sites,
		                           .site_count = WIDE,
		                           .loops = &loop,
		                           .loop_count = 1 };
	const struct item_events from = { .events = packed, .count = 3 * WIDE };
	struct expander *x = NULL;
	const struct event *events;
	uint64_t count = 1, seen = 0;

	(void)state;
	for (uint32_t i = 0; i < WIDE; i++) {
		wide_sites[i] = (struct site){ .kind = SITE_READ, .bytes = 4, .argument = -1 };
		(void)packed_run_put(&(const struct packed_run){ .site = i, .count = LENGTH },
		                     packed + 3 * i);
	}
	assert_int_equal(expander_create(&x, &wide, NULL), 0);
	assert_int_equal(expander_start(x, &from, NULL), 0);
	for (; count; seen += count) {
		assert_int_equal(expander_next(x, &events, &count, NULL), 0);
		for (uint64_t i = 0; i < count; i++)
			assert_true(events[i].point == (seen + i) % WIDE &&
			            events[i].iteration == (seen + i) / WIDE);
	}
	assert_int_equal(seen, WIDE * LENGTH);
	expander_free(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_and_grids_become_what_was_derived_by_hand),
		cmocka_unit_test(what_cannot_be_is_refused_by_name),
		cmocka_unit_test(what_a_grid_stands_for_takes_no_memory),
		cmocka_unit_test(a_wide_iteration_is_one_piece),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

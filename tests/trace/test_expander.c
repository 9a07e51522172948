/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "kernel_table.h"
#include "launch_reader.h"
#include "nest_execution.h"
#include "random_cases.h"
#include "trace_launch.h"
#include "trace_source.h"
#include "whole_group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void random_nest(struct random *r, struct kernel_table *t)
{
	random_table(r, t);
	t->is_irreducible = false;
	for (size_t i = 0; i < t->site_count; i++)
		if (site_kind_has_address(t->sites[i].kind) && random_below(r, 8) == 0)
			t->sites[i].bytes = 0;
}

/* What the random rounds have met, so that they cannot pass for want of cases. */
static struct {
	uint64_t runs, grids, late, epochs, rows, pairs, joined;
} met;

static void count_met(const struct nest_execution *x, const struct event *plain, size_t count)
{
	for (size_t i = 0; i < x->count; i++) {
		const struct packed_run *run = &x->entries[i].run;

		if (!x->entries[i].is_run)
			continue;
		met.runs += !run->is_grid;
		met.grids += run->is_grid;
		met.late += run->first > 0;
		met.rows += run->rows > 1 && run->count > 1;
		met.pairs +=
			i && x->entries[i - 1].is_run && x->entries[i - 1].run.site == run->site;
	}
	for (size_t i = 0; i < count; i++)
		met.epochs += (plain[i].point & EVENT_KIND_MASK) == EVENT_EPOCH;
}

static void check_item(struct random *r, const struct kernel_table *t)
{
	const size_t room = (size_t)NEST_ENTRIES_MAX * (6 + NEST_DEPTH_MAX);
	uint64_t seed = r->state, first[2] = { 0 };
	struct event *plain = calloc(room, sizeof(*plain)), *packed = calloc(room, sizeof(*packed));
	struct nest_execution course;
	struct group_events in = { 1, first, packed }, out;
	struct err err = { 0 };
	size_t count;

	nest_execution_make(r, t, &course);
	count = nest_execution_events(&course, t, plain);
	nest_execution_pack(r, t, &course);
	first[1] = nest_execution_events(&course, t, packed);
	count_met(&course, plain, count);
	if (whole_group_expand(t, &in, 5, &out, &err))
		fail_msg("seed %" PRIu64 ": %s", seed, err.msg);
	for (size_t i = 0; i < count && i < out.first[1]; i++)
		if (memcmp(&out.events[i], &plain[i], sizeof(*plain)) != 0)
			fail_msg("seed %" PRIu64 ": event %zu is another", seed, i);
	if (out.first[1] != count)
		fail_msg("seed %" PRIu64 ": %" PRIu64 " events, expected %zu", seed, out.first[1],
		         count);
	free(course.entries);
	free(plain);
	free(packed);
}

static void what_was_packed_at_random_comes_out_as_it_was(void **state)
{
	struct random r = { 2024 };

	(void)state;
	for (int round = 0; round < RANDOM_CASES(600); round++) {
		struct kernel_table t;

		random_nest(&r, &t);
		for (int item = 0; item < 4; item++)
			check_item(&r, &t);
		kernel_table_release(&t);
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " grids, %" PRIu64 " of them with rows, %" PRIu64
	              " late, %" PRIu64 " epochs, %" PRIu64 " pairs\n",
	              met.runs, met.grids, met.rows, met.late, met.epochs, met.pairs);
	assert_true(met.runs > 1000 && met.grids > 1000 && met.rows > 200 && met.late > 1000);
	assert_true(met.epochs > 200 && met.pairs > 200);
}

/* Group 0 plain, group 1 packed, then both again: the reader hands out the same. */
static void check_file(struct random *r, const struct kernel_table *t)
{
	static const struct launch_shape shape = { 1, { 2, 1, 1 }, { 1, 1, 1 }, { 0 } };
	const size_t room = (size_t)NEST_ENTRIES_MAX * (6 + NEST_DEPTH_MAX);
	struct event *events[2] = { calloc(room, sizeof(*events[0])),
		                    calloc(room, sizeof(*events[0])) };
	uint64_t first[2][2] = { { 0 }, { 0 } };
	const struct group_events plain = { 1, first[0], events[0] };
	const struct group_events packed = { 1, first[1], events[1] };
	struct test_launch l = { .table = *t, .shape = shape };
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct owned_group groups[2] = { { .view = plain }, { .view = packed } };
	struct nest_execution course;
	struct group_events got;
	uint64_t order[2] = { 0, 1 };
	unsigned char *bytes;
	size_t length;

	nest_execution_make(r, t, &course);
	first[0][1] = nest_execution_events(&course, t, events[0]);
	nest_execution_pack(r, t, &course);
	first[1][1] = nest_execution_events(&course, t, events[1]);
	l.groups = groups;
	l.order = order;
	l.group_count = l.written = 2;
	bytes = test_launch_bytes(&l, &length);
	assert_int_equal(trace_source_memory(&source, "memory", bytes, length, NULL), 0);
	assert_int_equal(launch_reader_open(&reader, source, t, NULL), 0);
	for (uint64_t i = 0; i < 4; i++) {
		assert_int_equal(whole_group_stored(reader, i % 2, &got, NULL), 0);
		assert_true(same_group(&got, &groups[i % 2].view));
		assert_int_equal(whole_group_plain(reader, t, i % 2, &got, NULL), 0);
		assert_true(same_group(&got, &plain));
	}
	launch_reader_close(reader);
	trace_source_close(source);
	free(bytes);
	free(course.entries);
	free(events[0]);
	free(events[1]);
}

static void a_launch_file_hands_out_both(void **state)
{
	struct random r = { 77 };

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct kernel_table t;

		random_nest(&r, &t);
		check_file(&r, &t);
		kernel_table_release(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_packed_at_random_comes_out_as_it_was),
		cmocka_unit_test(a_launch_file_hands_out_both),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

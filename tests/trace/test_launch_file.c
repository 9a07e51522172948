/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "launch_reader.h"
#include "launch_writer.h"
#include "trace_random.h"
#include "trace_scratch.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A launch with events for some of its groups, and the order in which they are written. */
struct launch {
	struct kernel_table table;
	struct launch_shape shape;
	uint64_t group_count;
	struct owned_group *groups; /* all; events NULL for those that are left out */
	uint64_t *order;
	uint64_t written;
};

static void make_launch(struct random *r, struct launch *l, uint64_t groups, bool leave_out)
{
	uint32_t size[3];

	random_table(r, &l->table);
	random_shape(r, &l->shape, groups);
	l->group_count = launch_shape_group_count(&l->shape);
	l->groups = calloc(l->group_count, sizeof(*l->groups));
	l->order = calloc(l->group_count, sizeof(*l->order));
	l->written = 0;
	for (uint64_t g = 0; g < l->group_count; g++) {
		uint64_t at = random_below(r, l->written + 1);

		if (leave_out && random_below(r, 4) == 0)
			continue;
		random_group(r, &l->table, launch_shape_group_size(&l->shape, g, size),
		             &l->groups[g]);
		l->order[l->written++] = l->order[at];
		l->order[at] = g;
	}
}

static void free_launch(struct launch *l)
{
	for (uint64_t g = 0; g < l->group_count; g++)
		owned_group_free(&l->groups[g]);
	free(l->groups);
	free(l->order);
	kernel_table_release(&l->table);
}

static void write_launch(const struct launch *l, const char *path, struct launch_totals *totals)
{
	struct launch_writer *w = NULL;
	struct err err = { 0 };

	assert_int_equal(launch_writer_open(&w, path, &l->shape, &l->table, &err), 0);
	for (uint64_t i = 0; i < l->written; i++)
		assert_int_equal(
			launch_writer_add(w, l->order[i], &l->groups[l->order[i]].view, &err), 0);
	assert_int_equal(launch_writer_close(w, true, totals, &err), 0);
}

/* Totals by their definition. */
static struct launch_totals count_totals(const struct launch *l)
{
	struct launch_totals t = { .groups = l->written };

	for (uint64_t g = 0; g < l->group_count; g++) {
		const struct group_events *e = &l->groups[g].view;

		for (uint64_t i = 0; e->events && i < e->first[e->item_count]; i++) {
			uint32_t point = e->events[i].point;
			enum site_kind kind;

			t.events++;
			if ((point & EVENT_KIND_MASK) != EVENT_SITE)
				continue;
			kind = l->table.sites[point].kind;
			t.reads += kind == SITE_READ;
			t.writes += kind == SITE_WRITE;
			t.atomics += kind == SITE_ATOMIC;
			t.barriers += kind == SITE_BARRIER;
			t.accesses += site_kind_is_access(kind);
		}
	}
	return t;
}

static void check_group(const struct launch *l, struct launch_reader *r, uint64_t g)
{
	struct group_events got;
	struct err err = { 0 };
	uint32_t size[3];

	assert_int_equal(launch_reader_group(r, g, &got, &err), 0);
	assert_int_equal(launch_reader_has(r, g), l->groups[g].events != NULL);
	assert_int_equal(got.item_count, launch_shape_group_size(&l->shape, g, size));
	if (l->groups[g].events)
		assert_true(same_group(&got, &l->groups[g].view));
	else
		for (uint32_t i = 0; i <= got.item_count; i++)
			assert_int_equal(got.first[i], 0);
}

static void what_is_written_comes_back(void **state)
{
	struct random r = { 1 };
	struct scratch_dir dir;

	(void)state;
	scratch_make(&dir);
	for (int round = 0; round < 300; round++) {
		const char *path = scratch_path(&dir, "launch.wll");
		bool leave_out = random_below(&r, 2);
		struct launch_totals totals, expected;
		struct trace_source *source = NULL;
		struct launch_reader *reader = NULL;
		struct err err = { 0 };
		struct launch l;

		print_message("round %d, seed %" PRIu64 "\n", round, r.state);
		make_launch(&r, &l, 1 + random_below(&r, 60), leave_out);
		write_launch(&l, path, &totals);
		assert_int_equal(trace_source_open(&source, path, &err), 0);
		assert_int_equal(launch_reader_open(&reader, source, &l.table, &err), 0);
		expected = count_totals(&l);
		expected.file_bytes = trace_source_length(source);
		assert_memory_equal(&totals, &expected, sizeof(totals));
		assert_memory_equal(launch_reader_totals(reader), &expected, sizeof(expected));
		assert_true(same_shape(launch_reader_shape(reader), &l.shape));
		assert_int_equal(launch_reader_is_whole(reader), l.written == l.group_count);
		for (uint64_t g = 0; g < l.group_count; g++)
			check_group(&l, reader, g);
		for (int i = 0; i < 20; i++)
			check_group(&l, reader, random_below(&r, l.group_count));
		launch_reader_close(reader);
		trace_source_close(source);
		free_launch(&l);
		remove(path);
	}
	scratch_remove(&dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_launch.h"

#include "cmocka_all.h"

#include "err.h"
#include "trace_scratch.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdlib.h>
#include <string.h>

void test_launch_make(struct random *r, struct test_launch *l, uint64_t groups, bool leave_out)
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

void test_launch_free(struct test_launch *l)
{
	for (uint64_t g = 0; g < l->group_count; g++)
		owned_group_free(&l->groups[g]);
	free(l->groups);
	free(l->order);
	kernel_table_release(&l->table);
}

void test_launch_write(const struct test_launch *l, const char *path, struct launch_totals *totals)
{
	struct launch_writer *w = NULL;
	struct err err = { 0 };

	assert_int_equal(launch_writer_open(&w, path, &l->shape, &l->table, &err), 0);
	for (uint64_t i = 0; i < l->written; i++) {
		uint64_t g = l->order[i];

		assert_int_equal(launch_writer_add(w, g, &l->groups[g].view, &err), 0);
	}
	assert_int_equal(launch_writer_close(w, true, totals, &err), 0);
}

unsigned char *test_launch_bytes(const struct test_launch *l, size_t *length)
{
	struct scratch_dir dir;
	unsigned char *bytes;
	const char *path;

	scratch_make(&dir);
	path = scratch_path(&dir, "launch.wll");
	test_launch_write(l, path, NULL);
	bytes = scratch_read(path, length);
	scratch_remove(&dir);
	return bytes;
}

/* Whether `got` is group g as it was made; a group that was left out is empty. */
static bool is_as_made(const struct test_launch *l, uint64_t g, const struct group_events *got)
{
	uint32_t size[3];

	if (got->item_count != launch_shape_group_size(&l->shape, g, size))
		return false;
	if (l->groups[g].events)
		return same_group(got, &l->groups[g].view);
	for (uint32_t i = 0; i <= got->item_count; i++)
		if (got->first[i] != 0)
			return false;
	return true;
}

void test_launch_check_group(const struct test_launch *l, struct launch_reader *r, uint64_t g)
{
	struct group_events got;
	struct err err = { 0 };

	assert_int_equal(whole_group_stored(r, g, &got, &err), 0);
	assert_int_equal(launch_reader_has(r, g), l->groups[g].events != NULL);
	assert_true(is_as_made(l, g, &got));
}

static int read_groups(const struct test_launch *l, struct launch_reader *r, struct err *err)
{
	struct group_events got;

	assert_true(same_shape(launch_reader_shape(r), &l->shape));
	for (uint64_t g = 0; g < l->group_count; g++) {
		int ret = whole_group_stored(r, g, &got, err);

		if (ret)
			return ret;
		if (launch_reader_has(r, g))
			assert_true(is_as_made(l, g, &got));
		else
			assert_true(!l->groups[g].events || !launch_reader_is_whole(r));
	}
	return 0;
}

int test_launch_read(const struct test_launch *l, const unsigned char *bytes, size_t length,
                     struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *r = NULL;
	int ret;

	assert_int_equal(trace_source_memory(&source, "memory", bytes, length, err), 0);
	ret = launch_reader_open(&r, source, &l->table, err);
	if (!ret)
		ret = read_groups(l, r, err);
	launch_reader_close(r);
	trace_source_close(source);
	return ret;
}

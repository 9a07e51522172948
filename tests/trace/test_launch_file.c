/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "launch_reader.h"
#include "launch_writer.h"
#include "packed_run.h"
#include "trace_launch.h"
#include "trace_random.h"
#include "trace_scratch.h"
#include "trace_source.h"
#include "whole_group.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Accesses, barriers and fences that an event stands for. */
static uint64_t times(const struct event *e)
{
	uint32_t kind = e->point & EVENT_KIND_MASK;

	if (kind == EVENT_RUN)
		return e->iteration;
	if (kind == EVENT_GRID)
		return (uint64_t)e->iteration * e[1].iteration;
	return kind == EVENT_SITE;
}

static void add_event(struct launch_totals *t, const struct test_launch *l, const struct event *e)
{
	uint64_t count = times(e);
	enum site_kind kind;

	t->events++;
	if (!count)
		return;
	kind = l->table.sites[e->point & EVENT_ID_MASK].kind;
	t->reads += kind == SITE_READ ? count : 0;
	t->writes += kind == SITE_WRITE ? count : 0;
	t->atomics += kind == SITE_ATOMIC ? count : 0;
	t->barriers += kind == SITE_BARRIER ? count : 0;
	t->accesses += site_kind_is_access(kind) ? count : 0;
}

/* Totals by their definition. */
static struct launch_totals count_totals(const struct test_launch *l)
{
	struct launch_totals t = { .groups = l->written };

	for (uint64_t g = 0; g < l->group_count; g++) {
		const struct group_events *e = &l->groups[g].view;

		for (uint64_t i = 0; e->events && i < e->first[e->item_count]; i++)
			add_event(&t, l, &e->events[i]);
	}
	return t;
}

static void check_file(struct random *r, const struct test_launch *l, const char *path)
{
	struct launch_totals totals, expected = count_totals(l);
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct err err = { 0 };

	test_launch_write(l, path, &totals);
	assert_int_equal(trace_source_open(&source, path, &err), 0);
	assert_int_equal(launch_reader_open(&reader, source, &l->table, &err), 0);
	expected.file_bytes = trace_source_length(source);
	assert_int_equal(
		trace_source_read(source, expected.file_bytes - 16, &expected.file_sum, 8, &err),
		0);
	assert_memory_equal(&totals, &expected, sizeof(totals));
	assert_memory_equal(launch_reader_totals(reader), &expected, sizeof(expected));
	assert_true(same_shape(launch_reader_shape(reader), &l->shape));
	assert_int_equal(launch_reader_is_whole(reader), l->written == l->group_count);
	for (uint64_t g = 0; g < l->group_count; g++)
		test_launch_check_group(l, reader, g);
	for (int i = 0; i < 20; i++)
		test_launch_check_group(l, reader, random_below(r, l->group_count));
	launch_reader_close(reader);
	trace_source_close(source);
}

/* As groups mostly come; a reader then holds one at a time, until it is asked for an earlier one.
 */
static void put_in_order(struct test_launch *l)
{
	l->written = 0;
	for (uint64_t g = 0; g < l->group_count; g++)
		if (l->groups[g].events)
			l->order[l->written++] = g;
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
		struct test_launch l;

		print_message("round %d, seed %" PRIu64 "\n", round, r.state);
		test_launch_make(&r, &l, 1 + random_below(&r, 60), leave_out);
		if (round % 2)
			put_in_order(&l);
		check_file(&r, &l, path);
		test_launch_free(&l);
		remove(path);
	}
	scratch_remove(&dir);
}

/* Nine affine accesses of site 0, and a group of one work-item per group. */
static struct site one_site[] = { { .kind = SITE_READ, .loop = -1, .argument = -1 } };
static char k[] = "k";
static const struct kernel_table one_table = { .name = k, .sites = one_site, .site_count = 1 };

/* Groups of `items` work-items with `events` events, all by the first of them. */
struct series {
	uint64_t groups;
	uint64_t items;
	uint64_t events;
	uint64_t chunks; /* that the file must have */
};

static uint64_t *series_first(const struct series *s)
{
	uint64_t *first = calloc(s->items + 1, sizeof(*first));

	for (uint64_t i = 1; i <= s->items; i++)
		first[i] = s->events;
	return first;
}

static struct event *series_events(const struct series *s)
{
	struct event *events = calloc(s->events + 1, sizeof(*events));

	for (uint64_t i = 0; i < s->events; i++)
		events[i].value = 8 * i;
	return events;
}

/* Chunks of a file, counted by their magic: the columns here are too small to hold it. */
static uint64_t count_chunks(const char *path)
{
	size_t length;
	unsigned char *bytes = scratch_read(path, &length);
	uint64_t count = 0;

	for (size_t i = 0; i + 4 <= length; i++)
		count += memcmp(bytes + i, "WLCH", 4) == 0;
	free(bytes);
	return count;
}

static void check_series(const struct series *s, const char *path)
{
	const struct launch_shape shape = {
		1, { s->groups * s->items, 1, 1 }, { s->items, 1, 1 }, { 0 }
	};
	uint64_t *first = series_first(s);
	struct event *events = series_events(s);
	const struct group_events g = { (uint32_t)s->items, first, events };
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct launch_writer *w = NULL;
	struct group_events got;
	struct err err = { 0 };

	assert_int_equal(launch_writer_open(&w, path, &shape, &one_table, &err), 0);
	for (uint64_t i = 0; i < s->groups; i++)
		assert_int_equal(launch_writer_add(w, i, &g, &err), 0);
	assert_int_equal(launch_writer_close(w, true, NULL, &err), 0);
	assert_int_equal(count_chunks(path), s->chunks);
	assert_int_equal(trace_source_open(&source, path, &err), 0);
	assert_int_equal(launch_reader_open(&reader, source, &one_table, &err), 0);
	assert_true(launch_reader_is_whole(reader));
	for (uint64_t i = 0; i < s->groups; i++) {
		assert_int_equal(whole_group_plain(reader, &one_table, i, &got, &err), 0);
		assert_true(same_group(&got, &g));
	}
	launch_reader_close(reader);
	trace_source_close(source);
	free(first);
	free(events);
}

/*
 * A chunk is full at 4096 groups, 2^20 work-items or 2^20 events; a group with more events has
 * chunks of its own: 5,000,000 of them are four times 1,048,576 and the rest.
 */
static void chunks_end_at_their_limits(void **state)
{
	static const struct series rows[] = {
		{ 1, 1, 0, 1 },       { 4096, 1, 0, 1 },
		{ 4097, 1, 0, 2 },    { 8193, 1, 1, 3 },
		{ 2, 1 << 19, 0, 1 }, { 3, 1 << 19, 0, 2 },
		{ 2, 1 << 20, 1, 2 }, { 2, 3, 1 << 19, 1 },
		{ 3, 3, 1 << 19, 2 }, { 2, 1, (1 << 20) + 1, 4 },
		{ 5, 1, 400000, 3 },  { 1, 1, 5000000, 5 },
	};
	struct scratch_dir dir;
	const char *path;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "series.wll");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("row %zu\n", i);
		check_series(&rows[i], path);
		remove(path);
	}
	scratch_remove(&dir);
}

static void a_group_that_does_not_fit_is_refused_and_not_added(void **state)
{
	static const struct launch_shape shape = { 1, { 5, 1, 1 }, { 2, 1, 1 }, { 0 } };
	static const struct event good[] = { { 1, 0, 0 }, { 2, EVENT_SIZE, 0 } };
	static const struct event no_site[] = { { 1, 0, 0 }, { 2, 1, 0 } };
	static const struct event no_size[] = { { 1, 0, 0 }, { 2, EVENT_SIZE | 1, 0 } };
	static const struct event no_loop[] = { { 1, 0, 0 }, { 2, EVENT_LOOP, 0 } };
	static const struct event no_epoch[] = { { 1, 0, 0 }, { 2, EVENT_EPOCH, 0 } };
	static const uint64_t fine[] = { 0, 1, 2 }, late[] = { 1, 1, 2 }, falling[] = { 0, 2, 1 };
	static const struct {
		uint64_t group;
		struct group_events g;
		int ret;
		const char *says;
	} rows[] = {
		{ 3, { 2, fine, good }, ERR_FORMAT, "group 3 is outside the launch's 3 groups" },
		{ 2, { 2, fine, good }, ERR_FORMAT, "group 2: 2 work-items, expected 1" },
		{ 0, { 1, fine, good }, ERR_FORMAT, "group 0: 1 work-items, expected 2" },
		{ 0, { 2, late, good }, ERR_FORMAT, "group 0: its events do not begin at 0" },
		{ 0, { 2, falling, good }, ERR_FORMAT, "group 0: work-item 1 ends before it beg" },
		{ 0, { 2, fine, no_site }, ERR_FORMAT, "group 0: event 1: kernel k has no site 1" },
		{ 0, { 2, fine, no_size }, ERR_FORMAT, "kernel k has no site 1" },
		{ 0, { 2, fine, no_loop }, ERR_FORMAT, "kernel k has no loop 0" },
		{ 0, { 2, fine, no_epoch }, ERR_FORMAT, "kernel k has no loop 0" },
		{ 0, { 2, fine, good }, 0, "" },
		{ 0, { 2, fine, good }, ERR_FORMAT, "group 0 is added twice" },
		{ 1, { 2, fine, good }, 0, "" },
	};
	struct launch_totals totals;
	struct launch_writer *w = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };

	(void)state;
	scratch_make(&dir);
	assert_int_equal(
		launch_writer_open(&w, scratch_path(&dir, "x.wll"), &shape, &one_table, &err), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err row = { 0 };
		int ret = launch_writer_add(w, rows[i].group, &rows[i].g, &row);

		if (ret != rows[i].ret || !strstr(row.msg, rows[i].says))
			fail_msg("row %zu: %d says '%s'", i, ret, row.msg);
	}
	assert_int_equal(launch_writer_close(w, true, &totals, &err), 0);
	assert_int_equal(totals.groups, 2);
	assert_int_equal(totals.events, 4);
	assert_int_equal(totals.reads, 2);
	scratch_remove(&dir);
}

/* The parts of a group in which work-items take turns, however they are cut: their streams are put
 * together again. */
enum { PART_ITEMS = 3, PARTS = 40, PART_EVENTS = 5 };

static void make_part(struct random *r, uint64_t *first, struct event *events, uint64_t *written,
                      struct event all[PART_ITEMS][PARTS * PART_EVENTS])
{
	for (uint32_t i = 0; i < PART_ITEMS; i++) {
		uint64_t count = random_below(r, PART_EVENTS + 1);

		first[i + 1] = first[i];
		while (count--) {
			const struct event e = { random_next(r) >> random_below(r, 64), 0, 0 };

			events[first[i + 1]++] = all[i][written[i]++] = e;
		}
	}
}

static void assert_parts(const struct group_events *got, const uint64_t written[PART_ITEMS],
                         struct event all[PART_ITEMS][PARTS * PART_EVENTS])
{
	for (uint32_t i = 0; i < PART_ITEMS; i++) {
		assert_int_equal(got->first[i + 1] - got->first[i], written[i]);
		assert_memory_equal(got->events + got->first[i], all[i],
		                    written[i] * sizeof(struct event));
	}
}

static void a_group_may_come_in_parts(void **state)
{
	static const struct launch_shape shape = {
		1, { UINT64_C(3) * PART_ITEMS, 1, 1 }, { PART_ITEMS, 1, 1 }, { 0 }
	};
	static struct event all[PART_ITEMS][PARTS * PART_EVENTS];
	static struct event events[PART_ITEMS * PART_EVENTS];
	uint64_t first[PART_ITEMS + 1] = { 0 }, written[PART_ITEMS] = { 0 };
	const struct group_events part = { PART_ITEMS, first, events };
	const uint64_t one[] = { 0, 1, 1, 1 };
	const struct event only = { 77, 0, 0 };
	const struct group_events small = { PART_ITEMS, one, &only };
	struct launch_totals totals;
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct launch_writer *w = NULL;
	struct group_events got;
	struct scratch_dir dir;
	struct random r = { 5 };
	struct err err = { 0 };
	const char *path;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "parts.wll");
	assert_int_equal(launch_writer_open(&w, path, &shape, &one_table, NULL), 0);
	assert_int_equal(launch_writer_add(w, 2, &small, NULL), 0);
	for (int i = 0; i < PARTS; i++) {
		make_part(&r, first, events, written, all);
		if (launch_writer_add_part(w, 1, &part, i + 1 == PARTS, &err))
			fail_msg("%s", err.msg);
		if (i + 1 == PARTS)
			break;
		assert_int_equal(launch_writer_add(w, 0, &small, &err), ERR_FORMAT);
		assert_non_null(strstr(err.msg, "comes before the last part of group 1"));
		err = (struct err){ 0 };
	}
	assert_int_equal(launch_writer_add_part(w, 1, &part, true, &err), ERR_FORMAT);
	assert_int_equal(launch_writer_add(w, 0, &small, NULL), 0);
	assert_int_equal(launch_writer_close(w, true, &totals, NULL), 0);
	assert_int_equal(totals.groups, 3);
	assert_int_equal(totals.reads, 2 + written[0] + written[1] + written[2]);
	assert_int_equal(trace_source_open(&source, path, NULL), 0);
	assert_int_equal(launch_reader_open(&reader, source, &one_table, NULL), 0);
	assert_true(launch_reader_is_whole(reader));
	assert_int_equal(launch_reader_totals(reader)->groups, 3);
	for (int round = 0; round < 6; round++) { /* in any order */
		uint64_t g = random_below(&r, 3);

		assert_int_equal(launch_reader_parts(reader, g), g == 1 ? PARTS : 1);
		assert_int_equal(whole_group_stored(reader, g, &got, NULL), 0);
		if (g == 1)
			assert_parts(&got, written, all);
		else
			assert_true(same_group(&got, &small));
	}
	launch_reader_close(reader);
	trace_source_close(source);
	scratch_remove(&dir);
}

/* Two groups, of which the second is cut off after some of its parts: it is not there at all. */
static void a_group_without_its_last_part_is_not_read(void **state)
{
	static const struct launch_shape shape = { 1, { 2, 1, 1 }, { 1, 1, 1 }, { 0 } };
	static const uint64_t first[] = { 0, 1 };
	static const struct event event = { 77, 0, 0 };
	const struct group_events g = { 1, first, &event };
	struct scratch_dir dir;
	unsigned char *bytes;
	size_t length, last = 0;
	const char *path;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "x.wll");
	for (int closes = 0; closes < 2; closes++) {
		struct trace_source *source = NULL;
		struct launch_reader *reader = NULL;
		struct launch_writer *w = NULL;
		struct launch_totals totals;

		assert_int_equal(launch_writer_open(&w, path, &shape, &one_table, NULL), 0);
		assert_int_equal(launch_writer_add(w, 0, &g, NULL), 0);
		assert_int_equal(launch_writer_add_part(w, 1, &g, false, NULL), 0);
		assert_int_equal(launch_writer_add_part(w, 1, &g, closes, NULL), 0);
		assert_int_equal(launch_writer_close(w, true, &totals, NULL), 0);
		bytes = scratch_read(path, &length);
		for (size_t i = 0; i + 4 <= length; i++) /* the chunk of the last part */
			last = memcmp(bytes + i, "WLCH", 4) ? last : i;
		/* A writer that was closed has ended the group, and says that it is not whole. */
		assert_int_equal(trace_source_memory(&source, "m", bytes, length, NULL), 0);
		assert_int_equal(launch_reader_open(&reader, source, &one_table, NULL), 0);
		assert_int_equal(launch_reader_is_whole(reader), closes);
		assert_int_equal(launch_reader_parts(reader, 1), closes ? 2 : 3);
		assert_int_equal(totals.groups, 2);
		launch_reader_close(reader);
		trace_source_close(source);
		/* One that was killed before has not. */
		assert_int_equal(trace_source_memory(&source, "m", bytes, last, NULL), 0);
		assert_int_equal(launch_reader_open(&reader, source, &one_table, NULL), 0);
		assert_false(launch_reader_is_whole(reader));
		assert_int_equal(launch_reader_parts(reader, 0), 1);
		assert_int_equal(launch_reader_parts(reader, 1), 0);
		assert_int_equal(launch_reader_totals(reader)->reads, 1);
		assert_int_equal(launch_reader_totals(reader)->groups, 1);
		launch_reader_close(reader);
		trace_source_close(source);
		free(bytes);
		remove(path);
	}
	scratch_remove(&dir);
}

/* Cuts are never inside a record: 2^20 is not a multiple of three. */
static void a_long_group_is_not_cut_inside_a_record(void **state)
{
	static const struct launch_shape shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } };
	static struct site sites[] = {
		{ .kind = SITE_READ, .bytes = 4, .loop = 0, .argument = -1 },
		{ .kind = SITE_WRITE, .loop = -1, .argument = -1 },
	};
	static struct loop loops[] = { { .parent = -1, .depth = 1 } };
	const struct kernel_table table = {
		.name = k, .sites = sites, .site_count = 2, .loops = loops, .loop_count = 1
	};
	const size_t runs = 400000, sizes = 500000;
	const uint64_t first[] = { 0, 3 * runs + 2 * sizes };
	struct event *events = calloc(first[1], sizeof(*events));
	const struct group_events g = { 1, first, events };
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct launch_writer *w = NULL;
	struct group_events got;
	struct scratch_dir dir;
	struct err err = { 0 };
	const char *path;

	(void)state;
	for (size_t i = 0; i < runs; i++)
		(void)packed_run_put(
			&(const struct packed_run){ .count = 1, .address = i, .first = i },
			events + 3 * i);
	for (size_t i = 0; i < sizes; i++) {
		events[3 * runs + 2 * i] = (struct event){ 8, EVENT_SIZE | 1, 0 };
		events[3 * runs + 2 * i + 1] = (struct event){ i, 1, 0 };
	}
	scratch_make(&dir);
	path = scratch_path(&dir, "x.wll");
	assert_int_equal(launch_writer_open(&w, path, &shape, &table, NULL), 0);
	if (launch_writer_add(w, 0, &g, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(launch_writer_close(w, true, NULL, NULL), 0);
	assert_int_equal(trace_source_open(&source, path, NULL), 0);
	assert_int_equal(launch_reader_open(&reader, source, &table, NULL), 0);
	assert_int_equal(launch_reader_parts(reader, 0), 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(launch_reader_part(reader, 0, i, &got, NULL), 0);
		assert_int_not_equal(got.events[0].point & EVENT_KIND_MASK, EVENT_PART);
		assert_int_not_equal(got.events[got.first[1] - 1].point & EVENT_KIND_MASK,
		                     EVENT_SIZE);
	}
	assert_int_equal(whole_group_stored(reader, 0, &got, NULL), 0);
	assert_true(same_group(&got, &g));
	launch_reader_close(reader);
	trace_source_close(source);
	scratch_remove(&dir);
	free(events);
}

static void a_writer_refuses_what_it_cannot_write(void **state)
{
	static const struct launch_shape shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } };
	static const struct launch_shape empty = { 1, { 0, 1, 1 }, { 1, 1, 1 }, { 0 } };
	static const struct launch_shape huge = {
		1, { (1ull << 32) + 1, 1, 1 }, { 1, 1, 1 }, { 0 }
	};
	static const struct kernel_table nameless = { 0 };
	const struct {
		const char *path;
		const struct launch_shape *shape;
		const struct kernel_table *table;
		int ret;
	} rows[] = {
		{ "/tmp", &shape, &one_table, ERR_IO },
		{ "/nonexistent/x", &shape, &one_table, ERR_IO },
		{ "/nonexistent/x", &empty, &one_table, ERR_FORMAT },
		{ "/nonexistent/x", &huge, &one_table, ERR_FORMAT },
		{ "/nonexistent/x", &shape, &nameless, ERR_FORMAT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct launch_writer *w = NULL;
		struct err err = { 0 };
		int ret = launch_writer_open(&w, rows[i].path, rows[i].shape, rows[i].table, &err);

		/* The file is created when there is something to write. */
		assert_int_equal(ret, rows[i].ret == ERR_IO ? 0 : rows[i].ret);
		if (!ret)
			ret = launch_writer_close(w, true, NULL, &err);
		assert_int_equal(ret, rows[i].ret);
		assert_true(err.msg[0] != '\0');
	}
	assert_int_equal(launch_writer_close(NULL, true, NULL, NULL), 0);
}

/* A limit on file sizes stands for a full disk. The file must keep its whole chunks. */
static void a_full_disk_ends_the_writing_and_keeps_what_was_written(void **state)
{
	struct random r = { 3 };
	const struct launch_shape shape = { 1, { 12288, 1, 1 }, { 1, 1, 1 }, { 0 } };
	const struct rlimit small = { 110000, RLIM_INFINITY };
	struct rlimit before;
	struct launch_writer *w = NULL;
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };
	const char *path;
	int ret = 0;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "full.wll");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(launch_writer_open(&w, path, &shape, &one_table, &err), 0);
	for (uint64_t i = 0; i < 12288; i++) {
		static const uint64_t first[] = { 0, 2 };
		const struct event events[] = { { random_next(&r), 0, 0 },
			                        { random_next(&r), 0, 0 } };
		const struct group_events g = { 1, first, events };

		err.code = 0;
		ret = launch_writer_add(w, i, &g, &err);
		assert_int_equal(ret, i < 4096 + 4095 ? 0 : ERR_IO); /* the second chunk fails */
	}
	assert_non_null(strstr(err.msg, "full.wll: File too large"));
	err.code = 0;
	assert_int_equal(launch_writer_close(w, true, NULL, &err), ERR_IO);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);

	err.code = 0;
	assert_int_equal(trace_source_open(&source, path, &err), 0);
	assert_int_equal(launch_reader_open(&reader, source, &one_table, &err), 0);
	assert_false(launch_reader_is_whole(reader));
	assert_int_equal(launch_reader_totals(reader)->groups, 4096);
	assert_true(launch_reader_has(reader, 4095));
	assert_false(launch_reader_has(reader, 4096));
	launch_reader_close(reader);
	trace_source_close(source);
	scratch_remove(&dir);
}

/* A launch of two groups: how its file is written, and whether it is whole then. */
static const struct {
	bool nothing_lost, is_partial, has_both, is_whole;
} wholes[] = {
	{ false, false, true, false }, { true, false, true, true },  { true, false, false, false },
	{ true, true, false, true },   { false, true, true, false }, { true, true, true, true },
};

static void a_launch_is_whole_when_nothing_that_was_wanted_is_missing(void **state)
{
	static const struct launch_shape shape = { 1, { 2, 1, 1 }, { 1, 1, 1 }, { 0 } };
	static const uint64_t first[] = { 0, 0 };
	static const struct event none;
	const struct group_events g = { 1, first, &none };

	(void)state;
	for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
		struct trace_source *source = NULL;
		struct launch_reader *reader = NULL;
		struct launch_writer *w = NULL;
		struct scratch_dir dir;
		struct err err = { 0 };
		const char *path;

		scratch_make(&dir);
		path = scratch_path(&dir, "x.wll");
		assert_int_equal(launch_writer_open(&w, path, &shape, &one_table, &err), 0);
		if (wholes[i].is_partial)
			launch_writer_select(w);
		assert_int_equal(launch_writer_add(w, 0, &g, &err), 0);
		if (wholes[i].has_both)
			assert_int_equal(launch_writer_add(w, 1, &g, &err), 0);
		assert_int_equal(launch_writer_close(w, wholes[i].nothing_lost, NULL, &err), 0);
		assert_int_equal(trace_source_open(&source, path, &err), 0);
		assert_int_equal(launch_reader_open(&reader, source, &one_table, &err), 0);
		assert_int_equal(launch_reader_is_whole(reader), wholes[i].is_whole);
		launch_reader_close(reader);
		trace_source_close(source);
		scratch_remove(&dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_may_come_in_parts),
		cmocka_unit_test(a_group_without_its_last_part_is_not_read),
		cmocka_unit_test(a_long_group_is_not_cut_inside_a_record),
		cmocka_unit_test(what_is_written_comes_back),
		cmocka_unit_test(chunks_end_at_their_limits),
		cmocka_unit_test(a_group_that_does_not_fit_is_refused_and_not_added),
		cmocka_unit_test(a_writer_refuses_what_it_cannot_write),
		cmocka_unit_test(a_full_disk_ends_the_writing_and_keeps_what_was_written),
		cmocka_unit_test(a_launch_is_whole_when_nothing_that_was_wanted_is_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-items that do what the one before did, moved, take a way of their own into the file. They
 * and those between which break the rule come back as they were, in the same bytes as one by one.
 */
#include "cmocka_all.h"

#include "chunk_builder.h"
#include "err.h"
#include "launch_format.h"
#include "launch_reader.h"
#include "launch_writer.h"
#include "trace_random.h"
#include "trace_scratch.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED   20261121u
#define ITEMS  61
#define GROUPS 9
#define MOST   24
#define SITES  5

static struct site sites[SITES] = {
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = 0, .argument = -1 },
	{ .kind = SITE_WRITE, .bytes = 8, .space = 1, .loop = 0, .argument = -1 },
	{ .kind = SITE_BARRIER, .loop = -1, .argument = -1 },
	{ .kind = SITE_WRITE, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
};
static struct loop loops[1] = { { .parent = -1, .depth = 1 } };
static char name[] = "kernel", records[] = "raw";
static const struct kernel_table table = { .name = name,
	                                   .sites = sites,
	                                   .site_count = SITES,
	                                   .loops = loops,
	                                   .loop_count = 1,
	                                   .lanes = 1,
	                                   .records = records };

struct made {
	uint64_t first[GROUPS][ITEMS + 1];
	struct event events[GROUPS][ITEMS * MOST];
};

/* What a work-item did, in any order that comes. */
static uint32_t begin(struct random *r, struct event *events)
{
	uint32_t count = (uint32_t)random_below(r, MOST + 1);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t site = (uint32_t)random_below(r, SITES);

		events[i] = (struct event){ .value = random_below(r, 1u << 30),
			                    .point = site,
			                    .iteration = (uint32_t)random_below(
						    r, sites[site].loop < 0 ? 1 : 4) };
	}
	return count;
}

/* One word of it becomes another. */
static void disturb(struct random *r, struct event *events, uint32_t count)
{
	struct event *e = events + (count ? random_below(r, count) : 0);

	if (!count)
		return;
	switch (random_below(r, 3)) {
	case 0:
		e->value += 1 + random_below(r, 100);
		break;
	case 1:
		e->iteration++;
		break;
	default:
		e->point = (uint32_t)random_below(r, SITES);
		break;
	}
}

/* Work-items that move by a stride for each site; now and then one begins anew, is disturbed, or
 * does the next one's share. */
static void make(struct random *r, struct made *m)
{
	uint64_t stride[SITES];
	struct event own[MOST];
	uint32_t count = begin(r, own);

	for (int s = 0; s < SITES; s++)
		stride[s] = random_below(r, 3) * 4 - 4;
	for (int g = 0; g < GROUPS; g++) {
		uint64_t one = random_below(r, 2 * (ITEMS - 1));

		for (int item = 0; item < ITEMS; item++) {
			struct event *to = m->events[g] + m->first[g][item];

			if (random_below(r, 40) == 0)
				count = begin(r, own);
			for (uint32_t i = 0; i < count; i++)
				own[i].value += stride[own[i].point];
			memcpy(to, own, count * sizeof(*to));
			m->first[g][item + 1] = m->first[g][item] + count;
			if (random_below(r, 30) == 0)
				disturb(r, to, count);
		}
		/* What the next one did is this one's: the events alone do not show it. */
		if (one < ITEMS - 1)
			m->first[g][one + 1] = m->first[g][one + 2];
	}
}

static struct group_events group_of(const struct made *m, int g)
{
	return (struct group_events){ ITEMS, m->first[g], m->events[g] };
}

static void check_totals(const struct made *m, const struct launch_totals *totals)
{
	struct launch_totals own = { .groups = GROUPS,
		                     .file_bytes = totals->file_bytes,
		                     .file_sum = totals->file_sum };

	for (int g = 0; g < GROUPS; g++)
		for (uint64_t i = 0; i < m->first[g][ITEMS]; i++) {
			enum site_kind kind = sites[m->events[g][i].point].kind;

			own.events++;
			own.reads += kind == SITE_READ;
			own.writes += kind == SITE_WRITE;
			own.barriers += kind == SITE_BARRIER;
		}
	own.accesses = own.reads + own.writes;
	assert_memory_equal(&own, totals, sizeof(own));
}

static void write_and_read(const struct made *m, const char *path)
{
	static const struct launch_shape shape = {
		1, { UINT64_C(1) * GROUPS * ITEMS, 1, 1 }, { ITEMS, 1, 1 }, { 0 }
	};
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct launch_writer *w = NULL;
	struct launch_totals totals;
	struct err err = { 0 };

	if (launch_writer_open(&w, path, &shape, &table, &err))
		fail_msg("%s", err.msg);
	for (int g = 0; g < GROUPS; g++) {
		struct group_events given = group_of(m, g);

		assert_int_equal(launch_writer_add(w, (uint64_t)g, &given, &err), 0);
	}
	assert_int_equal(launch_writer_close(w, true, &totals, &err), 0);
	check_totals(m, &totals);
	assert_int_equal(trace_source_open(&source, path, &err), 0);
	assert_int_equal(launch_reader_open(&reader, source, &table, &err), 0);
	for (int g = 0; g < GROUPS; g++) {
		struct group_events got;

		if (whole_group_stored(reader, (uint64_t)g, &got, &err))
			fail_msg("%s", err.msg);
		assert_int_equal(got.item_count, ITEMS);
		assert_memory_equal(got.first, m->first[g], sizeof(m->first[g]));
		assert_memory_equal(got.events, m->events[g],
		                    m->first[g][ITEMS] * sizeof(struct event));
	}
	launch_reader_close(reader);
	trace_source_close(source);
}

static void moved_items_come_back_as_they_were(void **state)
{
	struct random r = { SEED };
	struct scratch_dir dir;
	const char *path;
	static struct made m;

	print_message("seed %u\n", SEED);
	scratch_make(&dir);
	path = scratch_path(&dir, "moved.wll");
	for (int round = 0; round < 400; round++) {
		memset(&m, 0, sizeof(m));
		make(&r, &m);
		write_and_read(&m, path);
		remove(path);
	}
	scratch_remove(&dir);
}

/* The columns of groups of ITEMS work-items, or of one each: then nothing is moved. */
static void fill(struct chunk_builder *b, const struct made *m, bool is_one_by_one)
{
	const struct launch_totals none = { 0 };
	struct err err = { 0 };
	unsigned char *packed = NULL;
	size_t length;

	chunk_builder_init(b, &table);
	for (int g = 0; g < GROUPS; g++)
		for (uint32_t item = 0; item < ITEMS; item += is_one_by_one ? 1 : ITEMS) {
			const uint64_t *first = &m->first[g][item];
			uint64_t ends[2] = { 0, first[1] - first[0] };
			struct group_events whole = group_of(m, g);
			struct group_events one = { 1, ends, m->events[g] + first[0] };

			assert_int_equal(
				chunk_builder_add(b, 0, is_one_by_one ? &one : &whole, &none, &err),
				0);
		}
	assert_int_equal(chunk_builder_pack(b, &packed, &length, &err), 0);
	free(packed);
}

static void moved_items_make_the_same_columns_as_one_by_one(void **state)
{
	struct random r = { SEED + 1 };
	static struct made m;

	for (int round = 0; round < 100; round++) {
		struct chunk_builder *whole = calloc(1, sizeof(*whole));
		struct chunk_builder *single = calloc(1, sizeof(*single));

		assert_non_null(whole);
		assert_non_null(single);
		memset(&m, 0, sizeof(m));
		make(&r, &m);
		fill(whole, &m, false);
		fill(single, &m, true);
		for (int c = COLUMN_COUNTS; c < COLUMN_COUNT; c++) {
			assert_int_equal(whole->columns[c].used, single->columns[c].used);
			if (whole->columns[c].used)
				assert_memory_equal(whole->columns[c].bytes,
				                    single->columns[c].bytes,
				                    whole->columns[c].used);
		}
		chunk_builder_release(whole);
		chunk_builder_release(single);
		free(whole);
		free(single);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moved_items_come_back_as_they_were),
		cmocka_unit_test(moved_items_make_the_same_columns_as_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "drain.h"
#include "err.h"
#include "group_selection.h"
#include "kernel_table.h"
#include "mock_probe.h"
#include "thread_pool.h"

#include <stdlib.h>
#include <string.h>

#define SEED        1977u
#define GROUPS      12
#define ITEMS       50
#define BYTES       (1 << 20)
#define CHUNK_WORDS 8
#define PLACE_WORDS 3
#define SLOT_WORDS  24

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* 12 groups, the last of which has 30 work-items. */
static const struct launch_shape shape = { 1, { 11 * ITEMS + 30, 1, 1 }, { ITEMS, 1, 1 }, { 0 } };

static struct site sites[1] = { { .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1 } };
static char name[] = "kernel", records[] = "raw";

static struct kernel_table make_table(uint32_t item_words, uint32_t lanes)
{
	return (struct kernel_table){ .name = name,
		                      .sites = sites,
		                      .site_count = 1,
		                      .item_words = item_words,
		                      .lanes = lanes,
		                      .records = records };
}

static uint64_t address_of(uint64_t g, uint32_t item, uint64_t k)
{
	return (g + 1) << 32 | item << 16 | k;
}

/* What is to come out, and what has. */
struct expectation {
	uint32_t made[GROUPS][ITEMS];
	const struct group_selection *selection;
	uint64_t next; /* group */
	uint64_t fails_at;
};

/* Place a slice and give the device a cleared buffer with its header. */
static struct slice make_slice(const struct slice_layout *l, uint64_t begin, uint64_t end,
                               const struct expectation *e, unsigned char *buffer)
{
	struct slice slice = { .box = slice_box_at(&shape, begin, end - begin),
		               .place_words = l->slot_words ? SLOT_WORDS : PLACE_WORDS,
		               .chunk_words = CHUNK_WORDS };
	struct probe_header *h = (struct probe_header *)(void *)buffer;

	assert_true(slice_layout_place(l, &slice, BYTES));
	memset(buffer, 0xa5, BYTES);
	memset(buffer + slice.tables_offset, 0, slice.tables_bytes);
	*h = (struct probe_header){ .chunk_count = slice.chunk_count,
		                    .chunk_words = slice.chunk_words,
		                    .slice_begin = begin,
		                    .place_words = slice.place_words,
		                    .chunks_offset = slice.chunks_offset,
		                    .directory_offset = slice.directory_offset,
		                    .selection_offset = slice.selection_offset,
		                    .discard_offset = slice.discard_offset,
		                    .lane_chunks = slice.lane_chunks,
		                    .group_items = l->group_items };
	for (uint64_t g = begin; slice.selection_offset && g < end; g++)
		if (group_selection_has(e->selection, g))
			((uint32_t *)(void *)(buffer + slice.selection_offset))[0] |=
				1u << (g - begin);
	return slice;
}

/*
 * What the device leaves: in each step a random work-item writes its next word, which tells group,
 * item and a count, so that each is told apart.
 */
static void play(const struct slice_layout *l, const struct slice *slice, struct expectation *e,
                 unsigned char *buffer, uint32_t steps)
{
	static struct mock_probe probes[GROUPS][ITEMS];
	struct probe_header *h = (struct probe_header *)(void *)buffer;
	uint32_t size[3];

	for (uint64_t g = slice->box.begin; g < slice->box.end; g++)
		for (uint32_t i = 0; i < launch_shape_group_size(&shape, g, size); i++)
			mock_probe_begin(
				&probes[g][i], h, l->lanes,
				&(struct mock_item){ g, i, launch_shape_group_size(&shape, g, size),
			                             ITEMS });
	while (steps--) {
		uint32_t g = (uint32_t)slice->box.begin +
		             random_below((uint32_t)(slice->box.end - slice->box.begin));
		uint32_t i = random_below(launch_shape_group_size(&shape, g, size));

		if (l->slot_words && e->made[g][i] == SLOT_WORDS)
			continue;
		mock_probe_write(&probes[g][i], UINT64_C(1) << PROBE_CODE_SHIFT |
		                                        address_of(g, i, e->made[g][i]++));
	}
	assert_int_equal(h->lost_records, 0);
}

static int check_group(void *context, const struct drained_part *part, struct err *err)
{
	struct expectation *e = context;
	const struct group_events *events = part->events;
	uint64_t g = part->group;
	uint32_t size[3];

	if (g == e->fails_at)
		return err_set(err, ERR_IO, "the disk is full");
	while (e->selection && !group_selection_has(e->selection, e->next))
		e->next++;
	assert_int_equal(g, e->next++);
	assert_true(part->is_last);
	assert_int_equal(part->is_tracked, g >= GROUPS / 2);
	assert_int_equal(events->item_count, launch_shape_group_size(&shape, g, size));
	assert_int_equal(events->first[0], 0);
	for (uint32_t i = 0; i < events->item_count; i++) {
		assert_int_equal(events->first[i + 1] - events->first[i], e->made[g][i]);
		for (uint32_t k = 0; k < e->made[g][i]; k++)
			assert_int_equal(events->events[events->first[i] + k].value,
			                 address_of(g, i, k));
	}
	return 0;
}

static uint32_t used_chunks(const unsigned char *buffer)
{
	return ((const struct probe_header *)(const void *)buffer)->next_chunk;
}

/* Two slices at a time, one behind the other; whoever waits first. Returns what draining says. */
static int run(const struct kernel_table *table, struct expectation *e, struct thread_pool *pool,
               uint32_t steps)
{
	struct slice_layout l = slice_layout_of(table, &shape, e->selection != NULL, false);
	const struct drain_terms terms = { &shape, table,       &l, e->selection,
		                           pool,   check_group, e,  { 0 } };
	unsigned char *buffers[2] = { malloc(BYTES), malloc(BYTES) };
	struct drain *d = NULL;
	struct err err = { 0 };
	struct drain_result results[2];
	int rc;

	assert_int_equal(drain_create(&d, &terms, &err), 0);
	for (unsigned i = 0; i < 2; i++) {
		struct slice slice = make_slice(&l, (uint64_t)i * GROUPS / 2,
		                                (uint64_t)(i + 1) * GROUPS / 2, e, buffers[i]);

		play(&l, &slice, e, buffers[i], steps);
		drain_begin(d, i, &slice, buffers[i] + slice.places_offset, used_chunks(buffers[i]),
		            i);
	}
	rc = drain_wait(d, steps % 2, &results[steps % 2], &err);
	rc |= drain_wait(d, !(steps % 2), &results[!(steps % 2)], &err);
	assert_int_equal(results[0].damaged + results[1].damaged, 0);
	if (!e->selection && rc == 0 && !l.slot_words)
		assert_int_equal(results[0].events + results[1].events, UINT64_C(2) * steps);
	drain_free(d);
	free(buffers[0]);
	free(buffers[1]);
	return rc;
}

static void groups_come_out_in_order_with_what_each_item_wrote(void **state)
{
	static const struct {
		uint32_t item_words, lanes;
		const char *selection;
	} rows[] = { { 0, 1, NULL },           { 0, 32, NULL },         { SLOT_WORDS, 1, NULL },
		     { SLOT_WORDS, 32, NULL }, { 0, 1, "1..3,8" },      { 0, 32, "/5" },
		     { SLOT_WORDS, 1, "0,4" }, { SLOT_WORDS, 32, "11" } };
	struct thread_pool *pool = NULL;
	struct err err = { 0 };

	print_message("seed %u\n", SEED);
	assert_int_equal(thread_pool_create(&pool, &err), 0);
	for (int round = 0; round < 400; round++) {
		size_t r = (size_t)round % (sizeof(rows) / sizeof(rows[0]));
		struct kernel_table table = make_table(rows[r].item_words, rows[r].lanes);
		struct expectation e = { .fails_at = UINT64_MAX };
		struct group_selection *selection = NULL;
		uint32_t size[3];

		if (rows[r].selection)
			assert_int_equal(group_selection_parse(&selection, rows[r].selection,
			                                       "groups", &err),
			                 0);
		e.selection = selection;
		/* A small slice is not handed to threads, a large one is. */
		assert_int_equal(run(&table, &e, pool, random_below(round % 3 ? 500 : 12000)), 0);
		while (selection && e.next < GROUPS && !group_selection_has(selection, e.next))
			e.next++;
		assert_int_equal(e.next, GROUPS);
		assert_int_equal(launch_shape_group_size(&shape, GROUPS - 1, size), 30);
		group_selection_free(selection);
	}
	thread_pool_free(pool);
}

static void nothing_is_handed_on_after_a_failure(void **state)
{
	struct kernel_table table = make_table(0, 1);
	struct thread_pool *pool = NULL;
	struct err err = { 0 };

	assert_int_equal(thread_pool_create(&pool, &err), 0);
	for (uint64_t at = 0; at < GROUPS; at++) {
		struct expectation e = { .fails_at = at };

		assert_int_not_equal(run(&table, &e, pool, 9000), 0);
		assert_int_equal(e.next, at);
	}
	thread_pool_free(pool);
}

static int count_events(void *context, const struct drained_part *part, struct err *err)
{
	*(uint64_t *)context += part->events->first[part->events->item_count];
	return 0;
}

/* Drain chunks of 8 words, lanes 1, of groups 2..5; returns the events. */
static uint64_t drain_chunks(const struct kernel_table *table, const void *chunks, uint32_t count,
                             struct drain_result *result)
{
	struct slice_layout l = slice_layout_of(table, &shape, false, false);
	struct slice slice = { .box = slice_box_at(&shape, 2, 4), .chunk_words = 8 };
	struct thread_pool *pool = NULL;
	uint64_t events = 0;
	const struct drain_terms terms = { &shape, table,        &l,      NULL,
		                           NULL,   count_events, &events, { 0 } };
	struct drain_terms own = terms;
	struct drain *d = NULL;
	struct err err = { 0 };

	assert_int_equal(thread_pool_create(&pool, &err), 0);
	own.pool = pool;
	slice.chunk_count = count;
	assert_int_equal(drain_create(&d, &own, &err), 0);
	drain_begin(d, 0, &slice, chunks, count, false);
	assert_int_equal(drain_wait(d, 0, result, &err), 0);
	drain_free(d);
	thread_pool_free(pool);
	return events;
}

struct test_chunk {
	struct probe_chunk head;
	uint64_t words[8];
};

/* Chunks that name no work-item of the slice, that come out of order, or whose words make no sense
 * are counted and left out; what came before them in the same work-item stays. */
static void damaged_chunks_are_left_out_and_counted(void **state)
{
	struct kernel_table table = make_table(0, 1);
	const uint64_t good = UINT64_C(1) << PROBE_CODE_SHIFT | 4096;
	const uint64_t bad = UINT64_C(2) << PROBE_CODE_SHIFT | 4096; /* there is one site */
	const struct test_chunk chunks[] = {
		{ { 1, 0, 0 }, { good } },            /* not of this slice */
		{ { 6, 0, 0 }, { good } },            /* nor this */
		{ { UINT64_MAX, 0, 0 }, { good } },   /* nor this */
		{ { 2, ITEMS, 0 }, { good } },        /* no such work-item */
		{ { 2, UINT32_MAX, 0 }, { good } },   /* nor this */
		{ { 3, 4, 0 }, { good, good } },      /* sound: two events */
		{ { 3, 4, 2 }, { good } },            /* the second is missing */
		{ { 3, 5, 0 }, { good, bad, good } }, /* one event, then nonsense */
		{ { 3, 5, 1 }, { good } },            /* belongs to that */
		{ { 5, 0, 0 }, { good, good, good } },
	};
	struct drain_result result;

	assert_int_equal(drain_chunks(&table, chunks, sizeof(chunks) / sizeof(chunks[0]), &result),
	                 2 + 1 + 3);
	assert_int_equal(result.damaged, 5 + 1 + 1);
	assert_int_equal(result.events, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_come_out_in_order_with_what_each_item_wrote),
		cmocka_unit_test(nothing_is_handed_on_after_a_failure),
		cmocka_unit_test(damaged_chunks_are_left_out_and_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

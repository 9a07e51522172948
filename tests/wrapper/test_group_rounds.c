/* SPDX-License-Identifier: Apache-2.0 */
/* Groups that are decoded piece by piece, of one run or of several, are in the file as if they had
 * been decoded whole. */
#include "cmocka_all.h"
#include "drain.h"
#include "err.h"
#include "group_decoder.h"
#include "kernel_table.h"
#include "launch_writer.h"
#include "mock_probe.h"
#include "slice_records.h"
#include "thread_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEMS       50
#define PLACE_WORDS 3
#define CHUNK_WORDS 8

static const struct launch_shape shape = { 1, { ITEMS, 1, 1 }, { ITEMS, 1, 1 }, { 0 } };

/*
 * A loop that reads a[..], then b[..], and then again a[..] 8 bytes further on, of which the device
 * does not write a word: it follows from the first address, which may have come a round before.
 */
static struct site sites[3] = {
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = 0, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = 0, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = 0, .argument = -1 },
};
static struct loop loops[1] = { { .parent = -1, .depth = 1 } };
static struct companion companions[1] = {
	{ .site = 2, .leader = 0, .after = 1, .difference = -1, .offset = 8 }
};
static char name[] = "kernel", raw[] = "raw";
static const struct kernel_table table = { .name = name,
	                                   .sites = sites,
	                                   .site_count = 3,
	                                   .loops = loops,
	                                   .loop_count = 1,
	                                   .companions = companions,
	                                   .companion_count = 1,
	                                   .lanes = 1,
	                                   .records = raw };

static uint64_t address_of(uint32_t item, uint32_t word)
{
	return ((uint64_t)(item + 1) << 20 | word) * UINT64_C(2654435761) % (UINT64_C(1) << 40);
}

/* What the kernel does: how many words each work-item makes; of another seed it does otherwise. */
struct course {
	uint32_t words[ITEMS];
	uint64_t seed;
};

static uint64_t word_of(const struct course *c, uint32_t item, uint32_t word)
{
	uint64_t site = word % 2, run = !site; /* an iteration begins with a[..] */

	return (site + 1) << PROBE_CODE_SHIFT | run << PROBE_RUN_SHIFT |
	       (address_of(item, word) + c->seed);
}

static struct slice slice_in(const struct slice_layout *l, uint64_t bytes, bool has_skips)
{
	struct slice slice = { .box = slice_box_at(&shape, 0, 1),
		               .place_words = PLACE_WORDS,
		               .chunk_words = CHUNK_WORDS,
		               .has_skips = has_skips };

	assert_true(slice_layout_place(l, &slice, bytes));
	return slice;
}

/* Run the group: its work-items take turns. Returns the accesses that found no room. */
static uint64_t play(const struct slice_layout *l, const struct slice *slice, const uint32_t *skips,
                     const struct course *c, unsigned char *buffer)
{
	static struct mock_probe probes[ITEMS];
	struct slice_host host = { .skips = skips };
	struct probe_header *h = (struct probe_header *)(void *)buffer;
	uint32_t most = 0;

	assert_int_equal(slice_host_fill(&host, l, &shape, NULL, slice), 0);
	memset(buffer, 0xa5, slice->end_offset);
	memcpy(buffer, host.bytes, slice->places_offset);
	memcpy(buffer + slice->tables_offset, host.bytes + slice->places_offset,
	       slice->tables_bytes);
	slice_host_release(&host);
	for (uint32_t i = 0; i < ITEMS; i++) {
		mock_probe_begin(&probes[i], h, 1, &(struct mock_item){ 0, i, ITEMS, ITEMS });
		most = c->words[i] > most ? c->words[i] : most;
	}
	for (uint32_t w = 0; w < most; w++)
		for (uint32_t i = 0; i < ITEMS; i++)
			if (w < c->words[i])
				mock_probe_write(&probes[i], word_of(c, i, w));
	return slice_host_lost_accesses(h);
}

/* What has come out: of each work-item as many words' events as came, in their order. */
struct expectation {
	const struct course *course;
	uint32_t events[ITEMS];
	unsigned parts;
	bool has_ended;
};

/* The n-th event of a work-item: two words make three. */
static struct event expected(const struct course *c, uint32_t item, uint32_t n)
{
	uint32_t iteration = n / 3, which = n % 3;
	uint32_t word = iteration * 2 + (which == 1);

	return (struct event){ .value = address_of(item, word) + c->seed + (which == 2 ? 8 : 0),
		               .point = EVENT_SITE | which,
		               .iteration = iteration };
}

static int check_part(void *context, const struct drained_part *part, struct err *err)
{
	struct expectation *e = context;
	const struct group_events *g = part->events;

	assert_int_equal(part->group, 0);
	assert_int_equal(g->item_count, ITEMS);
	assert_false(e->has_ended);
	for (uint32_t i = 0; i < ITEMS; i++)
		for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++) {
			struct event want = expected(e->course, i, e->events[i]++);

			assert_memory_equal(&g->events[k], &want, sizeof(want));
		}
	e->parts++;
	e->has_ended = part->is_last;
	return 0;
}

static struct drain *open_drain(const struct slice_layout *l, struct thread_pool *pool,
                                struct expectation *e)
{
	const struct drain_terms terms = { .shape = &shape,
		                           .table = &table,
		                           .layout = l,
		                           .pool = pool,
		                           .sink = check_part,
		                           .context = e };
	struct drain *d = NULL;
	struct err err = { 0 };

	assert_int_equal(drain_create(&d, &terms, &err), 0);
	return d;
}

/*
 * Record a course in rounds, in a buffer of so many bytes; from round `odd` on the kernel does
 * otherwise. Returns the rounds that it took.
 */
static uint32_t record(const struct course *c, uint64_t bytes, uint32_t odd, struct expectation *e,
                       struct group_rounds *rounds)
{
	struct slice_layout l = slice_layout_of(&table, &shape, false, false);
	unsigned char *buffer = calloc(1, bytes);
	struct course other = *c;
	struct thread_pool *pool = NULL;
	struct err err = { 0 };
	struct drain *d;
	uint32_t round = 0;

	other.seed = 4;
	*e = (struct expectation){ .course = c };
	assert_int_equal(thread_pool_create(&pool, &err), 0);
	assert_int_equal(group_rounds_init(rounds, &table, ITEMS, &err), 0);
	d = open_drain(&l, pool, e);
	drain_rounds(d, rounds);
	for (bool goes_on = true; goes_on; round++) {
		struct slice slice = slice_in(&l, bytes, round > 0);
		const struct probe_header *h = (const struct probe_header *)(const void *)buffer;

		rounds->is_last =
			!play(&l, &slice, rounds->skips, round < odd ? c : &other, buffer);
		drain_begin(d, round % 2, &slice, buffer + slice.places_offset,
		            slice_host_used_chunks(h, &slice), false);
		assert_int_equal(drain_wait(d, round % 2, NULL, &err), 0);
		goes_on = !rounds->is_last && !rounds->is_inconsistent;
		assert_true(!goes_on || group_rounds_next(rounds));
	}
	drain_free(d);
	thread_pool_free(pool);
	free(buffer);
	return round;
}

static struct course random_course(uint32_t seed, uint32_t most)
{
	struct course c = { .seed = 0 };

	for (uint32_t i = 0; i < ITEMS; i++) {
		uint32_t limit = i % 7 ? most / 16 + 1 : most;

		seed = seed * 1664525u + 1013904223u;
		c.words[i] = (uint32_t)((uint64_t)seed * limit >> 32) / 2 * 2;
	}
	return c;
}

static void rounds_make_what_one_run_makes(void **state)
{
	static const struct {
		uint32_t most;
		uint64_t bytes;
	} rows[] = {
		{ 4, 16384 }, { 400, 8192 }, { 400, 16384 }, { 3000, 9000 }, { 3000, 1 << 20 }
	};
	uint32_t longest = 0;

	for (uint32_t seed = 0; seed < 40; seed++) {
		size_t r = seed % (sizeof(rows) / sizeof(rows[0]));
		struct course c = random_course(seed, rows[r].most);
		struct group_rounds rounds;
		struct expectation e;
		uint32_t took = record(&c, rows[r].bytes, UINT32_MAX, &e, &rounds);

		assert_false(rounds.is_inconsistent);
		assert_true(e.has_ended);
		for (uint32_t i = 0; i < ITEMS; i++)
			assert_int_equal(e.events[i], c.words[i] / 2 * 3);
		group_rounds_release(&rounds);
		longest = took > longest ? took : longest;
	}
	assert_in_range(longest, 20, 10000);
}

static void a_kernel_that_does_otherwise_is_found_out(void **state)
{
	for (uint32_t odd = 1; odd < 8; odd++) {
		struct course c = random_course(odd, 3000);
		struct group_rounds rounds;
		struct expectation e;

		assert_int_equal(record(&c, 9000, odd, &e, &rounds), odd + 1);
		assert_true(rounds.is_inconsistent);
		group_rounds_release(&rounds);
	}
}

/* A group of 2.5 million words, in a file. */
enum { LONG_WORDS = 50000 };

static struct launch_writer *open_file(char *path)
{
	struct launch_writer *w = NULL;
	struct err err = { 0 };

	close(mkstemp(path));
	unlink(path);
	if (launch_writer_open(&w, path, &shape, &table, &err))
		fail_msg("%s", err.msg);
	return w;
}

static int write_part(void *context, uint64_t group, const struct group_events *part, bool is_last,
                      struct err *err)
{
	assert_true(part->first[part->item_count] <= LAUNCH_CHUNK_EVENTS_MAX);
	return launch_writer_add_part(context, group, part, is_last, err);
}

static int write_whole(void *context, uint64_t group, const struct group_events *g, bool is_last,
                       struct err *err)
{
	assert_true(is_last && g->first[g->item_count] == UINT64_C(3) * LONG_WORDS / 2 * ITEMS);
	return launch_writer_add(context, group, g, err);
}

static void write_file(const struct slice_records *r, char *path, bool is_in_parts)
{
	struct launch_writer *w = open_file(path);
	struct group_decoder d;
	struct err err = { 0 };

	assert_int_equal(group_decoder_init(&d, &table, &err), 0);
	d.context = w;
	d.sink = is_in_parts ? write_part : NULL;
	assert_int_equal(group_decoder_add(&d, r, 0, &err), 0);
	d.sink = is_in_parts ? write_part : write_whole;
	assert_int_equal(group_decoder_send(&d, &err), 0);
	assert_int_equal(d.damaged, 0);
	assert_int_equal(d.sent_events, UINT64_C(3) * LONG_WORDS / 2 * ITEMS);
	assert_int_equal(launch_writer_close(w, true, NULL, &err), 0);
	group_decoder_release(&d);
}

static char *contents(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	char *all = malloc(1 << 26);

	*bytes = fread(all, 1, 1 << 26, file);
	fclose(file);
	unlink(path);
	return all;
}

static void parts_leave_the_bytes_that_the_whole_leaves(void **state)
{
	struct slice_layout l = slice_layout_of(&table, &shape, false, false);
	struct slice slice = slice_in(&l, UINT64_C(32) << 20, false);
	unsigned char *buffer = calloc(1, slice.end_offset);
	const struct probe_header *h = (const struct probe_header *)(void *)buffer;
	char paths[2][24] = { "/tmp/parts-XXXXXX", "/tmp/whole-XXXXXX" };
	struct slice_records r;
	struct course c = { .seed = 0 };
	char *parts, *whole;
	size_t bytes[2];
	struct err err = { 0 };

	for (uint32_t i = 0; i < ITEMS; i++)
		c.words[i] = LONG_WORDS;
	assert_int_equal(play(&l, &slice, NULL, &c, buffer), 0);
	slice_records_init(&r, &shape, &l);
	slice_records_set(&r, &slice, buffer + slice.places_offset,
	                  slice_host_used_chunks(h, &slice));
	assert_int_equal(slice_records_index(&r, &err), 0);
	write_file(&r, paths[0], true);
	write_file(&r, paths[1], false);
	parts = contents(paths[0], &bytes[0]);
	whole = contents(paths[1], &bytes[1]);
	assert_int_equal(bytes[0], bytes[1]);
	assert_memory_equal(parts, whole, bytes[0]);
	slice_records_release(&r);
	free(parts);
	free(whole);
	free(buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_make_what_one_run_makes),
		cmocka_unit_test(a_kernel_that_does_otherwise_is_found_out),
		cmocka_unit_test(parts_leave_the_bytes_that_the_whole_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

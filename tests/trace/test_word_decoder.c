/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that work-items may leave in the device buffer, and the events that they mean. The oracle
 * walks through the loops of a table at random and writes down both by their definitions.
 */
#include "array.h"
#include "err.h"
#include "event.h"
#include "probe_abi.h"
#include "word_decoder.h"

#include "cmocka_all.h"
#include "trace_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

/* Points: sites 0 to 4, then loops 5 and 6. */
enum { OUTSIDE, IN_OUTER, IN_INNER, SIZED, BARRIER, SITES, OUTER = SITES, INNER };

static struct site sites[] = {
	[OUTSIDE] = { .kind = SITE_READ, .bytes = 4, .loop = -1 },
	[IN_OUTER] = { .kind = SITE_WRITE, .bytes = 8, .loop = 0 },
	[IN_INNER] = { .kind = SITE_READ, .bytes = 4, .loop = 1 },
	[SIZED] = { .kind = SITE_WRITE, .bytes = 0, .loop = 1 },
	[BARRIER] = { .kind = SITE_BARRIER, .bytes = 0, .loop = 1 },
};
static struct loop loops[] = { { .parent = -1, .depth = 1 }, { .parent = 0, .depth = 2 } };
static const struct kernel_table table = {
	.sites = sites, .site_count = SITES, .loops = loops, .loop_count = LENGTH(loops)
};

#define POINT(id, run, payload) ((id) + 1ull) << 52 | (run) << 48 | (payload)
#define KIND(kind, payload)     (uint64_t)(kind) << 48 | (payload)

struct found {
	struct array events;
	struct err err;
	uint64_t counts[SITES];
	int ret;
};

static struct found decode(const uint64_t *words, size_t count, bool has_counts)
{
	struct found f = { .ret = 0 };
	struct word_decoder *d;

	array_init(&f.events, sizeof(struct event), 1000000, "events");
	assert_int_equal(word_decoder_create(&d, &table, &f.err), 0);
	if (has_counts)
		word_decoder_count_into(d, f.counts);
	f.ret = word_decoder_add(d, words, count, 1, &f.events, &f.err);
	word_decoder_free(d);
	return f;
}

struct row {
	uint64_t words[16];
	struct event events[12];
	size_t event_count;
};

static const struct row rows[] = {
	/* Nothing, and rubbish behind the end. */
	{ { 0, 1, 2 }, { { 0, 0, 0 } }, 0 },
	/* A point outside loops; the largest payload. */
	{ { POINT(OUTSIDE, 0ull, 0xffffffffffffull) },
	  { { 0xffffffffffff, EVENT_SITE | OUTSIDE, 0 } },
	  1 },
	/* Iterations 0, 0 and 3 of the outer loop. */
	{ { POINT(IN_OUTER, 1ull, 80), POINT(IN_OUTER, 0ull, 88), POINT(IN_OUTER, 3ull, 96) },
	  { { 80, IN_OUTER, 0 }, { 88, IN_OUTER, 0 }, { 96, IN_OUTER, 3 } },
	  3 },
	/* Entered twice without an event; the third time from iteration 2, with one in iteration 1.
	 */
	{ { POINT(INNER, 1ull, 0), POINT(INNER, 1ull, 0), POINT(INNER, 1ull, 0),
	    POINT(IN_INNER, 2ull, 7), POINT(BARRIER, 1ull, 0) },
	  { { 2, EVENT_LOOP | 1, 0 }, { 7, IN_INNER, 1 }, { 0, BARRIER, 2 } },
	  3 },
	/* The inner loop begins anew each time it is entered. */
	{ { POINT(INNER, 1ull, 0), POINT(IN_INNER, 1ull, 4), POINT(INNER, 1ull, 0),
	    POINT(IN_INNER, 1ull, 8) },
	  { { 0, EVENT_LOOP | 1, 0 },
	    { 4, IN_INNER, 0 },
	    { 1, EVENT_LOOP | 1, 0 },
	    { 8, IN_INNER, 0 } },
	  4 },
	/* 100 + 1 iterations begun: number 100. */
	{ { KIND(WORD_ADVANCE, 0), 100, POINT(IN_OUTER, 1ull, 8) }, { { 8, IN_OUTER, 100 } }, 1 },
	/* 2^33 + 6 begun: iteration 5 of high half 2; the next needs no epoch. */
	{ { KIND(WORD_WIDE, IN_OUTER), 8, (2ull << 32) + 6, POINT(IN_OUTER, 1ull, 8) },
	  { { 2ull << 32, EVENT_EPOCH | 0, 0 }, { 8, IN_OUTER, 5 }, { 8, IN_OUTER, 6 } },
	  3 },
	/* An inner loop of iteration 2^32 of the outer: all 64 bits are in its entry. */
	{ { KIND(WORD_WIDE, INNER), 0, (1ull << 32) + 1, POINT(IN_INNER, 1ull, 8) },
	  { { 1ull << 32, EVENT_LOOP | 1, 0 }, { 8, IN_INNER, 0 } },
	  2 },
	/* A wide address, and one with its size behind it; a size in a plain point. */
	{ { KIND(WORD_WIDE, OUTSIDE), 0x123456789abcdef0, 0, POINT(INNER, 1ull, 0),
	    KIND(WORD_WIDE, SIZED), 1ull << 63, 1, 17, POINT(SIZED, 0ull, 32), 18 },
	  { { 0x123456789abcdef0, OUTSIDE, 0 },
	    { 0, EVENT_LOOP | 1, 0 },
	    { 17, EVENT_SIZE | SIZED, 0 },
	    { 1ull << 63, SIZED, 0 },
	    { 18, EVENT_SIZE | SIZED, 0 },
	    { 32, SIZED, 0 } },
	  6 },
	/* Five accesses from iteration 0; then two from iteration 9 in an inner loop. */
	{ { KIND(WORD_RUN, IN_OUTER | 5ull << 24), 1000, 8, POINT(INNER, 4ull, 0),
	    KIND(WORD_RUN_LONG, IN_INNER), 500, -4ull, 2, 9 },
	  { { 1000, EVENT_RUN | IN_OUTER, 5 },
	    { 0, EVENT_PART | IN_OUTER, 0 },
	    { 8, EVENT_PART | IN_OUTER, 0 },
	    { 3, EVENT_LOOP | 1, 0 },
	    { 500, EVENT_RUN | IN_INNER, 2 },
	    { 9, EVENT_PART | IN_INNER, 0 },
	    { -4ull, EVENT_PART | IN_INNER, 0 } },
	  7 },
	/* More than an event can count: 2^32 - 1, and the two that remain, 2^32 - 1 strides on. */
	{ { KIND(WORD_RUN_LONG, IN_OUTER), 16, 8, (1ull << 32) + 1, 1 },
	  { { 16, EVENT_RUN | IN_OUTER, UINT32_MAX },
	    { 1, EVENT_PART | IN_OUTER, 0 },
	    { 8, EVENT_PART | IN_OUTER, 0 },
	    { 16 + 8 * 0xffffffffull, EVENT_RUN | IN_OUTER, 2 },
	    { 1ull << 32, EVENT_PART | IN_OUTER, 0 },
	    { 8, EVENT_PART | IN_OUTER, 0 } },
	  6 },
	/* Three rows of seven, from row 2 on. */
	{ { KIND(WORD_GRID, IN_INNER), 64, 4, 7, 128, 3, 2 },
	  { { 64, EVENT_GRID | IN_INNER, 7 },
	    { 2, EVENT_PART | IN_INNER, 3 },
	    { 4, EVENT_PART | IN_INNER, 0 },
	    { 128, EVENT_PART | IN_INNER, 0 },
	    { 0, EVENT_PART | IN_INNER, 0 } },
	  5 },
};

static void words_mean_these_events(void **state)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct found f = decode(rows[i].words, LENGTH(rows[i].words), false);

		if (f.ret || f.events.count != rows[i].event_count)
			fail_msg("row %zu: %d %s, %zu events", i, f.ret, f.err.msg, f.events.count);
		if (memcmp(f.events.data, rows[i].events,
		           rows[i].event_count * sizeof(struct event)) != 0)
			fail_msg("row %zu: another event", i);
		array_release(&f.events);
	}
}

static void counts_are_added(void **state)
{
	const uint64_t words[] = { KIND(WORD_COUNT, IN_INNER), 1ull << 40,
		                   KIND(WORD_COUNT, OUTSIDE),  3,
		                   KIND(WORD_COUNT, IN_INNER), 2 };
	struct found f = decode(words, LENGTH(words), true);

	assert_int_equal(f.ret, 0);
	assert_int_equal(f.counts[IN_INNER], (1ull << 40) + 2);
	assert_int_equal(f.counts[OUTSIDE], 3);
	assert_int_equal(f.counts[IN_OUTER], 0);
	assert_int_equal(f.events.count, 0);
	array_release(&f.events);
}

/* Each is decoded up to the word that is wrong, with a sentence that has `text` in it. */
static const struct {
	const char *text;
	size_t count, event_count;
	uint64_t words[8];
} wrong[] = {
	{ "of no kind", 2, 1, { POINT(OUTSIDE, 0ull, 8), KIND(15, 0) } },
	{ "of no kind", 1, 0, { KIND(WORD_END, 5) } },
	{ "point 7; the kernel has 7", 1, 0, { POINT(7, 0ull, 0) } },
	{ "point 4294967295", 3, 0, { KIND(WORD_WIDE, 0xffffffffffff), 0, 0 } },
	{ "is entered", 1, 0, { POINT(OUTER, 0ull, 0) } },
	{ "of no loop", 1, 0, { POINT(OUTSIDE, 1ull, 0) } },
	{ "cannot come to", 1, 0, { POINT(IN_OUTER, 0ull, 0) } },
	{ "cannot come to",
	  4,
	  1,
	  { POINT(IN_OUTER, 1ull, 0), KIND(WORD_WIDE, IN_OUTER), 0, -1ull } },
	{ "cannot come to", 4, 0, { KIND(WORD_ADVANCE, 0), -1ull, KIND(WORD_ADVANCE, 0), 1 } },
	{ "loop 2; the kernel has 2", 2, 0, { KIND(WORD_ADVANCE, 2), 1 } },
	{ "is cut", 1, 0, { KIND(WORD_ADVANCE, 0) } },
	{ "is cut", 2, 0, { KIND(WORD_WIDE, OUTSIDE), 1 } },
	{ "is cut", 2, 0, { POINT(INNER, 1ull, 0), POINT(SIZED, 1ull, 8) } },
	{ "is cut", 6, 0, { KIND(WORD_GRID, IN_INNER), 1, 1, 1, 1, 1 } },
	{ "site 0 cannot have", 3, 0, { KIND(WORD_RUN, OUTSIDE | 1ull << 24), 8, 8 } },
	{ "site 3 cannot have", 3, 0, { KIND(WORD_RUN, SIZED | 1ull << 24), 8, 8 } },
	{ "site 4 cannot have", 3, 0, { KIND(WORD_RUN, BARRIER | 1ull << 24), 8, 8 } },
	{ "site 5 cannot have", 3, 0, { KIND(WORD_RUN, 5 | 1ull << 24), 8, 8 } },
	{ "cannot have", 5, 0, { KIND(WORD_RUN_LONG, (1ull << 32) + IN_OUTER), 8, 8, 1, 0 } },
	{ "over no iterations", 3, 0, { KIND(WORD_RUN, IN_OUTER), 8, 8 } },
	{ "over no iterations", 5, 0, { KIND(WORD_RUN_LONG, IN_OUTER), 8, 8, 2, -1ull } },
	{ "site 1 cannot have", 7, 0, { KIND(WORD_GRID, IN_OUTER), 8, 4, 1, 4, 1, 0 } },
	{ "no such size", 7, 0, { KIND(WORD_GRID, IN_INNER), 8, 4, 0, 4, 1, 0 } },
	{ "no such size", 7, 0, { KIND(WORD_GRID, IN_INNER), 8, 4, 1ull << 32, 4, 1, 0 } },
	{ "no such size", 7, 0, { KIND(WORD_GRID, IN_INNER), 8, 4, 1, 4, 0, 0 } },
	{ "no such size", 7, 0, { KIND(WORD_GRID, IN_INNER), 8, 4, 1, 4, 2, -1ull } },
	{ "a count of site 0", 2, 0, { KIND(WORD_COUNT, OUTSIDE), 1 } },
};

static void wrong_words_are_refused(void **state)
{
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		struct found f = decode(wrong[i].words, wrong[i].count, false);

		if (f.ret != ERR_FORMAT || !strstr(f.err.msg, wrong[i].text) ||
		    f.events.count != wrong[i].event_count)
			fail_msg("row %zu: %d %s, %zu events", i, f.ret, f.err.msg, f.events.count);
		array_release(&f.events);
	}
}

static void words_at_random_do_no_harm(void **state)
{
	struct random r = { .state = 20251121 };

	for (int round = 0; round < 20000; round++) {
		uint64_t words[24];
		struct found f;

		for (size_t i = 0; i < LENGTH(words); i++) {
			words[i] = random_next(&r) >> random_below(&r, 64);
			if (random_below(&r, 2))
				words[i] |= POINT(random_below(&r, 8), random_below(&r, 2), 0ull);
		}
		f = decode(words, LENGTH(words), random_below(&r, 2));
		for (size_t e = 0; e < f.events.count; e++) {
			uint32_t point = ((struct event *)f.events.data)[e].point;
			uint32_t kind = point & EVENT_KIND_MASK;
			bool is_loop = kind == EVENT_LOOP || kind == EVENT_EPOCH;

			assert_true((point & EVENT_ID_MASK) < (is_loop ? LENGTH(loops) : SITES));
		}
		array_release(&f.events);
	}
}

/* The oracle: a work-item that walks through loops of a random table, and what it leaves. */
struct walk {
	struct random r;
	const struct kernel_table *table;
	struct array words;    /* uint64_t */
	struct array cuts;     /* size_t: where a chunk may end */
	struct array expected; /* struct event */
	struct level {
		uint64_t iteration, told; /* told + 1 iterations are told */
		uint64_t parent;
		uint32_t high;
		bool has_events;
	} level[8];
};

static void word(struct walk *w, uint64_t value)
{
	uint64_t *to = array_push(&w->words, 1, NULL);

	assert_non_null(to);
	*to = value;
}

static void event(struct walk *w, uint64_t value, uint32_t point, uint32_t iteration)
{
	struct event *to = array_push(&w->expected, 1, NULL);

	assert_non_null(to);
	*to = (struct event){ .value = value, .point = point, .iteration = iteration };
}

/* A point of the loop, in one of the ways in which its run can be told. */
static void leave_point(struct walk *w, uint32_t point, int32_t loop, uint64_t payload)
{
	size_t *cut = array_push(&w->cuts, 1, NULL);
	uint64_t run = loop < 0 ? 0 : w->level[loop].iteration - w->level[loop].told;
	uint64_t before = run && random_below(&w->r, 4) == 0 ? random_below(&w->r, run + 1) : 0;

	assert_non_null(cut);
	*cut = w->words.count;
	if (run > 15 && random_below(&w->r, 2))
		before = run - random_below(&w->r, 16);
	if (before) {
		word(w, KIND(WORD_ADVANCE, (uint64_t)loop));
		word(w, before);
	}
	run -= before;
	if (run > 15 || payload >> 48 || random_below(&w->r, 5) == 0) {
		word(w, KIND(WORD_WIDE, (uint64_t)point));
		word(w, payload);
		word(w, run);
	} else {
		word(w, POINT(point, run, payload));
	}
	if (loop >= 0)
		w->level[loop].told = w->level[loop].iteration;
}

static void expect_entries(struct walk *w, int32_t loop)
{
	if (loop < 0 || w->level[loop].has_events)
		return;
	expect_entries(w, w->table->loops[loop].parent);
	if (w->table->loops[loop].parent >= 0)
		event(w, w->level[loop].parent, EVENT_LOOP | (uint32_t)loop, 0);
	w->level[loop].has_events = true;
}

static void leave_site(struct walk *w, uint32_t site, int32_t loop)
{
	uint64_t address = random_next(&w->r) >> random_below(&w->r, 40);
	uint64_t iteration = loop < 0 ? 0 : w->level[loop].iteration;

	leave_point(w, site, loop, address);
	expect_entries(w, loop);
	if (loop >= 0 && w->level[loop].high != iteration >> 32) {
		w->level[loop].high = (uint32_t)(iteration >> 32);
		event(w, iteration >> 32 << 32, EVENT_EPOCH | (uint32_t)loop, 0);
	}
	event(w, address, EVENT_SITE | site, (uint32_t)iteration);
}

/* One activation of loop l; each loop has the one site of its number, and the one loop l + 1. */
static void run_loop(struct walk *w, uint32_t l)
{
	bool is_last = l + 1 == w->table->loop_count;
	uint64_t iterations = random_below(&w->r, 5), i = 0;

	w->level[l].told = UINT64_MAX;
	w->level[l].iteration = UINT64_MAX;
	w->level[l].high = 0;
	w->level[l].has_events = false;
	for (; iterations > 0; iterations--) {
		w->level[l].iteration = i;
		if (random_below(&w->r, 2))
			leave_site(w, l, (int32_t)l);
		if (!is_last && random_below(&w->r, 2)) {
			w->level[l + 1].parent = i;
			leave_point(w, (uint32_t)w->table->site_count + l + 1, (int32_t)l, 0);
			run_loop(w, l + 1);
		}
		i += 1 + (random_below(&w->r, 3)
		                  ? 0
		                  : random_next(&w->r) >> 24 >> random_below(&w->r, 40));
	}
}

/* Take the words in chunks of random length, cut between records only, in an interleaved layout. */
static void take_in_chunks(struct walk *w, struct word_decoder *d, struct array *out)
{
	const uint64_t *from = w->words.data;
	const size_t *cuts = w->cuts.data;
	struct err err = { 0 };
	size_t begin = 0;

	word_decoder_begin(d);
	for (size_t c = 0; c < w->cuts.count; c++) {
		if (c + 1 < w->cuts.count && random_below(&w->r, 3))
			continue;
		size_t count = cuts[c] - begin, room = count + random_below(&w->r, 3);
		uint32_t lanes = random_below(&w->r, 2) ? 32 : 1;
		uint64_t *chunk = calloc(room * lanes + 1, sizeof(*chunk));

		assert_non_null(chunk);
		memset(chunk, lanes > 1 ? 0xff : 0, room * lanes * sizeof(*chunk));
		for (size_t i = 0; i < room; i++)
			chunk[i * lanes] = i < count ? from[begin + i] : 0;
		if (word_decoder_add(d, chunk, room, lanes, out, &err))
			fail_msg("%s", err.msg);
		free(chunk);
		begin = cuts[c];
	}
}

static void walks_through_loops_decode_to_what_they_did(void **state)
{
	struct loop nest[4];
	struct site one_each[4];
	struct kernel_table t = { .sites = one_each, .loops = nest };
	struct random seeds = { .state = 4711 };

	for (int round = 0; round < 3000; round++) {
		struct walk w = { .r = { .state = random_next(&seeds) }, .table = &t };
		struct word_decoder *d;
		struct array found;
		struct err err = { 0 };

		t.loop_count = t.site_count = 1 + random_below(&w.r, 4);
		for (size_t l = 0; l < t.loop_count; l++) {
			nest[l] =
				(struct loop){ .parent = (int32_t)l - 1, .depth = (uint32_t)l + 1 };
			one_each[l] =
				(struct site){ .kind = SITE_READ, .bytes = 4, .loop = (int32_t)l };
		}
		array_init(&w.words, sizeof(uint64_t), 1 << 20, "words");
		array_init(&w.cuts, sizeof(size_t), 1 << 20, "cuts");
		array_init(&w.expected, sizeof(struct event), 1 << 20, "events");
		array_init(&found, sizeof(struct event), 1 << 20, "events");
		run_loop(&w, 0);
		*(size_t *)array_push(&w.cuts, 1, NULL) = w.words.count;
		assert_int_equal(word_decoder_create(&d, &t, &err), 0);
		take_in_chunks(&w, d, &found);
		if (found.count != w.expected.count ||
		    (found.count &&
		     memcmp(found.data, w.expected.data, found.count * sizeof(struct event)) != 0))
			fail_msg("round %d: %zu events, expected %zu", round, found.count,
			         w.expected.count);
		word_decoder_free(d);
		array_release(&w.words);
		array_release(&w.cuts);
		array_release(&w.expected);
		array_release(&found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_mean_these_events),
		cmocka_unit_test(counts_are_added),
		cmocka_unit_test(wrong_words_are_refused),
		cmocka_unit_test(words_at_random_do_no_harm),
		cmocka_unit_test(walks_through_loops_decode_to_what_they_did),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that work-items may leave in the device buffer, and the events that they mean.
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
static const struct kernel_table table = { .sites = sites,
	                                   .site_count = SITES,
	                                   .loops = loops,
	                                   .loop_count = LENGTH(loops),
	                                   .cell_count = SITES };

#define POINT(id, run, payload) ((id) + 1ull) << 52 | (run) << 48 | (payload)
#define KIND(kind, payload)     (uint64_t)(kind) << 48 | (payload)

struct found {
	struct array events;
	struct err err;
	uint64_t counts[SITES];
	int ret;
};

static struct found decode_span(const struct word_span *span, bool has_counts)
{
	struct found f = { .ret = 0 };
	struct word_decoder *d;

	array_init(&f.events, sizeof(struct event), 1000000, "events");
	assert_int_equal(word_decoder_create(&d, &table, &f.err), 0);
	if (has_counts)
		word_decoder_count_into(d, f.counts);
	f.ret = word_decoder_add(d, span, &f.events, &f.err);
	word_decoder_free(d);
	return f;
}

static struct found decode(const uint64_t *words, size_t count, bool has_counts)
{
	return decode_span(&(struct word_span){ words, count, 1, false }, has_counts);
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
		if (rows[i].event_count && memcmp(f.events.data, rows[i].events,
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
	{ "a count of cell 0", 2, 0, { KIND(WORD_COUNT, OUTSIDE), 1 } },
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

/*
 * With gaps a zero is passed over where a record could begin, and nowhere else: the wide record has
 * zeros of its own.
 */
static void zeros_between_records_are_passed_over_where_there_may_be_gaps(void **state)
{
	const uint64_t words[] = {
		0, POINT(OUTSIDE, 0ull, 8),  0, 0, KIND(WORD_WIDE, OUTSIDE), 0, 0,
		0, POINT(OUTSIDE, 0ull, 16), 0
	};
	const size_t count = sizeof(words) / sizeof(words[0]);
	static const uint64_t values[] = { 8, 0, 16 };
	struct found f = decode_span(&(struct word_span){ words, count, 1, true }, false);
	const struct event *events = f.events.data;

	assert_int_equal(f.ret, 0);
	assert_int_equal(f.events.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(events[i].value, values[i]);
	array_release(&f.events);
	f = decode(words, count, false);
	assert_int_equal(f.ret, 0);
	assert_int_equal(f.events.count, 0);
	array_release(&f.events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeros_between_records_are_passed_over_where_there_may_be_gaps),
		cmocka_unit_test(words_mean_these_events),
		cmocka_unit_test(counts_are_added),
		cmocka_unit_test(wrong_words_are_refused),
		cmocka_unit_test(words_at_random_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that stand for several sites. Kernel: sites 0 (leader), 1 (a size known at run time),
 * 2 (companion of 0), 3 (companion of 1, behind 2), then in a loop 4 (leader), 5 (barrier) and 6
 * (companion of 4, behind the barrier), 7 (companion of 4 behind that).
 */
#include "array.h"
#include "err.h"
#include "event.h"
#include "probe_abi.h"
#include "word_decoder.h"

#include "cmocka_all.h"

#include <string.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

static struct site sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 0, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 8, .loop = -1 },
	{ .kind = SITE_ATOMIC, .bytes = 4, .loop = -1 },
	{ .kind = SITE_READ, .bytes = 4, .loop = 0 },
	{ .kind = SITE_BARRIER, .bytes = 0, .loop = 0 },
	{ .kind = SITE_WRITE, .bytes = 4, .loop = 0 },
	{ .kind = SITE_PREFETCH, .bytes = 16, .loop = 0 },
};
static struct loop loops[] = { { .parent = -1, .depth = 1 } };
static struct companion companions[] = {
	{ .site = 2, .leader = 0, .after = 1, .difference = -1, .offset = -16 },
	{ .site = 3, .leader = 1, .after = 1, .difference = 1, .offset = 2 },
	{ .site = 6, .leader = 4, .after = 5, .difference = 0, .offset = 0 },
	{ .site = 7, .leader = 4, .after = 5, .difference = 0, .offset = 1 },
};
static const struct kernel_table table = { .sites = sites,
	                                   .site_count = LENGTH(sites),
	                                   .loops = loops,
	                                   .loop_count = LENGTH(loops),
	                                   .companions = companions,
	                                   .companion_count = LENGTH(companions),
	                                   .difference_count = 2 };
static const uint64_t differences[] = { 1000, -1000ull };

#define POINT(id, run, payload) ((id) + 1ull) << 52 | (uint64_t)(run) << 48 | (payload)
#define KIND(kind, payload)     (uint64_t)(kind) << 48 | (payload)

struct row {
	uint64_t words[16];
	struct event events[12];
	size_t event_count;
	const char *says; /* NULL: decoded to the end */
};

static const struct row rows[] = {
	/* 2 and 3 come with the word of 1: from 0, 100 - 16; from 1, 5000 - 1000 + 2. */
	{ { POINT(0, 0, 100), POINT(1, 0, 5000), 3 },
	  { { 100, 0, 0 }, { 3, EVENT_SIZE | 1, 0 }, { 5000, 1, 0 }, { 84, 2, 0 }, { 4002, 3, 0 } },
	  5,
	  NULL },
	/* The difference of wide addresses goes round 2^64: 8 - 16. */
	{ { POINT(0, 0, 8), KIND(WORD_WIDE, 1), 1ull << 63, 0, 4 },
	  { { 8, 0, 0 },
	    { 4, EVENT_SIZE | 1, 0 },
	    { 1ull << 63, 1, 0 },
	    { -8ull, 2, 0 },
	    { (1ull << 63) - 998, 3, 0 } },
	  5,
	  NULL },
	/* A wide leader. Each iteration has its own address, told before the barrier. */
	{ { KIND(WORD_WIDE, 4), 1ull << 50, 1, POINT(5, 0, 0), POINT(4, 3, 40), POINT(5, 0, 0) },
	  { { 1ull << 50, 4, 0 },
	    { 0, 5, 0 },
	    { (1ull << 50) + 1000, 6, 0 },
	    { (1ull << 50) + 1001, 7, 0 },
	    { 40, 4, 3 },
	    { 0, 5, 3 },
	    { 1040, 6, 3 },
	    { 1041, 7, 3 } },
	  8,
	  NULL },
	/* A word of its own is not asked of a companion, but taken. */
	{ { POINT(2, 0, 7) }, { { 7, 2, 0 } }, 1, NULL },
	/* A leader that was not passed in this work-item: that of the one before does not count. */
	{ { POINT(1, 0, 5000), 3 },
	  { { 3, EVENT_SIZE | 1, 0 }, { 5000, 1, 0 } },
	  2,
	  "site 2 without site 0" },
	{ { POINT(5, 1, 0) }, { { 0, 5, 0 } }, 1, "site 6 without site 4" },
};

static void check(struct word_decoder *d, const struct row *row, struct array *out)
{
	struct err err = { 0 };
	int ret;

	word_decoder_begin(d);
	ret = word_decoder_add(
		d,
		&(struct word_span){ .words = row->words, .count = LENGTH(row->words), .step = 1 },
		out, &err);
	assert_int_equal(ret, row->says ? ERR_FORMAT : 0);
	if (row->says)
		assert_non_null(strstr(err.msg, row->says));
	assert_int_equal(out->count, row->event_count);
	assert_memory_equal(out->data, row->events, row->event_count * sizeof(struct event));
}

/* Decoded from the second time on there is room, and the usual words take the short way. */
static void a_word_stands_for_its_companions(void **state)
{
	struct word_decoder *d;
	struct array out;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(word_decoder_create(&d, &table, &err), 0);
	word_decoder_differences(d, differences);
	array_init(&out, sizeof(struct event), 1000, "events");
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < LENGTH(rows); i++) {
			array_clear(&out);
			check(d, &rows[i], &out);
		}
	array_release(&out);
	word_decoder_free(d);
}

/* 0 when none are told: 5000 + 2; anew from the next word on. */
static void differences_are_those_told_last(void **state)
{
	static const uint64_t words[] = { POINT(0, 0, 100), POINT(1, 0, 5000), 3 };
	const struct word_span span = { .words = words, .count = LENGTH(words), .step = 1 };
	static const uint64_t other[] = { 0, 7 };
	const uint64_t expected[] = { 5002, 5009, 5002 };
	const uint64_t *const told[] = { NULL, other, NULL };
	struct word_decoder *d;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(word_decoder_create(&d, &table, &err), 0);
	for (size_t i = 0; i < LENGTH(expected); i++) {
		struct array out;

		array_init(&out, sizeof(struct event), 1000, "events");
		word_decoder_differences(d, told[i]);
		word_decoder_begin(d);
		assert_int_equal(word_decoder_add(d, &span, &out, &err), 0);
		assert_int_equal(out.count, 5);
		assert_int_equal(((struct event *)out.data)[4].value, expected[i]);
		array_release(&out);
	}
	word_decoder_free(d);
}

/* There is room for four events of five: an error, and what fits stays. */
static void events_beyond_the_limit_are_an_error(void **state)
{
	static const uint64_t words[] = { POINT(0, 0, 100), POINT(1, 0, 5000), 3 };
	const struct word_span span = { .words = words, .count = LENGTH(words), .step = 1 };
	struct word_decoder *d;
	struct array out;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(word_decoder_create(&d, &table, &err), 0);
	array_init(&out, sizeof(struct event), 4, "events");
	word_decoder_begin(d);
	assert_int_equal(word_decoder_add(d, &span, &out, &err), ERR_LIMIT);
	assert_true(out.count >= 3 && out.count <= 4);
	array_release(&out);
	word_decoder_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_stands_for_its_companions),
		cmocka_unit_test(differences_are_those_told_last),
		cmocka_unit_test(events_beyond_the_limit_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The oracle of the word decoder: it walks through the loops of a table at random and writes down
 * words and events by their definitions.
 */
#include "array.h"
#include "err.h"
#include "event.h"
#include "probe_abi.h"
#include "word_decoder.h"

#include "cmocka_all.h"
#include "trace_random.h"

#include <stdlib.h>
#include <string.h>

#define POINT(id, run, payload) ((id) + 1ull) << 52 | (run) << 48 | (payload)
#define KIND(kind, payload)     (uint64_t)(kind) << 48 | (payload)

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
		if (word_decoder_add(d, &(struct word_span){ chunk, room, lanes, false }, out,
		                     &err))
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
		cmocka_unit_test(walks_through_loops_decode_to_what_they_did),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

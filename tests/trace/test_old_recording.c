/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of versions 2 and 5, kept as they were written. */
#include "cmocka_all.h"

#include "bypass_list.h"
#include "err.h"
#include "launch_reader.h"
#include "recording.h"
#include "str.h"
#include "trace_random.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdlib.h>

#define ITEMS  64u
#define GROUP  16u
#define ROUNDS ((size_t)8)

/*
 * Both are of the program bench/apps/gather with 64 work-items in groups of 16: index[] and
 * in[] are filled in turn from the generator of random_next(), seeded with 1. A work-item follows
 * index[] from its own id for 8 rounds, reads in[] on the way, and writes out[].
 */
struct gather {
	uint64_t index, in, out; /* addresses */
	uint64_t to[ITEMS];
};

static void fill(struct gather *g, const struct recorded_launch *l)
{
	struct random r = { 1 };

	assert_int_equal(l->argument_count, 3);
	g->index = l->arguments[0].address;
	g->in = l->arguments[1].address;
	g->out = l->arguments[2].address;
	for (size_t i = 0; i < ITEMS; i++) {
		g->to[i] = (uint32_t)random_below(&r, ITEMS);
		random_next(&r);
	}
}

static void check_event(const struct event *e, uint32_t site, uint64_t address, uint32_t iteration)
{
	assert_int_equal(e->point, site);
	assert_int_equal(e->value, address);
	assert_int_equal(e->iteration, iteration);
}

static void check_item(const struct gather *g, const struct event *events, uint64_t count,
                       uint64_t id)
{
	uint64_t at = id;

	assert_int_equal(count, 2 * ROUNDS + 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		check_event(&events[(size_t)2 * round], 0, g->index + 4 * at, round);
		at = g->to[at];
		check_event(&events[(size_t)2 * round + 1], 1, g->in + 4 * at, round);
	}
	check_event(&events[2 * ROUNDS], 2, g->out + 4 * id, 0);
}

/* They are there, and nothing says what they should be. */
static void check_texts(const struct recording *r)
{
	struct bypass_list list = { 0 };
	struct err err = { 0 };
	struct str text;

	str_init(&text, 1000);
	if (recording_read_text(r, r->programs[0].source_file, &r->programs[0].source_sum, &text,
	                        &err) ||
	    recording_read_list(r, &r->bypass, &list, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(text.length, 373);
	assert_int_equal(list.count, r->bypass.rules);
	assert_int_equal(list.count, r->version == 5);
	if (list.count)
		assert_true(list.rules[0].kind == BYPASS_SITE && list.rules[0].number == 1);
	assert_int_equal(recording_unsigned_texts(r), 1 + list.count);
	bypass_list_release(&list);
	str_release(&text);
}

static void check_recording(const char *dir, uint32_t version)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct recording *r = NULL;
	struct group_events e;
	struct gather gather;
	struct err err = { 0 };

	if (recording_open(&r, dir, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(r->version, version);
	assert_true(recording_is_complete(r, NULL));
	check_texts(r);
	fill(&gather, &r->launches[0]);
	if (recording_open_launch(r, 0, &source, &reader, &err))
		fail_msg("%s", err.msg);
	assert_true(launch_reader_is_whole(reader));
	for (uint32_t group = 0; group < ITEMS / GROUP; group++) {
		assert_int_equal(whole_group_plain(reader, &r->kernels[0].table, group, &e, &err),
		                 0);
		assert_int_equal(e.item_count, GROUP);
		for (uint32_t i = 0; i < GROUP; i++)
			check_item(&gather, e.events + e.first[i], e.first[i + 1] - e.first[i],
			           group * GROUP + i);
	}
	launch_reader_close(reader);
	trace_source_close(source);
	recording_close(r);
}

static void a_recording_of_version_2_is_read(void **state)
{
	(void)state;
	check_recording(SOURCE_DIR "/tests/trace/recording_v2", 2);
}

/* It keeps a bypass list besides. */
static void a_recording_of_version_5_is_read(void **state)
{
	(void)state;
	check_recording(SOURCE_DIR "/tests/trace/recording_v5", 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_of_version_2_is_read),
		cmocka_unit_test(a_recording_of_version_5_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

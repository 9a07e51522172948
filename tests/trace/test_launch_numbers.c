/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that have no line of their own: in the manifest's text, and from its writer. */
#include "cmocka_all.h"

#include "err.h"
#include "recording.h"
#include "recording_writer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN(version)                                                                             \
	"{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":" version            \
	",\"endian\":\"little\",\"tool_version\":\"1\",\"command\":[]}\n"                          \
	"{\"type\":\"device\",\"id\":0,\"name\":\"\",\"vendor\":\"\",\"version\":\"\","            \
	"\"driver\":\"\",\"platform\":\"\",\"address_bits\":64}\n"                                 \
	"{\"type\":\"program\",\"id\":0,\"source_file\":null,\"options\":\"\","                    \
	"\"origin\":\"source\"}\n"
#define KERNEL(id)                                                                                 \
	"{\"type\":\"kernel\",\"id\":" id                                                          \
	",\"program\":0,\"device\":0,\"door\":\"text\",\"reason\":null,\"table\":{\"name\":\"k\"," \
	"\"writes_unknown\":false,\"is_repeatable\":true,\"is_irreducible\":false,"                \
	"\"has_conditional_barrier\":false,\"item_words\":0,\"least_words\":0,\"lanes\":0,"        \
	"\"records\":\"\",\"refusal\":null,\"sites\":[],\"loops\":[],\"arguments\":[],"            \
	"\"unrecorded\":[]}}\n"
#define NEW BEGIN("3") KERNEL("0") KERNEL("1")
#define OLD BEGIN("2") KERNEL("0") KERNEL("1")
#define LAUNCH(id)                                                                                 \
	"{\"type\":\"launch\",\"id\":" id                                                          \
	",\"kernel\":0,\"dimensions\":1,\"global\":[1,1,1],\"local\":[1,1,1],\"offset\":[0,0,0],"  \
	"\"local_bytes\":0,\"groups_selected\":null}\n"                                            \
	"{\"type\":\"fate\",\"launch\":" id ",\"fate\":\"unselected\"}\n"
#define TALLY_OF(id, kernel, fate, reason, count, first, last)                                     \
	"{\"type\":\"tally\",\"id\":" id ",\"kernel\":" kernel ",\"fate\":\"" fate                 \
	"\",\"reason\":\"" reason "\",\"count\":" count ",\"first\":" first ",\"last\":" last      \
	"}\n"
#define TALLY(id, count, first, last)                                                              \
	TALLY_OF(id, "1", "unselected", "--kernel", count, first, last)
#define END "{\"type\":\"end\"}\n"

static void numbers_are_read_with_their_gaps(void **state)
{
	static const struct {
		const char *text;
		uint64_t seen, unknown;
		size_t lines, tallies;
		const char *why; /* NULL: complete */
	} rows[] = {
		{ OLD LAUNCH("0") LAUNCH("1") END, 2, 0, 2, 0, NULL },
		{ NEW END, 0, 0, 0, 0, NULL },
		{ NEW LAUNCH("0") LAUNCH("1") END, 2, 0, 2, 0, NULL },
		{ NEW TALLY("0", "3", "0", "2") LAUNCH("3") END, 4, 0, 1, 1, NULL },
		/* A tally that grows: the last line counts. */
		{ NEW TALLY("0", "3", "0", "2") LAUNCH("3") TALLY("0", "5", "0", "5") END, 6, 0, 1,
		  1, NULL },
		/* Launches in between that nobody told of: 1, 2, 4 and 6 of 0..6. */
		{ NEW LAUNCH("0") LAUNCH("3") TALLY("0", "1", "5", "5") LAUNCH("7") END, 8, 4, 3, 1,
		  "incomplete: missing: 4 launches of which nothing was written" },
		{ NEW LAUNCH("1"), 2, 1, 1, 0,
		  "incomplete: missing: 1 end of the recording, "
		  "1 launch of which nothing was written" },
		{ NEW TALLY_OF("0", "0", "skipped", "why", "2", "0", "1") END, 2, 0, 0, 1,
		  "incomplete: missing: 2 launches that were skipped" },
		{ NEW TALLY("0", "10000000000", "0", "9999999999") END, 10000000000, 0, 0, 1,
		  NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recording *r = NULL;
		struct err err = { 0 };
		char *why = NULL;

		if (recording_parse(&r, "d", rows[i].text, strlen(rows[i].text), &err))
			fail_msg("row %zu: %s", i, err.msg);
		assert_int_equal(r->launches_seen, rows[i].seen);
		assert_int_equal(r->launches_unknown, rows[i].unknown);
		assert_int_equal(r->launch_count, rows[i].lines);
		assert_int_equal(r->tally_count, rows[i].tallies);
		assert_int_equal(recording_is_complete(r, &why), !rows[i].why);
		if (rows[i].why)
			assert_string_equal(why, rows[i].why);
		free(why);
		recording_close(r);
	}
}

static void numbers_that_cannot_be_are_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ OLD LAUNCH("1"), ":6: \"id\": 1, expected 0" },
		{ OLD TALLY("0", "1", "0", "0"), ":6: a tally in a recording of version 2" },
		{ BEGIN("8"), ":1: a version of recordings that is not known" },
		{ NEW LAUNCH("3") LAUNCH("3"), ":8: \"id\": 3, expected at least 4" },
		{ NEW LAUNCH("3") LAUNCH("0"), ":8: \"id\": 0, expected at least 4" },
		{ NEW "{\"type\":\"fate\",\"launch\":0,\"fate\":\"unselected\"}\n",
		  ":6: refers to number 0" },
		{ NEW TALLY("1", "1", "0", "0"), ":6: \"id\": 1, expected 0" },
		{ NEW TALLY("0", "0", "0", "0"), ":6: expected a \"count\"" },
		{ NEW TALLY("0", "4", "0", "2"), ":6: expected a \"count\"" },
		{ NEW TALLY("0", "1", "2", "1"), ":6: expected a \"count\"" },
		{ NEW TALLY("0", "1", "0", "\"0xffffffffffffffff\""), ":6: tally: \"last\"" },
		{ NEW TALLY_OF("0", "2", "skipped", "", "1", "0", "0"), ":6: refers to number 2" },
		{ NEW TALLY_OF("0", "0", "traced", "", "1", "0", "0"), ":6: \"fate\": expected" },
		{ NEW TALLY("0", "2", "0", "1") TALLY("0", "1", "0", "1"),
		  ":7: expected the tally" },
		{ NEW TALLY("0", "1", "0", "1")
		          TALLY_OF("0", "1", "unselected", "--skip", "2", "0", "1"),
		  ":7: expected the tally to grow, of one kernel for one reason" },
		/* Launch 0 is told of twice. */
		{ NEW LAUNCH("0") TALLY("0", "1", "0", "0"), "more launches are told of" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recording *r = NULL;
		struct err err = { 0 };

		if (!recording_parse(&r, "d", rows[i].text, strlen(rows[i].text), &err) ||
		    !strstr(err.msg, rows[i].says))
			fail_msg("row %zu says '%s'", i, err.msg);
		recording_close(r);
	}
}

/* What is asked of take_if() in the test below. */
static bool is_even(const void *context, uint64_t number)
{
	(void)context;
	return number % 2 == 0;
}

enum { THREADS = 8, TAKEN = 200000 };

struct taker {
	pthread_t thread;
	struct recording_writer *writer;
	uint64_t numbers[TAKEN];
	size_t count;
};

static pthread_barrier_t all_are_there;

static void *take_numbers(void *argument)
{
	struct taker *t = argument;

	pthread_barrier_wait(&all_are_there);
	for (int i = 0; i < TAKEN; i++) {
		uint64_t number;

		if (i % 3 == 0) {
			t->numbers[t->count++] = recording_writer_take_number(t->writer);
		} else if (recording_writer_take_number_if(t->writer, is_even, NULL, &number)) {
			assert_int_equal(number % 2, 0);
			t->numbers[t->count++] = number;
		}
	}
	return NULL;
}

static void every_number_is_taken_once(void **state)
{
	static struct taker takers[THREADS];
	static bool is_taken[THREADS * TAKEN];
	char dir[] = "/tmp/test_numbers_XXXXXX", remove[64];
	char *const command[] = { NULL };
	struct recording_writer *w = NULL;
	uint64_t number, count = 0;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(recording_writer_create(&w, dir, "1", command, NULL), 0);
	pthread_barrier_init(&all_are_there, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		takers[i].writer = w;
		assert_int_equal(pthread_create(&takers[i].thread, NULL, take_numbers, &takers[i]),
		                 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(takers[i].thread, NULL);
	for (int i = 0; i < THREADS; i++) {
		for (size_t k = 0; k < takers[i].count; k++) {
			assert_in_range(takers[i].numbers[k], 0, THREADS * TAKEN - 1);
			assert_false(is_taken[takers[i].numbers[k]]);
			is_taken[takers[i].numbers[k]] = true;
			count++;
		}
	}
	number = recording_writer_take_number(w);
	assert_int_equal(number, count);
	assert_true(recording_writer_return_number(w, number));
	assert_int_equal(recording_writer_take_number(w), number);
	assert_int_equal(recording_writer_take_number(w), number + 1);
	assert_false(recording_writer_return_number(w, number)); /* others came after it */
	recording_writer_close(w);
	snprintf(remove, sizeof(remove), "rm -rf %s", dir);
	assert_int_equal(system(remove), 0);
}

static void what_is_written_is_read(void **state)
{
	char dir[] = "/tmp/test_numbers_XXXXXX", remove[64], text[] = "", name[] = "k",
	     option[] = "--skip";
	char *const command[] = { NULL };
	const struct recorded_device device = { text, text, text, text, text, 64 };
	const struct recorded_program program = { .options = text, .origin = text };
	const struct recorded_kernel kernel = { .door = text, .table = { .name = name } };
	struct recorded_launch launch = { .shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 } },
		                          .fate = LAUNCH_UNSELECTED };
	struct recorded_tally tally = { 0, LAUNCH_UNSELECTED, option, 2, 0, 1 };
	struct recording_writer *w = NULL;
	struct recording *r = NULL;
	uint32_t id, tally_id = RECORDING_TALLY_NEW;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(recording_writer_create(&w, dir, "1", command, NULL), 0);
	assert_int_equal(recording_writer_device(w, &device, &id, NULL), 0);
	assert_int_equal(recording_writer_program(w, &program, NULL, 0, &id, NULL), 0);
	assert_int_equal(recording_writer_kernel(w, &kernel, &id, NULL), 0);
	recording_writer_take_number(w);
	recording_writer_take_number(w);
	assert_int_equal(recording_writer_tally(w, &tally, &tally_id, NULL), 0);
	assert_int_equal(tally_id, 0);
	assert_int_equal(recording_writer_launch(w, &launch, &id, NULL), 0);
	assert_int_equal(id, 2);
	assert_int_equal(recording_writer_fate(w, id, &launch, NULL), 0);
	tally.count = 3;
	tally.last = recording_writer_take_number(w);
	assert_int_equal(recording_writer_tally(w, &tally, &tally_id, NULL), 0);
	assert_int_equal(recording_writer_end(w, NULL), 0);
	recording_writer_close(w);
	assert_int_equal(recording_open(&r, dir, NULL), 0);
	assert_true(recording_is_complete(r, NULL));
	assert_int_equal(r->launches_seen, 4);
	assert_int_equal(r->tally_count, 1);
	assert_int_equal(r->tallies[0].count, 3);
	assert_int_equal(r->tallies[0].first, 0);
	assert_int_equal(r->tallies[0].last, 3);
	assert_string_equal(r->tallies[0].reason, "--skip");
	assert_int_equal(r->launches[0].number, 2);
	assert_int_equal(recording_find_launch(r, 2), 0);
	assert_int_equal(recording_find_launch(r, 0), 1);
	assert_int_equal(recording_find_launch(r, 3), 1);
	recording_close(r);
	snprintf(remove, sizeof(remove), "rm -rf %s", dir);
	assert_int_equal(system(remove), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_with_their_gaps),
		cmocka_unit_test(numbers_that_cannot_be_are_refused),
		cmocka_unit_test(every_number_is_taken_once),
		cmocka_unit_test(what_is_written_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

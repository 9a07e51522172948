/* SPDX-License-Identifier: Apache-2.0 */
/* A player visits the chosen launches in order; those it passes over are reported and decide the
 * verdict. */
#include "player.h"
#include "progress_line.h"
#include "recordings.h"
#include "say.h"

#include "cmocka_all.h"
#include "gpu.h"
#include "recording.h"
#include "recording_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of "mixed": streaming, reused, streaming, and streaming in groups that no GPU can hold. */
enum { LAUNCHES = 4, TOO_LARGE = 3 };

enum { MIXED, LIMITED, TRUNCATED, INCOMPLETE, RECORDINGS };

static const char *const kinds[] = { "mixed", "limited", "truncated", "incomplete" };
static char dirs[RECORDINGS][64];
static struct recording *recordings[RECORDINGS];
static struct gpu gpu;
static const uint32_t registers[] = { 10, 11, 12, 13 }; /* any number that fits */

/* What a visitor saw: "b0 e0 . " begin, end and release of launch 0; "x3 " one that was refused. */
struct log {
	char text[128];
	size_t skipped, failed; /* launches */
	const struct player *player;
	const char *why; /* in the reasons */
};

/* None is skipped, and none fails. */
static struct log log_of(const struct player *p, const char *why)
{
	return (struct log){ .skipped = SIZE_MAX, .failed = SIZE_MAX, .player = p, .why = why };
}

static void note(struct log *log, const char *what, size_t launch)
{
	size_t length = strlen(log->text);

	(void)snprintf(log->text + length, sizeof(log->text) - length, "%s%zu ", what, launch);
}

static int begin(void *context, size_t launch, struct replay_options *options, struct err *err)
{
	struct log *log = context;
	const struct recording *r = log->player->launches.recording;

	(void)err;
	assert_int_equal(options->registers, registers[r->launches[launch].kernel]);
	assert_int_equal(options->played != NULL, log->player->watch != NULL);
	note(log, "b", launch);
	return log->skipped == launch ? PLAYER_SKIP : 0;
}

static int end(void *context, size_t launch, const struct replay_result *result, struct err *err)
{
	struct log *log = context;

	assert_true(result->is_whole);
	note(log, "e", launch);
	return log->failed == launch ? err_set(err, ERR_IO, "no room for launch %zu", launch) : 0;
}

static void release(void *context)
{
	struct log *log = context;

	(void)strncat(log->text, ". ", sizeof(log->text) - strlen(log->text) - 1);
}

static int refused(void *context, size_t launch, const char *why, struct err *err)
{
	struct log *log = context;

	(void)err;
	assert_non_null(strstr(why, log->why));
	note(log, "x", launch);
	return 0;
}

static struct player_visitor visitor_of(struct log *log)
{
	return (struct player_visitor){
		.context = log, .begin = begin, .end = end, .release = release, .refused = refused
	};
}

static struct player player_of(int kind)
{
	return (struct player){ .launches = { .recording = recordings[kind],
		                              .end = recordings[kind]->launch_count },
		                .gpu = &gpu,
		                .registers = registers };
}

static void launches_are_visited_in_order_and_what_does_not_fit_is_refused(void **state)
{
	struct player p = player_of(MIXED);
	struct log log = log_of(&p, "bytes of local memory");
	const struct player_visitor v = visitor_of(&log);

	(void)state;
	assert_int_equal(p.launches.end, LAUNCHES);
	assert_int_equal(player_play(&p, &v, NULL), 0);
	assert_string_equal(log.text, "b0 e0 . b1 e1 . b2 e2 . b3 x3 . ");
	assert_int_equal(p.played, 3);
	assert_int_equal(p.kernels, 2);
	assert_int_equal(p.first, 0);
	/* groups of one warp: 2 and 1 of streaming with 32 reads each, 2 of reused with 16 */
	assert_int_equal(p.l1.reads, 3 * 32 + 2 * 16);
	assert_false(p.outcome.lacks_accesses);
	assert_int_equal(p.outcome.refused, 1);
	assert_int_equal(p.outcome.refusal.code, ERR_CONFIG);
}

static void what_a_visitor_passes_over_counts_nowhere(void **state)
{
	struct player p = player_of(MIXED);
	struct log log = log_of(&p, "");
	const struct player_visitor v = visitor_of(&log);

	(void)state;
	log.skipped = 0;
	p.launches.end = TOO_LARGE;
	assert_int_equal(player_play(&p, &v, NULL), 0);
	assert_string_equal(log.text, "b0 . b1 e1 . b2 e2 . ");
	assert_int_equal(p.played, 2);
	assert_int_equal(p.first, 1);
	assert_int_equal(p.outcome.refused, 0);
}

static void a_launch_that_was_chosen_has_to_fit(void **state)
{
	(void)state;
	for (int is_one = 0; is_one < 2; is_one++) {
		struct player p = player_of(MIXED);
		struct log log = log_of(&p, "");
		const struct player_visitor v = visitor_of(&log);
		struct err err = { 0 };

		p.launches.first = TOO_LARGE;
		p.launches.is_one = is_one;
		p.is_strict = !is_one;
		assert_int_equal(player_play(&p, &v, &err), ERR_CONFIG);
		assert_non_null(strstr(err.msg, "bytes of local memory"));
		assert_string_equal(log.text, "b3 . ");
		assert_int_equal(p.outcome.refused, 0);
	}
}

static void launches_that_were_not_recorded_are_reported_and_do_not_count(void **state)
{
	struct player p = player_of(INCOMPLETE);
	struct log log = log_of(&p, "");
	const struct player_visitor v = visitor_of(&log);

	(void)state;
	assert_int_equal(player_play(&p, &v, NULL), 0);
	/* one traced, two skipped, one pending */
	assert_string_equal(log.text, "b0 e0 . x1 x2 x3 ");
	assert_int_equal(p.played, 1);
	assert_int_equal(p.outcome.refused, 0);
}

static void an_error_of_the_visitor_is_the_last_thing_that_happens(void **state)
{
	struct player p = player_of(MIXED);
	struct log log = log_of(&p, "");
	const struct player_visitor v = visitor_of(&log);
	struct err err = { 0 };

	(void)state;
	log.failed = 1;
	assert_int_equal(player_play(&p, &v, &err), ERR_IO);
	assert_string_equal(err.msg, "no room for launch 1");
	assert_string_equal(log.text, "b0 e0 . b1 e1 . ");
}

static void accesses_that_a_file_lacks_are_known_without_a_visitor(void **state)
{
	static const bool lacks[] = { [MIXED] = false, [LIMITED] = false, [TRUNCATED] = true };

	(void)state;
	for (int kind = MIXED; kind <= TRUNCATED; kind++) {
		const struct player_visitor v = { 0 };
		struct player p = player_of(kind);

		assert_int_equal(player_play(&p, &v, NULL), 0);
		assert_true(p.played > 0);
		assert_int_equal(p.outcome.lacks_accesses, lacks[kind]);
	}
}

static void work_is_counted_for_a_watch_alone(void **state)
{
	struct player p = player_of(MIXED);
	struct log log = log_of(&p, "");
	const struct player_visitor v = visitor_of(&log);
	struct progress_line wait;

	(void)state;
	p.watch = progress_line_watch(&wait, "test", true);
	assert_int_equal(player_play(&p, &v, NULL), 0); /* begin() looks at options */
	assert_null(p.options.played);
}

static int count_as_seven(void *context, size_t launch, const struct replay_options *options,
                          struct replay_result *result, struct err *err)
{
	(void)context;
	(void)launch;
	(void)options;
	(void)err;
	result->is_whole = true;
	result->total.reads = 7;
	result->read_only.reads = 2;
	return 0;
}

static void a_visitor_may_replay_launches_itself(void **state)
{
	const struct player_visitor v = { .play = count_as_seven };
	struct player p = player_of(MIXED);

	(void)state;
	assert_int_equal(player_play(&p, &v, NULL), 0);
	assert_int_equal(p.played, LAUNCHES);
	assert_int_equal(p.l1.reads, LAUNCHES * 7);
	assert_int_equal(p.beside, LAUNCHES * 2);
}

static int verdict_of(int kind, bool lacks, size_t refusals, const char *why, struct err *err)
{
	struct player_outcome o = { .lacks_accesses = lacks, .refused = refusals };

	*err = (struct err){ 0 };
	if (why)
		err_set(&o.refusal, ERR_CONFIG, "%s", why);
	return say_player_verdict("test", recordings[kind], &o, &gpu, err);
}

static void the_verdict_is_the_worst_that_is_known(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(verdict_of(MIXED, false, 0, NULL, &err), EXIT_DONE);
	assert_int_equal(verdict_of(MIXED, true, 0, NULL, &err), EXIT_INCOMPLETE);
	assert_int_equal(verdict_of(LIMITED, false, 0, NULL, &err), EXIT_LIMITED);
	assert_int_equal(verdict_of(LIMITED, true, 0, NULL, &err), EXIT_INCOMPLETE);
	assert_int_equal(verdict_of(MIXED, true, 2, NULL, &err), ERR_CONFIG);
	assert_string_equal(err.msg, "launches that do not fit on gtx480 and were not replayed: 2");
	assert_int_equal(verdict_of(LIMITED, false, 1, "too large", &err), ERR_CONFIG);
	assert_string_equal(err.msg, "launches that do not fit on gtx480 and were not replayed: 1 "
	                             "(too large)");
}

static int open_one(int kind, struct err *err)
{
	int ret;

	(void)snprintf(dirs[kind], sizeof(dirs[kind]), "/tmp/warpline-player-%s-%ld", kinds[kind],
	               (long)getpid());
	ret = recording_make(kinds[kind], dirs[kind], err);
	if (!ret && kind != INCOMPLETE)
		ret = recording_append_exit(dirs[kind], 0, 0, err);
	return ret ? ret : recording_open(&recordings[kind], dirs[kind], err);
}

static int open_all(void **state)
{
	struct err err = { 0 };
	int ret = gpu_load(&gpu, WARPLINE_TEST_GPU, NULL, &err);

	(void)state;
	for (int kind = 0; !ret && kind < RECORDINGS; kind++)
		ret = open_one(kind, &err);
	if (ret)
		print_error("%s\n", err.msg);
	return ret;
}

static int close_all(void **state)
{
	char command[sizeof(dirs) + 8];
	int ret = 0;

	(void)state;
	for (int kind = 0; kind < RECORDINGS; kind++) {
		recording_close(recordings[kind]);
		(void)snprintf(command, sizeof(command), "rm -r %s", dirs[kind]);
		ret |= system(command); /* NOLINT(cert-env33-c) */
	}
	return ret;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_are_visited_in_order_and_what_does_not_fit_is_refused),
		cmocka_unit_test(what_a_visitor_passes_over_counts_nowhere),
		cmocka_unit_test(a_launch_that_was_chosen_has_to_fit),
		cmocka_unit_test(launches_that_were_not_recorded_are_reported_and_do_not_count),
		cmocka_unit_test(an_error_of_the_visitor_is_the_last_thing_that_happens),
		cmocka_unit_test(accesses_that_a_file_lacks_are_known_without_a_visitor),
		cmocka_unit_test(work_is_counted_for_a_watch_alone),
		cmocka_unit_test(a_visitor_may_replay_launches_itself),
		cmocka_unit_test(the_verdict_is_the_worst_that_is_known),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a replay through the library gives: numbers made by hand, and laws between its tables. */
#include "api_recording.h"
#include "cmocka_all.h"
#include "warpline_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What libwarpline-replay.so.1 promises of the one struct that callers see into, where pointers
 * have 64 bits. */
#define STAYS(member, at)                                                                          \
	_Static_assert(offsetof(struct warpline_request, member) == (at), "callers know it there")
STAYS(struct_bytes, 0);
STAYS(line_address, 8);
STAYS(group, 16);
STAYS(cycle, 24);
STAYS(stall_cycles, 32);
STAYS(sm, 40);
STAYS(warp, 44);
STAYS(site, 48);
STAYS(set, 52);
STAYS(lanes, 56);
STAYS(bytes_asked, 60);
STAYS(bytes_fetched, 64);
STAYS(buffer, 68);
STAYS(outcome, 72);
_Static_assert(WARPLINE_TABLE_DRAM == 8 && WARPLINE_OUTCOME_BYPASS == 10, "values stay");

static struct warpline_replay *replay;

static int create(void **state)
{
	(void)state;
	return warpline_replay_create(&replay, NULL);
}

static int destroy(void **state)
{
	(void)state;
	warpline_replay_free(replay);
	api_recording_remove();
	return 0;
}

static uint64_t number(enum warpline_table table, size_t row, enum warpline_column column)
{
	return warpline_replay_number(replay, table, row, column);
}

/*
 * vadd, launch 0: c[i] = a[i] + b[i] by 64 work-items in two groups of one warp, one on each of two
 * SMs. A warp reads a line of a and one of b (128 bytes, 32 lanes of 4) and writes one of c: 3
 * requests, of which both reads miss, cold. Buffers have 256 bytes each, so no line is shared.
 */
static void vadd_is_as_made_by_hand(void **state)
{
	static const struct {
		enum warpline_column column;
		uint64_t want;
	} rows[] = {
		{ WARPLINE_index, 0 },
		{ WARPLINE_whole, 1 },
		{ WARPLINE_groups, 2 },
		{ WARPLINE_instructions, UINT64_C(2) * 3 },
		{ WARPLINE_unmapped_lanes, 0 },
		{ WARPLINE_requests, UINT64_C(2) * 3 },
		{ WARPLINE_reads, UINT64_C(2) * 2 },
		{ WARPLINE_read_hits, 0 },
		{ WARPLINE_pending_hits, 0 },
		{ WARPLINE_read_misses, UINT64_C(2) * 2 },
		{ WARPLINE_cold, UINT64_C(2) * 2 },
		{ WARPLINE_writes, 2 },
		{ WARPLINE_lanes, UINT64_C(64) * 3 },
		{ WARPLINE_bytes_asked, UINT64_C(2) * 3 * 128 },
		{ WARPLINE_bytes_from_l2, UINT64_C(2) * 2 * 128 },
		{ WARPLINE_bytes_to_l2, UINT64_C(2) * 128 },
		{ WARPLINE_lines, UINT64_C(2) * 2 },
		{ WARPLINE_lines_unused, UINT64_C(2) * 2 },
		{ WARPLINE_bytes_used, UINT64_C(2) * 2 * 128 },
		{ WARPLINE_bytes_read, WARPLINE_UNKNOWN }, /* of DRAM */
		{ WARPLINE_kernel, WARPLINE_UNKNOWN },     /* a text */
	};
	struct warpline_recording *recording = api_recording_open("vadd");
	struct warpline_gpu *gpu = api_recording_gpu("");

	(void)state;
	assert_int_equal(warpline_recording_launches(recording), 2);
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (number(WARPLINE_TABLE_LAUNCH, 0, rows[i].column) != rows[i].want)
			fail_msg("%s is %lu", warpline_column_name(rows[i].column),
			         (unsigned long)number(WARPLINE_TABLE_LAUNCH, 0, rows[i].column));
	assert_string_equal(warpline_replay_text(replay, WARPLINE_TABLE_LAUNCH, 0, WARPLINE_kernel),
	                    "vadd");

	/* Three sites, all of line 5, at columns 9, 16 and 7; three arguments, a buffer each. */
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_SITES), 3);
	assert_int_equal(number(WARPLINE_TABLE_SITES, 1, WARPLINE_column), 16);
	assert_int_equal(number(WARPLINE_TABLE_SITES, 2, WARPLINE_writes), 2);
	assert_string_equal(warpline_replay_text(replay, WARPLINE_TABLE_SITES, 2, WARPLINE_kind),
	                    "write");
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_LINES), 1);
	assert_int_equal(number(WARPLINE_TABLE_LINES, 0, WARPLINE_line), 5);
	assert_int_equal(number(WARPLINE_TABLE_LINES, 0, WARPLINE_requests), 6);
	assert_string_equal(warpline_replay_text(replay, WARPLINE_TABLE_LINES, 0, WARPLINE_file),
	                    "sources/program-0000.cl");
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_BUFFERS), 3);
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_ARGUMENTS), 3);
	assert_string_equal(
		warpline_replay_text(replay, WARPLINE_TABLE_ARGUMENTS, 2, WARPLINE_name), "c");
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_SMS), 15);
	assert_int_equal(number(WARPLINE_TABLE_SMS, 1, WARPLINE_requests), 3);
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_L2), 0);
	warpline_gpu_free(gpu);
	warpline_recording_close(recording);
}

/* The sum of a column over a table. */
static uint64_t sum(enum warpline_table table, enum warpline_column column)
{
	uint64_t all = 0;

	for (size_t i = 0; i < warpline_replay_rows(replay, table); i++)
		all += number(table, i, column);
	return all;
}

static const char *const kinds[] = { "vadd",   "streaming", "strided", "reused",
	                             "varied", "atomics",   "loops",   "mixed" };
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void assert_descending(enum warpline_table table)
{
	for (size_t i = 1; i < warpline_replay_rows(replay, table); i++)
		assert_true(number(table, i, WARPLINE_read_misses) <=
		            number(table, i - 1, WARPLINE_read_misses));
}

/* Each table shares out the same requests, misses and bytes. */
static void tables_sum_to_the_launch(void **state)
{
	static const enum warpline_column columns[] = {
		WARPLINE_requests,  WARPLINE_reads,        WARPLINE_read_hits,
		WARPLINE_cold,      WARPLINE_read_misses,  WARPLINE_pending_hits,
		WARPLINE_conflict,  WARPLINE_capacity,     WARPLINE_writes,
		WARPLINE_atomics,   WARPLINE_lanes,        WARPLINE_bytes_asked,
		WARPLINE_coherence, WARPLINE_bytes_from_l2
	};

	(void)state;
	for (size_t k = 0; k < KINDS; k++) {
		struct warpline_recording *recording = api_recording_open(kinds[k]);
		struct warpline_gpu *gpu = api_recording_gpu("l1_sets=1 l1_ways=4 l1_index=modulo");
		struct warpline_gpu *large = api_recording_gpu("");

		/* With room for its table streaming's second line misses most. */
		assert_int_equal(warpline_replay_run(replay, recording, 0, large, NULL), 0);
		for (int t = WARPLINE_TABLE_LINES; t <= WARPLINE_TABLE_SETS; t++)
			assert_descending((enum warpline_table)t);
		assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
		for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++)
			for (int t = WARPLINE_TABLE_SITES; t <= WARPLINE_TABLE_SMS; t++)
				assert_int_equal(sum((enum warpline_table)t, columns[c]),
				                 number(WARPLINE_TABLE_LAUNCH, 0, columns[c]));
		warpline_gpu_free(large);
		warpline_gpu_free(gpu);
		warpline_recording_close(recording);
	}
}

/* With L2 what L1s fetch is what L2 gives. */
static void l2_gives_what_l1_fetches(void **state)
{
	struct warpline_recording *recording = api_recording_open("streaming");
	struct warpline_gpu *gpu = api_recording_gpu("l2=on");

	(void)state;
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_L2), 1);
	assert_int_equal(number(WARPLINE_TABLE_L2, 0, WARPLINE_bytes_to_l1),
	                 number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_bytes_from_l2));
	assert_int_equal(number(WARPLINE_TABLE_L2, 0, WARPLINE_bytes_from_dram),
	                 number(WARPLINE_TABLE_DRAM, 0, WARPLINE_bytes_read));
	assert_true(number(WARPLINE_TABLE_DRAM, 0, WARPLINE_bytes_read) > 0);
	warpline_gpu_free(gpu);
	warpline_recording_close(recording);
}

/* What a function was told. */
struct told {
	uint64_t requests, lanes, bytes_fetched, outcomes[11];
	uint64_t last[32]; /* cycle, by SM */
	uint64_t calls_left;
};

static int hear(void *context, const struct warpline_request *r)
{
	struct told *t = context;

	assert_int_equal(r->struct_bytes, sizeof(*r));
	assert_in_range(r->sm, 0, 14);
	assert_in_range(r->outcome, 0, 10);
	assert_true(r->cycle >= t->last[r->sm]);
	t->last[r->sm] = r->cycle;
	t->requests++;
	t->lanes += r->lanes;
	t->bytes_fetched += r->bytes_fetched;
	t->outcomes[r->outcome]++;
	return --t->calls_left == 0;
}

/* One call for each request, in the order of its SM's time, with what the counters add up. */
static void each_request_is_told_once(void **state)
{
	static const enum warpline_column of[] = {
		[WARPLINE_OUTCOME_HIT] = WARPLINE_read_hits,
		[WARPLINE_OUTCOME_PENDING] = WARPLINE_pending_hits,
		[WARPLINE_OUTCOME_COLD] = WARPLINE_cold,
		[WARPLINE_OUTCOME_COHERENCE] = WARPLINE_coherence,
		[WARPLINE_OUTCOME_CAPACITY] = WARPLINE_capacity,
		[WARPLINE_OUTCOME_CONFLICT] = WARPLINE_conflict,
		[WARPLINE_OUTCOME_SECTOR] = WARPLINE_sector,
		[WARPLINE_OUTCOME_WRITE_HIT] = WARPLINE_write_hits,
		[WARPLINE_OUTCOME_ATOMIC] = WARPLINE_atomics,
		[WARPLINE_OUTCOME_BYPASS] = WARPLINE_bypasses,
	};

	(void)state;
	for (size_t k = 0; k < (size_t)2 * KINDS; k++) {
		struct warpline_recording *recording = api_recording_open(kinds[k / 2]);
		struct warpline_gpu *gpu = api_recording_gpu("l1_sets=2 l1_ways=2 l1_index=modulo");
		struct told told = { 0 };
		uint64_t used;

		warpline_replay_set(replay, k % 2 ? "stats=off" : "stats=on", NULL);
		warpline_replay_on_request(replay, NULL, NULL);
		assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
		used = number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_bytes_used);
		assert_int_equal(used == WARPLINE_UNKNOWN, k % 2);
		warpline_replay_on_request(replay, hear, &told);
		assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
		assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_bytes_used), used);
		assert_int_equal(told.requests,
		                 number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_requests));
		assert_int_equal(told.lanes, number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_lanes));
		assert_int_equal(told.bytes_fetched,
		                 number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_bytes_from_l2));
		for (size_t o = 0; o < sizeof(of) / sizeof(of[0]); o++)
			if (o != WARPLINE_OUTCOME_WRITE)
				assert_int_equal(told.outcomes[o],
				                 number(WARPLINE_TABLE_LAUNCH, 0, of[o]));
		assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_LINES) == 0, k % 2);
		warpline_gpu_free(gpu);
		warpline_recording_close(recording);
	}
}

/* vadd has 6 requests: after each, the last one too. */
static void a_function_stops_the_replay(void **state)
{
	struct warpline_error *error = warpline_error_create();
	struct warpline_recording *recording = api_recording_open("vadd");
	struct warpline_gpu *gpu = api_recording_gpu("");

	(void)state;
	for (uint64_t calls = 1; calls <= 6; calls++) {
		struct told told = { .calls_left = calls };

		warpline_replay_on_request(replay, hear, &told);
		assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, error),
		                 WARPLINE_ERROR_STOPPED);
		assert_int_equal(told.requests, calls);
		assert_int_equal(warpline_error_code(error), WARPLINE_ERROR_STOPPED);
		assert_string_equal(warpline_error_text(error),
		                    "the replay was stopped by the caller's function");
		assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_LAUNCH), 0);
	}
	warpline_replay_on_request(replay, NULL, NULL);
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, error), 0);
	warpline_error_free(error);
	warpline_gpu_free(gpu);
	warpline_recording_close(recording);
}

/* streaming with room for four lines: all of its 2 * 16 reads a group miss, but for the stream past
 * L1 12 of the 16 reads of the table hit (bypass_recordings.h). */
static void reads_go_past_l1(void **state)
{
	struct warpline_recording *recording = api_recording_open("streaming");
	struct warpline_gpu *gpu =
		api_recording_gpu("l1_sets=1 l1_ways=4 l1_index=modulo l1_policy=lru latency=off");
	uint64_t reads;

	(void)state;
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
	reads = number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_reads);
	assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_read_misses), reads);
	assert_int_equal(warpline_replay_set(replay, "bypass=site:1", NULL), 0);
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
	assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_bypasses), reads / 2);
	assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_read_hits), reads / 2 / 16 * 12);
	/* Through another cache: they are in none of the counts. */
	assert_int_equal(warpline_replay_set(replay, "bypass=none", NULL), 0);
	assert_int_equal(warpline_replay_set(replay, "read_only=site:1", NULL), 0);
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
	assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_reads), reads / 2);
	assert_int_equal(warpline_replay_set(replay, "read_only=none", NULL), 0);
	assert_int_equal(warpline_replay_set(replay, "bypass=kept", NULL), 0);
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
	assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_bypasses), 0);
	warpline_gpu_free(gpu);
	warpline_recording_close(recording);
}

/* Of gtx480's 15 SMs three are 0, 5 and 10 (schedule.h). vadd's two groups go to SMs 0 and 1. */
static void a_sample_has_rows_of_its_sms(void **state)
{
	struct warpline_recording *recording = api_recording_open("vadd");
	struct warpline_gpu *gpu = api_recording_gpu("");

	(void)state;
	assert_int_equal(warpline_replay_set(replay, "sms=3", NULL), 0);
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_SMS), 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(number(WARPLINE_TABLE_SMS, i, WARPLINE_sm), 5 * i);
	assert_int_equal(number(WARPLINE_TABLE_SMS, 0, WARPLINE_requests), 3);
	assert_int_equal(number(WARPLINE_TABLE_SMS, 1, WARPLINE_requests), 0);
	warpline_gpu_free(gpu);
	warpline_recording_close(recording);
}

/* Classes that were not asked for are not 0. */
static void what_was_not_asked_for_is_unknown(void **state)
{
	struct warpline_recording *recording = api_recording_open("vadd");
	struct warpline_gpu *gpu = api_recording_gpu("");

	(void)state;
	assert_int_equal(warpline_replay_set(replay, "stats=off", NULL), 0);
	assert_int_equal(warpline_replay_set(replay, "classes=off", NULL), 0);
	assert_int_equal(warpline_replay_run(replay, recording, 0, gpu, NULL), 0);
	assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_read_misses), 4);
	for (int c = WARPLINE_cold; c <= WARPLINE_conflict; c++)
		assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, (enum warpline_column)c),
		                 WARPLINE_UNKNOWN);
	assert_int_equal(number(WARPLINE_TABLE_SITES, 0, WARPLINE_cold), WARPLINE_UNKNOWN);
	assert_int_equal(number(WARPLINE_TABLE_LAUNCH, 0, WARPLINE_lines), WARPLINE_UNKNOWN);
	warpline_gpu_free(gpu);
	warpline_recording_close(recording);
}

static void a_text_is_the_same_gpu(void **state)
{
	struct warpline_gpu *gpu = api_recording_gpu("l1_ways=3"), *again = NULL;
	struct warpline_gpu *other = api_recording_gpu("");
	char *text = strdup(warpline_gpu_text(gpu));

	(void)state;
	assert_non_null(strstr(text, "\nl1_ways "));
	assert_string_not_equal(text, warpline_gpu_text(other));
	assert_int_equal(warpline_gpu_parse(&again, "memory", text, NULL, NULL), 0);
	assert_string_equal(warpline_gpu_text(again), text);
	free(text);
	warpline_gpu_free(other);
	warpline_gpu_free(again);
	warpline_gpu_free(gpu);
}

static void columns_are_found_by_their_names(void **state)
{
	int i = 0;

	(void)state;
	for (; warpline_column_name((enum warpline_column)i); i++) {
		assert_int_equal(
			warpline_column_find(warpline_column_name((enum warpline_column)i)), i);
		assert_non_null(warpline_column_unit((enum warpline_column)i));
		assert_non_null(warpline_column_help((enum warpline_column)i));
	}
	assert_int_equal(i, WARPLINE_sectors_written + 1);
	assert_int_equal(warpline_column_find("misses"), WARPLINE_COLUMN_NONE);
	assert_null(warpline_column_name(WARPLINE_COLUMN_NONE));
	assert_string_equal(warpline_replay_version(), WARPLINE_REPLAY_VERSION_TEXT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(vadd_is_as_made_by_hand, create, destroy),
		cmocka_unit_test_setup_teardown(tables_sum_to_the_launch, create, destroy),
		cmocka_unit_test_setup_teardown(l2_gives_what_l1_fetches, create, destroy),
		cmocka_unit_test_setup_teardown(each_request_is_told_once, create, destroy),
		cmocka_unit_test_setup_teardown(a_function_stops_the_replay, create, destroy),
		cmocka_unit_test_setup_teardown(reads_go_past_l1, create, destroy),
		cmocka_unit_test_setup_teardown(a_sample_has_rows_of_its_sms, create, destroy),
		cmocka_unit_test_setup_teardown(what_was_not_asked_for_is_unknown, create, destroy),
		cmocka_unit_test(a_text_is_the_same_gpu),
		cmocka_unit_test(columns_are_found_by_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

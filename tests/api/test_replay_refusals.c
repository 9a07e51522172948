/* SPDX-License-Identifier: Apache-2.0 */
/* What the library refuses, with which code and sentence; nothing is left of a failed run. */
#include "api_recording.h"
#include "cmocka_all.h"
#include "warpline_replay.h"

#include <string.h>

static struct warpline_error *error;
static struct warpline_recording *recording;
static struct warpline_replay *replay;

static int create(void **state)
{
	(void)state;
	error = warpline_error_create();
	recording = api_recording_open("incomplete");
	return warpline_replay_create(&replay, NULL);
}

static int destroy(void **state)
{
	(void)state;
	warpline_replay_free(replay);
	warpline_recording_close(recording);
	warpline_error_free(error);
	api_recording_remove();
	return 0;
}

static void is_refused(int got, int code, const char *part)
{
	assert_int_equal(got, code);
	assert_int_equal(warpline_error_code(error), code);
	if (!strstr(warpline_error_text(error), part))
		fail_msg("'%s' has no '%s'", warpline_error_text(error), part);
}

static void settings_that_there_are_not(void **state)
{
	static const struct {
		const char *set, *sentence;
	} rows[] = {
		{ "speed=1", "'speed=1': expected KEY=VALUE with one of these keys: schedule" },
		{ "jobs", "'jobs': expected KEY=VALUE" },
		{ "job=1", "'job=1': expected" },
		{ "jobs=0", "jobs: value: 0 is outside 1..256" },
		{ "jobs=257", "jobs: value: 257 is outside 1..256" },
		{ "sms=x", "sms: value: 'x' is not a number" },
		{ "schedule=fast", "schedule: " },
		{ "dispatch=", "dispatch: " },
		{ "classes=yes", "classes: 'yes' is neither on nor off" },
		{ "stats=", "stats: '' is neither on nor off" },
		{ "bypass=site:x", "bypass: " },
		{ "bypass=-", "bypass: a library does not read the standard input" },
		{ "read_only=warps:1", "read_only: " },
		{ "registers=65537", "registers: value: 65537 is outside 0..65536" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_refused(warpline_replay_set(replay, rows[i].set, error), WARPLINE_ERROR_USAGE,
		           rows[i].sentence);
	is_refused(warpline_replay_set(replay, "bypass=/no/such/list", error), WARPLINE_ERROR_IO,
	           "/no/such/list");
}

static void gpus_that_there_are_not(void **state)
{
	struct warpline_gpu *gpu = api_recording_gpu("");
	const char *const file = SOURCE_DIR "/gpus/gtx480.conf";

	(void)state;
	is_refused(warpline_gpu_set(gpu, "l1_ways=many", error), WARPLINE_ERROR_USAGE, "l1_ways");
	is_refused(warpline_gpu_set(gpu, "l9_ways=1", error), WARPLINE_ERROR_USAGE, "l9_ways");
	warpline_gpu_free(gpu);
	is_refused(warpline_gpu_create(&gpu, "/no/such.conf", NULL, error), WARPLINE_ERROR_IO,
	           "/no/such.conf");
	assert_null(gpu);
	is_refused(warpline_gpu_create(&gpu, file, "17k", error), WARPLINE_ERROR_USAGE,
	           "unknown L1 '17k'");
	is_refused(warpline_gpu_create(&gpu, "voodoo2", NULL, error), WARPLINE_ERROR_USAGE,
	           "unknown GPU 'voodoo2'; there are: ");
	is_refused(warpline_gpu_parse(&gpu, "mine", "sm_count = 0\n", NULL, error),
	           WARPLINE_ERROR_CONFIG, "mine:1: ");
	assert_null(gpu);
}

/* What is set, and what then is said of launch `launch`. */
static void runs_that_cannot_be(void **state)
{
	static const struct {
		const char *set, *gpu;
		size_t launch;
		int code;
		const char *sentence;
	} rows[] = {
		{ "jobs=1", "", 4, WARPLINE_ERROR_USAGE, "launch 4: " },
		{ "jobs=1", "", 1, WARPLINE_ERROR_USAGE, "launch" },
		{ "jobs=1", "l1_sets=3", 0, WARPLINE_ERROR_CONFIG, "l1_sets" },
		{ "jobs=1", "max_warps=1 warp_lanes=16", 0, WARPLINE_ERROR_CONFIG, "" },
		{ "sms=16", "", 0, WARPLINE_ERROR_USAGE, "sms: gtx480 has 15, and not 16" },
		{ "schedule=lwf:33", "", 0, WARPLINE_ERROR_CONFIG, "lwf" },
		{ "classes=off", "", 0, WARPLINE_ERROR_USAGE, "classes=off: " },
		{ "bypass=site:2", "", 0, WARPLINE_ERROR_USAGE, "bypass: site 2 of no kernel" },
		{ "bypass=argument:z", "", 0, WARPLINE_ERROR_USAGE, "bypass: " },
		{ "read_only=line:99", "", 0, WARPLINE_ERROR_USAGE, "read_only: " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct warpline_replay *once = NULL;
		struct warpline_gpu *plain = api_recording_gpu("");
		struct warpline_gpu *gpu = api_recording_gpu(rows[i].gpu);

		assert_int_equal(warpline_replay_create(&once, NULL), 0);
		assert_int_equal(warpline_replay_run(once, recording, 0, plain, NULL), 0);
		assert_int_equal(warpline_replay_rows(once, WARPLINE_TABLE_LAUNCH), 1);
		assert_int_equal(warpline_replay_set(once, rows[i].set, error), 0);
		is_refused(warpline_replay_run(once, recording, rows[i].launch, gpu, error),
		           rows[i].code, rows[i].sentence);
		for (int t = 0; t <= WARPLINE_TABLE_DRAM; t++)
			assert_int_equal(warpline_replay_rows(once, (enum warpline_table)t), 0);
		warpline_gpu_free(plain);
		warpline_gpu_free(gpu);
		warpline_replay_free(once);
	}
}

static void what_is_missing_is_said(void **state)
{
	uint64_t global[3], local[3];

	(void)state;
	assert_non_null(warpline_recording_missing(recording));
	assert_null(warpline_launch_refusal(recording, 0));
	assert_non_null(warpline_launch_refusal(recording, 1));
	assert_int_equal(warpline_launch_number(recording, 1), 1);
	assert_string_equal(warpline_launch_kernel(recording, 0), "vadd");
	warpline_launch_size(recording, 0, global, local);
	assert_int_equal(global[0], 32);
	assert_int_equal(local[0], 32);
	/* There is no launch 99. */
	assert_int_equal(warpline_launch_number(recording, 99), WARPLINE_UNKNOWN);
	assert_null(warpline_launch_kernel(recording, 99));
	assert_non_null(warpline_launch_refusal(recording, 99));
	warpline_launch_size(recording, 99, global, local);
	assert_int_equal(global[0] + local[0], 0);
}

static void nobody_need_ask_why(void **state)
{
	struct warpline_recording *none = recording;

	(void)state;
	assert_int_equal(warpline_recording_open(&none, "/no/such", NULL), WARPLINE_ERROR_IO);
	assert_null(none);
	is_refused(warpline_recording_open(&none, "/no/such", error), WARPLINE_ERROR_IO,
	           "/no/such");
	assert_int_equal(warpline_error_code(NULL), 0);
	assert_string_equal(warpline_error_text(NULL), "");
	warpline_error_free(NULL);
	warpline_gpu_free(NULL);
	warpline_recording_close(NULL);
	warpline_replay_free(NULL);
	/* Before the first run, and outside of what there is. */
	assert_int_equal(warpline_replay_rows(replay, WARPLINE_TABLE_LAUNCH), 0);
	assert_int_equal(warpline_replay_rows(replay, (enum warpline_table)77), 0);
	assert_int_equal(warpline_replay_number(replay, WARPLINE_TABLE_LAUNCH, 0, WARPLINE_reads),
	                 WARPLINE_UNKNOWN);
	assert_null(warpline_replay_text(replay, WARPLINE_TABLE_LAUNCH, 0, WARPLINE_kernel));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(settings_that_there_are_not, create, destroy),
		cmocka_unit_test_setup_teardown(gpus_that_there_are_not, create, destroy),
		cmocka_unit_test_setup_teardown(runs_that_cannot_be, create, destroy),
		cmocka_unit_test_setup_teardown(what_is_missing_is_said, create, destroy),
		cmocka_unit_test_setup_teardown(nobody_need_ask_why, create, destroy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command buffer of the application does the same and answers the same with the recorder and
 * without, and its launches are recorded, or named where they cannot be.
 */
#include "cmocka_all.h"
#include "command_host.h"
#include "mock_calls.h"
#include "mock_driver.h"
#include "mock_host.h"
#include "mock_instrumenter.h"
#include "opencl_session.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNORDERED CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[128];

/* Run the plan by itself and recorded, and compare. The caller closes the recording. */
static struct recording *run(const struct command_plan *plan)
{
	static struct command_host native, recorded;
	static int runs;
	struct recording *recording = NULL;
	struct session *s;
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/%d", work_dir, runs++);
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	command_host_run(&native, mock_driver(), plan);
	assert_int_equal(mock_driver_alive(), 0);
	s = session_create(&opencl_part, dir, instrumenter, 1 << 20);
	assert_non_null(s);
	command_host_run(&recorded, mock_host_hooked(), plan);
	assert_string_equal(recorded.log, native.log);
	assert_memory_equal(recorded.results, native.results, sizeof(native.results));
	/* Before the session's end, which would cover what was kept until then. */
	for (int i = 0; i < 10000 && mock_driver_alive(); i++)
		usleep(1000);
	assert_int_equal(mock_driver_alive(), 0);
	assert_int_equal(mock_driver_misuses(), 0);
	assert_int_equal(opencl_session(s)->memory.count, 0);
	assert_int_equal(opencl_session(s)->kernels.count, 0);
	assert_int_equal(opencl_session(s)->programs.count, 0);
	assert_int_equal(opencl_session(s)->command_buffers.count, 0);
	assert_int_equal(opencl_session(s)->events.count, 0);
	assert_int_equal(opencl_session(s)->pending.count, 0);
	session_end();
	session_free(s);
	assert_int_equal(recording_open(&recording, dir, NULL), 0);
	return recording;
}

/* How many launches there are of each fate, and how many say `reason` if there are others. */
static void expect_fates(const struct recording *r, size_t traced, size_t skipped,
                         const char *reason)
{
	size_t are_traced = 0, are_skipped = 0;

	for (size_t i = 0; i < r->launch_count; i++) {
		are_traced += r->launches[i].fate == LAUNCH_TRACED;
		if (r->launches[i].fate != LAUNCH_SKIPPED)
			continue;
		are_skipped++;
		if (!strstr(r->launches[i].reason, reason))
			fail_msg("the reason is '%s'", r->launches[i].reason);
	}
	assert_int_equal(are_traced, traced);
	assert_int_equal(are_skipped, skipped);
}

/* Of a launch, in the recording's numbers. */
static int64_t buffer_of(const struct recording *r, size_t launch)
{
	assert_true(launch < r->launch_count);
	assert_int_equal(r->launches[launch].argument_count, 1);
	return r->launches[launch].arguments[0].buffer;
}

static void launches_in_command_buffers_are_recorded(void **state)
{
	const struct command_plan plans[] = {
		{ .queue = 0 },
		{ .queue = UNORDERED },
		{ .queue = UNORDERED | CL_QUEUE_PROFILING_ENABLE },
		{ .queue = 0, .is_simultaneous = true },
		{ .queue = UNORDERED, .is_simultaneous = true },
		{ .queue = CL_QUEUE_PROFILING_ENABLE, .changes_queue = true },
	};

	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		struct recording *r = run(&plans[i]);

		expect_fates(r, COMMAND_HOST_LAUNCHES, 0, "");
		assert_true(recording_is_complete(r, NULL));
		recording_close(r);
	}
}

/* The first launch was recorded with the first buffer, whatever the kernel was given later. */
static void launches_have_the_arguments_that_the_driver_takes(void **state)
{
	const struct command_plan plan = { .queue = 0 };
	struct recording *r = run(&plan);

	assert_int_equal(buffer_of(r, 0), 0);
	assert_int_equal(buffer_of(r, 1), 1);
	recording_close(r);
	mock_driver_set_late(true);
	r = run(&plan);
	mock_driver_set_late(false);
	expect_fates(r, COMMAND_HOST_LAUNCHES, 0, "");
	assert_int_equal(buffer_of(r, 0), 1);
	assert_int_equal(buffer_of(r, 1), 1);
	recording_close(r);
}

static void what_is_not_understood_is_left_to_the_driver_and_named(void **state)
{
	const struct {
		struct command_plan plan;
		const char *reason;
	} rows[] = {
		{ { .is_changeable = true }, "commands that may be changed" },
		{ { .asks_for_more = true }, "a version that the recorder does not know" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recording *r = run(&rows[i].plan);

		expect_fates(r, 0, COMMAND_HOST_LAUNCHES, rows[i].reason);
		recording_close(r);
	}
}

static void a_buffer_without_selected_launches_is_the_drivers(void **state)
{
	const struct command_plan plan = { .queue = 0 };
	struct recording *r;
	size_t calls[2];

	r = run(&plan);
	calls[0] = mock_driver_calls();
	recording_close(r);
	setenv("WARPLINE_KERNEL", "other", 1);
	r = run(&plan);
	calls[1] = mock_driver_calls();
	unsetenv("WARPLINE_KERNEL");
	expect_fates(r, 0, 0, "");
	assert_int_equal(r->launches_seen, COMMAND_HOST_LAUNCHES);
	assert_int_equal(r->launches_unknown, 0);
	assert_true(calls[1] < calls[0]);
	recording_close(r);
}

/* With numbers chosen, the others of the same buffer run as they are. */
static void launches_are_selected_one_by_one(void **state)
{
	const struct command_plan plan = { .queue = UNORDERED };
	struct recording *r;

	setenv("WARPLINE_LAUNCHES", "1..2", 1);
	r = run(&plan);
	unsetenv("WARPLINE_LAUNCHES");
	assert_int_equal(r->launches_seen, COMMAND_HOST_LAUNCHES);
	assert_int_equal(r->launches_unknown, 0);
	expect_fates(r, 2, 0, "");
	assert_int_equal(r->launches[0].number, 1);
	assert_int_equal(r->launches[1].number, 2);
	recording_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_in_command_buffers_are_recorded),
		cmocka_unit_test(launches_have_the_arguments_that_the_driver_takes),
		cmocka_unit_test(what_is_not_understood_is_left_to_the_driver_and_named),
		cmocka_unit_test(a_buffer_without_selected_launches_is_the_drivers),
		cmocka_unit_test(launches_are_selected_one_by_one),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	mock_instrumenter_write(work_dir, instrumenter);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}

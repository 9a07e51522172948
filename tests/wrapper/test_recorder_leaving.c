/* SPDX-License-Identifier: Apache-2.0 */
/* However a program ends, what was recorded is readable and the program ends as it would. */
#include "cmocka_all.h"
#include "err.h"
#include "recording.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";

/* Run a command and keep what it prints; returns its exit status, or 128 + signal. */
static int run(const char *command, char output[256])
{
	FILE *pipe = popen(command, "r");
	size_t length;
	int status;

	assert_non_null(pipe);
	length = fread(output, 1, 255, pipe);
	output[length] = '\0';
	status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A launch that nobody waited for may be pending: the driver had not begun it. */
static void check(const char *dir, size_t launches, bool has_end, bool is_waited)
{
	struct recording *recording = NULL;
	struct err err = { 0 };

	if (recording_open(&recording, dir, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(recording->launch_count, launches);
	assert_int_equal(recording->has_end, has_end);
	for (size_t i = 0; i < launches; i++) {
		if (!is_waited && recording->launches[i].fate == LAUNCH_PENDING)
			continue;
		assert_int_equal(recording->launches[i].fate, LAUNCH_TRACED);
		/* 64 work-items, each a read and a write. */
		assert_int_equal(recording->launches[i].totals.accesses, 128);
	}
	recording_close(recording);
}

static void every_way_of_ending_leaves_a_recording(void **state)
{
	static const struct {
		const char *way, *prints;
		size_t launches;
		int status;
		bool has_end, is_waited;
	} rows[] = {
		{ "plainly", "5\n", 1, 0, true, true },
		{ "unfinished", "", 1, 0, true, true },
		{ "killed", "5\n", 1, 128 + 9, false, true },
		{ "at-once", "5\n", 1, 4, false, true },
		{ "late", "5\n10\n", 2, 0, true, true },
		{ "forked", "5\nchild 9\n10\n", 2, 0, true, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char command[1024], output[256], dir[128];

		print_message("%s\n", rows[i].way);
		snprintf(dir, sizeof(dir), "%s/%s", work_dir, rows[i].way);
		snprintf(command, sizeof(command),
		         "exec timeout -k 5 200 env WARPLINE_DIR=%s WARPLINE_INSTRUMENT=%s "
		         "OPENCL_LAYERS=%s %s %s",
		         dir, INSTRUMENTER, RECORDER, LEAVING_HOST, rows[i].way);
		assert_int_equal(run(command, output), rows[i].status);
		assert_string_equal(output, rows[i].prints);
		check(dir, rows[i].launches, rows[i].has_end, rows[i].is_waited);
	}
}

static void a_second_process_records_beside_the_first(void **state)
{
	char command[1024], output[256], dir[128];

	snprintf(dir, sizeof(dir), "%s/script", work_dir);
	snprintf(command, sizeof(command),
	         "exec timeout -k 5 200 env WARPLINE_DIR=%s WARPLINE_INSTRUMENT=%s LD_PRELOAD=%s "
	         "sh -c '%s; %s; true'",
	         dir, INSTRUMENTER, RECORDER, LEAVING_HOST, LEAVING_HOST);
	assert_int_equal(run(command, output), 0);
	assert_string_equal(output, "5\n5\n");
	check(dir, 1, true, true);
	snprintf(dir, sizeof(dir), "%s/script.2", work_dir);
	check(dir, 1, true, true);
	snprintf(dir, sizeof(dir), "%s/script.3", work_dir);
	assert_int_equal(access(dir, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_of_ending_leaves_a_recording),
		cmocka_unit_test(a_second_process_records_beside_the_first),
	};
	char command[64];
	int failed;

	if (access("/etc/OpenCL/vendors/pocl.icd", R_OK) < 0)
		return 77;
	if (!mkdtemp(work_dir))
		return 1;
	setenv("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0", 1);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf %s", work_dir);
	if (!failed && system(command) != 0)
		return 1;
	return failed;
}

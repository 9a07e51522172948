/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that end at any moment, close or take over descriptors, or have no room for files: they
 * do what they do without us, and what was drained is readable.
 */
#include "cmocka_all.h"
#include "err.h"
#include "recording.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_SECONDS 60
#define MOMENTS          24

static char work_dir[] = "/tmp/warpline-test-XXXXXX";

static void prepare(const char *dir)
{
	setenv("WARPLINE_DIR", dir, 1);
	setenv("WARPLINE_INSTRUMENT", INSTRUMENTER, 1);
	setenv("OPENCL_LAYERS", RECORDER, 1);
}

/* Start the host, recorded if there is a `dir`, with its output into `out`; -1: as ours. */
static pid_t start(const char *way, const char *dir, int out)
{
	pid_t child = fork();

	if (child != 0)
		return child;
	if (dir)
		prepare(dir);
	alarm(PATIENCE_SECONDS);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	execl(HOSTILE_HOST, HOSTILE_HOST, way, (char *)NULL);
	_exit(127);
}

/* Exit status, or 128 + signal. */
static int wait_for(pid_t child)
{
	int status = 0;

	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Whether `warpline info` can say what is in a recording; 3: and that it is incomplete. */
static bool has_info(const char *dir)
{
	pid_t child = fork();
	int nothing, status;

	if (child == 0) {
		nothing = open("/dev/null", O_WRONLY);
		dup2(nothing, STDOUT_FILENO);
		dup2(nothing, STDERR_FILENO);
		execl(WARPLINE, WARPLINE, "info", dir, (char *)NULL);
		_exit(127);
	}
	status = wait_for(child);
	return status == 0 || status == 3;
}

static struct recording *open_recording(const char *dir)
{
	struct recording *r = NULL;
	struct err err = { 0 };

	if (recording_open(&r, dir, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(has_info(dir));
	return r;
}

static size_t count_traced(const struct recording *r)
{
	size_t count = 0;

	for (size_t i = 0; i < r->launch_count; i++)
		count += r->launches[i].fate == LAUNCH_TRACED &&
		         r->launches[i].totals.accesses == 128;
	return count;
}

static void hostile_programs_do_what_they_do_without_us(void **state)
{
	static const struct {
		const char *way, *prints;
		size_t launches; /* that must be traced, at least */
		int status;
		bool is_complete;
	} rows[] = {
		{ "terminated", "5\n", 1, 128 + SIGTERM, false },
		{ "interrupted", "5\n", 1, 128 + SIGINT, false },
		{ "crashed", "5\n", 1, 128 + SIGSEGV, false },
		{ "aborted", "5\n", 1, 128 + SIGABRT, false },
		{ "closes_all", "5\n10\n", 2, 0, true },
		{ "reuses_all", "5\n10\n0 bytes of others\n", 2, 0, true },
		{ "has_no_streams", "5\nfile 0\n", 2, 0, true },
		{ "has_little_room", "5\n205\n", 1, 0, false },
		{ "has_a_broken_stderr", "5\n205\n", 1, 0, false },
		{ "forks_and_executes", "5\n5\nchild 0\n10\n", 2, 0, true },
		{ "executes", "5\n5\n", 1, 0, false },
	};

	/* Where a way in which the recorder gives up leaves no room for the driver's compiler, the
	 * program's own kernel is in the driver's cache, as it would be without us. */
	assert_int_equal(wait_for(start("plainly", NULL, -1)), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recording *r;
		char dir[128], output[256];
		int out[2];
		size_t length = 0;
		ssize_t got;
		pid_t child;

		print_message("%s\n", rows[i].way);
		snprintf(dir, sizeof(dir), "%s/%s", work_dir, rows[i].way);
		assert_int_equal(pipe(out), 0);
		child = start(rows[i].way, dir, out[1]);
		close(out[1]);
		while ((got = read(out[0], output + length, sizeof(output) - 1 - length)) > 0)
			length += (size_t)got;
		close(out[0]);
		output[length] = '\0';
		assert_int_equal(wait_for(child), rows[i].status);
		assert_string_equal(output, rows[i].prints);
		r = open_recording(dir);
		assert_true(count_traced(r) >= rows[i].launches);
		assert_int_equal(recording_is_complete(r, NULL), rows[i].is_complete);
		recording_close(r);
	}
}

static void sleep_ns(long long ns)
{
	const struct timespec time = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	nanosleep(&time, NULL);
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Kill runs at moments that lie evenly over `span_ns`, one signal after the other. Returns the
 * launches that their recordings have. */
static size_t kill_at_moments(long long span_ns, int nothing)
{
	static const int numbers[] = { SIGKILL, SIGTERM, SIGINT };
	size_t found = 0;

	for (int i = 0; i < MOMENTS; i++) {
		struct recording *r;
		pid_t child;
		char dir[128], path[160];

		snprintf(dir, sizeof(dir), "%s/%lld-%d", work_dir, span_ns, i);
		child = start("goes_on", dir, nothing);
		sleep_ns(span_ns * i / MOMENTS);
		kill(child, numbers[i % 3]);
		wait_for(child);
		snprintf(path, sizeof(path), "%s/manifest.jsonl", dir);
		if (access(path, F_OK) < 0)
			continue; /* it had not begun */
		r = open_recording(dir);
		found += r->launch_count;
		recording_close(r);
	}
	return found;
}

/* On a busy machine runs may take many times what the first one took: the span grows. */
static void killed_at_any_moment_a_recording_is_readable(void **state)
{
	int nothing = open("/dev/null", O_WRONLY);
	long long whole = now_ns();
	size_t found = 0;
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/whole", work_dir);
	assert_int_equal(wait_for(start("goes_on", dir, nothing)), 0);
	whole = now_ns() - whole;
	for (int round = 0; round < 6 && !found; round++, whole *= 2)
		found = kill_at_moments(whole, nothing);
	close(nothing);
	print_message("%zu launches in recordings of killed programs\n", found);
	assert_true(found > 0);
}

static void a_handler_may_end_the_program_at_any_moment(void **state)
{
	int nothing = open("/dev/null", O_WRONLY);

	for (int i = 0; i < MOMENTS / 2; i++) {
		char dir[128];

		snprintf(dir, sizeof(dir), "%s/handler-%d", work_dir, i);
		assert_int_equal(wait_for(start("leaves_in_a_handler", dir, nothing)), 3);
		recording_close(open_recording(dir));
	}
	close(nothing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_programs_do_what_they_do_without_us),
		cmocka_unit_test(killed_at_any_moment_a_recording_is_readable),
		cmocka_unit_test(a_handler_may_end_the_program_at_any_moment),
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

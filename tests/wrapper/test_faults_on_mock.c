/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One call fails, of libc or of the driver, one after the other until there is none left (with
 * sanitizers some of them, see fault_step.h): the application's results and answers stay as they
 * are without us, nothing is left behind, and the recording does not say that it has everything
 * when it has not.
 */
#include "cmocka_all.h"
#include "command_host.h"
#include "err.h"
#include "fault_points.h"
#include "fault_step.h"
#include "mock_driver.h"
#include "mock_host.h"
#include "mock_instrumenter.h"
#include "mock_objects.h"
#include "opencl_session.h"
#include "recording.h"
#include "remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE_SECONDS 60
/* So little that slices are undone and run again. */
#define BUFFER_BYTES 8192

/* Of LeakSanitizer, where it is. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[128], cache[128], scratch[128];

/* What an application saw. */
struct seen {
	const char *log;
	const int *results;
	size_t result_bytes;
	size_t launches; /* that it makes when no call of its own fails */
	bool gave_up;
};

/* An application with the calls as it reaches them. */
typedef void (*application)(const struct opencl_real *cl, struct seen *seen);

static void many_objects(const struct opencl_real *cl, struct seen *seen)
{
	static struct mock_host hosts[2];
	struct mock_host *h = &hosts[cl == mock_driver()];

	mock_host_run(h, cl, false);
	*seen = (struct seen){ h->log, h->results, sizeof(h->results), MOCK_HOST_LAUNCHES,
		               h->gave_up };
}

static void command_buffer(const struct opencl_real *cl, struct seen *seen)
{
	static const struct command_plan plan = { .queue = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
		                                           CL_QUEUE_PROFILING_ENABLE };
	static struct command_host hosts[2];
	struct command_host *h = &hosts[cl == mock_driver()];

	command_host_run(h, cl, &plan);
	*seen = (struct seen){ h->log, h->results, sizeof(h->results), COMMAND_HOST_LAUNCHES,
		               h->gave_up };
}

static struct seen native, recorded;

/* jansson's allocations fail too, but not while it reads: then version 2.14 calls abort() itself.
 */
static _Thread_local bool is_reading;

static void *allocate_for_jansson(size_t bytes)
{
	return is_reading ? mock_alloc(bytes) : malloc(bytes);
}

/* NOLINTBEGIN(bugprone-reserved-identifier) */
json_t *__real_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error);
json_t *__wrap_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error);

json_t *__wrap_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error)
{
	json_t *root;

	is_reading = true;
	root = __real_json_loadb(text, length, flags, error);
	is_reading = false;
	return root;
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* Descriptors that are open. */
static int open_files(void)
{
	int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* What a recording may say of itself: it is whole, or it knows that it is not; it is whole when
 * nothing has failed. */
static void check_recording(const char *dir, bool is_unharmed)
{
	struct recording *r = NULL;
	struct err err = { 0 };
	struct stat file;
	size_t traced = 0;
	char path[160];

	snprintf(path, sizeof(path), "%s/manifest.jsonl", dir);
	if (access(path, F_OK) < 0) {
		assert_false(is_unharmed);
		return;
	}
	if (recording_open(&r, dir, &err) < 0) {
		/* Only when not even the first line could be written. */
		if (stat(path, &file) < 0 || file.st_size)
			fail_msg("%s", err.msg);
		return;
	}
	for (size_t i = 0; i < r->launch_count; i++)
		traced += r->launches[i].fate == LAUNCH_TRACED;
	if (is_unharmed)
		assert_true(recording_is_complete(r, NULL));
	if (!recorded.gave_up && recording_is_complete(r, NULL))
		assert_int_equal(traced, recorded.launches);
	recording_close(r);
}

struct fault {
	size_t libc, driver; /* number of the call that fails; SIZE_MAX: none */
};

/* One run, from the beginning of a session to its end. */
static void run(application play, const struct fault *f)
{
	struct session *s;
	char dir[128];
	int files;

	snprintf(dir, sizeof(dir), "%s/recorded", work_dir);
	assert_int_equal(mkdir(scratch, 0777), 0);
	assert_int_equal(mkdir(cache, 0777), 0);
	mock_driver_reset();
	mock_driver_fail(f->driver);
	opencl_real_set(mock_driver());
	files = open_files();
	alarm(PATIENCE_SECONDS);
	fault_points_arm(f->libc);
	s = session_create(&opencl_part, dir, instrumenter, BUFFER_BYTES);
	play(mock_host_hooked(), &recorded);
	session_end();
	if (s)
		session_free(s);
	fault_points_disarm();
	alarm(0);
	assert_int_equal(mock_driver_misuses(), 0);
	assert_int_equal(open_files(), files);
	if (__lsan_do_recoverable_leak_check)
		assert_int_equal(__lsan_do_recoverable_leak_check(), 0);
	assert_int_equal(rmdir(scratch), 0); /* nothing is in it */
	check_recording(dir, !fault_points_failed() && !mock_driver_failed());
	if (access(dir, F_OK) == 0)
		remove_tree(dir);
	remove_tree(cache);
}

static bool is_as_native(void)
{
	return strcmp(recorded.log, native.log) == 0 &&
	       memcmp(recorded.results, native.results, native.result_bytes) == 0;
}

/* What the application does and sees by itself. */
static void run_natively(application play)
{
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	play(mock_driver(), &native);
}

static void fail_calls_of_libc(application play)
{
	struct fault f = { .driver = SIZE_MAX };

	run_natively(play);
	for (f.libc = 0; run(play, &f), fault_points_failed(); f.libc = fault_step_after(f.libc))
		if (!is_as_native() || mock_driver_alive())
			fail_msg("call %zu, %s: %d objects are left, the application saw\n%s",
			         f.libc, fault_points_failed(), mock_driver_alive(), recorded.log);
	print_message("up to call %zu\n", f.libc);
}

static void fail_calls_of_the_driver(application play)
{
	struct fault f = { .libc = SIZE_MAX };

	run_natively(play);
	for (f.driver = 0; run(play, &f), mock_driver_failed();
	     f.driver = fault_step_after(f.driver)) {
		const char *failed = mock_driver_failed();

		/* An object whose release fails is left, with us and without. */
		if (!strncmp(failed, "clRelease", 9))
			continue;
		if (mock_driver_alive())
			fail_msg("call %zu, %s: %d objects are left", f.driver, failed,
			         mock_driver_alive());
		if (!recorded.gave_up && !is_as_native())
			fail_msg("call %zu, %s: the application saw\n%s", f.driver, failed,
			         recorded.log);
	}
	print_message("up to call %zu\n", f.driver);
}

static void any_call_of_libc_may_fail_once(void **state)
{
	fail_calls_of_libc(many_objects);
}

static void any_call_of_the_driver_may_fail_once(void **state)
{
	fail_calls_of_the_driver(many_objects);
}

static void any_call_of_libc_may_fail_once_with_command_buffers(void **state)
{
	fail_calls_of_libc(command_buffer);
}

static void any_call_of_the_driver_may_fail_once_with_command_buffers(void **state)
{
	fail_calls_of_the_driver(command_buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_call_of_libc_may_fail_once),
		cmocka_unit_test(any_call_of_the_driver_may_fail_once),
		cmocka_unit_test(any_call_of_libc_may_fail_once_with_command_buffers),
		cmocka_unit_test(any_call_of_the_driver_may_fail_once_with_command_buffers),
	};
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	snprintf(cache, sizeof(cache), "%s/cache", work_dir);
	snprintf(scratch, sizeof(scratch), "%s/scratch", work_dir);
	setenv("WARPLINE_CACHE", cache, 1);
	setenv("TMPDIR", scratch, 1);
	mock_instrumenter_write(work_dir, instrumenter);
	json_set_alloc_funcs(allocate_for_jansson, free);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!failed)
		remove_tree(work_dir);
	return failed;
}

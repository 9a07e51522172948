/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "instrument_process.h"
#include "script_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char script[64], output[64], table[64];

static const char *spaces; /* to record, or NULL */
static uint64_t limit_ns;

/* Run a script in the place of the instrumenter; $2 is the output, $4 the table. */
static int run(const char *text, struct err *err)
{
	static const struct instrument_part parts[] = {
		{ .source = "in.cl", .source_name = "name.cl", .options = "-DX=1" },
		{ .source = "lib.bc", .source_name = "lib", .embedded = "E", .options = "-y -z" },
	};
	const struct instrument_request request = {
		.instrumenter = script,
		.limit_ns = limit_ns,
		.parts = parts,
		.part_count = 2,
		.output = output,
		.table = table,
		.headers = "h",
		.extensions = "ext",
		.cl_version = "1.2",
		.door = "text",
		.records = "raw",
		.layout = "lane",
		.mixes_items = "0",
		.wide_addresses = "0",
		.opt = "gpu",
		.spaces = spaces,
	};

	script_file_write(script, text);
	unlink(output);
	unlink(table);
	return instrument_process_run(&request, err);
}

static void each_ending_has_its_word(void **state)
{
	static const struct {
		const char *script;
		int rc;
		const char *message; /* part of it */
	} rows[] = {
		{ "touch $2 $4", 0, "" },
		{ "echo noise; touch $2 $4", 0, "" },
		{ "echo first >&2; echo second >&2; exit 1", ERR_SUBPROCESS, "first" },
		{ "echo told >&2; touch $2 $4; exit 3", ERR_SUBPROCESS, "told" },
		{ "exit 5", ERR_SUBPROCESS, "status 5" },
		{ "touch $2", ERR_SUBPROCESS, "status 0" },
		{ "kill -9 $$", ERR_SUBPROCESS, "status 137" },
		{ "yes | head -c 100000 >&2; exit 1", ERR_SUBPROCESS, "y" },
		/* What it is given, and what it must not inherit. */
		{ "test \"$1 $3\" = '--output --table' && shift 4 && test \"$*\" = '--headers h "
		  "--extensions ext --cl-version 1.2 --door text --records raw --layout lane "
		  "--mixes-items 0 --wide-addresses 0 --opt gpu "
		  "--source in.cl --source-name name.cl --options -DX=1 "
		  "--source lib.bc --source-name lib --embedded E --options -y -z' || exit 9; "
		  "exit 4",
		  ERR_SUBPROCESS, "status 4" },
		{ "test -z \"$LD_PRELOAD$OPENCL_LAYERS$WARPLINE_DIR\" && test \"$OTHER\" = kept && "
		  "exit 6",
		  ERR_SUBPROCESS, "status 6" },
		{ "read line && exit 9; exit 8", ERR_SUBPROCESS, "status 8" },
	};

	setenv("OPENCL_LAYERS", "x", 1);
	setenv("WARPLINE_DIR", "x", 1);
	setenv("OTHER", "kept", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };

		print_message("%s\n", rows[i].script);
		assert_int_equal(run(rows[i].script, &err), rows[i].rc);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("'%s' is not in '%s'", rows[i].message, err.msg);
		assert_null(strchr(err.msg, '\n'));
	}
}

static void spaces_are_asked_for_when_there_are_any(void **state)
{
	struct err err = { 0 };

	spaces = "local";
	assert_int_equal(run("case \"$*\" in *' --spaces local --source '*) exit 7; esac", &err),
	                 ERR_SUBPROCESS);
	spaces = NULL;
	assert_non_null(strstr(err.msg, "status 7"));
}

/* The kernel then reaps children by itself, and waitpid() says that there is none. */
static void an_application_may_ignore_its_children(void **state)
{
	struct err err = { 0 };

	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(run("touch $2 $4", &err), 0);
	assert_int_equal(run("echo reason >&2; exit 1", &err), ERR_SUBPROCESS);
	assert_string_equal(err.msg, "reason");
	signal(SIGCHLD, SIG_DFL);
}

static atomic_int signals;
static atomic_bool is_over;

static void count_signal(int number)
{
	(void)number;
	atomic_fetch_add(&signals, 1);
}

/* Like an application that waits for whatever child there is: how many it met. */
static void *wait_for_children(void *met)
{
	while (!atomic_load(&is_over)) {
		int status;

		if (waitpid(-1, &status, WNOHANG) >= 0 || errno != ECHILD)
			++*(int *)met;
		usleep(1000);
	}
	return NULL;
}

static void an_application_meets_no_child_of_ours(void **state)
{
	struct sigaction count = { .sa_handler = count_signal }, before;
	struct err err = { 0 };
	pthread_t thread;
	int met = 0;

	sigaction(SIGCHLD, &count, &before);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_children, &met), 0);
	assert_int_equal(run("sleep 0.2; touch $2 $4", &err), 0);
	assert_int_equal(run("sleep 0.2; exit 5", &err), ERR_SUBPROCESS);
	assert_non_null(strstr(err.msg, "status 5"));
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
	sigaction(SIGCHLD, &before, NULL);
	assert_int_equal(met, 0);
	assert_int_equal(signals, 0);
}

/* Whether no process of the number in a file is left, but for one that nobody has waited for. */
static bool is_gone(const char *name)
{
	char path[128], text[64] = "";
	FILE *file;
	int pid = 0;

	snprintf(path, sizeof(path), "%s/%s", work_dir, name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%d", &pid), 1);
	fclose(file);
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file && !fgets(text, sizeof(text), file))
		text[0] = '\0';
	if (file)
		fclose(file);
	return !file || strstr(text, ") Z");
}

/* Not at once: the kernel may take its time to end a process. */
static void assert_gone(const char *name)
{
	for (int i = 0; i < 5000 && !is_gone(name); i++)
		usleep(1000);
	assert_true(is_gone(name));
}

static void what_does_not_end_is_stopped_with_all_it_started(void **state)
{
	static const char *const rows[] = {
		"echo $$ >$(dirname $2)/pid; exec sleep 1000",
		/* A part of it, which holds the pipe. */
		"sleep 1000 & echo $! >$(dirname $2)/pid; wait",
		/* It does not end by itself when it is asked to, and closes what it writes to. */
		"trap '' TERM INT HUP; echo $$ >$(dirname $2)/pid; exec >&- 2>&-; sleep 1000",
		/* It says more than the pipe holds. */
		"echo $$ >$(dirname $2)/pid; exec yes",
	};

	char path[128];

	snprintf(path, sizeof(path), "%s/pid", work_dir);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("%s\n", rows[i]);
		unlink(path);
		/* Longer where the machine is too busy for it to begin in that time. */
		for (limit_ns = 100000000; access(path, F_OK); limit_ns *= 2) {
			struct err err = { 0 };

			assert_int_equal(run(rows[i], &err), ERR_LIMIT);
			assert_non_null(strstr(err.msg, " did not finish within "));
			assert_non_null(strstr(err.msg, "WARPLINE_INSTRUMENT_LIMIT"));
		}
		assert_gone("pid");
	}
	limit_ns = 0;
}

/* Nothing but its own end is waited for: this would take until the test's time is over. */
static void what_it_leaves_behind_delays_nothing(void **state)
{
	struct err err = { 0 };
	char path[128], pid[32] = "";
	FILE *file;

	assert_int_equal(
		run("sleep 1000 & echo $! >$(dirname $2)/left; echo why >&2; exit 1", &err),
		ERR_SUBPROCESS);
	assert_string_equal(err.msg, "why");
	assert_false(is_gone("left"));
	snprintf(path, sizeof(path), "%s/left", work_dir);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(pid, sizeof(pid), file));
	fclose(file);
	kill((pid_t)strtol(pid, NULL, 10), SIGKILL);
	assert_int_equal(run("sleep 0.1 & touch $2 $4", &err), 0);
}

/* The instrumenter goes with the application that waits for it. */
static void nothing_outlives_an_application_that_is_killed(void **state)
{
	char path[128];
	pid_t child;

	snprintf(path, sizeof(path), "%s/alone", work_dir);
	unlink(path);
	child = fork();
	if (!child) {
		struct err err = { 0 };

		run("echo $$ >$(dirname $2)/alone; exec sleep 1000", &err);
		_exit(0);
	}
	for (int i = 0; i < 10000 && access(path, F_OK); i++)
		usleep(1000);
	usleep(20000);
	assert_false(is_gone("alone"));
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_gone("alone");
}

static void a_missing_program_is_named(void **state)
{
	const struct instrument_request request = { .instrumenter = "/nowhere/at-all",
		                                    .output = output,
		                                    .table = table };
	struct err err = { 0 };

	assert_int_equal(instrument_process_run(&request, &err), ERR_SUBPROCESS);
	assert_non_null(strstr(err.msg, "/nowhere/at-all"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_ending_has_its_word),
		cmocka_unit_test(spaces_are_asked_for_when_there_are_any),
		cmocka_unit_test(an_application_may_ignore_its_children),
		cmocka_unit_test(an_application_meets_no_child_of_ours),
		cmocka_unit_test(what_does_not_end_is_stopped_with_all_it_started),
		cmocka_unit_test(what_it_leaves_behind_delays_nothing),
		cmocka_unit_test(nothing_outlives_an_application_that_is_killed),
		cmocka_unit_test(a_missing_program_is_named),
	};
	char command[64];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	snprintf(script, sizeof(script), "%s/script", work_dir);
	snprintf(output, sizeof(output), "%s/output", work_dir);
	snprintf(table, sizeof(table), "%s/table", work_dir);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf %s", work_dir);
	if (!failed && system(command) != 0)
		return 1;
	return failed;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "colour.h"
#include "interrupt.h"
#include "progress_line.h"

#include "cmocka_all.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

/* Time left = time gone * (total - done) / done: 10 s for a quarter leave 30 s. */
static void the_text_says_how_far_it_is_and_how_long_it_takes(void **state)
{
	static const struct {
		struct progress_line_state state;
		const char *text;
	} rows[] = {
		{ { "replay", "launch 0, mm", 25, 100, 10 * SECOND },
		  "warpline replay: launch 0, mm, 25%, 10 s, about 30 s left" },
		{ { "sweep", "", 1, 49, 3 * SECOND },
		  "warpline sweep: 2%, 3 s, about 2 min 24 s left" },
		{ { "sweep", "", 1, 51, 3 * SECOND },
		  "warpline sweep: 1%, 3 s, about 2 min 30 s left" },
		{ { "sweep", "", 1, 1000, 3 * SECOND }, "warpline sweep: 0%, 3 s" },
		{ { "bypass", "mm: 7 replays", 5, 0, 61 * SECOND },
		  "warpline bypass: mm: 7 replays, 1 min 1 s" },
		{ { "dump", "", 200, 100, 7200 * SECOND }, "warpline dump: 100%, 2 h 0 min" },
		{ { "dump", "a\033[2J", 0, 0, 2 * SECOND }, "warpline dump: a?[2J, 2 s" },
	};
	char text[PROGRESS_LINE_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(progress_line_text(text, &rows[i].state), rows[i].text);
}

/* No thread, no bytes. */
static void what_is_no_terminal_has_no_line(void **state)
{
	struct progress_line w;

	setenv("TERM", "xterm", 1);
	progress_line_begin(&w, "replay", 10, false);
	if (!isatty(STDERR_FILENO))
		assert_false(w.is_on);
	progress_line_what(&w, "launch %d", 1);
	progress_line_reach(&w, 10);
	progress_line_end(&w);
	progress_line_begin(&w, "replay", 10, true);
	assert_false(w.is_on);
	progress_line_end(&w);
}

static void colours_are_for_terminals_that_want_them(void **state)
{
	static const struct {
		const char *term, *no_color;
		enum colour_when when;
		bool is_terminal, is_on;
	} rows[] = {
		{ "xterm", NULL, COLOUR_AUTO, true, true },
		{ "xterm", "", COLOUR_AUTO, true, true },
		{ "xterm", "1", COLOUR_AUTO, true, false },
		{ "dumb", NULL, COLOUR_AUTO, true, false },
		{ "", NULL, COLOUR_AUTO, true, false },
		{ NULL, NULL, COLOUR_AUTO, true, false },
		{ "xterm", NULL, COLOUR_AUTO, false, false },
		{ "dumb", "1", COLOUR_ALWAYS, false, true },
		{ "xterm", NULL, COLOUR_NEVER, true, false },
	};
	int master, slave, file = open("/dev/null", O_WRONLY | O_CLOEXEC);

	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct colour c;

		rows[i].term ? setenv("TERM", rows[i].term, 1) : unsetenv("TERM");
		rows[i].no_color ? setenv("NO_COLOR", rows[i].no_color, 1) : unsetenv("NO_COLOR");
		c = colour_make(rows[i].when, rows[i].is_terminal ? slave : file);
		assert_int_equal(c.is_on, rows[i].is_on);
		assert_string_equal(colour_on(&c, COLOUR_HOT), c.is_on ? "\033[1;31m" : "");
		assert_string_equal(colour_off(&c), c.is_on ? "\033[0m" : "");
	}
	close(master);
	close(slave);
	close(file);
}

static void make_file(const char *folder, const char *name)
{
	char path[1024];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		_exit(9);
	close(fd);
}

/* In a child: keep a file and a folder, forget another file, and be ended. */
static _Noreturn void be_ended(const char *dir, int number)
{
	char half[256], whole[256], folder[256], inner[512];

	snprintf(half, sizeof(half), "%s/half", dir);
	snprintf(whole, sizeof(whole), "%s/whole", dir);
	snprintf(folder, sizeof(folder), "%s/folder", dir);
	snprintf(inner, sizeof(inner), "%s/sources", folder);
	signal(number, SIG_DFL); /* who started us may ignore it */
	interrupt_begin();
	make_file(dir, "half");
	make_file(dir, "whole");
	if (mkdir(folder, 0700) || mkdir(inner, 0700))
		_exit(9);
	for (int i = 0; i < 300; i++) { /* more than are listed at a time */
		char name[64];

		snprintf(name, sizeof(name), "a name that is not short %d", i);
		make_file(folder, name);
		make_file(inner, name);
	}
	interrupt_keep(half, INTERRUPT_FILE);
	interrupt_forget(interrupt_keep(whole, INTERRUPT_FILE));
	interrupt_keep(folder, INTERRUPT_DIR);
	raise(number);
	_exit(8);
}

static void what_is_half_made_is_gone_after_a_signal(void **state)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char dir[] = "/tmp/test_interrupt_XXXXXX", path[64];
		int status;
		pid_t child;

		assert_non_null(mkdtemp(dir));
		child = fork();
		if (!child)
			be_ended(dir, numbers[i]);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), numbers[i]);
		snprintf(path, sizeof(path), "%s/whole", dir);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(rmdir(dir), 0); /* nothing else is in it */
	}
}

/* nohup: who starts us may have a signal ignored. */
static void an_ignored_signal_stays_ignored(void **state)
{
	pid_t child = fork();
	int status;

	if (!child) {
		signal(SIGHUP, SIG_IGN);
		interrupt_begin();
		raise(SIGHUP);
		_exit(7);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

static void more_names_than_there_is_room_for_are_told(void **state)
{
	char *name = calloc(1, 5000);
	int kept[8];

	assert_non_null(name);
	memset(name, 'a', 4999);
	assert_int_equal(interrupt_keep(name, INTERRUPT_FILE), 0);
	for (int i = 0; i < 8; i++) {
		kept[i] = interrupt_keep("/nowhere/x", INTERRUPT_FILE);
		assert_int_equal(kept[i], i + 1);
	}
	assert_int_equal(interrupt_keep("/nowhere/x", INTERRUPT_FILE), 0);
	for (int i = 0; i < 8; i++)
		interrupt_forget(kept[i]);
	interrupt_forget(0);
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_says_how_far_it_is_and_how_long_it_takes),
		cmocka_unit_test(what_is_no_terminal_has_no_line),
		cmocka_unit_test(colours_are_for_terminals_that_want_them),
		cmocka_unit_test(what_is_half_made_is_gone_after_a_signal),
		cmocka_unit_test(an_ignored_signal_stays_ignored),
		cmocka_unit_test(more_names_than_there_is_room_for_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

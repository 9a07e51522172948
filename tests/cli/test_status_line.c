/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "record_progress.h"
#include "recording_watch.h"
#include "status_line.h"
#include "terminal.h"

#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 8, COLUMNS = 30, BYTES_LIMIT = 1 << 16 };

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* What a program writes: `steps` pieces, some of them lines, some wider than the terminal. */
static size_t piece(uint64_t *random, char text[64])
{
	size_t length = next(random) % 50;

	for (size_t i = 0; i < length; i++)
		text[i] = (char)('a' + next(random) % 26);
	if (next(random) % 3)
		text[length++] = '\n';
	return length;
}

/* What the child says at its end. It lives until it has its answer: when the leader of a session
 * ends, its terminal is hung up, and what was not read from it by then is lost. */
#define END '\004'

/* On the pseudo-terminal: a program's pieces, with the line shown in between. */
static _Noreturn void play(uint64_t seed, int steps, bool has_line, bool is_removed)
{
	struct status_line line;
	char text[64], shown[64];

	status_line_init(&line, STDOUT_FILENO, "xterm");
	for (int i = 0; i < steps; i++) {
		size_t length = piece(&seed, text);

		if (write(STDOUT_FILENO, text, length) != (ssize_t)length)
			_exit(1);
		snprintf(shown, sizeof(shown), "the line, number %d, which is long", i);
		if (has_line && i >= steps / 3)
			status_line_show(&line, shown);
	}
	if (is_removed)
		status_line_remove(&line);
	text[0] = END;
	_exit(write(STDOUT_FILENO, text, 1) != 1 || read(STDIN_FILENO, text, 1) != 1);
}

/* What comes out of the pseudo-terminal. */
static size_t run(uint64_t seed, int steps, bool has_line, bool is_removed, char *bytes)
{
	const struct winsize size = { ROWS, COLUMNS, 0, 0 };
	size_t length = 0;
	ssize_t got;
	int master, status;
	pid_t child = forkpty(&master, NULL, NULL, &size);

	if (!child)
		play(seed, steps, has_line, is_removed);
	assert_true(child > 0);
	while (length < BYTES_LIMIT && (!length || bytes[length - 1] != END) &&
	       (got = read(master, bytes + length, BYTES_LIMIT - length)) > 0)
		length += (size_t)got;
	assert_int_equal(write(master, "\n", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	close(master);
	assert_int_equal(status, 0);
	assert_true(length && bytes[length - 1] == END);
	return length - 1;
}

/* Above the line a terminal shows what one of a row less shows to the program alone; so it does
 * when the line is gone, and its row is empty then. */
static void a_program_s_text_is_as_without_the_line(void **state)
{
	char *bytes = malloc(BYTES_LIMIT);

	assert_non_null(bytes);
	for (uint64_t seed = 1; seed <= 60; seed++) {
		int steps = 3 + (int)(seed % 20);
		bool is_removed = seed % 2;
		struct terminal got, want;
		char last[64];

		terminal_init(&got, ROWS, COLUMNS);
		terminal_write(&got, bytes, run(seed * 977, steps, true, is_removed, bytes));
		terminal_init(&want, ROWS - 1, COLUMNS);
		terminal_write(&want, bytes, run(seed * 977, steps, false, false, bytes));
		for (int row = 0; row < ROWS - 1; row++)
			if (strcmp(got.cells[row], want.cells[row]) != 0)
				fail_msg("seed %d, row %d: '%s', expected '%s'", (int)seed, row,
				         got.cells[row], want.cells[row]);
		assert_memory_equal(&got.at, &want.at, sizeof(got.at));
		snprintf(last, sizeof(last), "the line, number %d, which is long", steps - 1);
		last[COLUMNS - 1] = ' ';
		last[COLUMNS] = '\0';
		if (is_removed)
			memset(last, ' ', COLUMNS);
		assert_string_equal(got.cells[ROWS - 1], last);
		assert_int_equal(got.bottom, is_removed ? ROWS - 1 : ROWS - 2);
	}
	free(bytes);
}

static void what_is_no_terminal_gets_nothing(void **state)
{
	char path[] = "/tmp/test_line_XXXXXX";
	struct status_line line;
	int fd = mkstemp(path), master, slave;

	assert_true(fd >= 0);
	status_line_init(&line, fd, "xterm");
	assert_false(line.is_possible);
	status_line_show(&line, "x");
	status_line_remove(&line);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	close(fd);
	unlink(path);
	/* A terminal that is not ours, and one that knows no commands. */
	assert_int_equal(openpty(&master, &slave, NULL, NULL, &(struct winsize){ 9, 99, 0, 0 }), 0);
	status_line_init(&line, slave, "dumb");
	assert_false(line.is_possible);
	status_line_init(&line, slave, NULL);
	assert_false(line.is_possible);
	status_line_init(&line, slave, "xterm");
	assert_true(line.is_possible);
	status_line_show(&line, "x");
	assert_int_equal(line.rows, 0);
	close(slave);
	close(master);
}

static void the_text_says_what_there_is(void **state)
{
	static const struct {
		struct record_progress_state state;
		const char *text;
	} rows[] = {
		{ { 0 }, "warpline: 0 of 0 launches, 0 accesses/s, 0 B" },
		{ { 1, 2, "vadd", 999, 1000, 1000000000 },
		  "warpline: 1 of 2 launches, vadd, 999 accesses/s, 1.00 kB" },
		{ { 12, 12, NULL, 24690000, 34567890, 2000000000 },
		  "warpline: 12 of 12 launches, 12.3 M accesses/s, 34.6 MB" },
		{ { 1, 1, "a\033[2J", 0, UINT64_MAX, 1 },
		  "warpline: 1 of 1 launches, a?[2J, 0 accesses/s, 18.4 EB" },
	};
	char text[RECORD_PROGRESS_TEXT_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(record_progress_text(text, &rows[i].state), rows[i].text);
}

static void append(FILE *file, const char *text)
{
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fflush(file), 0);
}

/* A manifest is followed while it grows, lines that are cut short included. */
static void a_recording_is_followed(void **state)
{
	char dir[] = "/tmp/test_watch_XXXXXX", path[64];
	struct recording_watch w;
	FILE *manifest;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/manifest.jsonl", dir);
	assert_int_equal(recording_watch_init(&w, dir), 0);
	assert_false(recording_watch_look(&w));
	manifest = fopen(path, "we");
	assert_non_null(manifest);
	append(manifest,
	       "{\"type\":\"recording\"}\n{\"type\":\"kernel\",\"table\":{\"name\":\"a\"}}\n"
	       "{\"type\":\"kernel\",\"ta");
	assert_true(recording_watch_look(&w));
	assert_int_equal(w.kernels.count, 1);
	assert_null(recording_watch_kernel(&w));
	append(manifest, "ble\":{\"name\":\"b\"}}\n{\"type\":\"launch\",\"id\":0,\"kernel\":1}\n"
	                 "{\"type\":\"launch\",\"id\":7,\"kernel\":0}\n");
	assert_true(recording_watch_look(&w));
	assert_int_equal(w.launches.count, 2);
	assert_string_equal(recording_watch_kernel(&w), "b");
	append(manifest, "{\"type\":\"fate\",\"launch\":7,\"fate\":\"unselected\"}\n");
	assert_true(recording_watch_look(&w));
	assert_string_equal(recording_watch_kernel(&w), "b");
	append(manifest, "{\"type\":\"fate\",\"launch\":0,\"fate\":\"traced\","
	                 "\"totals\":{\"accesses\":7,\"file_bytes\":90}}\n");
	assert_true(recording_watch_look(&w));
	assert_null(recording_watch_kernel(&w));
	assert_int_equal(w.done, 2);
	assert_int_equal(w.counted, 0);
	append(manifest, "{\"type\":\"tally\",\"id\":0,\"kernel\":0,\"count\":5}\n"
	                 "{\"type\":\"tally\",\"id\":1,\"kernel\":1,\"count\":1}\n"
	                 "{\"type\":\"tally\",\"id\":0,\"kernel\":0,\"count\":9}\n");
	assert_true(recording_watch_look(&w));
	assert_int_equal(w.counted, 10);
	assert_int_equal(w.accesses, 7);
	assert_int_equal(recording_watch_bytes(&w), 90);
	append(manifest, "{\"type\":\"launch\",\"id\":8,\"kernel\":2}\n");
	assert_false(recording_watch_look(&w));
	recording_watch_release(&w);
	fclose(manifest);
	unlink(path);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_s_text_is_as_without_the_line),
		cmocka_unit_test(what_is_no_terminal_gets_nothing),
		cmocka_unit_test(the_text_says_what_there_is),
		cmocka_unit_test(a_recording_is_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

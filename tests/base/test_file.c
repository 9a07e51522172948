/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "str.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/warpline-test-XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(dir); /* fails when a test left a file there */
}

static void what_is_written_is_read(void **state)
{
	static const size_t sizes[] = { 0, 1, 16383, 16384, 16385, 100000 };
	char *path = file_path(dir, "a", NULL), *bytes = calloc(100000, 1);

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct err err = { 0 };
		struct str text;

		for (size_t k = 0; k < sizes[i]; k++)
			bytes[k] = (char)(k * 7 >> 3);
		str_init(&text, sizes[i] + 2);
		assert_int_equal(str_append(&text, "<>", 2, &err), 0);
		assert_int_equal(file_write(path, bytes, sizes[i], &err), 0);
		assert_int_equal(file_read(path, &text, &err), 0);
		assert_int_equal(text.length, sizes[i] + 2);
		assert_memory_equal(text.text + 2, bytes, sizes[i]);
		assert_int_equal(text.text[text.length], '\0');
		str_release(&text);
	}
	remove(path);
	free(path);
	free(bytes);
}

static void a_file_above_the_limit_is_refused(void **state)
{
	char *path = file_path(dir, "a", NULL);
	struct err err = { 0 };
	struct str text;

	(void)state;
	str_init(&text, 4);
	assert_int_equal(file_write(path, "12345", 5, &err), 0);
	assert_int_equal(file_read(path, &text, &err), ERR_LIMIT);
	assert_non_null(strstr(err.msg, "/a: larger than the limit of 4 bytes"));
	str_release(&text);
	remove(path);
	free(path);
}

static void what_cannot_be_opened_is_named(void **state)
{
	static const char *const paths[] = { "/nonexistent/a", "/tmp" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct err read = { 0 }, write = { 0 };
		struct str text;

		str_init(&text, 100);
		assert_int_equal(file_read(paths[i], &text, &read), ERR_IO);
		assert_int_equal(file_write(paths[i], "x", 1, &write), ERR_IO);
		assert_int_equal(strncmp(read.msg, paths[i], strlen(paths[i])), 0);
		assert_int_equal(strncmp(write.msg, paths[i], strlen(paths[i])), 0);
		assert_int_equal(write.msg[strlen(paths[i])], ':');
		str_release(&text);
	}
}

/* The path is taken by a directory, so that renaming fails: the temporary file must go. */
static void a_failed_write_leaves_nothing_behind(void **state)
{
	char *inner = file_path(dir, "inner", NULL), *path = file_path(inner, "taken", NULL);
	struct err err = { 0 };

	(void)state;
	assert_int_equal(mkdir(inner, 0700), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(file_write(path, "x", 1, &err), ERR_IO);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(inner), 0); /* there is no other file in it */
	free(path);
	free(inner);
}

static void a_pipe_is_written_to_and_stays_a_pipe(void **state)
{
	char *path = file_path(dir, "pipe", NULL), got = 0;
	struct err err = { 0 };
	struct stat facts;
	int fd;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(file_write(path, "x", 1, &err), 0);
	assert_int_equal(lstat(path, &facts), 0);
	assert_true(S_ISFIFO(facts.st_mode));
	assert_int_equal(read(fd, &got, 1), 1);
	assert_int_equal(got, 'x');
	close(fd);
	assert_int_equal(unlink(path), 0);
	free(path);
}

/* The test would hang. */
static void what_is_no_file_is_refused_and_not_waited_for(void **state)
{
	char *fifo = file_path(dir, "fifo", NULL);
	const char *const rows[][2] = {
		{ fifo, "is a FIFO: expected a regular file" },
		{ "/dev/zero", "/dev/zero: is a device: expected a regular file" },
		{ "/", "is a folder" },
	};

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct str text;

		str_init(&text, 100);
		assert_int_equal(file_read(rows[i][0], &text, &err), ERR_IO);
		assert_non_null(strstr(err.msg, rows[i][1]));
		str_release(&text);
	}
	unlink(fifo);
	free(fifo);
}

/* As a shell's `<(command)` is: somebody holds the other end, so that waiting for it makes sense.
 */
static void a_pipe_that_the_process_has_is_read(void **state)
{
	char path[64];
	struct str text;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "abc", 3), 3);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	str_init(&text, 100);
	assert_int_equal(file_read(path, &text, NULL), 0);
	assert_string_equal(text.text, "abc");
	str_release(&text);
	close(ends[0]);
}

static const struct {
	const char *path;
	bool is_below;
} paths[] = {
	{ "a", true },     { "a/b", true }, { "...", true },     { ".a/..b", true },
	{ "", false },     { "/a", false }, { "a/", false },     { "a//b", false },
	{ ".", false },    { "..", false }, { "a/../b", false }, { "a/.", false },
	{ "../a", false },
};

static void a_path_below_a_folder_has_no_way_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct err err = { 0 };
		int fd = file_open_below(dir, paths[i].path, O_RDONLY, &err);

		assert_int_equal(file_is_below(paths[i].path), paths[i].is_below);
		assert_int_equal(fd, ERR_IO); /* there is nothing */
		assert_int_equal(strstr(err.msg, "is not below the folder") == NULL,
		                 paths[i].is_below);
	}
}

static void no_component_below_a_folder_may_be_a_link(void **state)
{
	static const char *const links[] = { "a", "a/b", "a/b/c" };
	char *inner = file_path(dir, "a/b", NULL), *file = file_path(dir, "a/b/c", NULL);
	char *outer = file_path(dir, "a", NULL), *moved = file_path(dir, "moved", NULL);

	(void)state;
	assert_int_equal(mkdir(outer, 0700) | mkdir(inner, 0700), 0);
	assert_int_equal(file_write(file, "x", 1, NULL), 0);
	for (size_t i = 0; i <= sizeof(links) / sizeof(links[0]); i++) {
		char *link = i ? file_path(dir, links[i - 1], NULL) : NULL;
		int fd;

		if (link)
			assert_int_equal(rename(link, moved) | symlink(moved, link), 0);
		fd = file_open_below(dir, "a/b/c", O_RDONLY, NULL);
		assert_int_equal(fd >= 0, link == NULL);
		if (fd >= 0) {
			assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
			close(fd);
		}
		if (link)
			assert_int_equal(unlink(link) | rename(moved, link), 0);
		free(link);
	}
	assert_int_equal(unlink(file) | rmdir(inner) | rmdir(outer), 0);
	free(inner);
	free(file);
	free(outer);
	free(moved);
}

/* Somebody else, who may write to the folder, has made links of the names that will be tried. */
static void a_temporary_file_is_a_new_one(void **state)
{
	char *path = file_path(dir, "a", NULL), *victim = file_path(dir, "victim", NULL), *trap;
	struct str text;

	(void)state;
	assert_int_equal(file_write(victim, "mine", 4, NULL), 0);
	trap = str_format(NULL, "%s.%ld.0.tmp", path, (long)gettid());
	assert_int_equal(symlink(victim, trap), 0);
	assert_int_equal(file_write(path, "new", 3, NULL), 0);
	str_init(&text, 100);
	assert_int_equal(file_read(victim, &text, NULL) | file_read(path, &text, NULL), 0);
	assert_string_equal(text.text, "minenew");
	str_release(&text);
	assert_int_equal(unlink(trap) | unlink(path) | unlink(victim), 0);
	free(trap);
	free(path);
	free(victim);
}

static void temporary_files_go_where_they_can(void **state)
{
	const struct {
		const char *given, *want;
	} rows[] = {
		{ dir, dir },
		{ NULL, "/tmp" },
		{ "", "/tmp" },
		{ "/nonexistent", "/tmp" },
		{ "/dev/null", "/tmp" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].given)
			setenv("TMPDIR", rows[i].given, 1);
		else
			unsetenv("TMPDIR");
		assert_string_equal(file_temporary_folder(), rows[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(a_file_above_the_limit_is_refused),
		cmocka_unit_test(what_cannot_be_opened_is_named),
		cmocka_unit_test(a_failed_write_leaves_nothing_behind),
		cmocka_unit_test(a_pipe_is_written_to_and_stays_a_pipe),
		cmocka_unit_test(what_is_no_file_is_refused_and_not_waited_for),
		cmocka_unit_test(a_pipe_that_the_process_has_is_read),
		cmocka_unit_test(a_path_below_a_folder_has_no_way_out),
		cmocka_unit_test(no_component_below_a_folder_may_be_a_link),
		cmocka_unit_test(a_temporary_file_is_a_new_one),
		cmocka_unit_test(temporary_files_go_where_they_can),
	};
	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

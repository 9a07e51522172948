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
		cmocka_unit_test(temporary_files_go_where_they_can),
	};
	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

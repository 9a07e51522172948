/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "interrupt.h"
#include "out_file.h"
#include "str.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/warpline-test-XXXXXX";
static char path[64], other[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/result", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	return 0;
}

/* Fails when a test left something there. */
static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static size_t count_files(void)
{
	DIR *handle = opendir(folder);
	size_t count = 0;

	assert_non_null(handle);
	for (const struct dirent *e; (e = readdir(handle));)
		count += e->d_name[0] != '.';
	closedir(handle);
	return count;
}

static void check_text(const char *file, const char *expected)
{
	struct str text;

	str_init(&text, 1000);
	assert_int_equal(file_read(file, &text, NULL), 0);
	assert_string_equal(text.text, expected);
	str_release(&text);
}

/* Write `text`; put it in its place if `ends`. */
static void write_out(const char *name, const char *text, bool ends)
{
	struct out_file f;

	assert_int_equal(out_file_open(&f, name, NULL), 0);
	fputs(text, f.stream);
	fflush(f.stream);
	if (ends)
		assert_int_equal(out_file_end(&f, NULL), 0);
	out_file_release(&f);
}

static void a_new_file_is_there_when_it_is_whole(void **state)
{
	struct stat facts;
	mode_t mask = umask(027);

	(void)state;
	write_out(path, "half", false);
	assert_int_equal(count_files(), 0);
	write_out(path, "whole", true);
	umask(mask);
	check_text(path, "whole");
	assert_int_equal(count_files(), 1);
	assert_int_equal(stat(path, &facts), 0);
	assert_int_equal(facts.st_mode & 0777, 0640);
	unlink(path);
}

static void an_older_file_stays_until_the_new_one_is_whole(void **state)
{
	struct stat facts;
	mode_t mask;

	(void)state;
	assert_int_equal(file_write(path, "older", 5, NULL), 0);
	assert_int_equal(chmod(path, 0622), 0);
	mask = umask(077);
	write_out(path, "half", false);
	check_text(path, "older");
	assert_int_equal(count_files(), 1);
	write_out(path, "whole", true);
	umask(mask);
	check_text(path, "whole");
	assert_int_equal(count_files(), 1);
	assert_int_equal(stat(path, &facts), 0);
	assert_int_equal(facts.st_mode & 0777, 0622);
	unlink(path);
}

static void a_link_goes_on_being_one(void **state)
{
	struct stat facts;

	(void)state;
	assert_int_equal(file_write(other, "older", 5, NULL), 0);
	assert_int_equal(symlink(other, path), 0);
	write_out(path, "whole", true);
	check_text(other, "whole");
	assert_int_equal(lstat(path, &facts), 0);
	assert_true(S_ISLNK(facts.st_mode));
	unlink(path);
	unlink(other);
}

static void pipes_and_devices_are_written_to(void **state)
{
	struct stat facts;
	char text[8] = "";
	int reader;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	write_out(path, "whole", true);
	assert_int_equal(read(reader, text, sizeof(text)), 5);
	assert_string_equal(text, "whole");
	close(reader);
	assert_int_equal(stat(path, &facts), 0);
	assert_true(S_ISFIFO(facts.st_mode));
	write_out("/dev/null", "whole", true);
	assert_int_equal(stat("/dev/null", &facts), 0);
	assert_true(S_ISCHR(facts.st_mode));
	assert_int_equal(count_files(), 1);
	unlink(path);
}

/* Standard output is a plain file here, which must not be replaced under its name. */
static void standard_output_goes_on_where_it_is(void **state)
{
	const char *const names[] = { "-", "/dev/stdout", path };
	int own = dup(STDOUT_FILENO), out;

	(void)state;
	fflush(stdout);
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(out >= 0);
	dup2(out, STDOUT_FILENO);
	close(out);
	for (size_t i = 0; i < 3; i++)
		write_out(names[i], "part ", true);
	fputs("end", stdout);
	fflush(stdout);
	dup2(own, STDOUT_FILENO);
	close(own);
	check_text(path, "part part part end");
	assert_int_equal(count_files(), 1);
	unlink(path);
}

/* The message of a file that cannot be opened or, once it is open, not be written. */
static void check_refused(const char *name, const char *message)
{
	struct out_file f;
	struct err err = { 0 };
	int ret = out_file_open(&f, name, &err);

	if (!ret) {
		fputs("text", f.stream);
		ret = out_file_end(&f, &err);
	}
	out_file_release(&f);
	assert_int_equal(ret, ERR_IO);
	assert_int_equal(strncmp(err.msg, name, strlen(name)), 0);
	assert_string_equal(err.msg + strlen(name), message);
}

static void what_cannot_be_written_is_said_with_its_name(void **state)
{
	char missing[80];

	(void)state;
	snprintf(missing, sizeof(missing), "%s/none/result", folder);
	check_refused(missing, ": its folder does not exist; create it first");
	check_refused(folder, ": Is a directory");
	check_refused("/dev/full", ": No space left on device");
	assert_int_equal(count_files(), 0);
}

/* What came to be at its place meanwhile cannot be replaced. */
static void nothing_is_left_beside_a_place_that_is_taken(void **state)
{
	struct out_file f;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(out_file_open(&f, path, NULL), 0);
	fputs("whole", f.stream);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(out_file_end(&f, &err), ERR_IO);
	out_file_release(&f);
	assert_non_null(strstr(err.msg, "/result: Is a directory"));
	assert_int_equal(count_files(), 1);
	assert_int_equal(rmdir(path), 0);
}

/* A signal before all is written: the old file stays, and nothing else is there. */
static void a_signal_leaves_what_was_there(void **state)
{
	char dir[] = "/tmp/test_out_signal_XXXXXX", name[64], text[8] = "";
	int status;
	FILE *file;
	pid_t child;

	assert_non_null(mkdtemp(dir));
	snprintf(name, sizeof(name), "%s/file", dir);
	file = fopen(name, "we");
	assert_non_null(file);
	assert_int_equal(fputs("old", file) < 0, 0);
	fclose(file);
	child = fork();
	if (!child) {
		struct out_file f;

		interrupt_begin();
		if (out_file_open(&f, name, NULL) || fputs("new", f.stream) < 0 || fflush(f.stream))
			_exit(9);
		raise(SIGTERM);
		_exit(8);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	file = fopen(name, "re");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "old");
	assert_int_equal(unlink(name), 0);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_file_is_there_when_it_is_whole),
		cmocka_unit_test(an_older_file_stays_until_the_new_one_is_whole),
		cmocka_unit_test(a_link_goes_on_being_one),
		cmocka_unit_test(pipes_and_devices_are_written_to),
		cmocka_unit_test(standard_output_goes_on_where_it_is),
		cmocka_unit_test(nothing_is_left_beside_a_place_that_is_taken),
		cmocka_unit_test(what_cannot_be_written_is_said_with_its_name),
		cmocka_unit_test(a_signal_leaves_what_was_there),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

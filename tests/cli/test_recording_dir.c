/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "recording_dir.h"
#include "recording_writer.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(work_dir) ? 0 : -1;
}

/* Fails when a test left something there. */
static int remove_directory(void **state)
{
	(void)state;
	return rmdir(work_dir);
}

/* A process that writes a recording until nobody holds the other end of a pipe any more. */
struct recorded {
	pid_t process;
	int until;
};

static void write_one(const char *dir, int made, int until)
{
	char program[] = "program", *command[] = { program, NULL }, byte = 0;
	struct recording_writer *w = NULL;

	if (recording_writer_create(&w, dir, "test", command, NULL) < 0)
		_exit(1);
	(void)!write(made, &byte, 1);
	(void)!read(until, &byte, 1);
	_exit(0);
}

static struct recorded begin_recorded(const char *dir)
{
	struct recorded r;
	int made[2], until[2];
	char byte;

	assert_int_equal(pipe(made), 0);
	assert_int_equal(pipe(until), 0);
	r.process = fork();
	if (!r.process) {
		close(until[1]);
		write_one(dir, made[1], until[0]);
	}
	close(made[1]);
	close(until[0]);
	assert_int_equal(read(made[0], &byte, 1), 1);
	close(made[0]);
	r.until = until[1];
	return r;
}

static void end_recorded(const struct recorded *r)
{
	close(r->until);
	assert_int_equal(waitpid(r->process, NULL, 0), r->process);
}

/* The recording stays where it is until its process has ended; then it moves. */
static void check_room(const char *first, const char *written)
{
	char *old = str_format(NULL, "%s.old", written);
	struct recorded r = begin_recorded(written);
	struct err err = { 0 };

	assert_int_equal(recording_dir_make_room(first, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "is being recorded there"));
	assert_int_equal(recording_dir_remove(written, NULL), ERR_USAGE);
	assert_true(recording_dir_is_recording(written));
	assert_false(recording_dir_is_recording(old));
	end_recorded(&r);
	assert_int_equal(recording_dir_make_room(first, NULL), 0);
	assert_false(recording_dir_is_recording(written));
	assert_true(recording_dir_is_recording(old));
	assert_int_equal(recording_dir_remove(old, NULL), 0);
	free(old);
}

static void what_a_running_program_records_is_neither_moved_nor_removed(void **state)
{
	char *dir = str_format(NULL, "%s/it", work_dir);

	(void)state;
	check_room(dir, dir);
	free(dir);
}

static void nor_is_what_its_children_record(void **state)
{
	char *dir = str_format(NULL, "%s/it", work_dir), *other = str_format(NULL, "%s.2", dir);
	char *old = str_format(NULL, "%s.old", dir);
	struct recorded finished = begin_recorded(dir);

	(void)state;
	end_recorded(&finished);
	check_room(dir, other);
	assert_int_equal(recording_dir_remove(old, NULL), 0);
	free(dir);
	free(other);
	free(old);
}

/* What lies behind links in a recording is not its own. */
static void nothing_outside_a_recording_is_removed(void **state)
{
	char *dir = str_format(NULL, "%s/it", work_dir),
	     *sources = str_format(NULL, "%s/sources", dir);
	char *others = str_format(NULL, "%s/others", work_dir);
	char *theirs = str_format(NULL, "%s/program-0000.cl", others);
	struct recorded finished = begin_recorded(dir);
	struct err err = { 0 };

	(void)state;
	end_recorded(&finished);
	assert_int_equal(rename(sources, others) | symlink(others, sources), 0);
	assert_int_equal(file_write(theirs, "x", 1, NULL), 0);
	assert_int_equal(recording_dir_remove(dir, &err), ERR_IO);
	assert_non_null(strstr(err.msg, "sources: a folder of this path is a symbolic link"));
	assert_int_equal(access(theirs, F_OK) | unlink(theirs) | unlink(sources), 0);
	assert_int_equal(rename(others, sources) | recording_dir_remove(dir, NULL), 0);
	free(dir);
	free(sources);
	free(others);
	free(theirs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_running_program_records_is_neither_moved_nor_removed),
		cmocka_unit_test(nor_is_what_its_children_record),
		cmocka_unit_test(nothing_outside_a_recording_is_removed),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "str.h"
#include "temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char dir[] = "/tmp/warpline-test-XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(dir) && !setenv("TMPDIR", dir, 1) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(dir); /* fails when a test left something there */
}

/* How many entries of the folder begin so. */
static int count(const char *prefix)
{
	DIR *stream = opendir(dir);
	const struct dirent *entry;
	int found = 0;

	assert_non_null(stream);
	while ((entry = readdir(stream)))
		found += entry->d_name[0] != '.' && !strncmp(entry->d_name, prefix, strlen(prefix));
	closedir(stream);
	return found;
}

static void put(const char *folder, const char *name)
{
	char *path = file_path(folder, name, NULL);

	assert_int_equal(file_write(path, "x", 1, NULL), 0);
	free(path);
}

/* As if it had been there for that long. */
static void be_older(const char *path, time_t seconds)
{
	const struct timespec when[2] = { { time(NULL) - seconds, 0 },
		                          { time(NULL) - seconds, 0 } };

	assert_int_equal(utimensat(AT_FDCWD, path, when, 0), 0);
}

static void it_goes_with_all_that_is_in_it(void **state)
{
	struct temporary folder, file, none = { NULL };
	char *inner;

	(void)state;
	assert_int_equal(temporary_make_folder(&folder, TEMPORARY_PROGRAM, NULL), 0);
	assert_int_equal(temporary_make_file(&file, TEMPORARY_SEEN, NULL), 0);
	assert_int_equal(count("warpline-seen-"), 1);
	assert_int_equal(count("warpline-"), 2);
	inner = file_path(folder.path, "in", NULL);
	assert_int_equal(mkdir(inner, 0700), 0);
	put(inner, "side");
	free(inner);
	temporary_remove(&folder);
	temporary_remove(&folder);
	temporary_remove(&file);
	temporary_remove(&none);
	assert_int_equal(count(""), 0);
}

static void what_cannot_be_made_is_named(void **state)
{
	struct temporary t;
	struct err err = { 0 };

	(void)state;
	/* Not a folder that can be written to: then it is /tmp, always. */
	setenv("TMPDIR", "/nonexistent", 1);
	assert_int_equal(temporary_make_file(&t, TEMPORARY_SEEN, &err), 0);
	assert_ptr_equal(strstr(t.path, "/tmp/warpline-seen-"), t.path);
	temporary_remove(&t);
	setenv("TMPDIR", dir, 1);
}

/* A process that makes one of each sort, and is killed. */
static void leave(const char *name)
{
	int ends[2];
	pid_t child;
	char ready;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		struct temporary t[TEMPORARY_SORTS];
		bool made = true;

		for (int i = 0; i < TEMPORARY_SORTS; i++)
			made = made && !(i == TEMPORARY_SEEN
			                         ? temporary_make_file(&t[i], TEMPORARY_SEEN, NULL)
			                         : temporary_make_folder(
							   &t[i], (enum temporary_sort)i, NULL));
		put(t[TEMPORARY_PROGRAM].path, name);
		for (int i = 0; i < TEMPORARY_SORTS; i++)
			be_older(t[i].path, 7200);
		/* Old, and yet not to be swept by anybody. */
		temporary_sweep();
		made = made && write(ends[1], "r", 1) == 1;
		for (;;)
			pause();
	}
	assert_int_equal(read(ends[0], &ready, 1), 1);
	temporary_sweep();
	assert_int_equal(count("warpline-"), TEMPORARY_SORTS);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(ends[0]);
	close(ends[1]);
}

static void what_killed_processes_left_is_swept(void **state)
{
	(void)state;
	leave("program-0.cl");
	temporary_sweep();
	assert_int_equal(count(""), 0);
}

static void what_is_young_stays(void **state)
{
	struct temporary t;
	char *path;

	(void)state;
	assert_int_equal(temporary_make_folder(&t, TEMPORARY_PROGRAM, NULL), 0);
	path = str_copy(t.path, NULL);
	/* Given up without being removed, as by a process that closes all files. */
	close(t.lock);
	t.lock = -1;
	temporary_sweep();
	assert_int_equal(count("warpline-"), 1);
	be_older(path, 3500);
	temporary_sweep();
	assert_int_equal(count("warpline-"), 1);
	be_older(path, 3700);
	temporary_sweep();
	assert_int_equal(count("warpline-"), 0);
	temporary_remove(&t);
	free(path);
}

static void what_the_user_keeps_and_what_is_not_ours_stays(void **state)
{
	static const char *const others[] = {
		"warpline-abc",         "warpline-abcdefg",      "warpline-seen-abcde",
		"warpline-other-abcde", "Warpline-abcdef",       "warpline-kept-abcdef",
		"warpline-a-cdef",      "warpline-nvcc-abcdefg",
	};
	struct temporary t;
	char *path;

	(void)state;
	assert_int_equal(temporary_make_folder(&t, TEMPORARY_PROGRAM, NULL), 0);
	put(t.path, "program-0.cl");
	be_older(t.path, 7200);
	temporary_keep(&t);
	assert_int_equal(count("warpline-kept-"), 1);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		put(dir, others[i]);
		path = file_path(dir, others[i], NULL);
		be_older(path, 7200);
		free(path);
	}
	temporary_sweep();
	assert_int_equal(count(""), 1 + sizeof(others) / sizeof(others[0]));
	path = str_format(NULL, "rm -rf %s/*arpline-*", dir);
	assert_int_equal(system(path), 0);
	free(path);
}

/* A link is not followed, nor what it leads to removed. */
static void a_link_is_not_followed(void **state)
{
	char *target = file_path(dir, "precious", NULL),
	     *link = file_path(dir, "warpline-abcdef", NULL);

	(void)state;
	assert_int_equal(mkdir(target, 0700), 0);
	put(target, "file");
	be_older(target, 7200);
	assert_int_equal(symlink(target, link), 0);
	temporary_sweep();
	assert_int_equal(count("precious"), 1);
	assert_int_equal(unlink(link), 0);
	free(link);
	link = file_path(target, "file", NULL);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(rmdir(target), 0);
	free(link);
	free(target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_goes_with_all_that_is_in_it),
		cmocka_unit_test(what_cannot_be_made_is_named),
		cmocka_unit_test(what_killed_processes_left_is_swept),
		cmocka_unit_test(what_is_young_stays),
		cmocka_unit_test(what_the_user_keeps_and_what_is_not_ours_stays),
		cmocka_unit_test(a_link_is_not_followed),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "own_file.h"
#include "str.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char path[64], other_path[64];

static void check_text(const char *name, const char *want)
{
	struct str text;

	str_init(&text, 4096);
	assert_int_equal(file_read(name, &text, NULL), 0);
	assert_string_equal(text.length ? text.text : "", want);
	str_release(&text);
}

static int set_up(void **state)
{
	(void)state;
	unlink(path);
	unlink(other_path);
	return 0;
}

static void what_others_open_under_our_number_stays_theirs(void **state)
{
	struct own_file f;
	int theirs;

	(void)state;
	assert_int_equal(own_file_create(&f, path, NULL), 0);
	assert_int_equal(own_file_write(&f, "a", 1, NULL), 0);
	theirs = open(other_path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(dup2(theirs, f.fd), f.fd);
	close(theirs);
	theirs = f.fd;
	assert_int_equal(own_file_write(&f, "b", 1, NULL), 0);
	assert_int_not_equal(f.fd, theirs);
	check_text(other_path, "");
	/* And back under the old number, which closing must leave open. */
	f.fd = theirs;
	assert_int_equal(own_file_close(&f, NULL), 0);
	assert_int_equal(write(theirs, "c", 1), 1);
	close(theirs);
	check_text(path, "ab");
	check_text(other_path, "c");
}

static void a_closed_descriptor_is_opened_again(void **state)
{
	struct own_file f;

	(void)state;
	assert_int_equal(own_file_create(&f, path, NULL), 0);
	close(f.fd);
	assert_int_equal(own_file_write(&f, "a", 1, NULL), 0);
	close(f.fd);
	assert_int_equal(own_file_rename(&f, other_path, NULL), 0);
	assert_int_equal(own_file_write(&f, "b", 1, NULL), 0);
	assert_int_equal(own_file_close(&f, NULL), 0);
	check_text(other_path, "ab");
	assert_int_equal(access(path, F_OK), -1);
}

static void numbers_that_programs_use_are_left_to_them(void **state)
{
	struct own_file f;
	int first = open("/dev/null", O_RDONLY), second;

	(void)state;
	close(first);
	assert_int_equal(own_file_create(&f, path, NULL), 0);
	second = open("/dev/null", O_RDONLY);
	assert_int_equal(second, first);
	close(second);
	own_file_close(&f, NULL);
}

static void another_file_of_the_name_is_not_written_to(void **state)
{
	struct own_file f;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(own_file_create(&f, path, NULL), 0);
	assert_int_equal(own_file_create(&(struct own_file){ 0 }, path, &err), ERR_IO);
	assert_string_equal(err.msg, "File exists");
	err = (struct err){ 0 };
	assert_int_equal(rename(path, other_path), 0);
	close(f.fd);
	assert_int_equal(file_write(path, "x", 1, NULL), 0);
	assert_int_equal(own_file_write(&f, "a", 1, &err), ERR_IO);
	assert_string_equal(err.msg, "another file has taken its place");
	assert_int_equal(own_file_close(&f, NULL), 0);
	check_text(path, "x");
}

/* Natively either would end the program. */
static void a_file_at_its_limit_raises_no_signal(void **state)
{
	const struct rlimit none = { 2, RLIM_INFINITY };
	struct rlimit before;
	struct own_file f;
	struct err err = { 0 };
	sigset_t pending;

	(void)state;
	assert_int_equal(own_file_create(&f, path, NULL), 0);
	signal(SIGXFSZ, SIG_DFL); /* who started us may ignore it */
	getrlimit(RLIMIT_FSIZE, &before);
	setrlimit(RLIMIT_FSIZE, &none);
	assert_int_equal(own_file_write(&f, "abc", 3, &err), ERR_IO);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_string_equal(err.msg, "File too large");
	sigpending(&pending);
	assert_int_equal(sigismember(&pending, SIGXFSZ), 0);
	own_file_close(&f, NULL);
	check_text(path, "ab");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_others_open_under_our_number_stays_theirs, set_up),
		cmocka_unit_test_setup(a_closed_descriptor_is_opened_again, set_up),
		cmocka_unit_test_setup(numbers_that_programs_use_are_left_to_them, set_up),
		cmocka_unit_test_setup(another_file_of_the_name_is_not_written_to, set_up),
		cmocka_unit_test_setup(a_file_at_its_limit_raises_no_signal, set_up),
	};
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	snprintf(path, sizeof(path), "%s/ours", work_dir);
	snprintf(other_path, sizeof(other_path), "%s/other", work_dir);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	unlink(other_path);
	rmdir(work_dir);
	return failed;
}

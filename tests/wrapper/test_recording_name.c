/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "recording_name.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void a_pattern_gives_a_name(void **state)
{
	char host[HOST_NAME_MAX + 1] = "", at_host[HOST_NAME_MAX + 8];
	const struct {
		const char *pattern;
		unsigned number;
		const char *name;
	} rows[] = {
		{ "/a/b", 1, "/a/b" },       { "/a/b", 2, "/a/b.2" },    { "/a/b/", 1, "/a/b/" },
		{ "/a/b//", 12, "/a/b.12" }, { "r-%n", 1, "r-1" },       { "r-%n", 30, "r-30" },
		{ "%n/%n.x", 4, "4/4.x" },   { "r%p", 1, "r4711" },      { "r%p", 3, "r4711.3" },
		{ "%p%%n", 1, "4711%n" },    { "%p%%n", 2, "4711%n.2" }, { "100%%", 1, "100%" },
		{ "%%%%", 1, "%%" },         { "r@%h", 1, at_host },     { "/", 2, "/.2" },
	};

	gethostname(host, sizeof(host) - 1);
	snprintf(at_host, sizeof(at_host), "r@%s", host);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		char *name;

		assert_int_equal(recording_name_check(rows[i].pattern, "-o", &err), 0);
		name = recording_name_make(rows[i].pattern, 4711, rows[i].number, &err);
		assert_non_null(name);
		assert_string_equal(name, rows[i].name);
		free(name);
	}
}

static void a_name_fits_its_pattern(void **state)
{
	static const struct {
		const char *pattern, *name;
		bool fits;
	} rows[] = {
		{ "/a/b", "/a/b", true },       { "/a/b", "/a/b.2", true },
		{ "/a/b/", "/a/b/", true },     { "/a/b//", "/a/b.12", true },
		{ "/a/b", "/a/b.", false },     { "/a/b", "/a/b.2x", false },
		{ "/a/b", "/a/b2", false },     { "/a/b", "/a", false },
		{ "/a/b", "/a/c", false },      { "/a/b/", "/a/b", false },
		{ "/a/b", "/a/b/../c", false }, { "/r%p", "/r4711", true },
		{ "/r%p", "/r4711.3", true },   { "/r%p", "/r", false },
		{ "/r%p", "/r4711/x", false },  { "/%n/%n.x", "/4/12.x", true },
		{ "/r@%h", "/r@host.x", true }, { "/r@%h/x", "/r@a/b/x", false },
		{ "/%p%p", "/12", true },       { "/%p%p", "/1", false },
		{ "/%%p", "/%p", true },        { "/%%p", "/1", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (recording_name_fits(rows[i].pattern, rows[i].name) != rows[i].fits)
			fail_msg("%s and %s", rows[i].pattern, rows[i].name);
}

static void other_letters_are_refused(void **state)
{
	static const struct {
		const char *pattern, *says;
	} rows[] = {
		{ "", "-o: the directory of a recording needs a name" },
		{ "a%", "-o: '%' is not one of" },
		{ "a\nb", "-o: a name of one line" },
		{ "a%x", "-o: '%x' is not one of" },
		{ "%%%", "-o: '%' is not one of" },
		{ "%n%d", "-o: '%d' is not one of" },
		{ "% p", "-o: '% ' is not one of" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };

		assert_int_equal(recording_name_check(rows[i].pattern, "-o", &err), ERR_USAGE);
		assert_non_null(strstr(err.msg, rows[i].says));
	}
}

static void letters_are_found_behind_a_percent_only(void **state)
{
	assert_true(recording_name_has("a%n", 'n'));
	assert_true(recording_name_has("%%%n", 'n'));
	assert_false(recording_name_has("n%%n", 'n'));
	assert_false(recording_name_has("%p", 'n'));
}

static void an_escaped_text_is_its_own_name(void **state)
{
	static const char *const texts[] = { "/a", "/a%b", "%%", "/x%n%p%h", "a%%%" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct err err = { 0 };
		char *pattern = recording_name_escape(texts[i], &err), *name;

		assert_non_null(pattern);
		assert_int_equal(recording_name_check(pattern, "-o", &err), 0);
		name = recording_name_make(pattern, 1, 1, &err);
		assert_string_equal(name, texts[i]);
		free(pattern);
		free(name);
	}
}

static void a_name_that_is_too_long_is_refused(void **state)
{
	struct err err = { 0 };
	char *pattern = malloc(PATH_MAX + 1);

	assert_non_null(pattern);
	memset(pattern, 'a', PATH_MAX);
	pattern[PATH_MAX] = '\0';
	assert_null(recording_name_make(pattern, 1, 1, &err));
	assert_int_equal(err.code, ERR_LIMIT);
	free(pattern);
}

/* What is told is read in its order, each line once; odd lines are passed over. */
static void a_list_of_what_was_seen_comes_back(void **state)
{
	char path[] = "/tmp/test_seen_XXXXXX";
	static const char odd[] = "recording\nnonsense x\n recording y\nrecording /tmp/other\n"
				  "failure \033[2J\nrecording /cut/sho";
	struct seen_list list = { 0 };
	struct err err = { 0 };
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	seen_list_add(path, SEEN_RECORDING, "/a b/1");
	seen_list_add(path, SEEN_NO_DEVICE, "GPU");
	seen_list_add(path, SEEN_RECORDING, "/two\nlines");
	seen_list_add(path, SEEN_RECORDING, "/a b/2");
	seen_list_add(path, SEEN_NO_DEVICE, "GPU");
	seen_list_add(NULL, SEEN_RECORDING, "/nobody");
	seen_list_add("/nonexistent/file", SEEN_RECORDING, "/nobody");
	assert_int_equal(lseek(fd, 0, SEEK_END), 17 + 14 + 17 + 14);
	assert_int_equal(write(fd, odd, sizeof(odd) - 1), sizeof(odd) - 1);
	close(fd);
	assert_int_equal(seen_list_read(&list, path, "/a b/%p", &err), 0);
	assert_int_equal(list.lines.count, 4);
	assert_string_equal(seen_list_text(&list, SEEN_RECORDING, 0), "/a b/1");
	assert_string_equal(seen_list_text(&list, SEEN_RECORDING, 1), "/a b/2");
	/* Written by anybody, and no harm to a terminal. */
	assert_null(strchr(seen_list_text(&list, SEEN_FAILURE, 0), '\033'));
	assert_null(seen_list_text(&list, SEEN_RECORDING, 2));
	assert_string_equal(seen_list_text(&list, SEEN_NO_DEVICE, 0), "GPU");
	seen_list_release(&list);
	unlink(path);
	assert_int_equal(seen_list_read(&list, path, "/a", &err), ERR_IO);
	seen_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_gives_a_name),
		cmocka_unit_test(a_name_fits_its_pattern),
		cmocka_unit_test(other_letters_are_refused),
		cmocka_unit_test(letters_are_found_behind_a_percent_only),
		cmocka_unit_test(an_escaped_text_is_its_own_name),
		cmocka_unit_test(a_name_that_is_too_long_is_refused),
		cmocka_unit_test(a_list_of_what_was_seen_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "macro_store.h"

#include "cmocka_all.h"
#include "file.h"
#include "str.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[] = "/tmp/warpline-test-XXXXXX";

static void check(struct macro_store *s, const char *key, const char *answers)
{
	char *found = macro_store_find(s, dir, key);

	assert_string_equal(found, answers);
	free(found);
}

/* What a store that begins with the folder knows. */
static void check_kept(const char *key, const char *answers)
{
	struct macro_store s;

	macro_store_init(&s);
	check(&s, key, answers);
	macro_store_release(&s);
}

static void keep(const char *cache, const char *key, const char *answers)
{
	struct macro_store s;

	macro_store_init(&s);
	macro_store_add(&s, cache, key, answers);
	macro_store_release(&s);
}

/* The only entry, on the heap. */
static char *entry_path(void)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	char *path = NULL;

	while ((entry = readdir(stream)))
		if (strstr(entry->d_name, ".wlcache"))
			path = file_path(dir, entry->d_name, NULL);
	closedir(stream);
	assert_non_null(path);
	return path;
}

static void answers_are_found_by_their_key(void **state)
{
	struct macro_store s;

	macro_store_init(&s);
	check(&s, "a", "");
	macro_store_add(&s, dir, "a", "x 1\n");
	macro_store_add(&s, dir, "a", "y 2\n");
	macro_store_add(&s, dir, "a\n", "z 3\n");
	check(&s, "a", "x 1\ny 2\n");
	check(&s, "a\n", "z 3\n");
	check(&s, "b", "");
	macro_store_release(&s);
	check_kept("a", "x 1\ny 2\n");
	check_kept("a\n", "z 3\n");
	check_kept("b", "");
}

static void without_a_folder_nothing_is_kept(void **state)
{
	struct macro_store s;

	keep("off", "c", "x 1\n");
	check_kept("c", "");
	macro_store_init(&s);
	macro_store_add(&s, "/nonexistent/folder", "c", "x 1\n");
	check(&s, "c", "x 1\n");
	macro_store_release(&s);
}

/* Every flipped byte, and every end. */
static void a_damaged_entry_counts_as_none(void **state)
{
	struct str whole;
	char *path;

	keep(dir, "key", "x 1\n");
	path = entry_path();
	str_init(&whole, 1 << 12);
	assert_int_equal(file_read(path, &whole, NULL), 0);
	for (size_t i = 0; i < whole.length; i++) {
		whole.text[i] ^= 1;
		assert_int_equal(file_write(path, whole.text, whole.length, NULL), 0);
		check_kept("key", "");
		whole.text[i] ^= 1;
		assert_int_equal(file_write(path, whole.text, i, NULL), 0);
		check_kept("key", "");
	}
	assert_int_equal(file_write(path, whole.text, whole.length, NULL), 0);
	check_kept("key", "x 1\n");
	str_release(&whole);
	free(path);
}

static int make_folder(void **state)
{
	memcpy(dir + strlen(dir) - 6, "XXXXXX", 6);
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char text[128];

	snprintf(text, sizeof(text), "rm -rf %s", dir);
	return system(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(answers_are_found_by_their_key, make_folder,
		                                remove_folder),
		cmocka_unit_test_setup_teardown(without_a_folder_nothing_is_kept, make_folder,
		                                remove_folder),
		cmocka_unit_test_setup_teardown(a_damaged_entry_counts_as_none, make_folder,
		                                remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

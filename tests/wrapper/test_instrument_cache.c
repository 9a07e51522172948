/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "instrument_cache.h"

#include "file.h"
#include "str.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT (1u << 20)

/* A folder of its own with the files of a run in it. */
struct bench {
	char dir[64];
	char *output, *table, *headers, *header, *cuda_table;
	struct cache_files files;
};

static void put(const char *path, const char *text)
{
	assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
}

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	snprintf(b->dir, sizeof(b->dir), "/tmp/warpline-test-XXXXXX");
	assert_non_null(mkdtemp(b->dir));
	b->output = file_path(b->dir, "output", NULL);
	b->table = file_path(b->dir, "table", NULL);
	b->headers = file_path(b->dir, "headers", NULL);
	b->header = file_path(b->dir, "two.h", NULL);
	b->cuda_table = file_path(b->dir, "cuda", NULL);
	b->files = (struct cache_files){ b->output, b->table, b->headers, NULL, NULL };
	put(b->output, "the code");
	put(b->table, "the table");
	put(b->headers, "");
	put(b->header, "#define TWO 2");
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;
	DIR *dir = opendir(b->dir);
	struct dirent *next;

	while ((next = readdir(dir)))
		(void)unlinkat(dirfd(dir), next->d_name, 0);
	closedir(dir);
	rmdir(b->dir);
	free(b->output);
	free(b->table);
	free(b->headers);
	free(b->header);
	free(b->cuda_table);
	free(b);
	return 0;
}

static struct cache_key key_of(const char *text)
{
	return instrument_cache_key(&(struct cache_part){ text, strlen(text) }, 1);
}

/* Forget the files, look for the entry; whether it came back with the texts that set_up() wrote. */
static bool comes_back(const struct bench *b, struct cache_key key)
{
	struct str output, table;
	bool is_found;

	unlink(b->output);
	unlink(b->table);
	is_found = instrument_cache_find(b->dir, key, &b->files);
	if (!is_found)
		return false;
	str_init(&output, LIMIT);
	str_init(&table, LIMIT);
	assert_int_equal(file_read(b->output, &output, NULL), 0);
	assert_int_equal(file_read(b->table, &table, NULL), 0);
	assert_string_equal(output.text, "the code");
	assert_string_equal(table.text, "the table");
	str_release(&output);
	str_release(&table);
	return true;
}

static void an_entry_comes_back_under_its_key_only(void **state)
{
	struct bench *b = *state;

	instrument_cache_keep(b->dir, key_of("a"), &b->files, LIMIT);
	assert_true(comes_back(b, key_of("a")));
	assert_false(comes_back(b, key_of("b")));
}

static void the_table_of_cuda_kernels_comes_back_where_there_is_one(void **state)
{
	struct bench *b = *state;
	struct str text;

	b->files.cuda_table = b->cuda_table;
	put(b->cuda_table, "the kernels");
	instrument_cache_keep(b->dir, key_of("a"), &b->files, LIMIT);
	unlink(b->cuda_table);
	assert_true(comes_back(b, key_of("a")));
	str_init(&text, LIMIT);
	assert_int_equal(file_read(b->cuda_table, &text, NULL), 0);
	assert_string_equal(text.text, "the kernels");
	str_release(&text);
}

/* The names that a device is to be asked about; an instrumenter that has none may leave the file
 * out. */
static void names_come_back_where_there_are_some(void **state)
{
	struct bench *b = *state;
	struct str text;

	b->files.names = b->cuda_table;
	instrument_cache_keep(b->dir, key_of("a"), &b->files, LIMIT);
	assert_true(comes_back(b, key_of("a")));
	str_init(&text, LIMIT);
	assert_int_equal(file_read(b->files.names, &text, NULL), 0);
	assert_int_equal(text.length, 0);
	put(b->files.names, "a\nb\n");
	instrument_cache_keep(b->dir, key_of("b"), &b->files, LIMIT);
	unlink(b->files.names);
	assert_true(comes_back(b, key_of("b")));
	assert_int_equal(file_read(b->files.names, &text, NULL), 0);
	assert_string_equal(text.text, "a\nb\n");
	str_release(&text);
}

static void parts_are_told_apart(void **state)
{
	const struct cache_part one[] = { { "ab", 2 }, { "c", 1 } };
	const struct cache_part two[] = { { "a", 1 }, { "bc", 2 } };
	struct cache_key a = instrument_cache_key(one, 2), b = instrument_cache_key(two, 2);

	(void)state;
	assert_false(a.high == b.high && a.low == b.low);
}

static void a_changed_header_ends_an_entry(void **state)
{
	struct bench *b = *state;
	char *list = str_format(NULL, "%s\n", b->header);

	put(b->headers, list);
	instrument_cache_keep(b->dir, key_of("a"), &b->files, LIMIT);
	assert_true(comes_back(b, key_of("a")));
	put(b->header, "#define TWO 3");
	assert_false(comes_back(b, key_of("a")));
	put(b->header, "#define TWO 2");
	assert_true(comes_back(b, key_of("a")));
	unlink(b->header);
	assert_false(comes_back(b, key_of("a")));
	free(list);
}

static void without_a_list_of_headers_nothing_is_kept(void **state)
{
	struct bench *b = *state;

	unlink(b->headers);
	instrument_cache_keep(b->dir, key_of("a"), &b->files, LIMIT);
	assert_false(comes_back(b, key_of("a")));
}

/* The one entry of the folder. */
static char *entry_of(const struct bench *b)
{
	DIR *dir = opendir(b->dir);
	struct dirent *next;
	char *path = NULL;

	while ((next = readdir(dir)))
		if (strstr(next->d_name, ".wlcache") && !path)
			path = file_path(b->dir, next->d_name, NULL);
	closedir(dir);
	assert_non_null(path);
	return path;
}

static void no_damaged_entry_comes_back(void **state)
{
	struct bench *b = *state;
	struct str whole;
	char *path;

	instrument_cache_keep(b->dir, key_of("a"), &b->files, LIMIT);
	path = entry_of(b);
	str_init(&whole, LIMIT);
	assert_int_equal(file_read(path, &whole, NULL), 0);
	for (size_t i = 0; i < whole.length; i++) {
		whole.text[i] ^= 0x20;
		assert_int_equal(file_write(path, whole.text, whole.length, NULL), 0);
		assert_false(comes_back(b, key_of("a")));
		whole.text[i] ^= 0x20;
		assert_int_equal(file_write(path, whole.text, i, NULL), 0);
		assert_false(comes_back(b, key_of("a")));
	}
	assert_int_equal(file_write(path, whole.text, whole.length, NULL), 0);
	assert_true(comes_back(b, key_of("a")));
	str_release(&whole);
	free(path);
}

/* Give the entry of `key` a time of last use. */
static void use_at(const struct bench *b, struct cache_key key, time_t seconds)
{
	struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
	char *path = str_format(NULL, "%s/%016llx%016llx.wlcache", b->dir,
	                        (unsigned long long)key.high, (unsigned long long)key.low);

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	free(path);
}

static void the_entries_not_used_for_longest_go_first(void **state)
{
	static const char *const names[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };
	struct bench *b = *state;
	struct stat st;
	char *path;

	instrument_cache_keep(b->dir, key_of("0"), &b->files, LIMIT);
	path = entry_of(b);
	assert_int_equal(stat(path, &st), 0);
	free(path);
	for (int i = 1; i < 10; i++)
		instrument_cache_keep(b->dir, key_of(names[i]), &b->files, LIMIT);
	/* 3 and 7 are the oldest; the others were used in the order of their names. */
	for (int i = 0; i < 10; i++)
		use_at(b, key_of(names[i]), i == 3 || i == 7 ? i : 100 + i);
	/* One more: 11 entries. Room for ten, so down to eight: 3, 7 and 0 go. */
	instrument_cache_keep(b->dir, key_of("x"), &b->files, 10 * (uint64_t)st.st_size);
	for (int i = 0; i < 10; i++)
		assert_int_equal(comes_back(b, key_of(names[i])), i != 3 && i != 7 && i != 0);
}

static void an_entry_larger_than_the_cache_is_not_kept(void **state)
{
	struct bench *b = *state;

	instrument_cache_keep(b->dir, key_of("a"), &b->files, 40);
	assert_false(comes_back(b, key_of("a")));
}

static void *keep_often(void *data)
{
	const struct bench *b = data;

	for (int i = 0; i < 200; i++)
		instrument_cache_keep(b->dir, key_of("a"), &b->files, LIMIT);
	return NULL;
}

static void writers_at_once_leave_a_whole_entry(void **state)
{
	struct bench *b = *state;
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, keep_often, b), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_true(comes_back(b, key_of("a")));
}

static void the_folder_is_made_where_the_user_wants_it(void **state)
{
	struct bench *b = *state;
	char *base = file_path(b->dir, "c", NULL), *want = file_path(base, "warpline", NULL), *dir;

	setenv("XDG_CACHE_HOME", base, 1);
	dir = instrument_cache_dir();
	assert_string_equal(dir, want);
	assert_int_equal(rmdir(want), 0);
	assert_int_equal(rmdir(base), 0);
	unsetenv("XDG_CACHE_HOME");
	free(base);
	free(want);
	free(dir);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(an_entry_comes_back_under_its_key_only),
		TEST(the_table_of_cuda_kernels_comes_back_where_there_is_one),
		TEST(names_come_back_where_there_are_some),
		TEST(parts_are_told_apart),
		TEST(a_changed_header_ends_an_entry),
		TEST(without_a_list_of_headers_nothing_is_kept),
		TEST(no_damaged_entry_comes_back),
		TEST(the_entries_not_used_for_longest_go_first),
		TEST(an_entry_larger_than_the_cache_is_not_kept),
		TEST(writers_at_once_leave_a_whole_entry),
		TEST(the_folder_is_made_where_the_user_wants_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

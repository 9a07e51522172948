/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "trace_scratch.h"
#include "trace_source.h"

#include <string.h>

/* The same reads, with the same results, from a file and from memory. */
static void check_reads(struct trace_source *s, const char *name)
{
	static const struct {
		uint64_t offset;
		size_t length;
		const char *expected; /* NULL: past the end */
	} rows[] = {
		{ 0, 10, "0123456789" }, { 3, 4, "3456" },        { 9, 1, "9" },
		{ 10, 0, "" },           { 10, 1, NULL },         { 9, 2, NULL },
		{ 0, 11, NULL },         { UINT64_MAX, 1, NULL }, { UINT64_MAX, 0, NULL },
		{ 1, SIZE_MAX, NULL },
	};

	assert_int_equal(trace_source_length(s), 10);
	assert_string_equal(trace_source_name(s), name);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char bytes[16] = { 0 };
		struct err err = { 0 };
		int ret = trace_source_read(s, rows[i].offset, bytes, rows[i].length, &err);

		assert_int_equal(ret, rows[i].expected ? 0 : ERR_FORMAT);
		if (rows[i].expected)
			assert_string_equal(bytes, rows[i].expected);
		else
			assert_non_null(strstr(err.msg, ": truncated: expected"));
	}
}

static void files_and_memory_read_alike(void **state)
{
	struct trace_source *s = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };
	const char *path;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "bytes");
	assert_int_equal(file_write(path, "0123456789", 10, &err), 0);
	assert_int_equal(trace_source_open(&s, path, &err), 0);
	check_reads(s, path);
	trace_source_close(s);
	assert_int_equal(trace_source_memory(&s, "memory", "0123456789", 10, &err), 0);
	check_reads(s, "memory");
	trace_source_close(s);
	trace_source_close(NULL);
	scratch_remove(&dir);
}

static void what_is_no_file_is_an_input_error(void **state)
{
	static const char *const paths[] = { "/nonexistent/file", "/tmp", "/dev/null" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct trace_source *s = NULL;
		struct err err = { 0 };

		assert_int_equal(trace_source_open(&s, paths[i], &err), ERR_IO);
		assert_non_null(strstr(err.msg, paths[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_and_memory_read_alike),
		cmocka_unit_test(what_is_no_file_is_an_input_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

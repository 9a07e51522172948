/* SPDX-License-Identifier: Apache-2.0 */
/* The source of a program that a recording has none of, as of CUDA's: the file that its sites name.
 */
#include "source_text.h"

#include "err.h"
#include "file.h"
#include "recording.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char inside[64], recording_dir[64];

static const char kept_text[] = "first\n\tsecond line \nthird";

static int make_files(void **state)
{
	char kept[64];

	(void)state;
	if (!mkdtemp(work_dir))
		return -1;
	snprintf(inside, sizeof(inside), "%s/kernel.cu", work_dir);
	snprintf(kept, sizeof(kept), "%s/kept.cu", work_dir);
	snprintf(recording_dir, sizeof(recording_dir), "%s", work_dir);
	return file_write(inside, kept_text, strlen(kept_text), NULL) ||
	       file_write(kept, kept_text, strlen(kept_text), NULL);
}

static int remove_files(void **state)
{
	char kept[64];

	(void)state;
	snprintf(kept, sizeof(kept), "%s/kept.cu", work_dir);
	return unlink(inside) || unlink(kept) || rmdir(work_dir);
}

/* Line 2 of the file that the only site names, of a program that keeps one. NULL: there is none. */
static const char *second_line(char *file, char *kept, char *name, char copy[32])
{
	struct site site = { .place = { .file = file, .line = 2 } };
	struct recorded_program program = { .source_file = kept, .source_name = name };
	struct recorded_kernel kernel = { .table = { .sites = &site, .site_count = 1 } };
	struct recording r = { .dir = recording_dir,
		               .programs = &program,
		               .program_count = 1,
		               .kernels = &kernel,
		               .kernel_count = 1 };
	struct source_text s;
	char *line;

	source_text_load(&s, &r, 0);
	line = source_text_copy(&s, &site.place, 32);
	if (line)
		snprintf(copy, 32, "%s", line);
	source_text_release(&s);
	free(line);
	return line ? copy : NULL;
}

static void what_is_kept_is_shown_by_the_name_that_sites_have(void **state)
{
	char file[] = "/home/they/kernel.cu", kept[] = "kept.cu", own[] = "kernel.cu", copy[32];

	assert_string_equal(second_line(file, kept, file, copy), "second line");
	assert_string_equal(second_line(own, own, NULL, copy), "second line");
	assert_null(second_line(file, kept, NULL, copy)); /* a site of another file */
}

/* Neither where the site says nor beside the recording. */
static void no_other_file_is_shown(void **state)
{
	char beside[] = "kernel.cu", copy[32];

	assert_null(second_line(inside, NULL, NULL, copy));
	assert_null(second_line(beside, NULL, NULL, copy));
}

static void a_file_that_is_gone_is_no_text(void **state)
{
	char file[] = "kernel.cu", gone[] = "gone.cu", copy[32];

	assert_null(second_line(file, gone, file, copy));
	assert_null(second_line(inside, gone, inside, copy));
}

/* The text that a place of a source shows; "-": none. */
static void a_place_shows_the_line_that_the_compiler_means(void **state)
{
	static const struct {
		const char *text, *file;
		uint32_t line;
		const char *shown;
	} rows[] = {
		{ "", "k.cl", 1, "-" },
		{ "\n", "k.cl", 1, "" },
		{ "\n", "k.cl", 2, "-" },
		{ "\nsecond", "k.cl", 1, "" },
		{ "\nsecond", "k.cl", 2, "second" },
		{ "\n\n\n", "k.cl", 3, "" },
		{ "first", "k.cl", 1, "first" },
		{ "first", "k.cl", 2, "-" },
		{ "first", "k.cl", 0, "-" },
		{ "first", "k.cl", UINT32_MAX, "-" },
		{ "first\n second\t\n", "k.cl", 2, "second" },
		{ "first\r\nsecond\r\n", "k.cl", 2, "second" },
		{ "first\rsecond\rthird", "k.cl", 3, "third" },
		{ "a\tb\n", "k.cl", 1, "a b" },
		{ "first", "other.cl", 1, "-" },
		{ "first", "/some/where/k.cl", 1, "first" },
		{ "#line 10\nten\neleven", "k.cl", 11, "eleven" },
		{ "#line 10\nten\neleven", "k.cl", 2, "-" },
		{ "#line 10\nten\neleven", "k.cl", 1, "#line 10" },
		{ " # 7 \"in.h\" 1\nseven\n# 2 \"k.cl\"\ntwo", "x/in.h", 7, "seven" },
		{ "# 7 \"in.h\" 1\nseven\n# 2 \"k.cl\"\ntwo", "k.cl", 2, "two" },
		{ "#line 7 \"a\\\"b\"\nseven", "a\"b", 7, "seven" },
		{ "#line 7 \"in.h\"\nx\n#line 20\ntwenty", "in.h", 20, "twenty" },
		/* The number is that of two lines: which of them is not known. */
		{ "one\n#line 1\nagain", "k.cl", 1, "-" },
		/* The number is a macro's, or whether it counts is not known. */
		{ "#line N\nx", "k.cl", 2, "-" },
		{ "#if X\n#line 10\n#endif\nx", "k.cl", 10, "-" },
		{ "#if X\n#line 10\n#endif\nx", "k.cl", 3, "-" },
		{ "#if X\n#line 10\n#endif\n#line 20\nx", "k.cl", 20, "x" },
		/* No directives. */
		{ "/*\n#line 10\n*/\nx", "k.cl", 4, "x" },
		{ "// /*\n#line 10\nx", "k.cl", 10, "x" },
		{ "\"/*\"\n#line 10\nx", "k.cl", 10, "x" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char file[32];
		struct place place = { .file = file, .line = rows[i].line };
		struct source_text s;
		char *line;

		snprintf(file, sizeof(file), "%s", rows[i].file);
		source_text_make(&s, "sources/k.cl", rows[i].text, strlen(rows[i].text));
		line = source_text_copy(&s, &place, 100);
		if (strcmp(line ? line : "-", rows[i].shown) != 0)
			fail_msg("row %zu: '%s' for '%s'", i, line ? line : "-", rows[i].shown);
		free(line);
		source_text_release(&s);
	}
}

/* Number and index agree in both directions, in a source with parts. */
static void numbers_and_lines_agree(void **state)
{
	static const char text[] = "a\n#line 30\nb\nc\n#if 1\n#line 50\n#endif\nd\n#line 70\ne\n";
	static const uint32_t numbers[] = { 1, 2, 30, 31, 32, 33, 0, 0, 0, 70 };
	struct source_text s;

	(void)state;
	source_text_make(&s, "k.cl", text, strlen(text));
	assert_int_equal(s.line_count, 10);
	for (uint32_t i = 0; i < s.line_count; i++) {
		uint32_t index;

		assert_int_equal(source_text_number(&s, i), numbers[i]);
		if (!numbers[i])
			continue;
		assert_true(source_text_find(&s, "k.cl", numbers[i], &index));
		assert_int_equal(index, i);
	}
	source_text_release(&s);
}

static void long_lines_are_cut_between_characters(void **state)
{
	static const struct {
		const char *text, *copy;
	} rows[] = {
		{ "12345", "12345" },
		{ "123456", "12345..." },
		{ "1234\xc3\xa9x", "1234..." },       /* a character of two bytes would be cut */
		{ "123\xc3\xa9x", "123\xc3\xa9..." }, /* it ends in time */
		{ "1\xf0\x9f\x98\x80", "1\xf0\x9f\x98\x80" },
		{ "12\xf0\x9f\x98\x80", "12..." },
		{ "\x80\x80\x80\x80\x80\x80\x80", "\x80\x80..." }, /* no UTF-8 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct line line = { rows[i].text, strlen(rows[i].text) };
		char *copy = source_text_copy_line(line, 5);

		assert_non_null(copy);
		assert_string_equal(copy, rows[i].copy);
		free(copy);
	}
}

/* 2^22 lines are shown, one more is a source that is not there. */
static void sources_beyond_the_limits_are_not_there(void **state)
{
	char *text = malloc(SOURCE_TEXT_BYTES + 1);
	struct source_text s;

	(void)state;
	assert_non_null(text);
	memset(text, '\n', SOURCE_TEXT_BYTES + 1);
	source_text_make(&s, "k.cl", text, SOURCE_TEXT_LINES);
	assert_int_equal(s.line_count, SOURCE_TEXT_LINES);
	source_text_release(&s);
	source_text_make(&s, "k.cl", text, SOURCE_TEXT_LINES + 1);
	assert_null(s.file);
	source_text_release(&s);
	memset(text, 'x', SOURCE_TEXT_BYTES + 1);
	source_text_make(&s, "k.cl", text, SOURCE_TEXT_BYTES);
	assert_int_equal(s.line_count, 1);
	source_text_release(&s);
	source_text_make(&s, "k.cl", text, SOURCE_TEXT_BYTES + 1);
	assert_null(s.file);
	source_text_release(&s);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_shown_by_the_name_that_sites_have),
		cmocka_unit_test(a_place_shows_the_line_that_the_compiler_means),
		cmocka_unit_test(numbers_and_lines_agree),
		cmocka_unit_test(long_lines_are_cut_between_characters),
		cmocka_unit_test(sources_beyond_the_limits_are_not_there),
		cmocka_unit_test(no_other_file_is_shown),
		cmocka_unit_test(a_file_that_is_gone_is_no_text),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}

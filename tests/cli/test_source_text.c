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

static const char text[] = "first\n\tsecond line \nthird";

static int make_files(void **state)
{
	char kept[64];

	(void)state;
	if (!mkdtemp(work_dir))
		return -1;
	snprintf(inside, sizeof(inside), "%s/kernel.cu", work_dir);
	snprintf(kept, sizeof(kept), "%s/kept.cu", work_dir);
	snprintf(recording_dir, sizeof(recording_dir), "%s", work_dir);
	return file_write(inside, text, strlen(text), NULL) ||
	       file_write(kept, text, strlen(text), NULL);
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
	const char *line;
	int length;

	source_text_load(&s, &r, 0);
	line = source_text_line(&s, &site.place, &length);
	if (line)
		snprintf(copy, 32, "%.*s", length, line);
	source_text_release(&s);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_shown_by_the_name_that_sites_have),
		cmocka_unit_test(no_other_file_is_shown),
		cmocka_unit_test(a_file_that_is_gone_is_no_text),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}

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

static int make_files(void **state)
{
	static const char text[] = "first\n\tsecond line \nthird";
	char secret[64];

	(void)state;
	if (!mkdtemp(work_dir))
		return -1;
	snprintf(inside, sizeof(inside), "%s/kernel.cu", work_dir);
	snprintf(secret, sizeof(secret), "%s/secret.txt", work_dir);
	snprintf(recording_dir, sizeof(recording_dir), "%s/some.data//", work_dir);
	return file_write(inside, text, strlen(text), NULL) ||
	       file_write(secret, text, strlen(text), NULL);
}

static int remove_files(void **state)
{
	char secret[64];

	(void)state;
	snprintf(secret, sizeof(secret), "%s/secret.txt", work_dir);
	return unlink(inside) || unlink(secret) || rmdir(work_dir);
}

/* Line 2 of the file that the only site of the second kernel names; the first is of another
 * program. NULL: there is none. */
static const char *second_line(char *file, char *kept, char copy[32])
{
	char other[] = "other.cu";
	struct site sites[2] = { { .place = { .file = other, .line = 1 } },
		                 { .place = { .file = file, .line = 2 } } };
	struct recorded_program programs[2] = { { .source_file = NULL }, { .source_file = kept } };
	struct recorded_kernel kernels[2] = {
		{ .program = 0, .table = { .sites = &sites[0], .site_count = 1 } },
		{ .program = 1, .table = { .sites = &sites[1], .site_count = 1 } },
	};
	struct recording r = { .dir = recording_dir,
		               .programs = programs,
		               .program_count = 2,
		               .kernels = kernels,
		               .kernel_count = 2 };
	struct source_text s;
	const char *line;
	int length;

	source_text_load(&s, &r, 1);
	line = source_text_line(&s, &sites[1].place, &length);
	if (line)
		snprintf(copy, 32, "%.*s", length, line);
	source_text_release(&s);
	return line ? copy : NULL;
}

static void a_file_of_cuda_is_read_where_it_is(void **state)
{
	char copy[32];

	assert_string_equal(second_line(inside, NULL, copy), "second line");
}

static void or_beside_the_recording(void **state)
{
	char file[] = "kernel.cu", copy[32];

	assert_string_equal(second_line(file, NULL, copy), "second line");
}

static void no_other_file_is_shown(void **state)
{
	char secret[64], beside[] = "secret.txt", copy[32];

	snprintf(secret, sizeof(secret), "%s/secret.txt", work_dir);
	assert_null(second_line(secret, NULL, copy));
	assert_null(second_line(beside, NULL, copy));
}

static void a_text_that_was_kept_comes_first(void **state)
{
	char kept[] = "sources/kernel.cu", copy[32]; /* not there: none is shown in its place */

	assert_null(second_line(inside, kept, copy));
}

static void a_file_that_is_gone_is_no_text(void **state)
{
	char file[] = "gone.cu", copy[32];

	assert_null(second_line(file, NULL, copy));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_of_cuda_is_read_where_it_is),
		cmocka_unit_test(or_beside_the_recording),
		cmocka_unit_test(no_other_file_is_shown),
		cmocka_unit_test(a_text_that_was_kept_comes_first),
		cmocka_unit_test(a_file_that_is_gone_is_no_text),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "file.h"
#include "instrument_job.h"
#include "script_file.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char script[64], cache[64], runs[64];

/* OpenCL 3.0, 4.2: the version is "OpenCL<space><major.minor><space><vendor-specific>". Not all
 * devices keep to it. */
static void a_device_has_a_version(void **state)
{
	static const struct {
		const char *given, *version;
	} rows[] = {
		{ "OpenCL 1.2 pocl", "1.2" },
		{ "OpenCL 3.0", "3.0" },
		{ "FULL_PROFILE OpenCL 2.0 7.1", "2.0" },
		{ "OpenCL 1.2\tCUDA 11", "1.2" },
		{ "OpenCL 1.1v", "1.1" },
		{ "1.2", "1.2" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct instrument_job job;

		print_message("%s\n", rows[i].given);
		assert_int_equal(instrument_job_init(&job, script, "out", NULL), 0);
		assert_int_equal(
			instrument_job_set_device(&job, "cl_khr_fp64", rows[i].given, NULL), 0);
		assert_string_equal(job.request.extensions, "cl_khr_fp64");
		assert_string_equal(job.request.cl_version, rows[i].version);
		instrument_job_release(&job, false);
	}
}

/* Run a job of one part; how often the instrumenter has run by then. */
static int run(const struct job_part *part, const char *where)
{
	struct instrument_job job;
	struct str lines;
	int count = 0;

	assert_int_equal(instrument_job_init(&job, script, "out", NULL), 0);
	assert_int_equal(instrument_job_add(&job, part, NULL), 0);
	assert_int_equal(instrument_job_run(&job, where, NULL), 0);
	assert_int_equal(access(job.request.output, R_OK), 0);
	instrument_job_release(&job, false);
	str_init(&lines, 1 << 16);
	assert_int_equal(file_read(runs, &lines, NULL), 0);
	for (size_t i = 0; i < lines.length; i++)
		count += lines.text[i] == '\n';
	str_release(&lines);
	return count;
}

static void what_decides_on_the_result_decides_on_the_entry(void **state)
{
	const struct job_header header = { "a.h", "1", 1 }, renamed = { "b.h", "1", 1 },
				other = { "a.h", "2", 1 };
	const struct job_part rows[] = {
		{ .file = "program-0.cl", .name = "n", .bytes = "text", .length = 4 },
		{ .file = "program-0.ptx", .name = "n", .bytes = "text", .length = 4 },
		{ .file = "program-0.cl", .name = "m", .bytes = "text", .length = 4 },
		{ .file = "program-0.cl", .name = "n", .bytes = "texts", .length = 5 },
		{ .file = "program-0.cl", .name = "n", .bytes = "text", .length = 4, .macros = "" },
		{ .file = "program-0.cl",
		  .name = "n",
		  .bytes = "text",
		  .length = 4,
		  .macros = "A 1" },
		{ .file = "program-0.cl",
		  .name = "n",
		  .bytes = "text",
		  .length = 4,
		  .options = "-g" },
		{ .file = "program-0.cl",
		  .name = "n",
		  .bytes = "text",
		  .length = 4,
		  .headers = &header,
		  .header_count = 1 },
		{ .file = "program-0.cl",
		  .name = "n",
		  .bytes = "text",
		  .length = 4,
		  .headers = &renamed,
		  .header_count = 1 },
		{ .file = "program-0.cl",
		  .name = "n",
		  .bytes = "text",
		  .length = 4,
		  .headers = &other,
		  .header_count = 1 },
	};
	const int count = sizeof(rows) / sizeof(rows[0]);

	/* Each is made once, and found from then on. */
	for (int i = 0; i < count; i++)
		assert_int_equal(run(&rows[i], cache), i + 1);
	for (int i = 0; i < count; i++)
		assert_int_equal(run(&rows[i], cache), count);
	/* The number of a part's file is no part of what it says. */
	assert_int_equal(run(&(struct job_part){ .file = "program-7.cl",
	                                         .name = "n",
	                                         .bytes = "text",
	                                         .length = 4 },
	                     cache),
	                 count);
	/* An empty setting is none: the user's own folder, which is in work_dir too. */
	assert_int_equal(run(&rows[0], ""), count + 1);
	assert_int_equal(run(&rows[0], ""), count + 1);
	assert_int_equal(run(&rows[0], NULL), count + 1);
	assert_int_equal(run(&rows[0], "off"), count + 2);
}

static void headers_stay_in_the_folder(void **state)
{
	static const struct {
		const char *name;
		bool is_written;
	} rows[] = {
		{ "a.h", true },
		{ "../../../../a.h", true },
		{ "x/../../../../../a.h", true },
		{ "./a//b.h", true },
		{ "../../../../../a.h", false },
		{ "x/../../../../../../a.h", false },
		{ "./../../../../../a.h", false },
		{ "x//../../../../../../a.h", false },
		{ "..x/../../../../../a.h", true },
		{ "/a.h", false },
		{ "", false },
		{ "a/", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct job_header header = { rows[i].name, "text", 4 };
		const struct job_part part = { .file = "p.cl",
			                       .name = "n",
			                       .bytes = "",
			                       .headers = &header,
			                       .header_count = 1 };
		struct instrument_job job;
		struct err err = { 0 };
		char *path;

		print_message("%s\n", rows[i].name);
		assert_int_equal(instrument_job_init(&job, script, "out", NULL), 0);
		assert_int_equal(instrument_job_add(&job, &part, &err),
		                 rows[i].is_written ? 0 : ERR_UNSUPPORTED);
		if (rows[i].is_written) {
			path = file_path(job.request.parts[0].embedded, rows[i].name, NULL);
			assert_int_equal(access(path, R_OK), 0);
			free(path);
		} else {
			assert_non_null(strstr(err.msg, rows[i].name));
			assert_int_equal(job.request.part_count, 0);
		}
		instrument_job_release(&job, false);
	}
}

static void assert_content(const char *path, const char *text)
{
	struct str got;

	str_init(&got, 1 << 16);
	assert_int_equal(file_read(path, &got, NULL), 0);
	assert_string_equal(got.text, text);
	str_release(&got);
}

static void each_part_has_files_of_its_own(void **state)
{
	static const char *const files[] = { "program-0.cl", "program-1.cl" };
	static const char *const texts[] = { "first", "second" };
	struct instrument_job job;

	assert_int_equal(instrument_job_init(&job, script, "out", NULL), 0);
	for (int i = 0; i < 2; i++) {
		const struct job_header header = { "a.h", texts[i], strlen(texts[i]) };
		const struct job_part part = { .file = files[i],
			                       .name = files[i],
			                       .bytes = texts[i],
			                       .length = strlen(texts[i]),
			                       .macros = texts[i],
			                       .headers = &header,
			                       .header_count = 1 };

		assert_int_equal(instrument_job_add(&job, &part, NULL), 0);
	}
	assert_int_equal(job.request.part_count, 2);
	for (int i = 0; i < 2; i++) {
		const struct instrument_part *part = &job.request.parts[i];
		char *header = file_path(part->embedded, "a.h", NULL);

		assert_string_equal(part->source_name, files[i]);
		assert_content(part->source, texts[i]);
		assert_content(part->macros, texts[i]);
		assert_content(header, texts[i]);
		free(header);
	}
	instrument_job_release(&job, false);
}

static void the_folder_goes_unless_it_is_kept(void **state)
{
	struct instrument_job job = { .folder = { .path = NULL } };
	char *path, *kept;

	instrument_job_release(&job, false);
	assert_int_equal(instrument_job_init(&job, script, "out", NULL), 0);
	path = str_copy(job.folder.path, NULL);
	assert_int_equal(access(path, R_OK), 0);
	instrument_job_release(&job, false);
	assert_int_equal(access(path, F_OK), -1);
	free(path);

	/* temporary.h: a kept folder is warpline-kept-XXXXXX, with the six letters that it had. */
	assert_int_equal(instrument_job_init(&job, script, "out", NULL), 0);
	path = job.folder.path;
	kept = str_format(NULL, "%s/warpline-kept-%s", work_dir, path + strlen(path) - 6);
	instrument_job_release(&job, true);
	assert_int_equal(access(kept, R_OK), 0);
	free(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_has_a_version),
		cmocka_unit_test(what_decides_on_the_result_decides_on_the_entry),
		cmocka_unit_test(headers_stay_in_the_folder),
		cmocka_unit_test(each_part_has_files_of_its_own),
		cmocka_unit_test(the_folder_goes_unless_it_is_kept),
	};
	char command[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	snprintf(script, sizeof(script), "%s/script", work_dir);
	snprintf(cache, sizeof(cache), "%s/cache", work_dir);
	snprintf(runs, sizeof(runs), "%s/runs", work_dir);
	snprintf(command, sizeof(command), "echo run >>%s; touch $2 $4 $6", runs);
	if (mkdir(cache, 0700) || setenv("XDG_CACHE_HOME", work_dir, 1) ||
	    setenv("TMPDIR", work_dir, 1))
		return 1;
	script_file_write(script, command);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf %s", work_dir);
	if (!failed && system(command) != 0)
		return 1;
	return failed;
}

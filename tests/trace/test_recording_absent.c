/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of a name that is no recording, and which recording is offered instead. */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "recording.h"
#include "str.h"
#include "trace_scratch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAKES "; 'warpline record -o DIR APP' makes one"

static void put(struct scratch_dir *dir, const char *name)
{
	assert_int_equal(file_write(scratch_path(dir, name), "x", 1, NULL), 0);
}

static void make_folder(struct scratch_dir *dir, const char *name)
{
	assert_int_equal(mkdir(scratch_path(dir, name), 0700), 0);
}

/* Recordings histogram, histograms, home/warpline.data; no recording: file, empty, transpose. */
static void make_scene(struct scratch_dir *dir)
{
	scratch_make(dir);
	make_folder(dir, "histogram");
	put(dir, "histogram/manifest.jsonl");
	put(dir, "histogram/launch-000000.wll");
	make_folder(dir, "histograms");
	put(dir, "histograms/manifest.jsonl");
	make_folder(dir, "home");
	make_folder(dir, "home/warpline.data");
	put(dir, "home/warpline.data/manifest.jsonl");
	make_folder(dir, "empty");
	make_folder(dir, "transpose");
	put(dir, "file");
}

static void what_is_no_recording_is_told_with_what_was_meant(void **state)
{
	static const struct {
		const char *name, *expected; /* expected: behind the name; NULL: nothing */
		const char *meant;           /* the name of the recording that is offered */
	} rows[] = {
		{ "histogram", NULL, NULL },
		{ "home/warpline.data", NULL, NULL },
		{ "nothing", "there is no such recording", NULL },
		{ "histogran", "there is no such recording", "histogram" },
		{ "histogrm", "there is no such recording", "histogram" },
		{ "histogramss", "there is no such recording", "histograms" },
		{ "histogramx", "there is no such recording", "histogram" }, /* 1 from both */
		{ "transpos", "there is no such recording", NULL }, /* near, but no recording */
		{ "home/warplinedata", "there is no such recording", "home/warpline.data" },
		{ "empty", "is a folder without manifest.jsonl, so no recording", NULL },
		{ "home", "is a folder without manifest.jsonl, so no recording",
		  "home/warpline.data" },
		{ "file", "is a file, and a recording is a folder", NULL },
		{ "histogram/manifest.jsonl", "is a file, and a recording is a folder",
		  "histogram" },
		{ "histogram/launch-000000.wll", "is a file, and a recording is a folder",
		  "histogram" },
	};
	struct scratch_dir dir;

	(void)state;
	make_scene(&dir);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *path = str_format(NULL, "%s/%s", dir.path, rows[i].name);
		char *expected = rows[i].meant
		                         ? str_format(NULL, "%s: %s; is %s/%s meant?", path,
		                                      rows[i].expected, dir.path, rows[i].meant)
		                         : str_format(NULL, "%s: %s" MAKES, path,
		                                      rows[i].expected ? rows[i].expected : "");
		struct recording *r = NULL;
		struct err err = { 0 };
		int ret = recording_absent(path, &err);

		assert_int_equal(ret, rows[i].expected ? ERR_IO : 0);
		if (ret) {
			assert_string_equal(err.msg, expected);
			err = (struct err){ 0 };
			assert_int_equal(recording_open(&r, path, &err), ERR_IO);
			assert_string_equal(err.msg, expected);
		}
		free(expected);
		free(path);
	}
	scratch_remove(&dir);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_recording_is_told_with_what_was_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

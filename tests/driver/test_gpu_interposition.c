/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of four threads with the recorder preloaded, on a libcuda.so.1 of our own, whichever
 * way it finds the driver's functions: what it prints stays, and each launch is recorded.
 */
#include "cmocka_all.h"
#include "gpu_scene.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct scene_tables in_chunks = { 32, 0, true, NULL };
static const struct scene_plan plan = {
	"update", { 12, 1, 1 }, 16, SCENE_BY_VALUES, false, 0, false
};

/* What the program prints, without and with the recorder. */
static void run(const char *program, const char *way, const char *recorded_as, char out[256])
{
	char command[1024], preload[256] = "";
	FILE *pipe;
	size_t length;

	if (recorded_as)
		snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", RECORDER);
	snprintf(command, sizeof(command),
	         "LD_LIBRARY_PATH=%s WARPLINE_DIR=%s/%s WARPLINE_INSTRUMENT=%s/instrument "
	         "timeout 240 env %s %s %s",
	         DRIVER_DIR, scene_dir(), recorded_as ? recorded_as : "none", scene_dir(), preload,
	         program, way);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	length = fread(out, 1, 255, pipe);
	out[length] = '\0';
	assert_int_equal(pclose(pipe), 0);
}

static void each_way_to_the_driver_is_recorded(void **state)
{
	static const struct {
		const char *program, *way;
	} rows[] = { { HOST_LINKED, "link" },
		     { HOST, "dlsym" },
		     { HOST, "proc" },
		     { HOST, "proc1" },
		     { HOST, "per-thread" } };
	char want[256], got[256];

	run(HOST, "dlsym", NULL, want);
	assert_true(strlen(want) > 8);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recording *r;

		print_message("%s\n", rows[i].way);
		run(rows[i].program, rows[i].way, rows[i].way, got);
		assert_string_equal(got, want);
		r = scene_open(rows[i].way);
		assert_int_equal(r->launch_count, 4);
		assert_int_equal(r->buffer_count, 4);
		for (size_t l = 0; l < r->launch_count; l++) {
			scene_check_events(r, l, &plan);
			assert_true(r->launches[l].arguments[0].buffer >= 0);
		}
		assert_true(recording_is_complete(r, NULL));
		recording_close(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way_to_the_driver_is_recorded),
	};
	int failed;

	scene_begin();
	scene_write_tables(&in_chunks);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!failed)
		scene_end();
	return failed;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings with a bit of each byte changed, and cut short at each length: verify finds it. */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "launch_format.h"
#include "launch_writer.h"
#include "recording.h"
#include "recording_dir.h"
#include "recording_script.h"
#include "recordings.h"
#include "str.h"
#include "verify.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(work_dir) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(work_dir);
}

struct found {
	uint64_t counts[VERIFY_GRAVITY_COUNT];
};

/* What verify finds; a manifest that cannot be read is damage. */
static struct found look(const char *dir)
{
	struct found found = { { 0 } };
	struct recording *r = NULL;
	struct verify v;

	verify_init(&v);
	if (recording_open(&r, dir, NULL)) {
		found.counts[VERIFY_DAMAGE] = 1;
	} else {
		v.recording = r;
		assert_int_equal(verify_recording(&v, NULL), 0);
		memcpy(found.counts, v.counts, sizeof(found.counts));
	}
	verify_release(&v);
	recording_close(r);
	return found;
}

static void write_at(const char *path, const char *bytes, size_t at, size_t count)
{
	FILE *out = fopen(path, "r+b");

	assert_non_null(out);
	assert_int_equal(fseek(out, (long)at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes + at, 1, count, out), count);
	assert_int_equal(fclose(out), 0);
}

/* Whether the manifest ends behind a whole line that tells its end: only the exit status is gone.
 */
static bool is_before_exit(const char *text, size_t length)
{
	const char *end = strstr(text, "{\"type\":\"end\"");

	return end && text + length == strchr(end, '\n') + 1;
}

static void damage_file(const char *dir, const char *file)
{
	struct found found;
	struct str whole;
	char *path = file_path(dir, file, NULL);

	str_init(&whole, 1 << 20);
	assert_int_equal(file_read(path, &whole, NULL), 0);
	for (size_t i = 0; i < whole.length; i++) {
		whole.text[i] = (char)(whole.text[i] ^ 1 << i % 8);
		write_at(path, whole.text, i, 1);
		found = look(dir);
		if (!found.counts[VERIFY_DAMAGE] && !found.counts[VERIFY_MISSING])
			fail_msg("%s: byte %zu was changed and nothing found", path, i);
		whole.text[i] = (char)(whole.text[i] ^ 1 << i % 8);
		write_at(path, whole.text, i, 1);
	}
	for (size_t i = whole.length; i-- > 0;) {
		assert_int_equal(truncate(path, (off_t)i), 0);
		found = look(dir);
		if (!found.counts[VERIFY_DAMAGE] && !found.counts[VERIFY_MISSING] &&
		    !(is_before_exit(whole.text, i) && found.counts[VERIFY_REMARK]))
			fail_msg("%s: was cut to %zu bytes and nothing found", path, i);
	}
	write_at(path, whole.text, 0, whole.length);
	str_release(&whole);
	free(path);
}

static void test_each_changed_byte_and_each_cut_is_found(void **state)
{
	static const char *const kinds[] = { "vadd", "loops", "counted", "sides" };

	(void)state;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		struct recording *r = NULL;
		char dir[64];

		(void)snprintf(dir, sizeof(dir), "%s/%s", work_dir, kinds[k]);
		assert_int_equal(recording_make(kinds[k], dir, NULL), 0);
		assert_int_equal(look(dir).counts[VERIFY_DAMAGE], 0);
		assert_int_equal(look(dir).counts[VERIFY_MISSING], 0);
		assert_int_equal(recording_open(&r, dir, NULL), 0);
		damage_file(dir, "manifest.jsonl");
		for (size_t i = 0; i < r->launch_count; i++)
			if (r->launches[i].file)
				damage_file(dir, r->launches[i].file);
		for (size_t i = 0; i < r->program_count; i++)
			if (r->programs[i].source_file)
				damage_file(dir, r->programs[i].source_file);
		recording_close(r);
		assert_int_equal(look(dir).counts[VERIFY_DAMAGE], 0);
		assert_int_equal(recording_dir_remove(dir, NULL), 0);
	}
}

/* Groups of so many random events that a chunk holds few of them. */
#define BIG_GROUPS 3
#define BIG_EVENTS (LAUNCH_CHUNK_EVENTS_MAX / 2 + 1)

static void fill_big(struct launch_writer *w, struct err *err)
{
	struct event *events = calloc(BIG_EVENTS, sizeof(*events));
	const uint64_t first[2] = { 0, BIG_EVENTS };
	const struct group_events g = { 1, first, events };
	uint32_t state = 7;

	assert_non_null(events);
	for (uint64_t i = 0; i < BIG_EVENTS; i++) {
		state = state * 1664525u + 1013904223u;
		events[i] = (struct event){ 0x10000000 + state % 1024 * 4, EVENT_SITE, 0 };
	}
	for (uint64_t group = 0; group < BIG_GROUPS; group++)
		(void)launch_writer_add(w, group, &g, err);
	free(events);
}

/* Files may have `bytes` from now on. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A recording of one launch, for whose file the disk has no more than `bytes`; its length. */
static uint64_t record_on(const char *dir, rlim_t bytes)
{
	struct site read = { SITE_READ, 4, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL };
	const struct kernel_table table = { .name = TEXT("big"), .sites = &read, .site_count = 1 };
	struct recorded_launch launch = { .shape = { 1, { BIG_GROUPS, 1, 1 }, { 1, 1, 1 }, { 0 } },
		                          .fate = LAUNCH_TRACED };
	struct recording_writer *w = NULL;
	struct launch_writer *file = NULL;
	struct err err = { 0 };
	uint32_t id;

	assert_int_equal(recording_script_begin(&w, dir, NULL), 0);
	assert_int_equal(recording_script_program(w, "", NULL), 0);
	assert_int_equal(recording_script_kernel(w, &table, &launch.kernel, NULL), 0);
	assert_int_equal(recording_writer_launch(w, &launch, &id, NULL), 0);
	assert_int_equal(recording_writer_open_launch(w, id, &launch.shape, &table, &file, NULL),
	                 0);
	limit_files(bytes);
	fill_big(file, &err);
	(void)launch_writer_close(file, !err.code, &launch.totals, NULL);
	limit_files(RLIM_INFINITY);
	assert_int_equal(recording_writer_fate(w, id, &launch, NULL), 0);
	assert_int_equal(recording_script_finish(w, NULL), 0);
	return launch.totals.file_bytes;
}

static void test_what_the_recorder_gave_up_is_missing_and_not_damaged(void **state)
{
	struct found found;
	char dir[64];
	uint64_t whole;

	(void)state;
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)snprintf(dir, sizeof(dir), "%s/full", work_dir);
	whole = record_on(dir, RLIM_INFINITY);
	assert_int_equal(look(dir).counts[VERIFY_MISSING], 0);
	assert_int_equal(recording_dir_remove(dir, NULL), 0);
	/* At the beginning, inside each chunk, in the index and in the trailer. */
	for (uint64_t part = 0; part < 16; part++) {
		uint64_t bytes = LAUNCH_HEADER_BYTES + (whole - LAUNCH_HEADER_BYTES) * part / 16;

		if (part > 13)
			bytes = whole - (part == 14 ? 1 : LAUNCH_TRAILER_BYTES + 1);
		assert_true(record_on(dir, bytes) <= bytes);
		found = look(dir);
		assert_int_equal(found.counts[VERIFY_DAMAGE], 0);
		assert_int_not_equal(found.counts[VERIFY_MISSING], 0);
		assert_int_equal(recording_dir_remove(dir, NULL), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_changed_byte_and_each_cut_is_found),
		cmocka_unit_test(test_what_the_recorder_gave_up_is_missing_and_not_damaged),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

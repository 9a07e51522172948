/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings with each byte of each file flipped, and each file cut at every length: whoever reads
 * them refuses them, says that something is missing, or tells what the undamaged one tells.
 */
#include "cmocka_all.h"

#include "gpu.h"
#include "import.h"
#include "recording_chain.h"
#include "recording_writer.h"
#include "recordings.h"
#include "trace_scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct gpu gpu;

/* What became of the damaged ones. */
static struct {
	size_t refused, warned, same;
} found;

/* What a recording says must be nothing, or that it is damaged, or the truth. */
static void check(const char *dir, uint64_t truth, const char *file, const char *what, size_t at)
{
	struct chain_report got;

	chain_run(dir, &gpu, NULL, &got);
	if (got.refusal.code) {
		found.refused++;
		if (!strstr(got.refusal.msg, dir))
			fail_msg("%s, %s %zu: no file in '%s'", file, what, at, got.refusal.msg);
	} else if (got.is_warned) {
		found.warned++;
	} else if (got.digest == truth) {
		found.same++;
	} else {
		fail_msg("%s, %s %zu: other numbers, and no word of it", file, what, at);
	}
}

static void put(int fd, size_t at, unsigned char byte)
{
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
}

static void damage_file(const char *dir, const char *name, uint64_t truth)
{
	char path[512];
	unsigned char *bytes;
	size_t length;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	bytes = scratch_read(path, &length);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (size_t at = 0; at < length; at++) {
		put(fd, at, (unsigned char)~bytes[at]);
		check(dir, truth, path, "inverted byte", at);
		put(fd, at, bytes[at] ^ (unsigned char)(1 << at % 8));
		check(dir, truth, path, "flipped bit in byte", at);
		put(fd, at, bytes[at]);
	}
	for (size_t cut = length; cut-- > 0;) {
		assert_int_equal(ftruncate(fd, (off_t)cut), 0);
		check(dir, truth, path, "cut at", cut);
	}
	assert_int_equal(pwrite(fd, bytes, length, 0), length);
	close(fd);
	free(bytes);
}

/* Each file of a recording, one after the other. */
static void damage(const char *dir)
{
	struct chain_report whole, again;
	DIR *entries = opendir(dir);
	struct dirent *entry;

	assert_non_null(entries);
	chain_run(dir, &gpu, NULL, &whole);
	assert_string_equal(whole.refusal.msg, "");
	assert_false(whole.is_warned);
	while ((entry = readdir(entries)))
		if (strstr(entry->d_name, ".wll") || strstr(entry->d_name, ".jsonl"))
			damage_file(dir, entry->d_name, whole.digest);
	closedir(entries);
	chain_run(dir, &gpu, NULL, &again);
	assert_int_equal(again.digest, whole.digest);
}

static void damage_recording(const char *kind)
{
	struct scratch_dir scratch;
	struct err err = { 0 };
	char dir[128];

	scratch_make(&scratch);
	snprintf(dir, sizeof(dir), "%s", scratch_path(&scratch, kind));
	if (recording_make(kind, dir, &err) || recording_append_exit(dir, 0, 0, &err))
		fail_msg("%s", err.msg);
	memset(&found, 0, sizeof(found));
	damage(dir);
	print_message("  %s: %zu refused, %zu not whole, %zu the same\n", kind, found.refused,
	              found.warned, found.same);
	assert_true(found.refused > 20 * found.same && found.warned > 0);
	scratch_remove(&scratch);
}

static void recordings_that_are_damaged_do_not_lie(void **state)
{
	static const char *const kinds[] = { "vadd", "loops", "sides" };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		damage_recording(kinds[i]);
}

/* A sequence: its events are stored by other rules. */
static void imported_ones_do_not_lie(void **state)
{
	struct scratch_dir scratch;
	struct err err = { 0 };
	char dir[128], list[128];
	FILE *file;

	(void)state;
	scratch_make(&scratch);
	snprintf(list, sizeof(list), "%s", scratch_path(&scratch, "list.din"));
	snprintf(dir, sizeof(dir), "%s", scratch_path(&scratch, "imported"));
	file = fopen(list, "w");
	assert_non_null(file);
	for (unsigned i = 0; i < 300; i++)
		fprintf(file, "%u %x\n", i % 7 == 3, 0x1000 + i * i % 97 * 64);
	assert_int_equal(fclose(file), 0);
	if (import_addresses(list, ADDRESS_DIN, UINT64_MAX, dir, &err))
		fail_msg("%s", err.msg);
	memset(&found, 0, sizeof(found));
	damage(dir);
	assert_true(found.refused > 20 * found.same && found.warned > 0);
	scratch_remove(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recordings_that_are_damaged_do_not_lie),
		cmocka_unit_test(imported_ones_do_not_lie),
	};

	if (gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

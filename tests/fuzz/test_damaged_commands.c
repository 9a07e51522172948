/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The law of whole recordings: no flipped byte of any file of a recording changes what any command
 * says with status 0.
 *
 * Every byte of every file is flipped once; which commands then run is taken in turn, so that each
 * runs on a sample of the bytes, and more of them on those of programs' texts and bypass lists,
 * which have no sums of their own.
 */
#include "cmocka_all.h"

#include "command_chain.h"
#include "err.h"
#include "recording_writer.h"
#include "recordings.h"
#include "trace_scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMANDS_MAX = 64, PATH_BYTES = 192, MANY_COMMANDS = 5 };

/* A recording of some kind, a good one of the same, and what all commands say of it. */
struct scene {
	struct scratch_dir scratch;
	char dir[PATH_BYTES], good[PATH_BYTES], out[PATH_BYTES];
	struct command_outcome truth[COMMANDS_MAX];
	size_t turn;                  /* the next command */
	size_t refused, warned, same; /* what became of the damaged ones */
};

static void make(const char *kind, const char *dir)
{
	struct err err = { 0 };

	if (recording_make(kind, dir, &err) || recording_append_exit(dir, 0, 0, &err))
		fail_msg("%s", err.msg);
}

static void make_scene(struct scene *s, const char *kind)
{
	memset(s, 0, sizeof(*s));
	scratch_make(&s->scratch);
	snprintf(s->dir, PATH_BYTES, "%s", scratch_path(&s->scratch, "rec"));
	snprintf(s->good, PATH_BYTES, "%s", scratch_path(&s->scratch, "good"));
	snprintf(s->out, PATH_BYTES, "%s", scratch_path(&s->scratch, "out"));
	make(kind, s->dir);
	make(kind, s->good);
	assert_in_range(command_chain_count(), 1, COMMANDS_MAX);
	for (size_t i = 0; i < command_chain_count(); i++) {
		struct command_outcome again;

		command_chain_run(i, s->dir, s->good, s->out, &s->truth[i]);
		command_chain_run(i, s->dir, s->good, s->out, &again);
		/* A list that is kept changes nothing for merge, but that there can be only one. */
		if (s->truth[i].status != 0 && strncmp(s->truth[i].words, "merge", 5) != 0)
			fail_msg("%s: %d: %s", s->truth[i].words, s->truth[i].status,
			         s->truth[i].said);
		if (again.digest != s->truth[i].digest)
			fail_msg("%s: prints something else each time", s->truth[i].words);
	}
}

/* Run a command on the damaged recording: it refuses, or says that something is missing, or tells
 * the truth. */
static void try(struct scene *s, size_t command, const char *file, size_t at)
{
	const struct command_outcome *truth = &s->truth[command];
	struct command_outcome got;

	command_chain_run(command, s->dir, s->good, s->out, &got);
	if (got.status == 0 && (truth->status != 0 || got.digest != truth->digest))
		fail_msg("%s, byte %zu flipped: '%s' says something else with status 0", file, at,
		         got.words);
	s->refused += got.status == 4;
	s->warned += got.status != 4 && got.status != 0;
	s->same += got.status == 0;
	if (got.status && !got.said[0] && strncmp(got.words, "verify", 6) != 0)
		fail_msg("%s, byte %zu flipped: '%s' does not say why it ends with %d", file, at,
		         got.words, got.status);
}

static void flip_file(struct scene *s, const char *name, size_t commands)
{
	char path[4 * PATH_BYTES];
	unsigned char *bytes;
	size_t length;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", s->dir, name);
	bytes = scratch_read(path, &length);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	for (size_t at = 0; at < length; at++) {
		unsigned char flipped = bytes[at] ^ (unsigned char)(1 << at % 8);

		assert_int_equal(pwrite(fd, &flipped, 1, (off_t)at), 1);
		for (size_t i = 0; i < commands; i++)
			try(s, s->turn++ % command_chain_count(), path, at);
		assert_int_equal(pwrite(fd, &bytes[at], 1, (off_t)at), 1);
	}
	close(fd);
	free(bytes);
}

static void flip_folder(struct scene *s, const char *folder)
{
	char path[2 * PATH_BYTES];
	struct dirent *entry;
	DIR *entries;

	snprintf(path, sizeof(path), "%s/%s", s->dir, folder);
	entries = opendir(path);
	assert_non_null(entries);
	while ((entry = readdir(entries))) {
		bool has_own_sums =
			strstr(entry->d_name, ".wll") || strstr(entry->d_name, ".jsonl");

		snprintf(path, sizeof(path), "%s%s", folder, entry->d_name);
		if (entry->d_type == DT_REG)
			flip_file(s, path, has_own_sums ? 1 : MANY_COMMANDS);
	}
	closedir(entries);
}

static void no_flipped_byte_changes_what_a_command_says(void **state)
{
	static const char *const kinds[] = { "listed", "loops", "sides" };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		static struct scene s;

		make_scene(&s, kinds[i]);
		flip_folder(&s, "");
		flip_folder(&s, "sources/");
		print_message("  %s: %zu refused, %zu not whole, %zu the same\n", kinds[i],
		              s.refused, s.warned, s.same);
		scratch_remove(&s.scratch);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_flipped_byte_changes_what_a_command_says),
	};

	setenv("WARPLINE_GPUS", SOURCE_DIR "/gpus", 1);
	setenv("WARPLINE_GPU", "gtx480", 1);
	unsetenv("DISPLAY");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

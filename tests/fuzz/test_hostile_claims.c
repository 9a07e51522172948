/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings of a few hundred bytes that claim much: no command takes minutes or much memory for
 * them. Accesses of a MiB each are refused by every command that goes through their lines, which
 * says why; accesses as wide as is replayed are replayed by all. Half a billion groups, of which
 * two are there, cost what two cost.
 */
#include "cmocka_all.h"

#include "command_chain.h"
#include "err.h"
#include "peak_memory.h"
#include "recording_writer.h"
#include "recordings.h"
#include "trace_scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char refusal[] = "an access of 1048576 bytes: at most 65536 are replayed";

struct scene {
	struct scratch_dir scratch;
	char dir[192], good[192], out[192];
};

static void make_scene(struct scene *s, const char *kind)
{
	struct err err = { 0 };

	scratch_make(&s->scratch);
	snprintf(s->dir, sizeof(s->dir), "%s", scratch_path(&s->scratch, "rec"));
	snprintf(s->good, sizeof(s->good), "%s", scratch_path(&s->scratch, "good"));
	snprintf(s->out, sizeof(s->out), "%s", scratch_path(&s->scratch, "out"));
	if (recording_make(kind, s->dir, &err) || recording_append_exit(s->dir, 0, 0, &err) ||
	    recording_make("vadd", s->good, &err) || recording_append_exit(s->good, 0, 0, &err))
		fail_msg("%s", err.msg);
}

/* Whether a command lists accesses or files, and looks at no lines. */
static bool is_of_accesses(const char *words)
{
	static const char *const list[] = { "info",
		                            "verify",
		                            "dump",
		                            "occupancy",
		                            "query --of accesses",
		                            "export --format din @",
		                            "export --format u64 @",
		                            "merge",
		                            "rm" };
	bool is = false;

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		is = is || !strncmp(words, list[i], strlen(list[i]));
	return is;
}

static void accesses_of_a_mib_are_refused_wherever_their_lines_matter(void **state)
{
	struct command_outcome got;
	size_t refused = 0;
	struct scene s;

	make_scene(&s, "huge");
	for (size_t i = 0; i < command_chain_count(); i++) {
		command_chain_run(i, s.dir, s.good, s.out, &got);
		if (is_of_accesses(got.words) ? strstr(got.said, refusal) != NULL
		                              : got.status != 4 || !strstr(got.said, refusal))
			fail_msg("%s: %d: %s", got.words, got.status, got.said);
		refused += got.status == 4;
	}
	assert_in_range(refused, 20, command_chain_count());
	scratch_remove(&s.scratch);
}

static void accesses_of_64_kib_are_replayed_by_all(void **state)
{
	struct command_outcome got;
	struct scene s;

	make_scene(&s, "broad");
	for (size_t i = 0; i < command_chain_count(); i++) {
		command_chain_run(i, s.dir, s.good, s.out, &got);
		if (got.status != 0)
			fail_msg("%s: %d: %s", got.words, got.status, got.said);
	}
	scratch_remove(&s.scratch);
}

static void half_a_billion_groups_that_are_not_there_cost_nothing(void **state)
{
	struct command_outcome got;
	struct scene s;
	long before, peak;

	make_scene(&s, "sparse");
	for (size_t i = 0; i < command_chain_count(); i++) {
		bool is_measured = peak_memory_is_measured() && peak_memory_begin();

		before = peak_memory_now_kb();
		command_chain_run(i, s.dir, s.good, s.out, &got);
		peak = peak_memory_kb() - before;
		if (got.status && !got.said[0])
			fail_msg("%s: %d without a word", got.words, got.status);
		if (is_measured && peak > 64 << 10)
			fail_msg("%s: %ld KB", got.words, peak);
	}
	scratch_remove(&s.scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses_of_a_mib_are_refused_wherever_their_lines_matter),
		cmocka_unit_test(accesses_of_64_kib_are_replayed_by_all),
		cmocka_unit_test(half_a_billion_groups_that_are_not_there_cost_nothing),
	};

	setenv("WARPLINE_GPUS", SOURCE_DIR "/gpus", 1);
	setenv("WARPLINE_GPU", "gtx480", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

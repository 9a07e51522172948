/* SPDX-License-Identifier: Apache-2.0 */
/* Reads that go through the read-only cache, in replays of small kernels. */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "read_rules.h"
#include "replay.h"
#include "scene.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { ITEMS = 256 };

/* Work-item i reads a[(i * 7) % 96 * 32 % 4096], b[i * 32 % 2048], a again, and writes c[i]. */
static uint64_t mixed_index(size_t site, const uint64_t id[3])
{
	if (site == 1)
		return id[0] * 32 % 2048;
	return site == 3 ? id[0] : id[0] * 7 % 96 * 32 % 4096;
}

static const struct scene MIXED = {
	.name = "mixed",
	.kinds = "rrrw",
	.arguments = { 0, 1, 0, 2 },
	.buffer_count = 3,
	.buffer_bytes = 16384,
	.shape = { 1, { ITEMS, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
	.index = mixed_index,
};

/* Each of four work-items, a group of its own, reads a[0] and b[0]. */
static uint64_t first_index(size_t site, const uint64_t id[3])
{
	return 0;
}

static const struct scene TWO_LINES = {
	.name = "two_lines",
	.kinds = "rr",
	.arguments = { 0, 1 },
	.buffer_count = 2,
	.buffer_bytes = 128,
	.shape = { 1, { 4, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 } },
	.index = first_index,
};

/* A GTX 480 of one SM, without time, whose caches are both `sets` x `ways`. */
static struct gpu make_gpu(uint32_t sets, uint32_t ways)
{
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.sm_count = 1;
	gpu.l1_sets = gpu.read_only_sets = sets;
	gpu.l1_ways = gpu.read_only_ways = ways;
	gpu.read_only_index = gpu.l1_index;
	gpu.read_only_hit_cycles = gpu.l1_hit_cycles;
	gpu.l1_write = GPU_L1_WRITE_THROUGH_UPDATE;
	return gpu;
}

static void play(const struct scene *scene, const struct gpu *gpu, const char *list, uint32_t jobs,
                 struct replay_result *out)
{
	struct replay_options options = { .jobs = jobs };
	struct scene_mishap none = { 0 };
	char dir[32];
	struct recording *r = scene_record(scene, &none, dir);
	struct err err = { 0 };

	if (list && read_only_list_parse(&options.read_only, list, &err))
		fail_msg("%s", err.msg);
	if (replay_launch(r, 0, gpu, &options, out, &err))
		fail_msg("%s", err.msg);
	bypass_list_release(&options.read_only);
	scene_forget(r, dir);
}

/* --- by hand -----------------------------------------------------------------------------------
 */

/* Caches of one line, work-items one after another: alone, L1 has the other line each time, and all
 * 8 reads miss. With one read beside it each cache keeps its line: one miss each. Buffer 1 is b. */
static void caches_of_one_line_each_keep_theirs(void **state)
{
	static const char *const lists[] = { "site:1", "buffer:1", "site:0", "buffer:0" };
	struct gpu gpu = make_gpu(1, 1);
	struct replay_result r;

	(void)state;
	gpu.latency = GPU_LATENCY_OFF;
	gpu.max_groups = 1;
	play(&TWO_LINES, &gpu, NULL, 1, &r);
	assert_int_equal(r.total.read_misses, 8);
	assert_null(r.read_only_sites);
	replay_result_release(&r);
	for (size_t i = 0; i < COUNT(lists); i++) {
		play(&TWO_LINES, &gpu, lists[i], 1, &r);
		assert_int_equal(r.total.reads, 4);
		assert_int_equal(r.total.read_misses, 1);
		assert_int_equal(r.read_only.reads, 4);
		assert_int_equal(r.read_only.read_misses, 1);
		assert_int_equal(r.read_only.cold, 1);
		assert_int_equal(r.read_only_sites[i < 2].reads, 4);
		assert_int_equal(r.read_only_sites[i >= 2].reads, 0);
		replay_result_release(&r);
	}
}

/* All reads are to go past L1, those of b beside it as well: these go beside it. */
static void what_both_lists_name_goes_beside_l1(void **state)
{
	const struct gpu gpu = make_gpu(1, 1);
	struct scene_mishap none = { 0 };
	struct bypass_list all = { 0 };
	struct replay_options options = { .jobs = 1, .bypass = &all };
	struct replay_result r;
	char dir[32];
	struct recording *recording = scene_record(&TWO_LINES, &none, dir);

	(void)state;
	assert_int_equal(bypass_list_parse(&all, "all", NULL), 0);
	assert_int_equal(read_only_list_parse(&options.read_only, "site:1", NULL), 0);
	assert_int_equal(replay_launch(recording, 0, &gpu, &options, &r, NULL), 0);
	assert_int_equal(r.total.reads, 0);
	assert_int_equal(r.total.bypasses, 4);
	assert_int_equal(r.sites[0].bypasses, 4);
	assert_int_equal(r.total.bytes_bypassed, 4 * 32);
	assert_int_equal(r.read_only.reads, 4);
	assert_int_equal(r.read_only.bypasses, 0);
	replay_result_release(&r);
	bypass_list_release(&options.read_only);
	bypass_list_release(&all);
	scene_forget(recording, dir);
}

/* Buffer 2 is only written, which no rule changes: four groups of two warps, a line each. */
static void what_is_written_goes_through_l1(void **state)
{
	const struct gpu gpu = make_gpu(4, 4);
	struct replay_result r;

	(void)state;
	play(&MIXED, &gpu, "buffer:2", 1, &r);
	assert_int_equal(r.total.writes, 8);
	assert_int_equal(counters_requests(&r.read_only), 0);
	replay_result_release(&r);
}

/* --- laws --------------------------------------------------------------------------------------
 */

/* With all reads beside L1, in a cache like it, what was L1's is that cache's, time included. */
static void a_cache_like_l1_counts_what_l1_would(void **state)
{
	(void)state;
	for (uint32_t sets = 1; sets <= 32; sets *= 2) {
		const struct gpu gpu = make_gpu(sets, 1 + sets % 3);
		struct replay_result plain, beside;

		play(&MIXED, &gpu, NULL, 1, &plain);
		play(&MIXED, &gpu, "site:0,site:1,site:2", 1, &beside);
		assert_int_equal(beside.total.reads, 0);
		assert_int_equal(beside.total.writes, plain.total.writes);
		assert_true(plain.total.reads > 100);
		assert_int_equal(beside.read_only.reads, plain.total.reads);
		assert_int_equal(beside.read_only.read_hits, plain.total.read_hits);
		assert_int_equal(beside.read_only.pending_hits, plain.total.pending_hits);
		assert_int_equal(beside.read_only.read_misses, plain.total.read_misses);
		assert_int_equal(beside.read_only.conflict, plain.total.conflict);
		assert_int_equal(beside.read_only.bytes_from_l2, plain.total.bytes_from_l2);
		assert_int_equal(beside.schedule.cycles, plain.schedule.cycles);
		replay_result_release(&plain);
		replay_result_release(&beside);
	}
}

/* With L2 below, both caches ask it, and the number of threads changes nothing. */
static void what_both_miss_is_what_l2_is_asked(void **state)
{
	struct gpu gpu = make_gpu(2, 2);
	struct replay_result one, more;

	(void)state;
	gpu.l2 = GPU_L2_ON;
	gpu.sm_count = 3;
	gpu.l2_inclusion = GPU_L2_INCLUSION_INCLUSIVE;
	gpu.l2_slices = gpu.l2_sets = 1;
	gpu.l2_ways = 3;
	gpu.l2_bytes = 0;
	play(&MIXED, &gpu, "buffer:0", 1, &one);
	play(&MIXED, &gpu, "site:0,site:2", 3, &more);
	assert_true(one.total.read_misses > 10 && one.read_only.read_misses > 10);
	assert_int_equal(one.below.l2.reads, one.total.read_misses + one.read_only.read_misses);
	assert_memory_equal(&one.total, &more.total, sizeof(one.total));
	assert_memory_equal(&one.read_only, &more.read_only, sizeof(one.read_only));
	assert_memory_equal(&one.below.l2, &more.below.l2, sizeof(one.below.l2));
	assert_int_equal(one.schedule.cycles, more.schedule.cycles);
	/* lines that others push out of L2 leave the read-only caches as well */
	assert_true(one.read_only.coherence > 0);
	replay_result_release(&one);
	replay_result_release(&more);
}

/* --- lists and GPUs ----------------------------------------------------------------------------
 */

static void lists_are_read_or_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "", "'': expected site:N, line:N, argument:NAME or buffer:N" },
		{ "site:1,", "'': expected site:N, line:N, argument:NAME or buffer:N" },
		{ "sites:1", "'sites:1': expected site:N, line:N, argument:NAME or buffer:N" },
		{ "site", "'site': expected site:N, line:N, argument:NAME or buffer:N" },
		{ "argument:", "'argument:': expected site:N, line:N, argument:NAME or buffer:N" },
		{ "line:x,site:1", "line: 'x' is not a number" },
		{ "buffer:4294967296", "buffer: 4294967296 is outside 0..4294967295" },
		{ "site:3,line:12,argument:a:b,buffer:0", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bypass_list list = { 0 };
		struct err err = { 0 };
		int ret = read_only_list_parse(&list, rows[i].text, &err);

		assert_int_equal(ret, rows[i].message ? ERR_USAGE : 0);
		if (rows[i].message)
			assert_string_equal(err.msg, rows[i].message);
		else
			assert_string_equal(list.rules[2].name, "a:b");
		bypass_list_release(&list);
	}
}

static void a_gpu_without_one_is_refused(void **state)
{
	struct gpu gpu = make_gpu(4, 4), out;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(read_only_gpu(&out, &gpu, &err), 0);
	gpu.read_only_hit_cycles = gpu.l1_hit_cycles + gpu.l2_cycles;
	assert_int_equal(read_only_gpu(&out, &gpu, &err), ERR_CONFIG);
	gpu.read_only_hit_cycles = 1;
	gpu.read_only_ways = 0;
	assert_int_equal(read_only_gpu(&out, &gpu, &err), ERR_CONFIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_of_one_line_each_keep_theirs),
		cmocka_unit_test(what_both_lists_name_goes_beside_l1),
		cmocka_unit_test(what_is_written_goes_through_l1),
		cmocka_unit_test(a_cache_like_l1_counts_what_l1_would),
		cmocka_unit_test(what_both_miss_is_what_l2_is_asked),
		cmocka_unit_test(lists_are_read_or_refused),
		cmocka_unit_test(a_gpu_without_one_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

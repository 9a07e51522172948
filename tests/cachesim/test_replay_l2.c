/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of small kernels, replayed with L2 and DRAM: counts derived by hand, and laws that
 * hold whatever the caches are. */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "l1_play.h"
#include "replay.h"
#include "scene.h"

#include <inttypes.h>
#include <string.h>

enum { SEEDS = 120 };

static const uint64_t WIDTH = 128;

/* c[i] = a[i] + b[i], 16 groups of 64 */
static uint64_t vector_add_index(size_t site, const uint64_t id[3])
{
	return id[0];
}

static const struct scene VECTOR_ADD = {
	.name = "vector_add",
	.kinds = "rrw",
	.arguments = { 0, 1, 2 },
	.buffer_count = 3,
	.buffer_bytes = 4096,
	.shape = { 1, { 1024, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
	.index = vector_add_index,
};

/* out[x * 128 + y] = in[y * 128 + x], groups of 16x16 */
static uint64_t transpose_index(size_t site, const uint64_t id[3])
{
	return site == 0 ? id[1] * WIDTH + id[0] : id[0] * WIDTH + id[1];
}

static const struct scene TRANSPOSE = {
	.name = "transpose",
	.kinds = "rw",
	.arguments = { 0, 1 },
	.buffer_count = 2,
	.buffer_bytes = 65536,
	.shape = { 2, { 128, 128, 1 }, { 16, 16, 1 }, { 0, 0, 0 } },
	.index = transpose_index,
};

static struct gpu gtx480(void)
{
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.l2 = GPU_L2_ON;
	return gpu;
}

/* With a list of reads that go past L1. */
static void replay_past(const struct recording *r, const struct gpu *gpu, uint32_t jobs,
                        const char *rules, struct replay_result *out)
{
	struct bypass_list list = { 0 };
	const struct replay_options options = { .jobs = jobs, .bypass = &list };
	struct err err = { 0 };

	assert_int_equal(bypass_list_parse(&list, rules, NULL), 0);
	if (replay_launch(r, 0, gpu, &options, out, &err))
		fail_msg("%s", err.msg);
	bypass_list_release(&list);
}

static void replay(const struct recording *r, const struct gpu *gpu, uint32_t jobs,
                   struct replay_result *out)
{
	replay_past(r, gpu, jobs, "none", out);
}

/* What holds for any caches. */
static void check_laws(const struct gpu *gpu, const struct replay_result *r)
{
	const struct l2_counters *l2 = &r->below.l2;
	struct l2_counters slices = { 0 }, sites = { 0 };

	for (size_t i = 0; i < r->below.slice_count; i++)
		l2_counters_add(&slices, &r->below.slices[i]);
	for (size_t i = 0; i < r->below.site_count; i++)
		l2_counters_add(&sites, &r->below.sites[i]);
	assert_memory_equal(&slices, l2, sizeof(slices));
	assert_memory_equal(&sites, l2, sizeof(sites));
	assert_int_equal(l2->read_hits + l2->pending_hits + l2->read_misses, l2->reads);
	assert_int_equal(l2->bytes_to_l1, r->total.bytes_from_l2);
	if (gpu->l2_inclusion != GPU_L2_INCLUSION_EXCLUSIVE)
		assert_int_equal(l2->bytes_from_l1, r->total.bytes_to_l2);
	assert_int_equal(l2->bytes_from_dram, r->below.dram.bytes_read);
	assert_int_equal(l2->bytes_to_dram, r->below.dram.bytes_written);
	if (gpu->latency == GPU_LATENCY_OFF)
		assert_int_equal(l2->pending_hits, 0);
}

/*
 * 32 lines each of a and b are read by one SM each, 32 of c written whole: all 64 reads miss,
 * nothing is fetched for the writes, and c is written back once.
 */
static void a_vector_addition_moves_each_line_once(void **state)
{
	const struct gpu gpu = gtx480();
	const struct scene_mishap none = { 0 };
	struct replay_result r;
	char dir[32];
	struct recording *recording = scene_record(&VECTOR_ADD, &none, dir);

	replay(recording, &gpu, 1, &r);
	check_laws(&gpu, &r);
	assert_int_equal(r.below.l2.read_misses, 64);
	assert_int_equal(r.below.sites[0].read_misses, 32);
	assert_int_equal(r.below.l2.writes, 32);
	assert_int_equal(r.below.l2.write_hits, 0);
	assert_int_equal(r.below.sites[2].write_backs, 32);
	assert_int_equal(r.below.dram.bytes_read, 64 * 128);
	assert_int_equal(r.below.dram.bytes_written, 32 * 128);
	replay_result_release(&r);
	scene_forget(recording, dir);
}

/*
 * 512 lines of `in` are read by two groups on different SMs, each half of them: 1024 misses of L1,
 * 512 of L2. Of `out` 8 bytes are written at a time: its 512 lines are fetched, and written back in
 * the end; L2 has room for all. With sectors of 32 bytes the same bytes move.
 */
static void a_transposition_meets_in_l2(void **state)
{
	const struct scene_mishap none = { 0 };
	char dir[32];
	struct recording *recording = scene_record(&TRANSPOSE, &none, dir);

	for (uint32_t sector = 0; sector <= 32; sector += 32) {
		struct gpu gpu = gtx480();
		struct replay_result r;

		gpu.l2_sector_bytes = sector;
		replay(recording, &gpu, 1, &r);
		check_laws(&gpu, &r);
		assert_int_equal(r.total.read_misses, 1024);
		assert_int_equal(r.below.l2.reads, 1024);
		assert_int_equal(r.below.l2.read_misses, 512);
		assert_int_equal(r.below.l2.writes, 64 * 128);
		assert_int_equal(r.below.l2.evictions, 0);
		assert_int_equal(r.below.l2.write_backs, 512);
		assert_int_equal(r.below.dram.bytes_read, 2 * 65536);
		assert_int_equal(r.below.dram.bytes_written, 65536);
		replay_result_release(&r);
	}
	scene_forget(recording, dir);
}

/* A GTX 480 with small caches of any kind. */
static struct gpu random_gpu(uint64_t *state)
{
	struct gpu gpu = gtx480();

	gpu.l1_sets = 2u << random_below(state, 3);
	gpu.l1_sector_bytes = random_below(state, 2) ? 32 : 0;
	gpu.l1_write = (uint32_t)random_below(state, 4);
	gpu.l1_allocation = (uint32_t)random_below(state, 2);
	gpu.l1_mshr_entries = (uint32_t)random_below(state, 3) * 4;
	gpu.l1_mshr_merge = (uint32_t)random_below(state, 3) * 2;
	gpu.l2_slices = 1 + (uint32_t)random_below(state, 6);
	gpu.l2_sets = 1 + (uint32_t)random_below(state, 8);
	gpu.l2_ways = 1 + (uint32_t)random_below(state, 8);
	gpu.l2_sector_bytes = random_below(state, 2) ? 32 : gpu.l1_sector_bytes;
	gpu.l2_slice_index = (uint32_t)random_below(state, 2);
	gpu.l2_policy.kind = (uint32_t)random_below(state, GPU_POLICY_WAYS);
	gpu.l2_write = (uint32_t)random_below(state, 2);
	gpu.bandwidth = (uint32_t)random_below(state, 2);
	gpu.l1_fill_bytes = 1 + (uint32_t)random_below(state, 64);
	gpu.latency = random_below(state, 5) ? GPU_LATENCY_ON : GPU_LATENCY_OFF;
	if (gpu.l1_write <= GPU_L1_WRITE_THROUGH_UPDATE)
		gpu.l2_inclusion = (uint32_t)random_below(state, 3);
	return gpu;
}

/* Each float of `out` is written once, wherever it waits: what goes to DRAM is at least that, and,
 * where lines are written whole and once, exactly that. The result does not depend on threads. */
static void any_caches_keep_the_laws(void **state)
{
	static const char *const lists[] = { "none", "site:0", "warps:1", "all" };
	const struct scene *const scenes[] = { &VECTOR_ADD, &TRANSPOSE };
	const struct scene_mishap none = { 0 };
	uint64_t random = 20261121;

	for (size_t i = 0; i < SEEDS; i++) {
		const struct scene *scene = scenes[i % 2];
		char dir[32];
		struct recording *recording = scene_record(scene, &none, dir);
		struct replay_result r, others;
		const char *list;
		struct gpu gpu;

		print_message("state %" PRIu64 "\n", random);
		gpu = random_gpu(&random);
		list = lists[random_below(&random, 4)];
		replay_past(recording, &gpu, 1, list, &r);
		check_laws(&gpu, &r);
		assert_true(r.below.dram.bytes_written >= scene->buffer_bytes);
		if (scene == &VECTOR_ADD)
			assert_int_equal(r.below.dram.bytes_written, 4096);
		for (uint32_t jobs = 2; jobs <= 4; jobs += 2) {
			replay_past(recording, &gpu, jobs, list, &others);
			assert_int_equal(r.schedule.cycles, others.schedule.cycles);
			assert_memory_equal(&r.total, &others.total, sizeof(r.total));
			assert_memory_equal(r.below.sites, others.below.sites,
			                    r.below.site_count * sizeof(*r.below.sites));
			assert_memory_equal(r.below.channels, others.below.channels,
			                    r.below.channel_count * sizeof(*r.below.channels));
			replay_result_release(&others);
		}
		replay_result_release(&r);
		scene_forget(recording, dir);
	}
}

/* Whatever can come in a cycle is as much as there is: nothing changes. */
static void many_bytes_in_a_cycle_are_no_limit(void **state)
{
	static const char *const lists[] = { "none", "site:0" };
	const struct scene_mishap none = { 0 };
	char dir[32];
	struct recording *recording = scene_record(&TRANSPOSE, &none, dir);

	for (size_t i = 0; i < 8; i++) {
		struct gpu gpu = gtx480();
		struct replay_result off, on;

		gpu.l2 = i & 1 ? GPU_L2_ON : GPU_L2_OFF;
		gpu.l1_mshr_entries = i & 2 ? 8 : 0;
		replay_past(recording, &gpu, 1, lists[i >> 2], &off);
		gpu.bandwidth = GPU_BANDWIDTH_ON;
		gpu.l1_fill_bytes = 4096;
		replay_past(recording, &gpu, 1, lists[i >> 2], &on);
		assert_int_equal(on.schedule.cycles, off.schedule.cycles);
		assert_memory_equal(&on.total, &off.total, sizeof(on.total));
		assert_int_equal(on.total.bypasses > 0, i >= 4);
		replay_result_release(&off);
		replay_result_release(&on);
	}
	scene_forget(recording, dir);
}

/* One SM reads 32 lines of a and 32 of b, in two waves of 8 groups, whose warps wait for a and then
 * for b. The launch cannot end before these lines have come, and nothing comes in at most four
 * latencies of 35 + 220 cycles, and some to issue. */
static void a_launch_lasts_as_long_as_its_bytes_take(void **state)
{
	const struct scene_mishap none = { 0 };
	char dir[32];
	struct recording *recording = scene_record(&VECTOR_ADD, &none, dir);

	for (uint32_t bytes = 1; bytes <= 16; bytes *= 4) {
		for (uint32_t l2 = 0; l2 < 2; l2++) {
			struct gpu gpu = gtx480();
			struct replay_result r;

			gpu.l2 = l2;
			gpu.sm_count = 1;
			gpu.bandwidth = GPU_BANDWIDTH_ON;
			gpu.l1_fill_bytes = bytes;
			replay(recording, &gpu, 1, &r);
			assert_int_equal(r.total.bytes_from_l2, 64 * 128);
			assert_true(r.schedule.cycles >= 64 * 128 / bytes);
			assert_true(r.schedule.cycles <= 64 * 128 / bytes + 4 * 255 + 60);
			replay_result_release(&r);
		}
	}
	scene_forget(recording, dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vector_addition_moves_each_line_once),
		cmocka_unit_test(a_transposition_meets_in_l2),
		cmocka_unit_test(any_caches_keep_the_laws),
		cmocka_unit_test(many_bytes_in_a_cycle_are_no_limit),
		cmocka_unit_test(a_launch_lasts_as_long_as_its_bytes_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

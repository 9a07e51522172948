/* SPDX-License-Identifier: Apache-2.0 */
/* Points of the curves against replays of the same recording with such a cache, each by itself. */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "miss_curve.h"
#include "read_rules.h"
#include "scene.h"

enum { LAUNCH = 0, ORGANISATIONS = 3 };

static const uint64_t WIDTH = 128;

/* out[x * 128 + y] = in[y * 128 + x], groups of 16x16 */
static uint64_t transpose_index(size_t site, const uint64_t id[3])
{
	return site == 0 ? id[1] * WIDTH + id[0] : id[0] * WIDTH + id[1];
}

/* Near together, far apart, and in lines that others write. */
static uint64_t scattered_index(size_t site, const uint64_t id[3])
{
	static const uint64_t factors[] = { 1, 40503, 2654435761, 17 };

	return (id[0] + 64 * site) * factors[site] % 16384;
}

static const struct scene scenes[] = {
	{ .name = "transpose",
	  .kinds = "rw",
	  .arguments = { 0, 1 },
	  .buffer_count = 2,
	  .buffer_bytes = 65536,
	  .shape = { 2, { 128, 128, 1 }, { 16, 16, 1 }, { 0, 0, 0 } },
	  .index = transpose_index },
	{ .name = "scattered",
	  .kinds = "rrwr",
	  .arguments = { 0, 1, 1, 1 },
	  .buffer_count = 2,
	  .buffer_bytes = 65536,
	  .shape = { 1, { 8000, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
	  .index = scattered_index },
};

static struct gpu gpu_of(uint32_t write, uint32_t latency)
{
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.l1_write = write;
	gpu.latency = latency;
	gpu.sm_count = 5;
	return gpu;
}

/* What a replay counts with other sets and ways. */
static struct counters replayed(const struct recording *r, struct gpu gpu, const struct gpu *sets,
                                uint32_t ways)
{
	const struct replay_options options = { 0 };
	struct replay_result result;
	struct err err = { 0 };
	struct counters c;

	gpu.l1_sets = sets->l1_sets;
	gpu.l1_index = sets->l1_index;
	gpu.l1_ways = ways;
	if (replay_launch(r, LAUNCH, &gpu, &options, &result, &err))
		fail_msg("%s", err.msg);
	c = result.total;
	replay_result_release(&result);
	return c;
}

/* Curves of the launch, with `jobs` threads, played `times` times. */
static struct miss_curve *curve_of(const struct recording *r, const struct gpu *gpu,
                                   const struct gpu sets[2], bool is_exact, uint32_t jobs,
                                   int times)
{
	struct miss_curve *curve = NULL;
	struct replay_result result;
	const struct miss_curve_setup setup = {
		.gpu = gpu, .sets = sets, .set_count = 2, .is_exact = is_exact
	};
	struct err err = { 0 };

	assert_int_equal(miss_curve_create(&curve, &setup, NULL), 0);
	for (int i = 0; i < times; i++) {
		const struct replay_options options = { .jobs = jobs,
			                                .request = miss_curve_request,
			                                .request_context = curve };

		if (replay_launch(r, LAUNCH, gpu, &options, &result, &err))
			fail_msg("%s", err.msg);
		if (!i)
			assert_int_equal(miss_curve_sites(curve, result.site_count, NULL), 0);
		replay_result_release(&result);
		assert_int_equal(miss_curve_end(curve, NULL), 0);
	}
	return curve;
}

static void check_point(const struct miss_curve *curve, size_t organisation, uint32_t ways,
                        const struct counters *want)
{
	const struct reuse_counts *counts = miss_curve_counts(curve, organisation);

	assert_int_equal(reuse_counts_reads(counts), want->reads);
	if (reuse_counts_is_estimate(counts, ways)) {
		assert_true(organisation && counts->limit >= MISS_CURVE_LINES / 32);
		assert_int_equal(reuse_counts_misses(counts, ways), UINT64_MAX);
		return;
	}
	assert_int_equal(reuse_counts_misses(counts, ways), want->read_misses);
	if (!counts->unknown)
		assert_int_equal(counts->cold, want->cold);
}

static void points_are_replays_with_such_a_cache(void **state)
{
	static const uint32_t ways[] = { 1, 2, 3, 4, 6, 9, 16, 40, 200 };
	static const uint32_t writes[] = { GPU_L1_WRITE_THROUGH_EVICT,
		                           GPU_L1_WRITE_THROUGH_UPDATE };

	for (size_t i = 0; i < 4 * sizeof(scenes) / sizeof(scenes[0]); i++) {
		const struct gpu gpu = gpu_of(writes[i % 2], GPU_LATENCY_OFF);
		struct gpu sets[ORGANISATIONS] = { gpu, gpu, gpu };
		struct miss_curve *curve;
		struct recording *r;
		char dir[32];

		sets[0].l1_sets = 1;
		sets[0].l1_index.kind = GPU_L1_INDEX_MODULO;
		sets[2].l1_sets = 7;
		sets[2].l1_index.kind = GPU_L1_INDEX_MODULO;
		r = scene_record(&scenes[i / 4], &(struct scene_mishap){ 0 }, dir);
		curve = curve_of(r, &gpu, sets + 1, i / 2 % 2, 1 + (uint32_t)i % 3, 1);
		for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++)
			for (size_t o = 0; o < ORGANISATIONS; o++) {
				struct counters want = replayed(r, gpu, &sets[o], ways[w]);

				check_point(curve, o, ways[w], &want);
			}
		miss_curve_free(curve);
		scene_forget(r, dir);
	}
}

/* With time, the order is that of the GPU's own cache: its own point is that of its replay. */
static void the_gpus_own_point_is_its_replay_with_latency(void **state)
{
	const struct gpu gpu = gpu_of(GPU_L1_WRITE_THROUGH_EVICT, GPU_LATENCY_ON);
	const struct gpu sets[2] = { gpu, gpu };

	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		char dir[32];
		struct recording *r = scene_record(&scenes[i], &(struct scene_mishap){ 0 }, dir);
		struct miss_curve *curve = curve_of(r, &gpu, sets, false, 1, 1);
		struct counters want = replayed(r, gpu, &gpu, gpu.l1_ways);

		assert_true(i == 0 || want.pending_hits);
		check_point(curve, 1, gpu.l1_ways, &want);
		miss_curve_free(curve);
		scene_forget(r, dir);
	}
}

/* Each launch begins with empty caches: twice the launch, twice the counts; and what the sites of
 * the second have is what all of it has. */
static void launches_add_up_and_sites_are_their_launch(void **state)
{
	const struct gpu gpu = gpu_of(GPU_L1_WRITE_THROUGH_EVICT, GPU_LATENCY_ON);
	const struct gpu sets[2] = { gpu, gpu };
	char dir[32];
	struct recording *r = scene_record(&scenes[1], &(struct scene_mishap){ 0 }, dir);
	struct miss_curve *once = curve_of(r, &gpu, sets, true, 2, 1);
	struct miss_curve *twice = curve_of(r, &gpu, sets, true, 3, 2);

	for (size_t o = 0; o < ORGANISATIONS; o++) {
		const struct reuse_counts *counts = miss_curve_counts(once, o);
		const struct reuse_bins *sites = miss_curve_site_bins(twice, o);
		struct reuse_bins all, sum = { 0 };

		for (uint64_t ways = 1; ways < 300; ways++)
			assert_int_equal(2 * reuse_counts_misses(counts, ways),
			                 reuse_counts_misses(miss_curve_counts(twice, o), ways));
		reuse_counts_bins(counts, counts, &all);
		for (size_t i = 0; i < 4; i++)
			reuse_bins_sum(&sum, &sites[i]);
		assert_memory_equal(&all, &sum, sizeof(sum));
		assert_true(sites[0].cold && sites[1].cold && sites[3].taken);
		assert_int_equal(sites[2].cold, 0); /* it writes */
	}
	miss_curve_free(twice);
	miss_curve_free(once);
	scene_forget(r, dir);
}

/* Reads that go through a read-only cache are none of L1's. */
static void reads_beside_l1_are_on_no_curve(void **state)
{
	struct gpu gpu = gpu_of(GPU_L1_WRITE_THROUGH_EVICT, GPU_LATENCY_ON);
	const struct miss_curve_setup setup = { .gpu = &gpu, .sets = &gpu, .set_count = 1 };
	struct miss_curve *curve = NULL;
	struct replay_options options = { .request = miss_curve_request };
	struct replay_result result;
	char dir[32];
	struct recording *r = scene_record(&scenes[1], &(struct scene_mishap){ 0 }, dir);

	assert_int_equal(gpu_put(&gpu, "read_only_sets=4", NULL), 0);
	assert_int_equal(gpu_put(&gpu, "read_only_ways=2", NULL), 0);
	assert_int_equal(gpu_put(&gpu, "read_only_hit_cycles=35", NULL), 0);
	assert_int_equal(miss_curve_create(&curve, &setup, NULL), 0);
	assert_int_equal(read_only_list_parse(&options.read_only, "site:1", NULL), 0);
	options.request_context = curve;
	assert_int_equal(replay_launch(r, LAUNCH, &gpu, &options, &result, NULL), 0);
	assert_int_equal(miss_curve_end(curve, NULL), 0);
	assert_true(result.read_only.reads);
	check_point(curve, 1, gpu.l1_ways, &result.total);
	replay_result_release(&result);
	bypass_list_release(&options.read_only);
	miss_curve_free(curve);
	scene_forget(r, dir);
}

static void reads_past_l1_are_on_no_curve(void **state)
{
	const struct gpu gpu = gpu_of(GPU_L1_WRITE_THROUGH_EVICT, GPU_LATENCY_ON);
	const struct miss_curve_setup setup = { .gpu = &gpu, .sets = &gpu, .set_count = 1 };
	struct miss_curve *curve = NULL;
	struct bypass_list list = { 0 };
	struct replay_options options = { .request = miss_curve_request, .bypass = &list };
	struct replay_result result;
	char dir[32];
	struct recording *r = scene_record(&scenes[1], &(struct scene_mishap){ 0 }, dir);

	assert_int_equal(miss_curve_create(&curve, &setup, NULL), 0);
	assert_int_equal(bypass_list_parse(&list, "site:1", NULL), 0);
	options.request_context = curve;
	assert_int_equal(replay_launch(r, LAUNCH, &gpu, &options, &result, NULL), 0);
	assert_int_equal(miss_curve_end(curve, NULL), 0);
	assert_true(result.total.bypasses && result.total.reads);
	check_point(curve, 1, gpu.l1_ways, &result.total);
	replay_result_release(&result);
	bypass_list_release(&list);
	miss_curve_free(curve);
	scene_forget(r, dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_replays_with_such_a_cache),
		cmocka_unit_test(the_gpus_own_point_is_its_replay_with_latency),
		cmocka_unit_test(launches_add_up_and_sites_are_their_launch),
		cmocka_unit_test(reads_beside_l1_are_on_no_curve),
		cmocka_unit_test(reads_past_l1_are_on_no_curve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

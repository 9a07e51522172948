/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a sweep against replays of the same recording, each by itself, with latency = off. */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "l1_play.h"
#include "scene.h"
#include "sweep.h"

enum { MAX_WAYS = 24, CELLS = 100 };

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
	  .shape = { 1, { 20000, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
	  .index = scattered_index },
};

static const struct sweep_geometry geometries[] = {
	{ GPU_L1_INDEX_MODULO, 1 },  { GPU_L1_INDEX_MODULO, 2 },  { GPU_L1_INDEX_MODULO, 4 },
	{ GPU_L1_INDEX_MODULO, 8 },  { GPU_L1_INDEX_MODULO, 16 }, { GPU_L1_INDEX_MODULO, 32 },
	{ GPU_L1_INDEX_MODULO, 64 }, { GPU_L1_INDEX_MODULO, 48 }, { GPU_L1_INDEX_XOR, 16 },
	{ GPU_L1_INDEX_XOR, 64 },    { GPU_L1_INDEX_FERMI, 32 },  { GPU_L1_INDEX_FERMI, 64 },
};
#define GEOMETRIES      (sizeof(geometries) / sizeof(geometries[0]))
#define GEOMETRIES_LESS (GEOMETRIES - 2) /* without fermi, which is for lines of 128 bytes */

static const uint32_t line_sizes[] = { 32, 64, 128 };

/* A GPU whose caches are small enough to be filled by a few groups. */
static struct gpu gpu_of(uint32_t line_bytes, enum gpu_l1_write write)
{
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.l1_line_bytes = line_bytes;
	gpu.l1_index.kind = GPU_L1_INDEX_MODULO;
	gpu.l1_write = write;
	gpu.sm_count = 5;
	return gpu;
}

/* What a replay counts, without the classes that a sweep does not tell. */
static struct counters replayed(const struct recording *r, struct gpu gpu,
                                const struct replay_options *options,
                                const struct sweep_geometry *g, uint32_t ways)
{
	struct replay_result result;
	struct err err = { 0 };
	struct counters c;

	gpu.l1_sets = g->sets;
	gpu.l1_index.kind = g->index;
	gpu.l1_ways = ways;
	gpu.latency = GPU_LATENCY_OFF;
	if (replay_launch(r, 0, &gpu, options, &result, &err))
		fail_msg("%s", err.msg);
	c = result.total;
	assert_int_equal(c.pending_hits, 0);
	c.coherence = c.capacity = c.conflict = 0;
	replay_result_release(&result);
	return c;
}

static void double_counts(struct counters *c)
{
	const struct counters once = *c;

	counters_add(c, &once);
}

/* Sweep a scene, which is played once or twice, and compare some cells. */
static void compare(const struct scene *scene, const struct gpu *gpu, bool is_twice, int cells,
                    uint64_t *random)
{
	struct replay_options options = { .jobs = is_twice ? 3 : 1 };
	size_t count = gpu->l1_line_bytes == 128 ? GEOMETRIES : GEOMETRIES_LESS;
	char dir[32];
	struct recording *r = scene_record(scene, &(struct scene_mishap){ 0 }, dir);
	struct sweep *s = NULL;
	struct err err = { 0 };
	bool is_whole = false;

	assert_int_equal(issue_order_parse(&options.order, is_twice ? "gto" : "lrr", NULL), 0);
	assert_int_equal(sweep_create(&s, gpu, geometries, count, MAX_WAYS, &err), 0);
	for (int i = 0; i <= is_twice; i++)
		if (sweep_launch(s, r, 0, &options, &is_whole, &err))
			fail_msg("%s", err.msg);
	assert_true(is_whole);
	for (int i = 0; i < cells; i++) {
		size_t g = random_below(random, count);
		uint32_t ways = 1 + (uint32_t)random_below(random, MAX_WAYS);
		struct counters want = replayed(r, *gpu, &options, &geometries[g], ways), got;

		if (is_twice)
			double_counts(&want);
		sweep_cell(s, g, ways, &got);
		assert_memory_equal(&got, &want, sizeof(got));
		assert_true(got.read_misses > 0);
	}
	sweep_free(s);
	scene_forget(r, dir);
}

static void a_hundred_cells_are_what_replays_count(void **state)
{
	uint64_t random = 20261122;
	int cells = 0;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)random);
	for (int i = 0; cells < CELLS; i++, cells += 9) {
		enum gpu_l1_write write =
			i / 3 % 2 ? GPU_L1_WRITE_THROUGH_UPDATE : GPU_L1_WRITE_THROUGH_EVICT;
		const struct gpu gpu = gpu_of(line_sizes[i % 3], write);

		compare(&scenes[i / 6 % 2], &gpu, i % 2, 9, &random);
	}
}

static void a_launch_that_lacks_accesses_is_told(void **state)
{
	const struct gpu gpu = gpu_of(128, GPU_L1_WRITE_THROUGH_EVICT);
	const struct replay_options options = { 0 };
	char dir[32];
	struct recording *r =
		scene_record(&scenes[0], &(struct scene_mishap){ .dropped_events = 1 }, dir);
	struct sweep *s = NULL;
	bool is_whole = true;

	(void)state;
	assert_int_equal(sweep_create(&s, &gpu, geometries, 1, 1, NULL), 0);
	assert_int_equal(sweep_launch(s, r, 0, &options, &is_whole, NULL), 0);
	assert_false(is_whole);
	assert_int_equal(sweep_launch(s, r, 1, &options, &is_whole, NULL), ERR_USAGE);
	sweep_free(s);
	scene_forget(r, dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hundred_cells_are_what_replays_count),
		cmocka_unit_test(a_launch_that_lacks_accesses_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

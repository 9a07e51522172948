/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An L2 of 1 MB, 16 ways, behind an L1 of 32 sets and 4 ways: the beginning of the two lists on
 * which other simulators agree, against the plainest loops. bench/cache_speed plays them to the end
 * and has the others' counts.
 */
#include "cmocka_all.h"

#include "address_lists.h"
#include "gpu.h"
#include "l1_play.h"
#include "launch_shape.h"
#include "replay.h"
#include "schedule.h"
#include "sm_caches.h"

#include <stdlib.h>
#include <string.h>

/* A group for each SM at least. */
static const struct launch_shape many_groups = { 1, { 1024, 1, 1 }, { 1, 1, 1 }, { 0 } };

enum { COUNT = 2000000, L2_SETS = 512, L2_WAYS = 16, L1_SETS = 32, L1_WAYS = 4 };

/* Look for a line in its set, the one used last first, and put it there: whether it was there. */
static bool look_up(uint64_t *lines, uint32_t sets, uint32_t ways, uint64_t line)
{
	uint64_t *set = lines + line % sets * ways;
	uint32_t at = 0;
	bool is_there;

	while (at + 1 < ways && set[at] != line)
		at++;
	is_there = set[at] == line;
	memmove(set + 1, set, at * sizeof(*set));
	set[0] = line;
	return is_there;
}

struct misses {
	uint64_t l1, l2;
};

static struct misses count_plainly(const uint64_t *list)
{
	static uint64_t l1[L1_SETS * L1_WAYS], l2[L2_SETS * L2_WAYS];
	struct misses m = { 0 };

	memset(l1, 0xff, sizeof(l1));
	memset(l2, 0xff, sizeof(l2));
	for (size_t i = 0; i < COUNT; i++) {
		if (look_up(l1, L1_SETS, L1_WAYS, list[i] / 128))
			continue;
		m.l1++;
		m.l2 += !look_up(l2, L2_SETS, L2_WAYS, list[i] / 128);
	}
	return m;
}

/* Read the lines one after another, without latency. */
static void play(const struct gpu *gpu, const uint64_t *list, size_t count,
                 struct replay_result *out)
{
	static const uint64_t used[2] = { UINT64_MAX, UINT64_MAX };
	static struct site site;
	const struct kernel_table table = { .sites = &site, .site_count = 1 };
	const struct schedule_input input = { .shape = &many_groups, .table = &table };
	const struct replay_options options = { 0 };
	struct sm_caches caches;
	struct memory_port port;

	assert_int_equal(sm_caches_init(&caches, gpu, &input, &options, NULL), 0);
	port = sm_caches_port(&caches, gpu);
	for (size_t i = 0; i < count; i++) {
		const struct request r = {
			.line = list[i] / 128 * 128, .used = used, .bytes_used = 128, .lanes = 32
		};

		port.request(port.context, 0, &r, i);
		if (i % 1000 == 999)
			port.settle(port.context, i + 1);
	}
	port.settle(port.context, UINT64_MAX);
	sm_caches_end(&caches, count);
	assert_int_equal(sm_caches_count(&caches, out, NULL), 0);
	sm_caches_release(&caches);
}

static struct gpu golden_gpu(void)
{
	return (struct gpu){ .name = "golden",
		             .sm_count = 1,
		             .warp_lanes = 32,
		             .l1_sets = L1_SETS,
		             .l1_ways = L1_WAYS,
		             .l1_line_bytes = 128,
		             .latency = GPU_LATENCY_OFF,
		             .l2 = GPU_L2_ON,
		             .l2_slices = 1,
		             .l2_sets = L2_SETS,
		             .l2_ways = L2_WAYS,
		             .l2_line_bytes = 128,
		             .dram_channels = 1,
		             .dram_interleave_bytes = 128 };
}

static void an_l2_behind_an_l1_misses_as_the_plainest_loops_do(void **state)
{
	const struct gpu gpu = golden_gpu();
	uint64_t *list = malloc(COUNT * sizeof(*list));

	assert_non_null(list);
	for (int i = 0; i < 2; i++) {
		struct replay_result r = { 0 };
		struct misses m;

		if (i)
			assert_true(address_list_mixed(list, COUNT));
		else
			address_list_matrix(list, COUNT);
		m = count_plainly(list);
		play(&gpu, list, COUNT, &r);
		assert_int_equal(r.total.read_misses, m.l1);
		assert_int_equal(r.below.l2.reads, m.l1);
		assert_int_equal(r.below.l2.read_misses, m.l2);
		assert_int_equal(r.below.l2.pending_hits, 0);
		assert_int_equal(r.below.dram.bytes_read, m.l2 * 128);
		replay_result_release(&r);
	}
	free(list);
}

/* n ways of L1 and m of L2, one set each: what L1 has no room for is next in L2, so both miss when
 * one LRU cache of n + m ways does. A cycle of n + m lines is the sharpest case. */
static void an_exclusive_hierarchy_is_one_lru_cache(void **state)
{
	enum { READS = 20000 };
	static uint64_t list[READS], ways[64];
	uint64_t random = 99;

	for (uint32_t n = 1; n <= 8; n *= 2)
		for (uint32_t m = 1; m <= 48; m *= 3) {
			struct gpu gpu = golden_gpu();
			struct replay_result r = { 0 };
			uint64_t misses = 0;

			gpu.l1_sets = gpu.l2_sets = 1;
			gpu.l1_ways = n;
			gpu.l2_ways = m;
			gpu.l2_inclusion = GPU_L2_INCLUSION_EXCLUSIVE;
			memset(ways, 0xff, sizeof(ways));
			for (uint32_t i = 0; i < READS; i++) {
				uint64_t lines = n + m + (i < READS / 2 ? 0 : 4);

				list[i] = 128 * (i < READS / 4 ? i % lines
				                               : random_below(&random, lines));
				misses += !look_up(ways, 1, n + m, list[i] / 128);
			}
			play(&gpu, list, READS, &r);
			assert_int_equal(r.below.l2.read_misses, misses);
			assert_int_equal(r.below.l2.victims, r.total.evictions);
			replay_result_release(&r);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_l2_behind_an_l1_misses_as_the_plainest_loops_do),
		cmocka_unit_test(an_exclusive_hierarchy_is_one_lru_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* SEMANTICS 6 on random streams: what holds whatever the requests. */
#include "cmocka_all.h"

#include "l1_play.h"

#include <inttypes.h>

enum { STEPS = 20000, LINES = 150, CACHES = 6 };

static struct gpu gpu_of(uint32_t sets, uint32_t ways, enum gpu_l1_write write)
{
	return (struct gpu){
		.l1_sets = sets,
		.l1_ways = ways,
		.l1_line_bytes = 64,
		.l1_index.kind = GPU_L1_INDEX_MODULO,
		.l1_write = write,
		.l1_hit_cycles = 5,
		.l2_cycles = 40,
	};
}

/* Near lines more often than far ones; a write or an atomic in one of `one_in` requests. */
static struct l1_step next_step(uint64_t *random, uint64_t *now_cycles, uint64_t one_in)
{
	struct l1_step step = { .kind = 'r' };

	if (one_in && random_below(random, one_in) == 0)
		step.kind = random_below(random, 4) ? 'w' : 'a';
	step.line = random_below(random, 1 + random_below(random, LINES));
	*now_cycles += random_below(random, 12);
	step.now_cycles = *now_cycles;
	return step;
}

static void sums_hold(void **state)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		const struct gpu gpu = gpu_of(5, 3, seed % 2);
		struct l1 *l1 = l1_of(&gpu);
		struct counters c = { 0 };
		uint64_t random = seed, now_cycles = 0;
		bool is_read[LINES] = { false };
		uint64_t distinct = 0;

		print_message("seed %" PRIu64 "\n", seed);
		for (size_t t = 0; t < STEPS; t++) {
			struct l1_step step = next_step(&random, &now_cycles, 10);

			l1_play(l1, &gpu, step, &c);
			distinct += step.kind == 'r' && !is_read[step.line];
			is_read[step.line] |= step.kind == 'r';
		}
		assert_int_equal(counters_requests(&c), STEPS);
		assert_int_equal(c.read_hits + c.pending_hits + c.read_misses, c.reads);
		assert_int_equal(c.cold + c.coherence + c.capacity + c.conflict, c.read_misses);
		assert_int_equal(c.cold, distinct);
		assert_int_equal(c.lanes, 2 * STEPS);
		assert_int_equal(c.bytes_from_l2, 64 * c.read_misses);
		assert_true(c.pending_hits && c.coherence && c.capacity && c.conflict);
		l1_free(l1);
	}
}

/* Without writes a fill either finds a free way or replaces a line. */
static void misses_less_evictions_are_the_lines_held(void **state)
{
	const struct gpu gpu = gpu_of(4, 4, GPU_L1_WRITE_THROUGH_EVICT);
	struct l1 *l1 = l1_of(&gpu);
	struct counters c = { 0 };
	uint64_t random = 5, now_cycles = 0;

	for (size_t t = 0; t < STEPS; t++)
		l1_play(l1, &gpu, next_step(&random, &now_cycles, 0), &c);
	assert_int_equal(c.read_misses - c.evictions, 4 * 4);
	assert_int_equal(c.coherence, 0);
	l1_free(l1);
}

/*
 * Caches that grow, played side by side: what a smaller one finds, a larger one finds. It holds
 * with writes that take lines out as well: they leave at least as many holes in the larger cache.
 */
static void finds_grow(const struct gpu gpus[CACHES], uint64_t seed)
{
	struct counters c[CACHES] = { 0 };
	struct l1 *l1[CACHES];
	uint64_t random = seed, now_cycles = 0;

	for (size_t i = 0; i < CACHES; i++)
		l1[i] = l1_of(&gpus[i]);
	for (size_t t = 0; t < STEPS; t++) {
		struct l1_step step = next_step(&random, &now_cycles, seed % 3 ? 8 : 0);
		bool is_found = false;

		for (size_t i = 0; i < CACHES; i++) {
			bool was_found = is_found;

			is_found = strchr("hpW", l1_play(l1[i], &gpus[i], step, &c[i]).letter);
			assert_true(is_found || !was_found);
		}
	}
	for (size_t i = 0; i < CACHES; i++) {
		assert_true(i == 0 || c[i].read_misses <= c[i - 1].read_misses);
		l1_free(l1[i]);
	}
}

static void more_ways_never_miss_more(void **state)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct gpu gpus[CACHES];

		print_message("seed %" PRIu64 "\n", seed);
		for (uint32_t i = 0; i < CACHES; i++)
			gpus[i] = gpu_of(7, i + 1, seed % 2);
		finds_grow(gpus, seed);
	}
}

/* One set: fully associative LRU caches of growing size include each other, and have no conflicts.
 */
static void full_lru_caches_include_each_other(void **state)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct gpu gpus[CACHES];

		for (uint32_t i = 0; i < CACHES; i++)
			gpus[i] = gpu_of(1, 1 + i * 17, seed % 2);
		finds_grow(gpus, seed);
	}
}

static void a_cache_of_one_set_has_no_conflict_misses(void **state)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		const struct gpu gpu = gpu_of(1, 20, seed % 2);
		struct l1 *l1 = l1_of(&gpu);
		struct counters c = { 0 };
		uint64_t random = seed, now_cycles = 0;

		for (size_t t = 0; t < STEPS; t++)
			l1_play(l1, &gpu, next_step(&random, &now_cycles, 8), &c);
		assert_true(c.capacity && c.coherence);
		assert_int_equal(c.conflict, 0);
		l1_free(l1);
	}
}

/* Latencies decide which hits are pending, nothing else. */
static void misses_follow_from_the_order_alone(void **state)
{
	struct counters c[2] = { 0 };

	for (size_t i = 0; i < 2; i++) {
		struct gpu gpu = gpu_of(5, 3, GPU_L1_WRITE_THROUGH_EVICT);
		uint64_t random = 11, now_cycles = 0;
		struct l1 *l1;

		gpu.l2_cycles = i ? 4000 : 1;
		l1 = l1_of(&gpu);
		for (size_t t = 0; t < STEPS; t++)
			l1_play(l1, &gpu, next_step(&random, &now_cycles, 10), &c[i]);
		l1_free(l1);
	}
	assert_true(c[0].pending_hits < c[1].pending_hits);
	for (size_t i = 0; i < 2; i++) {
		c[i].read_hits += c[i].pending_hits;
		c[i].pending_hits = 0;
	}
	assert_memory_equal(&c[0], &c[1], sizeof(c[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_hold),
		cmocka_unit_test(misses_less_evictions_are_the_lines_held),
		cmocka_unit_test(more_ways_never_miss_more),
		cmocka_unit_test(full_lru_caches_include_each_other),
		cmocka_unit_test(a_cache_of_one_set_has_no_conflict_misses),
		cmocka_unit_test(misses_follow_from_the_order_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

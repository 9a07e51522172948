/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads that come many at a time against the same reads one by one, which other tests compare with
 * oracles: random caches, runs of any length, writes and atomics between them.
 */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "l1.h"
#include "sm_caches.h"

#include <inttypes.h>
#include <string.h>

enum { CONFIGURATIONS = 1500, RUNS = 12, READS_MAX = 700 };

/* xorshift64* */
static uint64_t below(uint64_t *state, uint64_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1du >> 11) % limit;
}

static struct gpu random_gpu(uint64_t *x)
{
	static const enum gpu_l1_index indices[] = { GPU_L1_INDEX_MODULO, GPU_L1_INDEX_XOR };
	struct gpu g = { .l1_line_bytes = 16u << below(x, 5),
		         .l1_ways = 1 + (uint32_t)below(x, 9),
		         .l1_write = (uint32_t)below(x, 2),
		         .l1_hit_cycles = 1 + (uint32_t)below(x, 12),
		         .l2_cycles = 1 + (uint32_t)below(x, 60),
		         .l1_request_cycles = (uint32_t)below(x, 4),
		         .latency = below(x, 2) ? GPU_LATENCY_ON : GPU_LATENCY_OFF };

	g.l1_index.kind = indices[below(x, 2)];
	g.l1_sets =
		g.l1_index.kind == GPU_L1_INDEX_XOR ? 1u << below(x, 4) : 1 + (uint32_t)below(x, 9);
	return g;
}

/* Two equal L1s: `many` gets runs, `single` their reads. */
struct pair {
	struct l1 *many, *single;
	struct counters many_counters, single_counters;
	uint64_t now, port_free;
	uint64_t request_cycles;
};

/* As schedule.h has it. */
static void read_singly(struct pair *p, struct request r, const uint64_t *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t there;

		r.line = lines[i];
		p->now = p->now < p->port_free ? p->port_free : p->now;
		p->port_free = p->now + p->request_cycles;
		there = l1_request(p->single, &r, p->now, &p->single_counters);
		p->now = there > p->now + 1 ? there : p->now + 1;
	}
}

static void play_run(struct pair *p, uint64_t *x, uint64_t line_bytes, uint64_t spread)
{
	static const uint64_t used[1] = { 1 };
	static uint64_t lines[READS_MAX];
	struct request r = { .used = used, .bytes_used = 1, .sectors = 1, .lanes = 1 };
	size_t count = below(x, below(x, 4) ? 20 : READS_MAX);
	struct read_run run = { .lines = lines,
		                .count = count,
		                .request_cycles = p->request_cycles,
		                .now = p->now,
		                .port_free = p->port_free };

	for (size_t i = 0; i < count; i++)
		lines[i] = below(x, below(x, 3) ? spread : 50 * spread) * line_bytes;
	l1_reads(p->many, &r, &run, &p->many_counters);
	read_singly(p, r, lines, count);
	assert_int_equal(run.now, p->now);
	assert_int_equal(run.port_free, p->port_free);
	r.kind = below(x, 2) ? SITE_WRITE : SITE_ATOMIC;
	r.line = below(x, spread) * line_bytes;
	l1_request(p->many, &r, p->now, &p->many_counters);
	l1_request(p->single, &r, p->now, &p->single_counters);
	r.kind = SITE_READ; /* that nobody waits for */
	r.line = below(x, spread) * line_bytes;
	l1_request(p->many, &r, p->now, &p->many_counters);
	l1_request(p->single, &r, p->now, &p->single_counters);
	p->now += below(x, 30);
}

/* Whether the configuration takes runs. */
static bool play_one(uint64_t seed, struct counters *sum)
{
	uint64_t x = seed * 0x9e3779b97f4a7c15u, spread;
	const struct gpu gpu = random_gpu(&x);
	const struct l1_setup setup = { .is_unclassified = below(&x, 3) == 0 };
	struct pair p = { .request_cycles = gpu.l1_request_cycles };
	bool has_reads;

	assert_int_equal(l1_create(&p.many, &gpu, &setup, NULL), 0);
	assert_int_equal(l1_create(&p.single, &gpu, &setup, NULL), 0);
	has_reads = l1_has_reads(p.many);
	spread = 1 + below(&x, 2 * gpu.l1_sets * gpu.l1_ways + 3);
	for (uint32_t i = 0; has_reads && i < RUNS; i++)
		play_run(&p, &x, gpu.l1_line_bytes, spread);
	assert_memory_equal(&p.many_counters, &p.single_counters, sizeof(p.many_counters));
	assert_int_equal(l1_status(p.many, NULL), 0);
	counters_add(sum, &p.many_counters);
	l1_free(p.many);
	l1_free(p.single);
	return has_reads;
}

static void a_run_of_reads_is_the_reads_one_by_one(void **state)
{
	struct counters sum = { 0 };
	uint32_t played = 0;

	for (uint64_t seed = 1; seed <= CONFIGURATIONS; seed++) {
		print_message("seed %" PRIu64 "\n", seed);
		played += play_one(seed, &sum);
	}
	assert_true(played > CONFIGURATIONS / 3);
	assert_true(sum.read_hits && sum.pending_hits && sum.cold && sum.coherence &&
	            sum.capacity && sum.conflict && sum.evictions);
}

/* l1_lru.c's sets alone: not with sectors, limits, other policies or many ways. */
static void only_plain_lru_of_few_ways_takes_runs(void **state)
{
	const struct gpu plain = { .l1_sets = 4, .l1_ways = 4, .l1_line_bytes = 128 };
	struct gpu gpus[] = { plain, plain, plain, plain, plain };

	gpus[1].l1_sector_bytes = 32;
	gpus[2].l1_mshr_entries = 4;
	gpus[3].l1_policy.kind = GPU_POLICY_FIFO;
	gpus[4].l1_ways = 17;
	for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++) {
		struct l1 *l1 = NULL;

		gpus[i].l1_hit_cycles = gpus[i].l2_cycles = 1;
		assert_int_equal(l1_create(&l1, &gpus[i], NULL, NULL), 0);
		assert_int_equal(l1_has_reads(l1), i == 0);
		l1_free(l1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_of_reads_is_the_reads_one_by_one),
		cmocka_unit_test(only_plain_lru_of_few_ways_takes_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* However long nobody asks for anything, what ports hold goes on in its time. */
#include "cmocka_all.h"

#include "l1_play.h"
#include "launch_shape.h"
#include "replay.h"
#include "sm_caches.h"

#include <inttypes.h>
#include <stdlib.h>

/* A group for each SM at least. */
static const struct launch_shape many_groups = { 1, { 1024, 1, 1 }, { 1, 1, 1 }, { 0 } };

enum { SEEDS = 400, REQUESTS = 200, LINES = 20, SMS = 3, LINE_BYTES = 128 };

/* H = 10 + 20, DRAM 100; two fills may be on their way. */
static struct gpu two_fills_gpu(void)
{
	return (struct gpu){ .name = "two fills",
		             .sm_count = 1,
		             .warp_lanes = 32,
		             .l1_sets = 1,
		             .l1_ways = 8,
		             .l1_line_bytes = LINE_BYTES,
		             .l1_write = GPU_L1_WRITE_BACK_ALLOCATE,
		             .l1_mshr_entries = 2,
		             .l1_hit_cycles = 10,
		             .latency = GPU_LATENCY_ON,
		             .l2 = GPU_L2_ON,
		             .l2_slices = 1,
		             .l2_sets = 1,
		             .l2_ways = 8,
		             .l2_line_bytes = LINE_BYTES,
		             .l2_hit_cycles = 20,
		             .l2_inclusion = GPU_L2_INCLUSION_NON_INCLUSIVE,
		             .dram_cycles = 100,
		             .dram_channels = 1,
		             .dram_interleave_bytes = LINE_BYTES };
}

static struct site sites[1];
static const struct kernel_table table = { .sites = sites, .site_count = 1 };
static const struct schedule_input input = { .shape = &many_groups, .table = &table };
static const struct replay_options options = { 0 };

/* Four bytes of a line. */
static uint64_t ask(const struct memory_port *port, uint32_t sm, enum site_kind kind, uint64_t line,
                    uint64_t cycle, uint32_t waiter)
{
	static const uint64_t used[LINE_BYTES / 64] = { 0xf };
	const struct request r = { .line = line * LINE_BYTES,
		                   .used = used,
		                   .bytes_used = 4,
		                   .sectors = 1,
		                   .lanes = 1,
		                   .kind = kind,
		                   .buffer = -1,
		                   .waiter = waiter };

	return port->request(port->context, sm, &r, cycle);
}

/*
 * Parts of lines 1 and 2 are written in cycles 0 and 5: L1 fetches them, until 130 and 135. Line 3,
 * written in 6, waits for the first of these: 124 cycles, wherever the next round begins.
 */
static void a_held_write_goes_on_when_nobody_asks(void **state)
{
	static const uint64_t begins[] = { 132, 30, 59, 60, 130, 131, 136, 1000 };
	const struct gpu gpu = two_fills_gpu();

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		struct replay_result r = { 0 };
		struct sm_caches caches;
		struct memory_port port;

		assert_int_equal(sm_caches_init(&caches, &gpu, &input, &options, NULL), 0);
		port = sm_caches_port(&caches, &gpu);
		ask(&port, 0, SITE_WRITE, 1, 0, 0);
		ask(&port, 0, SITE_WRITE, 2, 5, 1);
		ask(&port, 0, SITE_WRITE, 3, 6, 2);
		port.settle(port.context, 29);
		port.settle(port.context, begins[i]);
		port.settle(port.context, UINT64_MAX);
		sm_caches_end(&caches, 0);
		assert_int_equal(sm_caches_count(&caches, &r, NULL), 0);
		assert_int_equal(r.total.reservation_fails, 1);
		assert_int_equal(r.total.stall_cycles, 124);
		assert_int_equal(r.below.dram.reads, 3);
		replay_result_release(&r);
		sm_caches_release(&caches);
	}
}

struct asked {
	uint64_t cycle, line;
	uint32_t sm;
	enum site_kind kind;
};

struct played {
	uint64_t data[REQUESTS];
	struct replay_result counts;
};

static struct gpu random_gpu(uint64_t *state)
{
	struct gpu gpu = two_fills_gpu();

	gpu.sm_count = 1 + (uint32_t)random_below(state, SMS);
	gpu.l1_sets = 1 + (uint32_t)random_below(state, 3);
	gpu.l1_ways = 1 + (uint32_t)random_below(state, 4);
	gpu.l1_sector_bytes = gpu.l2_sector_bytes = random_below(state, 2) ? 32 : 0;
	gpu.l1_write = (uint32_t)random_below(state, 4);
	gpu.l1_allocation = (uint32_t)random_below(state, 2);
	gpu.l1_mshr_entries = (uint32_t)random_below(state, 4);
	gpu.l1_mshr_merge = (uint32_t)random_below(state, 4);
	gpu.l1_request_cycles = (uint32_t)random_below(state, 6);
	gpu.l1_hit_cycles = 1 + (uint32_t)random_below(state, 20);
	gpu.l2_hit_cycles = 1 + (uint32_t)random_below(state, 30);
	gpu.dram_cycles = 1 + (uint32_t)random_below(state, 200);
	gpu.l2_ways = 1 + (uint32_t)random_below(state, 4);
	gpu.l2_write = (uint32_t)random_below(state, 2);
	/* gpu_check(): the others need a write that brings no line in */
	if (gpu.l1_write < GPU_L1_WRITE_THROUGH_ALLOCATE)
		gpu.l2_inclusion = (uint32_t)random_below(state, 3);
	return gpu;
}

/* A few requests at a time, then often nothing for long. */
static void choose(struct asked *asked, const struct gpu *gpu, uint64_t *state)
{
	static const enum site_kind kinds[] = { SITE_READ, SITE_WRITE, SITE_WRITE, SITE_ATOMIC };
	uint64_t cycle = 0;

	for (size_t i = 0; i < REQUESTS; i++) {
		cycle += random_below(state, random_below(state, 8) ? 6 : 1500);
		asked[i] = (struct asked){ .cycle = cycle,
			                   .line = random_below(state, LINES),
			                   .sm = (uint32_t)random_below(state, gpu->sm_count),
			                   .kind = kinds[random_below(state, 4)] };
	}
}

static void take_answers(const struct memory_port *port, uint32_t sm_count, struct played *out)
{
	struct memory_answer answer;

	for (uint32_t sm = 0; sm < sm_count; sm++)
		while (port->next_answer(port->context, sm, &answer))
			out->data[answer.waiter] = answer.cycle;
}

/* In rounds; leaps: where nobody asks there is none. */
static void play(const struct gpu *gpu, const struct asked *asked, bool leaps, struct played *out)
{
	struct sm_caches caches;
	struct memory_port port;
	uint64_t until = 0, round;
	uint32_t i = 0;

	assert_int_equal(sm_caches_init(&caches, gpu, &input, &options, NULL), 0);
	port = sm_caches_port(&caches, gpu);
	round = port.horizon_cycles - 1;
	while (i < REQUESTS) {
		uint64_t begin = leaps && asked[i].cycle > until ? asked[i].cycle : until;

		port.settle(port.context, begin);
		take_answers(&port, gpu->sm_count, out);
		for (until = begin + round; i < REQUESTS && asked[i].cycle < until; i++)
			out->data[i] = ask(&port, asked[i].sm, asked[i].kind, asked[i].line,
			                   asked[i].cycle, i);
	}
	port.settle(port.context, UINT64_MAX);
	take_answers(&port, gpu->sm_count, out);
	sm_caches_end(&caches, asked[REQUESTS - 1].cycle);
	assert_int_equal(sm_caches_count(&caches, &out->counts, NULL), 0);
	sm_caches_release(&caches);
}

static void compare(const struct asked *asked, const struct played *a, const struct played *b)
{
	for (size_t i = 0; i < REQUESTS; i++)
		if (asked[i].kind != SITE_WRITE)
			assert_int_equal(a->data[i], b->data[i]);
	assert_memory_equal(&a->counts.total, &b->counts.total, sizeof(a->counts.total));
	assert_memory_equal(&a->counts.below.l2, &b->counts.below.l2, sizeof(a->counts.below.l2));
	assert_memory_equal(&a->counts.below.dram, &b->counts.below.dram,
	                    sizeof(a->counts.below.dram));
}

static void it_does_not_matter_where_rounds_begin(void **state)
{
	uint64_t stalls = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint64_t random = seed * 0x9e3779b97f4a7c15u;
		struct gpu gpu = random_gpu(&random);
		struct asked asked[REQUESTS];
		struct played a = { 0 }, b = { 0 };

		print_message("seed %" PRIu64 "\n", seed);
		choose(asked, &gpu, &random);
		play(&gpu, asked, false, &a);
		play(&gpu, asked, true, &b);
		compare(asked, &a, &b);
		stalls += a.counts.total.stall_cycles;
		replay_result_release(&a.counts);
		replay_result_release(&b.counts);
	}
	assert_true(stalls > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_held_write_goes_on_when_nobody_asks),
		cmocka_unit_test(it_does_not_matter_where_rounds_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

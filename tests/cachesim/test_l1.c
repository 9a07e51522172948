/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "l1_play.h"

enum { HIT_CYCLES = 10, L2_CYCLES = 90 };

static struct gpu gpu_of(uint32_t sets, uint32_t ways, enum gpu_l1_write write)
{
	return (struct gpu){
		.name = "test",
		.l1_sets = sets,
		.l1_ways = ways,
		.l1_line_bytes = 128,
		.l1_index.kind = GPU_L1_INDEX_MODULO,
		.l1_write = write,
		.l1_hit_cycles = HIT_CYCLES,
		.l2_cycles = L2_CYCLES,
	};
}

/*
 * Each request is a letter (r, w, a) and a one-digit line; the wanted outcomes are the letters of
 * l1_play.h. Requests come 1000 cycles apart, so nothing is in flight.
 */
struct row {
	uint32_t sets, ways;
	enum gpu_l1_write write;
	const char *requests;
	const char *want;
};

#define EVICT  GPU_L1_WRITE_THROUGH_EVICT
#define UPDATE GPU_L1_WRITE_THROUGH_UPDATE

static const struct row rows[] = {
	/* Five lines cycling in one set of four: the next one is always the one just replaced. */
	{ 1, 4, EVICT, "r0 r1 r2 r3 r4 r0 r1 r2 r3 r4 r0 r1", "CCCCCKKKKKKK" },
	/* Four fit. */
	{ 1, 4, EVICT, "r0 r1 r2 r3 r0 r1 r2 r3", "CCCChhhh" },
	/* The same five in set 0 of two: eight lines would have held them, so they conflict. */
	{ 2, 4, EVICT, "r0 r2 r4 r6 r8 r0 r2", "CCCCCFF" },
	/* Distance 3 = lines of a 1x3 cache: capacity; distance 2: still there. */
	{ 1, 3, EVICT, "r0 r1 r2 r0 r1 r3 r2", "CCChhCK" },
	/* One way, two sets: 0 and 2 share a set, distance 1 < 2 lines: conflict; with line 1
	 * between the distance is 2: capacity. */
	{ 2, 1, EVICT, "r0 r2 r0 r1 r2 r0", "CCFCKK" },
	/* A hit renews: 0 is read again, so 2 replaces 1. */
	{ 1, 2, EVICT, "r0 r1 r0 r2 r0 r1", "CChChK" },
	/* A write that hits evicts; the next read is coherence, then all is as before. */
	{ 1, 4, EVICT, "r0 w0 r0 r0", "CWXh" },
	/* A second write finds nothing, and the cause stays the first. */
	{ 1, 4, EVICT, "r0 w0 w0 r0", "CWwX" },
	/* A write to a line that is not there is no reference: the read is cold. */
	{ 1, 4, EVICT, "w0 r0 w1 w1 r1", "wCwwC" },
	/* Replaced first, written after: the write took nothing out, so it is capacity. */
	{ 1, 1, EVICT, "r0 r1 w0 r0", "CCwK" },
	/* Evicted by a write, and then so many others read: still coherence, its last departure. */
	{ 1, 1, EVICT, "r0 w0 r1 r2 r0", "CWCCX" },
	/* The coherence miss is over once the line is back: then it is replaced like others. */
	{ 1, 1, EVICT, "r0 w0 r0 r1 r0", "CWXCK" },
	/* The hole that a write leaves is filled first: 1 stays. */
	{ 1, 2, EVICT, "r0 r1 w0 r2 r1 r0", "CCWChX" },
	/* ... also when the hole was the one read last: 0 stays. */
	{ 1, 2, EVICT, "r0 r1 w1 r2 r0 r1", "CCWChX" },
	/* Update keeps the line, but does not renew it: 0 is the oldest although just written. */
	{ 1, 2, UPDATE, "r0 w0 r0", "CWh" },
	{ 1, 2, UPDATE, "r0 r1 w0 r2 r1 r0", "CCWChK" },
	/* An atomic evicts whatever the policy. */
	{ 1, 2, UPDATE, "r0 a0 r0 a1 r1", "CaXaC" },
	{ 1, 2, EVICT, "r0 a0 r0 a1 r1", "CaXaC" },
};

static void requests_have_these_outcomes(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct gpu gpu = gpu_of(rows[i].sets, rows[i].ways, rows[i].write);
		struct l1 *l1 = l1_of(&gpu);
		struct counters counters = { 0 };
		const char *at = rows[i].requests;
		char got[32] = "";

		for (size_t n = 0; *at; n++, at += at[2] ? 3 : 2) {
			struct l1_step step = { at[0], (uint64_t)at[1] - '0', n * 1000 };

			got[n] = l1_play(l1, &gpu, step, &counters).letter;
		}
		print_message("row %zu: %s\n", i, rows[i].requests);
		assert_string_equal(got, rows[i].want);
		l1_free(l1);
	}
}

/* A hit takes 10 cycles, a fill 100. One set of two ways, evicting. */
static void data_comes_at_these_cycles(void **state)
{
	static const struct {
		struct l1_step step;
		char letter;
		uint64_t ready_cycles;
	} steps[] = {
		{ { 'r', 0, 1000 }, 'C', 1100 },
		{ { 'r', 0, 1000 }, 'p', 1100 }, /* another warp in the same cycle */
		{ { 'r', 0, 1050 }, 'p', 1100 },
		{ { 'r', 0, 1095 }, 'p', 1105 }, /* the fill comes sooner than a hit can */
		{ { 'r', 0, 1099 }, 'p', 1109 },
		{ { 'r', 0, 1100 }, 'h', 1110 }, /* it is there */
		{ { 'r', 1, 1200 }, 'C', 1300 },
		{ { 'w', 1, 1210 }, 'W', 1210 }, /* evicted in flight: a write waits for nothing, */
		{ { 'r', 1, 1220 }, 'X', 1320 }, /* a later read fetches it again */
		{ { 'r', 2, 1230 }, 'C', 1330 }, /* 0 is replaced, */
		{ { 'r', 3, 1240 }, 'C', 1340 }, /* 1 is replaced in flight, */
		{ { 'r', 1, 1250 }, 'K', 1350 }, /* and then 2 by its new fetch */
		{ { 'r', 3, 1330 }, 'p', 1340 },
		{ { 'r', 3, 1340 }, 'h', 1350 },
		{ { 'a', 3, 1400 }, 'a', 1500 }, /* an atomic goes to L2 and back */
		{ { 'w', 9, 1400 }, 'w', 1400 },
	};
	const struct gpu gpu = gpu_of(1, 2, EVICT);
	struct l1 *l1 = l1_of(&gpu);
	struct counters counters = { 0 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct l1_played got = l1_play(l1, &gpu, steps[i].step, &counters);

		print_message("step %zu\n", i);
		assert_int_equal(got.letter, steps[i].letter);
		assert_int_equal(got.ready_cycles, steps[i].ready_cycles);
	}
	l1_free(l1);
}

static void without_latency_data_is_there_at_once(void **state)
{
	static const char want[] = "ChhCKaXw";
	static const char requests[][2] = { "r0", "r0", "r0", "r1", "r0", "a0", "r0", "w1" };
	struct gpu gpu = gpu_of(1, 1, EVICT);
	struct counters c = { 0 };
	struct l1 *l1;

	gpu.latency = GPU_LATENCY_OFF;
	l1 = l1_of(&gpu);
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct l1_step step = { requests[i][0], (uint64_t)requests[i][1] - '0', 7 };
		struct l1_played got = l1_play(l1, &gpu, step, &c);

		assert_int_equal(got.letter, want[i]);
		assert_int_equal(got.ready_cycles, 7);
	}
	l1_free(l1);
}

/* 3 misses, 1 hit, 2 writes, 1 atomic; each request has 2 lanes and 8 bytes (l1_play.h). */
static void lanes_and_bytes_are_counted(void **state)
{
	static const char requests[][2] = { "r0", "r1", "r0", "w1", "w2", "a0", "r0" };
	const struct gpu gpu = gpu_of(1, 1, EVICT);
	struct l1 *l1 = l1_of(&gpu);
	struct counters c = { 0 };

	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct l1_step step = { requests[i][0], (uint64_t)requests[i][1] - '0', i * 1000 };

		l1_play(l1, &gpu, step, &c);
	}
	assert_int_equal(c.reads, 4);
	assert_int_equal(c.read_misses, 4); /* 0, 1, 0 replaced by 1, 0 taken by the atomic */
	assert_int_equal(c.evictions, 2);   /* 0 by 1, 1 by 0 */
	assert_int_equal(c.writes, 2);
	assert_int_equal(c.write_hits, 0);
	assert_int_equal(c.atomics, 1);
	assert_int_equal(c.lanes, 7 * 2);
	assert_int_equal(c.bytes_asked, 7 * 8);
	assert_int_equal(c.bytes_from_l2, 4 * 128);
	assert_int_equal(c.bytes_to_l2, 3 * 8);
	l1_free(l1);
}

static void a_cache_that_cannot_be_is_refused(void **state)
{
	static const struct {
		uint32_t sets, ways, line_bytes, index;
		const char *words;
	} refused[] = {
		{ 16, 4, 128, GPU_L1_INDEX_FERMI, "32 or 64, not 16" },
		{ 4, 0, 128, GPU_L1_INDEX_MODULO, "l1_sets * l1_ways is outside" },
		{ 65536, 65536, 128, GPU_L1_INDEX_MODULO, "l1_sets * l1_ways is outside" },
		{ 4, 4, 96, GPU_L1_INDEX_MODULO, "l1_line_bytes = 96" },
		{ 4, 4, 8, GPU_L1_INDEX_MODULO, "l1_line_bytes = 8" },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		enum gpu_l1_write write = i % 2 ? EVICT : GPU_L1_WRITE_THROUGH_ALLOCATE;
		struct gpu gpu = gpu_of(refused[i].sets, refused[i].ways, write);
		struct err err = { 0 };
		struct l1 *l1 = NULL;

		gpu.l1_line_bytes = refused[i].line_bytes;
		gpu.l1_index.kind = refused[i].index;
		assert_int_equal(l1_create(&l1, &gpu, NULL, &err), ERR_CONFIG);
		assert_non_null(strstr(err.msg, refused[i].words));
		assert_null(l1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_have_these_outcomes),
		cmocka_unit_test(data_comes_at_these_cycles),
		cmocka_unit_test(without_latency_data_is_there_at_once),
		cmocka_unit_test(lanes_and_bytes_are_counted),
		cmocka_unit_test(a_cache_that_cannot_be_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

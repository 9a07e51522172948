/* SPDX-License-Identifier: Apache-2.0 */
/* What a replay's result says as a measure, and which of two measures is better. */
#include "cmocka_all.h"

#include "bypass_measure.h"
#include "err.h"
#include "replay.h"

#include <string.h>

static void a_measure_is_what_the_replay_counted(void **state)
{
	const struct replay_result r = {
		.schedule = { .cycles = 1000 },
		.total = { .reads = 10,
		           .writes = 20,
		           .atomics = 30,
		           .read_hits = 4,
		           .pending_hits = 1,
		           .read_misses = 5,
		           .cold = 2,
		           .coherence = 1,
		           .capacity = 1,
		           .conflict = 1,
		           .bytes_from_l2 = 640,
		           .bytes_to_l2 = 96,
		           .stall_cycles = 7 },
		.below = { .is_on = true,
		           .l2 = { .reads = 5,
		                   .writes = 20,
		                   .atomics = 30,
		                   .read_misses = 3,
		                   .atomic_misses = 4 },
		           .dram = { .bytes_read = 320, .bytes_written = 64 } },
	};
	struct bypass_measure m = { 0 }, twice = { 0 };

	bypass_measure_add(&m, &r);
	assert_int_equal(m.cycles, 1000);
	assert_int_equal(m.l1_requests, 60);
	assert_int_equal(m.reads, 10);
	assert_int_equal(m.read_hits, 4);
	assert_int_equal(m.pending_hits, 1);
	assert_int_equal(m.misses, 5);
	assert_int_equal(m.cold, 2);
	assert_int_equal(m.coherence + m.capacity + m.conflict + m.sector, 3);
	assert_int_equal(m.bytes_from_l2, 640);
	assert_int_equal(m.bytes_to_l2, 96);
	assert_int_equal(m.stall_cycles, 7);
	assert_int_equal(m.l2_requests, 55);
	assert_int_equal(m.l2_misses, 7);
	assert_int_equal(m.dram_bytes, 384);

	bypass_measure_add(&twice, &r);
	bypass_measure_add(&twice, &r);
	bypass_measure_sum(&m, &m);
	assert_memory_equal(&m, &twice, sizeof(m));
}

/* Cycles decide, then bytes both ways; bytes, then cycles; reads that L1 does not serve. */
static void the_objective_decides_and_then_the_second_figure(void **state)
{
	static const struct {
		struct bypass_measure a, b;
		enum bypass_objective objective;
		int want;
	} rows[] = {
		{ { .cycles = 1, .bytes_to_l2 = 9 }, { .cycles = 2 }, BYPASS_CYCLES, -1 },
		{ { .cycles = 2 }, { .cycles = 1, .bytes_to_l2 = 9 }, BYPASS_CYCLES, 1 },
		{ { .cycles = 1, .bytes_from_l2 = 5, .bytes_to_l2 = 5 },
		  { .cycles = 1, .bytes_from_l2 = 2, .bytes_to_l2 = 7 },
		  BYPASS_CYCLES,
		  1 },
		{ { .cycles = 1, .misses = 5 }, { .cycles = 1 }, BYPASS_CYCLES, 0 },
		{ { .cycles = 1, .bytes_to_l2 = 9 }, { .cycles = 2 }, BYPASS_BALANCED, -1 },
		{ { .cycles = 1, .bytes_to_l2 = 9 }, { .cycles = 1 }, BYPASS_BALANCED, 1 },
		{ { .cycles = 9, .bytes_to_l2 = 1 }, { .bytes_from_l2 = 2 }, BYPASS_BYTES, -1 },
		{ { .cycles = 9, .bytes_to_l2 = 1 }, { .bytes_from_l2 = 1 }, BYPASS_BYTES, 1 },
		{ { .misses = 3, .bypasses = 3 }, { .misses = 5 }, BYPASS_MISSES, 1 },
		{ { .misses = 3, .bypasses = 2 }, { .misses = 5, .cycles = 1 }, BYPASS_MISSES, -1 },
		{ { .misses = 5, .bytes_to_l2 = 1 }, { .misses = 5 }, BYPASS_MISSES, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (bypass_measure_compare(&rows[i].a, &rows[i].b, rows[i].objective) !=
		            rows[i].want ||
		    bypass_measure_compare(&rows[i].b, &rows[i].a, rows[i].objective) !=
		            -rows[i].want)
			fail_msg("row %zu", i);
	}
}

static void gains_are_parts_of_what_was_before(void **state)
{
	const struct bypass_measure none = { 0 }, a = { .cycles = 200 }, b = { .cycles = 150 };

	assert_true(bypass_measure_gain(&a, &b, BYPASS_CYCLES) == 0.25);
	assert_true(bypass_measure_gain(&b, &a, BYPASS_CYCLES) == -50.0 / 150);
	assert_true(bypass_measure_gain(&a, &none, BYPASS_CYCLES) == 1);
	assert_true(bypass_measure_gain(&none, &a, BYPASS_CYCLES) == -1);
	assert_true(bypass_measure_gain(&none, &none, BYPASS_CYCLES) == 0);
	assert_true(bypass_measure_gain(&a, &b, BYPASS_BYTES) == 0);
}

static void parts_are_rounded_down_and_never_overflow(void **state)
{
	assert_int_equal(bypass_measure_part(1999, 1000), 1);
	assert_int_equal(bypass_measure_part(2000, 1000), 2);
	assert_int_equal(bypass_measure_part(999999, 1), 0);
	assert_int_equal(bypass_measure_part(3999999, 500000), 1999999);
	assert_int_equal(bypass_measure_part(UINT64_MAX, 1000000), UINT64_MAX);
	assert_int_equal(bypass_measure_part(UINT64_MAX, 0), 0);
}

static void only_a_balanced_objective_has_a_ceiling(void **state)
{
	const struct bypass_measure before = { .bytes_from_l2 = 1099, .bytes_to_l2 = 5000 };

	assert_int_equal(bypass_measure_ceiling(&before, BYPASS_BALANCED), 1109);
	assert_int_equal(bypass_measure_ceiling(NULL, BYPASS_BALANCED), UINT64_MAX);
	assert_int_equal(bypass_measure_ceiling(&before, BYPASS_CYCLES), UINT64_MAX);
	assert_int_equal(bypass_measure_ceiling(&before, BYPASS_BYTES), UINT64_MAX);
	assert_int_equal(bypass_measure_ceiling(&before, BYPASS_MISSES), UINT64_MAX);
}

static void objectives_are_read_by_their_words(void **state)
{
	enum bypass_objective objective = BYPASS_CYCLES;
	struct err err = { 0 };

	for (size_t i = 0; i < BYPASS_OBJECTIVES; i++) {
		const char *word = bypass_objective_word((enum bypass_objective)i);

		assert_int_equal(bypass_objective_read(&objective, word, NULL), 0);
		assert_int_equal(objective, i);
	}
	assert_int_equal(bypass_objective_read(&objective, "cycle", &err), ERR_USAGE);
	assert_string_equal(err.msg,
	                    "unknown objective 'cycle'; there are: balanced cycles bytes misses");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_measure_is_what_the_replay_counted),
		cmocka_unit_test(the_objective_decides_and_then_the_second_figure),
		cmocka_unit_test(gains_are_parts_of_what_was_before),
		cmocka_unit_test(parts_are_rounded_down_and_never_overflow),
		cmocka_unit_test(only_a_balanced_objective_has_a_ceiling),
		cmocka_unit_test(objectives_are_read_by_their_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

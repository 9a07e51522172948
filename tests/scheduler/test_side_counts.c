/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts and constant addresses: by hand, and against the definition written naively. */
#include "cmocka_all.h"

#include "gpu.h"
#include "kernel_table.h"
#include "random.h"
#include "random_cases.h"
#include "side_counts.h"
#include "warp_former.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct gpu fermi = { .local_banks = 32, .local_bank_bytes = 4 };
static const struct gpu tesla = { .local_banks = 16, .local_bank_bytes = 4 };
static const struct gpu kepler = { .local_banks = 32, .local_bank_bytes = 8 };

/* A step of 32 lanes, lane i at base + i * stride. */
static struct warp_step make_step(uint64_t base, uint64_t stride, uint32_t bytes)
{
	struct warp_step s = { .lane_count = 32, .bytes = bytes };

	for (uint32_t i = 0; i < 32; i++) {
		s.lane[i] = (uint8_t)i;
		s.address[i] = base + i * stride;
	}
	return s;
}

static const struct {
	const char *name;
	const struct gpu *gpu;
	uint64_t base, stride;
	uint32_t bytes;
	uint64_t conflicts;
} rows[] = {
	{ "consecutive words: one in each bank", &fermi, 0, 4, 4, 0 },
	{ "every other word: lanes i and i + 16 in one bank", &fermi, 0, 8, 4, 1 },
	{ "three words apart: 3 and 32 have no common factor", &fermi, 0, 12, 4, 0 },
	{ "16 words apart: all in banks 0 and 16", &fermi, 0, 64, 4, 15 },
	{ "a row of 32 words apart: all in one bank", &fermi, 64, 128, 4, 31 },
	{ "a row padded by a word", &fermi, 0, 132, 4, 0 },
	{ "one word for all", &fermi, 36, 0, 4, 0 },
	{ "consecutive bytes: four lanes share a word", &fermi, 0, 1, 1, 0 },
	{ "shorts, a row apart", &fermi, 2, 128, 2, 31 },
	{ "two bytes off: words 0 to 32, of which 0 and 32 in bank 0", &fermi, 2, 4, 4, 1 },
	{ "consecutive doubles: a half-warp fills the banks", &fermi, 0, 8, 8, 0 },
	/* lanes i and i + 8 of a half-warp, at words 4 i: one more in each half */
	{ "every other double", &fermi, 0, 16, 8, 2 },
	{ "one double for all", &fermi, 0, 0, 8, 0 },
	/* half-warps do not wait for each other: 15 more in each */
	{ "doubles, a row apart", &fermi, 0, 128, 8, 30 },
	{ "consecutive float4: a quarter-warp fills the banks", &fermi, 0, 16, 16, 0 },
	/* lanes i and i + 4 of a quarter-warp, at words 8 i: one more in each quarter */
	{ "every other float4", &fermi, 0, 32, 16, 4 },
	/* ten lanes at a time, 30 words */
	{ "packed float3", &fermi, 0, 12, 12, 0 },
	/* each lane alone: 50 words, 18 banks have two */
	{ "200 bytes each", &fermi, 0, 200, 200, 32 },
	{ "nothing", &fermi, 0, 4, 0, 0 },
	{ "16 banks: half-warps", &tesla, 0, 4, 4, 0 },
	{ "16 banks: lanes i and i + 8", &tesla, 0, 8, 4, 2 },
	{ "16 banks: a quarter of a warp's doubles fill them", &tesla, 0, 8, 8, 0 },
	{ "banks of 8 bytes: consecutive floats, two to a word", &kepler, 0, 4, 4, 0 },
	{ "banks of 8 bytes: consecutive doubles, the whole warp", &kepler, 0, 8, 8, 0 },
	{ "banks of 8 bytes: every other double", &kepler, 0, 16, 8, 1 },
};

static void conflicts_are_as_derived_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct warp_step step = make_step(rows[i].base, rows[i].stride, rows[i].bytes);

		print_message("  %s\n", rows[i].name);
		assert_int_equal(side_counts_conflicts(rows[i].gpu, SITE_READ, &step),
		                 rows[i].conflicts);
	}
}

/* Lanes 0, 3 and 9 in one bank; then lane 9 eight bytes wide, so that it is served apart. */
static void inactive_lanes_want_nothing(void **state)
{
	struct warp_step step = {
		.lane_count = 3, .bytes = 4, .lane = { 0, 3, 9 }, .address = { 0, 128, 256 }
	};

	(void)state;
	assert_int_equal(side_counts_conflicts(&fermi, SITE_READ, &step), 2);
	step.lane[2] = 16; /* in the other half-warp, which matters only for 8 bytes */
	assert_int_equal(side_counts_conflicts(&fermi, SITE_READ, &step), 2);
	step.bytes = 8;
	step.is_mixed = true;
	memcpy(step.sizes, (uint64_t[]){ 4, 4, 8 }, 3 * sizeof(uint64_t));
	assert_int_equal(side_counts_conflicts(&fermi, SITE_READ, &step), 1);
}

/* 32 lanes on one word: a read is one pass, an atomic 32. On a word each they are one. */
static void atomics_on_one_word_wait_for_each_other(void **state)
{
	struct warp_step step = make_step(64, 0, 4);

	(void)state;
	assert_int_equal(side_counts_conflicts(&fermi, SITE_READ, &step), 0);
	assert_int_equal(side_counts_conflicts(&fermi, SITE_ATOMIC, &step), 31);
	step = make_step(64, 4, 4);
	assert_int_equal(side_counts_conflicts(&fermi, SITE_ATOMIC, &step), 0);
}

static void idle_lanes_are_those_that_other_work_items_could_fill(void **state)
{
	const struct site local = { .kind = SITE_READ, .bytes = 4, .space = SPACE_LOCAL };
	struct gpu gpu = fermi;
	struct warp_step step = make_step(0, 4, 4);
	struct side_counts c = { 0 };

	(void)state;
	gpu.warp_lanes = 32;
	side_counts_step(&c, &gpu, &local, &step);
	step.lane_count = 16; /* the lower half, of a sum by halves */
	side_counts_step(&c, &gpu, &local, &step);
	assert_int_equal(c.local_idle_lanes, 0);
	step.lane_count = 12;
	side_counts_step(&c, &gpu, &local, &step);
	assert_int_equal(c.local_idle_lanes, 20);
	for (uint32_t i = 0; i < 16; i++)
		step.lane[i] = (uint16_t)(2 * i);
	step.lane_count = 16;
	side_counts_step(&c, &gpu, &local, &step);
	assert_int_equal(c.local_idle_lanes, 20 + 16);
}

static void constant_addresses_are_counted_once(void **state)
{
	struct warp_step step = make_step(4096, 0, 4);

	(void)state;
	assert_int_equal(side_counts_addresses(&step), 1);
	step = make_step(4096, 4, 4);
	assert_int_equal(side_counts_addresses(&step), 32);
	for (uint32_t i = 0; i < 32; i++)
		step.address[i] = 4096 + i % 5 * 4;
	assert_int_equal(side_counts_addresses(&step), 5);
	step.lane_count = 3;
	assert_int_equal(side_counts_addresses(&step), 3);
}

static void each_memory_has_counters_of_its_own(void **state)
{
	const struct site local = { .kind = SITE_READ, .bytes = 4, .space = SPACE_LOCAL };
	const struct site constant = { .kind = SITE_READ, .bytes = 4, .space = SPACE_CONSTANT };
	const struct site global = { .kind = SITE_READ, .bytes = 4, .space = SPACE_GLOBAL };
	const struct site barrier = { .kind = SITE_BARRIER, .space = SPACE_LOCAL };
	struct warp_step step = make_step(0, 8, 4);
	struct side_counts c = { 0 }, sum = { 0 };

	(void)state;
	assert_true(side_counts_take(&local) && side_counts_take(&constant));
	assert_false(side_counts_take(&global) || side_counts_take(&barrier));
	side_counts_step(&c, &fermi, &local, &step);
	side_counts_step(&c, &fermi, &constant, &step);
	side_counts_step(&c, &fermi, &local, &step);
	side_counts_add(&sum, &c);
	side_counts_add(&sum, &c);
	assert_int_equal(sum.local_instructions, 4);
	assert_int_equal(sum.local_lanes, 128);
	assert_int_equal(sum.bank_conflicts, 4);
	assert_int_equal(sum.constant_instructions, 2);
	assert_int_equal(sum.constant_lanes, 64);
	assert_int_equal(sum.constant_addresses, 64);
}

/* The oracle: every byte's word and bank, and for each bank which of all words are in it. */

static bool has_word(const struct gpu *gpu, const struct warp_step *step, uint32_t lane,
                     uint64_t word)
{
	uint64_t bytes = step->is_mixed ? step->sizes[lane] : step->bytes;

	for (uint64_t i = 0; i < bytes; i++)
		if ((step->address[lane] + i) / gpu->local_bank_bytes == word)
			return true;
	return false;
}

/* Which part of its warp a lane is served in. */
static uint32_t part_of(const struct gpu *gpu, const struct warp_step *step, uint32_t lane)
{
	uint32_t all = gpu->local_banks * gpu->local_bank_bytes;

	uint64_t width = step->bytes > gpu->local_bank_bytes ? step->bytes : gpu->local_bank_bytes;

	return (uint32_t)(step->lane[lane] / (width < all ? all / width : 1));
}

/* Distinct words of a bank that are wanted; or how often one is, each lane by itself. */
static uint64_t words_of_bank(const struct gpu *gpu, enum site_kind kind,
                              const struct warp_step *step, uint32_t part, uint32_t bank)
{
	uint64_t count = 0;

	for (uint64_t word = bank; word < 512; word += gpu->local_banks) {
		uint64_t lanes = 0;

		for (uint32_t i = 0; i < step->lane_count; i++)
			lanes += part_of(gpu, step, i) == part && has_word(gpu, step, i, word);
		count += kind == SITE_ATOMIC ? lanes : lanes > 0;
	}
	return count;
}

static uint64_t naive_conflicts(const struct gpu *gpu, enum site_kind kind,
                                const struct warp_step *step)
{
	uint64_t conflicts = 0;

	for (uint32_t part = 0; part < 64; part++) {
		uint64_t most = 0;

		for (uint32_t bank = 0; bank < gpu->local_banks; bank++) {
			uint64_t words = words_of_bank(gpu, kind, step, part, bank);

			most = words > most ? words : most;
		}
		conflicts += most ? most - 1 : 0;
	}
	return conflicts;
}

static struct warp_step random_step(struct random *r)
{
	static const uint32_t widths[] = { 1, 2, 4, 4, 8, 12, 16, 100, 160 };
	struct warp_step s = { .is_mixed = random_below(r, 4) == 0 };
	uint32_t width = widths[random_below(r, COUNT(widths))], stride = random_below(r, 12);

	for (uint32_t lane = 0; lane < 64; lane++) {
		uint32_t at = s.lane_count;

		if (random_below(r, 8) == 0)
			continue;
		s.lane[at] = (uint8_t)lane;
		s.address[at] = random_below(r, 2) ? random_below(r, 1024) : lane * stride;
		s.sizes[at] = s.is_mixed ? widths[random_below(r, COUNT(widths))] : width;
		if (s.sizes[at] > s.bytes)
			s.bytes = (uint32_t)s.sizes[at];
		s.lane_count++;
	}
	return s;
}

static void conflicts_equal_those_of_the_definition(void **state)
{
	static const struct gpu *const gpus[] = { &fermi, &tesla, &kepler };
	const uint64_t seed = 20261;
	struct random r = { seed };

	(void)state;
	print_message("  seed %" PRIu64 "\n", seed);
	for (uint32_t round = 0; round < RANDOM_CASES(300); round++) {
		const struct gpu *gpu = gpus[round % COUNT(gpus)];
		struct warp_step step = random_step(&r);

		assert_int_equal(side_counts_conflicts(gpu, SITE_READ, &step),
		                 naive_conflicts(gpu, SITE_READ, &step));
		assert_int_equal(side_counts_conflicts(gpu, SITE_ATOMIC, &step),
		                 naive_conflicts(gpu, SITE_ATOMIC, &step));
	}
}

/*
 * Two of four groups with 3 and 5 turns: a mean of 4, a variance of 2 in the sample. Of all four it
 * is 4^2 * (1 - 2/4) * 2 / 2 = 8; 16 turns with a standard error of 2.83, 17.7 % of them. Of one
 * group in four, or of none, nothing is known, though they had no turns.
 */
static void a_sample_has_the_error_derived_by_hand(void **state)
{
	struct side_sample s = { .groups = 2, .of_groups = 4, .turns = 8, .squares = 9 + 25 };
	struct side_sample one = { .groups = 1, .of_groups = 4, .turns = 3, .squares = 9 };
	struct side_sample alike = { .groups = 3, .of_groups = 4, .turns = 9, .squares = 27 };
	struct side_sample all = { .groups = 4, .of_groups = 4 };
	struct side_sample none = { .of_groups = 4 };
	struct side_sample sum = { 0 };
	struct side_counts turns = { .local_instructions = 12, .bank_conflicts = 4 };
	struct side_counts no_turns = { 0 };

	(void)state;
	assert_true(fabs(side_sample_error(&s) - sqrt(8)) < 1e-12);
	assert_true(side_sample_error(&alike) == 0.0);
	assert_true(side_sample_error(&all) == 0.0);
	assert_true(isinf(side_sample_error(&one)));
	assert_true(isinf(side_sample_error(&none)));
	assert_true(fabs(side_counts_error(&turns, side_sample_error(&s)) - 0.1767767) < 1e-6);
	assert_true(side_counts_error(&no_turns, side_sample_error(&all)) == 0.0);
	assert_true(isinf(side_counts_error(&turns, side_sample_error(&one))));
	assert_true(isinf(side_counts_error(&no_turns, side_sample_error(&none))));
	side_sample_add(&sum, &one);
	side_sample_add(&sum, &s);
	assert_int_equal(sum.groups, 3);
	assert_int_equal(sum.of_groups, 8);
	assert_int_equal(sum.turns, 11);
	assert_int_equal((uint64_t)sum.squares, 43);
}

/* 7 of 2 groups are 14 of 4; 5 of 2 in 3 are 7.5, rounded up. Constant memory is of all groups. */
static void counters_of_local_memory_are_scaled(void **state)
{
	const struct side_sample half = { .groups = 2, .of_groups = 4 };
	const struct side_sample two_thirds = { .groups = 2, .of_groups = 3 };
	const struct side_sample none = { .groups = 0, .of_groups = 3 };
	struct side_counts c = { .local_instructions = 7,
		                 .bank_conflicts = 5,
		                 .constant_lanes = 9 };
	struct side_counts large = { .bank_conflicts = UINT64_C(1) << 33 };

	(void)state;
	side_counts_scale(&c, &none);
	assert_int_equal(c.bank_conflicts, 5);
	side_counts_scale(&c, &two_thirds);
	assert_int_equal(c.bank_conflicts, 8);
	assert_int_equal(c.local_instructions, 11);
	side_counts_scale(&large,
	                  &(struct side_sample){ .groups = 4, .of_groups = UINT64_C(1) << 32 });
	assert_int_equal(large.bank_conflicts, UINT64_C(1) << 63);
	side_counts_scale(&c, &half);
	assert_int_equal(c.local_instructions, 22);
	assert_int_equal(c.constant_lanes, 9);
	assert_int_equal(side_counts_turns(&c), 22 + 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conflicts_are_as_derived_by_hand),
		cmocka_unit_test(inactive_lanes_want_nothing),
		cmocka_unit_test(atomics_on_one_word_wait_for_each_other),
		cmocka_unit_test(idle_lanes_are_those_that_other_work_items_could_fill),
		cmocka_unit_test(constant_addresses_are_counted_once),
		cmocka_unit_test(each_memory_has_counters_of_its_own),
		cmocka_unit_test(conflicts_equal_those_of_the_definition),
		cmocka_unit_test(a_sample_has_the_error_derived_by_hand),
		cmocka_unit_test(counters_of_local_memory_are_scaled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

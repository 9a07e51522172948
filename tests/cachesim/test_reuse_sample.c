/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimated curves against exact ones of the same requests, on random input: what is exact is, and
 * the truth lies within the errors as often as these say.
 */
#include "cmocka_all.h"

#include "gpu.h"
#include "miss_curve.h"
#include "peak_memory.h"
#include "random.h"
#include "request.h"

#include <stdlib.h>

enum { SMS = 64, LINE = 128, PLAYED = 2 };

/* Lines are read at random, in a cycle, or from a few hot ones; some are written, or changed. */
struct trial {
	const char *name;
	uint32_t lines, requests;
	uint32_t cycle, hot, writes; /* of a hundred requests */
	uint32_t write;              /* policy */
	uint32_t span;               /* of a random read: so many lines of the cycle back */
};

static const struct trial trials[] = {
	{ "random", 20000, 120000, 0, 0, 0, GPU_L1_WRITE_THROUGH_EVICT, 0 },
	{ "cycle", 9000, 60000, 100, 0, 0, GPU_L1_WRITE_THROUGH_EVICT, 0 },
	{ "hot", 30000, 120000, 30, 40, 0, GPU_L1_WRITE_THROUGH_EVICT, 0 },
	{ "written", 6000, 120000, 20, 20, 10, GPU_L1_WRITE_THROUGH_EVICT, 0 },
	{ "allocating", 8000, 120000, 20, 20, 20, GPU_L1_WRITE_THROUGH_ALLOCATE, 0 },
	{ "near", 50000, 150000, 40, 0, 0, GPU_L1_WRITE_THROUGH_EVICT, 5000 },
	{ "few", 900, 60000, 30, 10, 0, GPU_L1_WRITE_THROUGH_EVICT, 0 },
};

static uint64_t draw_line(struct random *r, const struct trial *t, uint32_t *at)
{
	uint32_t chance = random_below(r, 100);

	if (chance < t->cycle)
		return *at = (*at + 1) % t->lines;
	if (chance < t->cycle + t->hot)
		return random_below(r, 64) * (t->lines / 64);
	if (t->span)
		return (*at + t->lines - random_below(r, t->span)) % t->lines;
	return random_below(r, t->lines);
}

/* Each seed has other lines, and so another sample. */
static void play(const struct trial *t, uint64_t seed, struct miss_curve *const *curves)
{
	uint32_t at[SMS] = { 0 };
	struct random random = { seed };

	for (uint32_t i = 0; i < t->requests; i++) {
		uint32_t sm = random_below(&random, PLAYED), site = random_below(&random, 2);
		struct request r = { .line = LINE * (seed % 1000 * 1000003 +
			                             draw_line(&random, t, &at[sm])),
			             .kind = SITE_READ,
			             .site = site };

		if (random_below(&random, 100) < t->writes)
			r.kind = random_below(&random, 4) ? SITE_WRITE : SITE_ATOMIC;
		for (size_t c = 0; c < 2; c++)
			miss_curve_request(curves[c], sm, &r, 0);
	}
	for (size_t c = 0; c < 2; c++)
		assert_int_equal(miss_curve_end(curves[c], NULL), 0);
}

static void make_curves(const struct trial *t, struct miss_curve **curves)
{
	struct gpu gpu;
	struct miss_curve_setup setup = { .gpu = &gpu, .sets = &gpu, .set_count = 1 };

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.sm_count = SMS;
	gpu.l1_line_bytes = LINE;
	gpu.l1_write = t->write;
	for (size_t c = 0; c < 2; c++) {
		setup.is_exact = c;
		assert_int_equal(miss_curve_create(&curves[c], &setup, NULL), 0);
		assert_int_equal(miss_curve_sites(curves[c], 2, NULL), 0);
	}
}

/* Whether the truth lies within the errors: misses at some size near enough are near enough. */
static bool is_within(const struct reuse_counts *sampled, const struct reuse_counts *exact,
                      uint64_t ways)
{
	double error = reuse_counts_error(sampled, ways),
	       off = reuse_counts_ways_error(sampled, ways);
	double low = (double)ways - off > 1 ? (double)ways - off : 1;
	double most = (double)reuse_counts_misses(sampled, (uint64_t)low) + error;
	double least = (double)reuse_counts_misses(sampled, (uint64_t)((double)ways + off)) - error;
	double truth = (double)reuse_counts_misses(exact, ways);

	return truth <= most + 0.5 && truth >= least - 0.5;
}

struct tally {
	uint32_t points, within;
	uint32_t classes, classes_within;
};

static void check_points(const struct reuse_counts *sampled, const struct reuse_counts *exact,
                         struct tally *tally)
{
	for (uint64_t ways = 1; ways < 60000; ways += ways / 3 + 1) {
		if (!reuse_counts_is_estimate(sampled, ways)) {
			assert_int_equal(reuse_counts_misses(sampled, ways),
			                 reuse_counts_misses(exact, ways));
			continue;
		}
		tally->points++;
		tally->within += is_within(sampled, exact, ways);
	}
}

static void check_classes(const struct reuse_counts *sampled, const struct reuse_counts *exact,
                          struct tally *tally)
{
	double cold = (double)reuse_counts_cold(sampled) - (double)exact->cold;
	double taken = (double)reuse_counts_taken(sampled) - (double)exact->taken;

	assert_int_equal(reuse_counts_reads(sampled), reuse_counts_reads(exact));
	assert_int_equal(exact->unknown, 0);
	if (!sampled->unknown)
		return;
	cold = cold < 0 ? -cold : cold;
	taken = taken < 0 ? -taken : taken;
	tally->classes += 2;
	tally->classes_within += cold <= reuse_counts_cold_error(sampled) + 1;
	tally->classes_within += taken <= reuse_counts_taken_error(sampled) + 1;
}

/* Of each site all reads are somewhere. */
static void check_sites(const struct miss_curve *sampled, const struct miss_curve *exact)
{
	for (size_t o = 0; o < 2; o++)
		for (size_t s = 0; s < 2; s++) {
			const struct reuse_bins *b = &miss_curve_site_bins(sampled, o)[s];
			const struct reuse_bins *e = &miss_curve_site_bins(exact, o)[s];
			uint64_t sum = b->cold + b->taken + b->beyond;
			uint64_t all = e->cold + e->taken;

			for (size_t i = 0; i < REUSE_BINS; i++) {
				sum += b->bins[i];
				all += e->bins[i];
				if (i < reuse_bin(64)) /* 32 sets: 32 ways of each are known */
					assert_int_equal(b->bins[i] * (i < reuse_bin(32)),
					                 e->bins[i] * (i < reuse_bin(32)));
			}
			assert_int_equal(sum, all);
			assert_int_equal(e->beyond, 0);
		}
}

static void the_truth_lies_within_the_errors(void **state)
{
	enum { ROUNDS = 8 };
	const uint64_t seed = 20261122;
	struct tally all = { 0 };

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (size_t i = 0; i < ROUNDS * sizeof(trials) / sizeof(trials[0]); i++) {
		const struct trial *t = &trials[i / ROUNDS];
		struct miss_curve *curves[2];
		const struct reuse_counts *sampled, *exact;
		struct tally own = { 0 };

		make_curves(t, curves);
		play(t, seed + i, curves);
		sampled = miss_curve_counts(curves[0], 0);
		exact = miss_curve_counts(curves[1], 0);
		assert_int_equal(sampled->unknown != 0, t->lines > MISS_CURVE_LINES);
		check_points(sampled, exact, &own);
		check_classes(sampled, exact, &own);
		check_sites(curves[0], curves[1]);
		print_message("%s: %u of %u points, %u of %u classes\n", t->name, own.within,
		              own.points, own.classes_within, own.classes);
		all.points += own.points;
		all.within += own.within;
		all.classes += own.classes;
		all.classes_within += own.classes_within;
		for (size_t c = 0; c < 2; c++)
			miss_curve_free(curves[c]);
	}
	print_message("%u of %u points, %u of %u classes\n", all.within, all.points,
	              all.classes_within, all.classes);
	assert_true(100 * all.within >= 95 * all.points);
	assert_true(100 * all.classes_within >= 90 * all.classes);
}

/* Two million lines, of which exact curves would take 100 MB. */
static void memory_does_not_grow_with_the_lines(void **state)
{
	enum { LINES = 2000000, MOST_KB = 2048 };
	struct miss_curve *curves[2];
	long before;

	(void)state;
	if (!peak_memory_is_measured())
		skip();
	make_curves(&trials[0], curves);
	(void)peak_memory_begin();
	before = peak_memory_now_kb();
	for (uint64_t i = 0; i < LINES; i++) {
		const struct request r = { .line = LINE * i,
			                   .kind = i % 8 ? SITE_READ : SITE_WRITE };

		miss_curve_request(curves[0], 0, &r, 0);
	}
	print_message("%ld KB\n", peak_memory_kb() - before);
	assert_in_range(peak_memory_kb() - before, 0, MOST_KB);
	assert_int_equal(miss_curve_end(curves[0], NULL), 0);
	assert_int_equal(reuse_counts_reads(miss_curve_counts(curves[0], 0)), LINES / 8 * 7);
	for (size_t c = 0; c < 2; c++)
		miss_curve_free(curves[c]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_truth_lies_within_the_errors),
		cmocka_unit_test(memory_does_not_grow_with_the_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

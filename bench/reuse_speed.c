/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reuse_speed [ROUNDS] - how many line reads a second have their reuse distances found, fully
 * associative and in 32 sets, and that the fully associative cache of 128 lines has the misses of
 * five other simulators (20 million reads of two lists, address_lists.h).
 */
#include "address_lists.h"
#include "err.h"
#include "gpu.h"
#include "miss_curve.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 20000000, LINES = 128, MAX_ROUNDS = 99 };

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
	fprintf(stderr, "reuse_speed: %s\n", what);
	exit(1);
}

/* The sets of the L1 whose distances are found beside the fully associative ones: 0 or 1. */
static double play(const uint64_t *list, size_t organisations, uint64_t golden)
{
	const struct gpu gpu = { .sm_count = 1,
		                 .l1_line_bytes = 128,
		                 .l1_sets = 32,
		                 .l1_ways = 4,
		                 .l1_index.kind = GPU_L1_INDEX_MODULO };
	const struct miss_curve_setup setup = { .gpu = &gpu,
		                                .sets = &gpu,
		                                .set_count = organisations };
	struct request r = { .kind = SITE_READ };
	struct miss_curve *curve;
	struct err err = { 0 };
	double begin = now_s(), seconds;

	if (miss_curve_create(&curve, &setup, &err))
		fail(err.msg);
	for (size_t i = 0; i < COUNT; i++) {
		r.line = list[i] & ~UINT64_C(127);
		miss_curve_request(curve, 0, &r, 0);
	}
	if (miss_curve_end(curve, &err))
		fail(err.msg);
	seconds = now_s() - begin;
	if (reuse_counts_misses(miss_curve_counts(curve, 0), LINES) != golden)
		fail("not the misses of other simulators");
	miss_curve_free(curve);
	return seconds;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void measure(const char *name, const uint64_t *list, uint64_t golden, size_t rounds)
{
	static const char *const what[] = { "fully associative", "and in 32 sets" };

	for (size_t organisations = 0; organisations < 2; organisations++) {
		double seconds[MAX_ROUNDS];

		for (size_t i = 0; i < rounds; i++)
			seconds[i] = play(list, organisations, golden);
		qsort(seconds, rounds, sizeof(*seconds), compare);
		printf("| %s | %s | %.2f | %.1f |\n", name, what[organisations],
		       seconds[rounds / 2], COUNT / seconds[rounds / 2] / 1e6);
	}
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 5;
	uint64_t *list = calloc(COUNT, sizeof(*list));

	if (!rounds || rounds > MAX_ROUNDS)
		fail("expected a number of rounds, 1..99");
	if (!list)
		fail("out of memory");
	puts("| list | distances | CPU seconds | M reads/s |\n| --- | --- | ---: | ---: |");
	if (!address_list_mixed(list, COUNT))
		fail("out of memory");
	measure("seq20", list, 13082169, rounds);
	address_list_matrix(list, COUNT);
	measure("mm20", list, 6679694, rounds);
	free(list);
	return 0;
}

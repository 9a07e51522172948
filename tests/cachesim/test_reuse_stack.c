/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances against their definition: a cache of every number of ways, each played by itself. A
 * read of distance d is a hit in exactly those with more than d ways.
 */
#include "cmocka_all.h"

#include "../scheduler/random.h"
#include "gpu.h"
#include "line_numbers.h"
#include "reuse_counts.h"
#include "reuse_stack.h"

#include <stdlib.h>
#include <string.h>

enum { LRU_WAYS_MAX = 4096 };

/* One LRU cache of one set: lines from the newest, then empty ways. */
struct lru {
	uint64_t lines[LRU_WAYS_MAX]; /* line + 1 */
	size_t ways;
};

static size_t lru_find(const struct lru *c, uint64_t line)
{
	size_t at = 0;

	while (at < c->ways && c->lines[at] != line + 1)
		at++;
	return at;
}

/* Empty ways stand last, so that the last way is the one to fill. */
static bool lru_read(struct lru *c, uint64_t line)
{
	size_t at = lru_find(c, line);
	bool is_hit = at < c->ways;

	if (!is_hit)
		at--;
	memmove(c->lines + 1, c->lines, at * sizeof(*c->lines));
	c->lines[0] = line + 1;
	return is_hit;
}

static void lru_take(struct lru *c, uint64_t line)
{
	size_t at = lru_find(c, line);

	if (at == c->ways)
		return;
	memmove(c->lines + at, c->lines + at + 1, (c->ways - at - 1) * sizeof(*c->lines));
	c->lines[c->ways - 1] = 0;
}

/* A stack of one set, or of several, with the numbers that it needs. */
struct rig {
	struct line_numbers numbers;
	struct reuse_stack stack;
};

static void rig_init(struct rig *r, uint32_t sets)
{
	const struct gpu gpu = { .l1_sets = sets, .l1_index.kind = GPU_L1_INDEX_MODULO };
	struct set_index index;

	assert_int_equal(set_index_init(&index, &gpu, NULL), 0);
	assert_int_equal(line_numbers_init(&r->numbers, NULL), 0);
	assert_int_equal(reuse_stack_init(&r->stack, &index, NULL), 0);
}

static void rig_release(struct rig *r)
{
	assert_false(reuse_stack_has_failed(&r->stack));
	assert_false(r->numbers.is_failed);
	reuse_stack_release(&r->stack);
	line_numbers_release(&r->numbers);
}

static uint32_t rig_read(struct rig *r, uint64_t line)
{
	uint32_t number = line_numbers_add(&r->numbers, line);

	return reuse_stack_read(&r->stack, line, number, line_numbers_limit(&r->numbers));
}

static void rig_take(struct rig *r, uint64_t line)
{
	reuse_stack_take(&r->stack, line, line_numbers_find(&r->numbers, line));
}

/*
 * By hand. r: read, t: take. a b c a: b and c lie between, 2. Then stack a c b. Take c: a - b. b:
 * the hole counts, 2; caches of 3 ways or more hit and keep their empty way, that of 2 held a and a
 * hole and fills it: so b a -. d, new, fills the hole: d b a. c was taken. a: c d b before it... 3
 * lines were used since (b, d, c).
 */
static void a_few_reads_and_a_write_by_hand(void **state)
{
	static const struct {
		char kind, line;
		uint32_t distance;
	} rows[] = {
		{ 'r', 'a', REUSE_NEVER }, { 'r', 'b', REUSE_NEVER }, { 'r', 'c', REUSE_NEVER },
		{ 'r', 'a', 2 },           { 't', 'c', 0 },           { 'r', 'b', 2 },
		{ 'r', 'b', 0 },           { 'r', 'd', REUSE_NEVER }, { 'r', 'c', REUSE_TAKEN },
		{ 'r', 'a', 3 },           { 't', 'x', 0 },           { 'r', 'c', 1 },
	};
	struct rig rig;

	rig_init(&rig, 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].kind == 't')
			rig_take(&rig, (uint64_t)rows[i].line);
		else
			assert_int_equal(rig_read(&rig, (uint64_t)rows[i].line), rows[i].distance);
	}
	rig_release(&rig);
}

struct trial {
	uint32_t lines, sets, steps, takes; /* of a hundred steps */
	uint64_t scatter;                   /* a line's number is multiplied by this */
	size_t ways[12]; /* of the caches that are played beside it; 0 ends them */
};

/* A third of the reads go to a line used lately. */
static uint64_t next_line(struct random *random, const struct trial *t, uint64_t last)
{
	uint64_t line = random_below(random, 3) ? random_below(random, t->lines)
	                                        : last / t->scatter + random_below(random, 4);

	return line % t->lines * t->scatter;
}

static void check_read(struct lru *caches, const struct trial *t, uint64_t line, uint32_t distance)
{
	for (size_t i = 0; t->ways[i]; i++)
		assert_int_equal(lru_read(&caches[i * t->sets + line % t->sets], line),
		                 distance < REUSE_TAKEN && t->ways[i] > distance);
}

static void play_trial(const struct trial *t, uint64_t seed)
{
	size_t count = 0;
	struct random random = { seed };
	struct lru *caches;
	struct rig rig;
	uint64_t line = 0;

	while (t->ways[count])
		count++;
	caches = calloc(count * t->sets, sizeof(*caches));
	assert_non_null(caches);
	for (size_t i = 0; i < count * t->sets; i++)
		caches[i].ways = t->ways[i / t->sets];
	rig_init(&rig, t->sets);
	for (uint32_t step = 0; step < t->steps; step++) {
		line = next_line(&random, t, line);
		if (random_below(&random, 100) >= t->takes) {
			check_read(caches, t, line, rig_read(&rig, line));
			continue;
		}
		rig_take(&rig, line);
		for (size_t i = 0; i < count; i++)
			lru_take(&caches[i * t->sets + line % t->sets], line);
	}
	rig_release(&rig);
	free(caches);
}

static void distances_are_those_at_which_caches_begin_to_hit(void **state)
{
	static const struct trial trials[] = {
		{ 10, 1, 3000, 0, 1, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } },
		{ 10, 1, 3000, 30, 1, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } },
		{ 40, 1, 20000, 5, 1, { 1, 2, 4, 8, 12, 16, 20, 24, 30, 36, 40 } },
		{ 300, 7, 20000, 10, 1, { 1, 2, 3, 5, 8, 13, 21, 34, 40, 43 } },
		{ 3000, 1, 60000, 0, 1, { 1, 64, 511, 512, 513, 1000, 2047, 2999, 3000 } },
		{ 4000, 1, 60000, 20, 999, { 1, 100, 700, 1500, 2500, 3500, 4000 } },
	};
	const uint64_t seed = 20261121;

	print_message("seed %llu\n", (unsigned long long)seed);
	for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++)
		play_trial(&trials[i], seed + i);
}

/* Slots of three levels of sums: a cycle of n lines has distance n - 1 throughout. */
static void a_cycle_of_many_lines_has_their_number_less_one(void **state)
{
	enum { LINES = 200001 };
	struct rig rig;

	rig_init(&rig, 1);
	for (uint64_t i = 0; i < UINT64_C(5) * LINES; i++)
		if (rig_read(&rig, i % LINES * 3) != (i < LINES ? REUSE_NEVER : LINES - 1))
			fail_msg("read %llu", (unsigned long long)i);
	rig_release(&rig);
}

static void lines_keep_their_numbers(void **state)
{
	struct line_numbers n;
	struct random random = { 7 };
	enum { LINES = 5000 };
	static uint32_t numbers[LINES];

	assert_int_equal(line_numbers_init(&n, NULL), 0);
	assert_int_equal(line_numbers_find(&n, 8), LINE_NUMBERS_NONE);
	for (uint64_t i = 0; i < LINES; i++)
		numbers[i] = line_numbers_add(&n, i * i * 5);
	for (int i = 0; i < 3 * LINES; i++) {
		uint64_t line = random_below(&random, LINES);

		assert_int_equal(line_numbers_add(&n, line * line * 5), numbers[line]);
		assert_int_equal(line_numbers_find(&n, line * line * 5), numbers[line]);
		assert_true(numbers[line] < line_numbers_limit(&n));
	}
	assert_int_equal(line_numbers_add(&n, 9), line_numbers_add(&n, 8) + 1);
	assert_int_equal(line_numbers_find(&n, UINT64_MAX), LINE_NUMBERS_NONE);
	line_numbers_release(&n);
}

/* Distances 0 0 3 9 and 8, one cold and two taken reads. */
static void counts_and_bins_by_hand(void **state)
{
	static const uint32_t distances[] = {
		0, 3, REUSE_NEVER, 0, REUSE_TAKEN, 9, 8, REUSE_TAKEN
	};
	struct reuse_counts c = { 0 }, twice = { 0 };
	struct reuse_bins bins = { 0 }, same;

	for (size_t i = 0; i < sizeof(distances) / sizeof(distances[0]); i++) {
		assert_int_equal(reuse_counts_add(&c, distances[i]), 0);
		reuse_bins_add(&bins, distances[i]);
	}
	assert_int_equal(reuse_counts_reads(&c), 8);
	assert_int_equal(reuse_counts_misses(&c, 1), 6);
	assert_int_equal(reuse_counts_misses(&c, 3), 6);
	assert_int_equal(reuse_counts_misses(&c, 4), 5);
	assert_int_equal(reuse_counts_misses(&c, 9), 4);
	assert_int_equal(reuse_counts_misses(&c, 10), 3);
	assert_int_equal(reuse_counts_misses(&c, UINT64_MAX), 3);
	assert_int_equal(reuse_counts_enough(&c), 10);
	assert_int_equal(bins.bins[0], 2);
	assert_int_equal(bins.bins[3], 1);
	assert_int_equal(bins.bins[8], 2); /* 8..15 */
	assert_int_equal(bins.taken, 2);
	reuse_counts_bins(&c, &same);
	assert_memory_equal(&bins, &same, sizeof(bins));
	assert_int_equal(reuse_counts_sum(&twice, &c, NULL), 0);
	assert_int_equal(reuse_counts_sum(&twice, &c, NULL), 0);
	assert_int_equal(reuse_counts_misses(&twice, 4), 10);
	reuse_counts_release(&twice);
	reuse_counts_release(&c);
}

static void bins_are_adjacent(void **state)
{
	assert_int_equal(reuse_bin_first(0), 0);
	for (uint32_t bin = 1; bin < REUSE_BINS; bin++) {
		assert_int_equal(reuse_bin(reuse_bin_first(bin)), bin);
		assert_int_equal(reuse_bin(reuse_bin_first(bin) - 1), bin - 1);
	}
	assert_int_equal(reuse_bin(REUSE_TAKEN - 1), REUSE_BINS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_few_reads_and_a_write_by_hand),
		cmocka_unit_test(distances_are_those_at_which_caches_begin_to_hit),
		cmocka_unit_test(a_cycle_of_many_lines_has_their_number_less_one),
		cmocka_unit_test(lines_keep_their_numbers),
		cmocka_unit_test(counts_and_bins_by_hand),
		cmocka_unit_test(bins_are_adjacent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances against their definition: a cache of every number of ways, each played by itself. A
 * read of distance d is a hit in exactly those with more than d ways. And a window that knows few
 * lines against one that knows all.
 */
#include "cmocka_all.h"

#include "gpu.h"
#include "random.h"
#include "reuse_counts.h"
#include "reuse_window.h"

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

/* Whole and by sets, of all lines and of the last ones. */
struct rig {
	struct reuse_window all, last;
	uint32_t lines; /* that `last` knows; 0: there is none */
};

static void window_init(struct reuse_window *w, uint32_t sets, uint32_t lines)
{
	const struct gpu whole = { .l1_sets = 1, .l1_index.kind = GPU_L1_INDEX_MODULO };
	const struct gpu gpu = { .l1_sets = sets, .l1_index.kind = GPU_L1_INDEX_MODULO };
	struct set_index index;

	*w = (struct reuse_window){ 0 };
	assert_int_equal(set_index_init(&index, &whole, NULL), 0);
	assert_true(reuse_window_add(w, &index, lines));
	assert_int_equal(set_index_init(&index, &gpu, NULL), 0);
	assert_true(reuse_window_add(w, &index, lines));
}

static void rig_init(struct rig *r, uint32_t sets, uint32_t lines)
{
	r->lines = lines;
	window_init(&r->all, sets, 0);
	if (lines)
		window_init(&r->last, sets, lines);
}

static void rig_release(struct rig *r)
{
	assert_false(reuse_window_has_failed(&r->all));
	assert_false(r->all.has_forgotten);
	reuse_window_release(&r->all);
	if (!r->lines)
		return;
	assert_false(reuse_window_has_failed(&r->last));
	/* Of each organisation as many, and half as many that were taken. */
	assert_in_range(r->last.names.limit, 0, 2 * r->lines + r->lines / 2 + 64);
	reuse_window_release(&r->last);
}

/* What the window of the last lines says is true, and it says what it has to. */
static void check_last(const struct rig *r, bool was_full, const uint32_t *all,
                       const uint32_t *last)
{
	for (size_t i = 0; i < r->all.count; i++) {
		if (last[i] != REUSE_BEYOND) {
			assert_int_equal(last[i], all[i]);
			continue;
		}
		assert_true(i || was_full);
		assert_true(all[i] >= r->last.sets[i].limit);
	}
}

/* The distance in the last organisation. */
static uint32_t rig_read(struct rig *r, uint64_t line)
{
	uint32_t all[REUSE_WINDOW_MAX], last[REUSE_WINDOW_MAX];
	bool was_full = r->lines && (r->last.has_forgotten || reuse_window_is_full(&r->last));

	reuse_window_use(&r->all, line, all);
	if (r->lines) {
		reuse_window_use(&r->last, line, last);
		check_last(r, was_full, all, last);
	}
	return all[1];
}

static void rig_take(struct rig *r, uint64_t line)
{
	reuse_window_take(&r->all, line);
	if (r->lines)
		reuse_window_take(&r->last, line);
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

	rig_init(&rig, 1, 0);
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
	uint32_t last;                      /* lines that the other window knows */
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
	rig_init(&rig, t->sets, t->last);
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
		{ 10, 1, 3000, 0, 1, 4, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } },
		{ 10, 1, 3000, 30, 1, 1, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } },
		{ 40, 1, 20000, 5, 1, 16, { 1, 2, 4, 8, 12, 16, 20, 24, 30, 36, 40 } },
		{ 300, 7, 20000, 10, 1, 64, { 1, 2, 3, 5, 8, 13, 21, 34, 40, 43 } },
		{ 3000, 1, 60000, 0, 1, 512, { 1, 64, 511, 512, 513, 1000, 2047, 2999, 3000 } },
		{ 4000, 1, 60000, 20, 999, 700, { 1, 100, 700, 1500, 2500, 3500, 4000 } },
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

	rig_init(&rig, 1, 0);
	for (uint64_t i = 0; i < UINT64_C(5) * LINES; i++)
		if (rig_read(&rig, i % LINES * 3) != (i < LINES ? REUSE_NEVER : LINES - 1))
			fail_msg("read %llu", (unsigned long long)i);
	rig_release(&rig);
}

static void lines_keep_their_numbers_until_they_are_removed(void **state)
{
	struct line_names n = { 0 };
	struct random random = { 7 };
	enum { LINES = 5000 };
	static uint32_t numbers[LINES];

	assert_int_equal(line_names_find(&n, 8), LINE_NAMES_NONE);
	for (uint64_t i = 0; i < LINES; i++)
		numbers[i] = line_names_add(&n, i * i * 5);
	for (int i = 0; i < 10 * LINES; i++) {
		uint64_t at = random_below(&random, LINES), line = at * at * 5;

		assert_int_equal(line_names_find(&n, line), numbers[at]);
		if (numbers[at] == LINE_NAMES_NONE) {
			numbers[at] = line_names_add(&n, line);
			assert_true(line_names_is_used(&n, numbers[at]));
		} else if (!random_below(&random, 3)) {
			line_names_remove(&n, numbers[at]);
			numbers[at] = LINE_NAMES_NONE;
			continue;
		}
		assert_in_range(numbers[at], 0, LINES - 1); /* numbers are used again */
		assert_int_equal(line_names_line(&n, numbers[at]), line);
	}
	assert_int_equal(line_names_find(&n, UINT64_C(1) << 59), LINE_NAMES_NONE);
	line_names_release(&n);
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
	reuse_counts_bins(&c, &c, &same);
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
		cmocka_unit_test(lines_keep_their_numbers_until_they_are_removed),
		cmocka_unit_test(counts_and_bins_by_hand),
		cmocka_unit_test(bins_are_adjacent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

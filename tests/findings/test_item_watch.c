/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that a register could have served are those of the definition, work-item by work-item.
 */
#include "access_pattern.h"

#include "cmocka_all.h"
#include "kernel_table.h"
#include "lockstep.h"
#include "random.h"
#include "warp_former.h"

#include <string.h>

enum { LANES = 32, STEPS = 160, ROUNDS = 60, SITES = 8, BASE = 4096 };

/* Sites 0-2 are of argument 0, 3 and 4 of argument 1, 5 of none that is known. */
static struct site sites[SITES] = {
	{ .kind = SITE_READ, .bytes = 4, .argument = 0, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 4, .argument = 0, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 8, .argument = 0, .loop = -1 },
	{ .kind = SITE_READ, .bytes = 4, .argument = 1, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 4, .argument = 1, .loop = -1 },
	{ .kind = SITE_READ, .bytes = 4, .argument = -1, .loop = -1 },
	{ .kind = SITE_ATOMIC, .bytes = 4, .argument = 1, .loop = -1 },
	{ .kind = SITE_BARRIER, .argument = -1, .loop = -1 },
};
static struct kernel_argument arguments[2];
static const struct kernel_table table = {
	.sites = sites, .site_count = SITES, .arguments = arguments, .argument_count = 2
};

/* All that a work-item has done, in its order. */
struct history {
	struct done {
		uint32_t site;
		uint64_t address;
	} done[STEPS];
	uint32_t count;
};

static bool is_same_place(const struct done *a, const struct done *b)
{
	return sites[a->site].argument == sites[b->site].argument && a->address == b->address &&
	       sites[a->site].bytes == sites[b->site].bytes;
}

static bool has_common_bytes(const struct done *a, const struct done *b)
{
	return a->address < b->address + sites[b->site].bytes &&
	       b->address < a->address + sites[a->site].bytes;
}

/* The access to the same place before access `at`, if it is one of the last ITEM_PLACES of the
 * argument and nothing else has written to it since; -1: there is none. */
static int find_last(const struct history *h, uint32_t at)
{
	const struct done *own = &h->done[at], *places[ITEM_PLACES];
	uint32_t count = 0;

	for (int i = (int)at - 1; i >= 0; i--) {
		const struct done *a = &h->done[i];
		enum site_kind kind = sites[a->site].kind;
		uint32_t k = 0;

		if (kind == SITE_BARRIER || kind == SITE_ATOMIC)
			return -1;
		if (is_same_place(a, own))
			return i;
		if (kind == SITE_WRITE && has_common_bytes(a, own))
			return -1;
		if (sites[a->site].argument != sites[own->site].argument)
			continue;
		while (k < count && !is_same_place(places[k], a))
			k++;
		if (k < count)
			continue;
		places[count++] = a;
		if (count == ITEM_PLACES)
			return -1;
	}
	return -1;
}

static void count_history(const struct history *h, struct access_pattern *out)
{
	for (uint32_t i = 0; i < h->count; i++) {
		const struct done *own = &h->done[i];
		int last = find_last(h, i);

		if (sites[own->site].kind != SITE_READ && sites[own->site].kind != SITE_WRITE)
			continue;
		out[own->site].items.accesses++;
		if (sites[own->site].kind == SITE_READ) {
			out[own->site].items.rereads += last >= 0;
			continue;
		}
		while (last >= 0 && sites[h->done[last].site].kind == SITE_READ)
			last = find_last(h, (uint32_t)last);
		if (last >= 0)
			out[h->done[last].site].items.overwritten++;
	}
}

/* An access of some lanes to few places, so that they meet; now and then a barrier. */
static void draw_step(struct random *r, struct warp_step *step, uint32_t words)
{
	uint32_t skips = random_below(r, 3);

	step->site = random_below(r, random_below(r, 8) ? SITES - 2 : SITES);
	step->bytes = sites[step->site].bytes;
	step->is_mixed = false;
	step->lane_count = 0;
	for (uint32_t lane = 0; lane < LANES; lane++) {
		if (sites[step->site].kind != SITE_BARRIER && !skips && random_below(r, 2))
			continue;
		step->lane[step->lane_count] = (uint16_t)lane;
		step->address[step->lane_count++] = BASE + 4 * random_below(r, words);
	}
}

static void note(struct history *histories, const struct warp_step *step)
{
	for (uint32_t i = 0; i < step->lane_count; i++) {
		struct history *h = &histories[step->lane[i]];

		h->done[h->count++] = (struct done){ step->site, step->address[i] };
	}
}

static void counts_are_those_of_the_definition(void **state)
{
	struct random r = { 31 };

	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		static struct history histories[LANES];
		static struct warp_step step;
		struct access_pattern got[SITES] = { 0 }, expected[SITES] = { 0 };
		uint64_t stride = 1 + random_below(&r, 9), first = random_below(&r, 100);
		struct item_watch *w = NULL;

		memset(histories, 0, sizeof(histories));
		assert_int_equal(item_watch_create(&w, &table, stride, NULL), 0);
		item_watch_warp(w, first, LANES);
		for (int i = 0; i < STEPS; i++) {
			draw_step(&r, &step, 2 + round % 24);
			item_watch_step(w, &step, got);
			note(histories, &step);
		}
		for (uint32_t lane = 0; lane < LANES; lane++)
			if ((first + lane) % stride == 0)
				count_history(&histories[lane], expected);
		assert_memory_equal(got, expected, sizeof(got));
		item_watch_free(w);
	}
}

/* A warp knows nothing of the one before, and of what it does there are never more than all. */
static void warps_are_apart(void **state)
{
	static struct warp_step step = { .site = 1, .lane_count = LANES, .bytes = 4 };
	struct access_pattern got[SITES] = { 0 };
	struct item_watch *w = NULL;

	(void)state;
	for (uint16_t lane = 0; lane < LANES; lane++) {
		step.lane[lane] = lane;
		step.address[lane] = BASE + UINT64_C(4) * lane;
	}
	assert_int_equal(item_watch_create(&w, &table, 1, NULL), 0);
	for (int i = 0; i < 2; i++) {
		assert_true(item_watch_warp(w, LANES * (uint64_t)i, LANES));
		item_watch_step(w, &step, got);
	}
	assert_int_equal(got[1].items.accesses, 2 * LANES);
	assert_int_equal(got[1].items.overwritten, 0);
	item_watch_free(w);
}

/* y[j] += A[i][j] * x[i] in a loop over 100 i: 100 reads and 100 writes of argument 0, of which all
 * but the first and the last go through memory for nothing; A is never read twice. The last
 * work-item adds to another word each time. */
static void a_sum_in_memory_could_be_in_a_register(void **state)
{
	enum { LENGTH = 100 };
	uint64_t y[LANES], a[LANES], way[LANES] = { [LANES - 1] = 4 }, row[LANES];
	const struct lockstep_strand strands[] = { { 3, a, row }, { 0, y, way }, { 1, y, way } };
	struct access_pattern at_once[SITES] = { 0 }, one_by_one[SITES] = { 0 };
	static struct warp_step step;
	struct item_watch *w = NULL;
	struct lockstep l = { .lane_count = LANES };

	(void)state;
	for (uint32_t i = 0; i < LANES; i++) {
		y[i] = BASE + 4 * i;
		a[i] = 2 * BASE + 4 * i;
		row[i] = 4096;
		step.lane[i] = (uint16_t)i;
	}
	array_init(&l.strands, sizeof(struct lockstep_strand), 3, "strands");
	memcpy(array_push(&l.strands, 3, NULL), strands, sizeof(strands));
	assert_int_equal(item_watch_create(&w, &table, 31, NULL), 0);
	assert_true(item_watch_warp(w, 0, LANES));
	item_watch_bundle(w, &l, step.lane, LENGTH, at_once);
	assert_true(item_watch_warp(w, 0, LANES));
	step.lane_count = LANES;
	step.bytes = 4;
	for (uint32_t n = 0; n < LENGTH; n++)
		for (int k = 0; k < 3; k++) {
			step.site = strands[k].site;
			for (uint32_t i = 0; i < LANES; i++)
				step.address[i] = strands[k].first[i] + n * strands[k].stride[i];
			item_watch_step(w, &step, one_by_one);
		}
	assert_memory_equal(at_once, one_by_one, sizeof(at_once));
	/* Work-items 0 and 31. */
	assert_int_equal(at_once[0].items.accesses, 2 * LENGTH);
	assert_int_equal(at_once[0].items.rereads, LENGTH - 1);
	assert_int_equal(at_once[1].items.accesses, 2 * LENGTH);
	assert_int_equal(at_once[1].items.overwritten, LENGTH - 1);
	assert_int_equal(at_once[3].items.accesses, 2 * LENGTH);
	assert_int_equal(at_once[3].items.rereads, 0);
	array_release(&l.strands);
	item_watch_free(w);
}

/* 8 words in turn stay known, 9 do not. */
static void more_places_than_registers_are_no_reuse(void **state)
{
	(void)state;
	for (uint32_t words = ITEM_PLACES; words <= ITEM_PLACES + 1; words++) {
		static struct warp_step step = { .site = 0, .lane_count = 1, .bytes = 4 };
		struct access_pattern got[SITES] = { 0 };
		struct item_watch *w = NULL;

		assert_int_equal(item_watch_create(&w, &table, 1, NULL), 0);
		(void)item_watch_warp(w, 0, LANES);
		for (uint32_t i = 0; i < 10 * words; i++) {
			step.address[0] = BASE + 4 * (i % words);
			item_watch_step(w, &step, got);
		}
		assert_int_equal(got[0].items.rereads, words == ITEM_PLACES ? 9 * words : 0);
		item_watch_free(w);
	}
}

/* A launch of 2^20 work-items: 2^20 / 4097 + 1 of them; a small one: each 127th. */
static void a_launch_gives_a_sample(void **state)
{
	const struct launch_shape large = { 1, { 1 << 20, 1, 1 }, { 256, 1, 1 }, { 0 } };
	const struct launch_shape small = { 2, { 32, 32, 1 }, { 16, 16, 1 }, { 0 } };
	struct item_watch *w = NULL;
	uint32_t warps = 0;

	(void)state;
	assert_int_equal(item_watch_stride(&large), 4097);
	assert_int_equal(item_watch_stride(&small), ITEM_STRIDE);
	assert_int_equal(item_watch_create(&w, &table, 4097, NULL), 0);
	for (uint64_t first = 0; first < 1 << 20; first += 32)
		warps += item_watch_warp(w, first, 32);
	assert_int_equal(warps, (1 << 20) / 4097 + 1);
	item_watch_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_those_of_the_definition),
		cmocka_unit_test(warps_are_apart),
		cmocka_unit_test(a_sum_in_memory_could_be_in_a_register),
		cmocka_unit_test(more_places_than_registers_are_no_reuse),
		cmocka_unit_test(a_launch_gives_a_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

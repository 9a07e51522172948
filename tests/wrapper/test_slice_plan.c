/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "kernel_table.h"
#include "probe_abi.h"
#include "slice_plan.h"
#include "slice_records.h"

#include <stdlib.h>

#define SEED 20140407u

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* Words of a work-item: the same whenever its slice is run. */
static uint32_t words_of(uint64_t item, uint32_t most, uint32_t salt)
{
	uint64_t h = (item + 1) * UINT64_C(0x9e3779b97f4a7c15) + salt;

	h ^= h >> 29;
	/* A few work-items make most of the words. */
	return (uint32_t)(h % 16 == 0 ? h / 16 % (most + 1) : h / 16 % (most / 8 + 1));
}

/* What a device would do with chunks for each work-item alone, by the definition. */
struct played {
	uint64_t chunks, words, chunk_words, sets;
};

static struct played play(const struct slice *slice, uint32_t items, uint32_t most, uint32_t salt)
{
	struct played p = { 0 };

	for (uint64_t i = slice->box.begin * items; i < slice->box.end * items; i++) {
		uint64_t made = words_of(i, most, salt), rest = 0;

		if (made > slice->place_words)
			rest = made - slice->place_words;
		p.words += made;
		p.chunk_words += rest;
		p.sets += rest > 0;
		if (rest)
			p.chunks += (rest + slice->chunk_words - 1) / slice->chunk_words;
	}
	return p;
}

static void maybe_be_cautious(struct slice_plan *plan)
{
	if (random_below(4) == 0)
		slice_plan_disallow_rerun(plan);
}

/* Play a slice against the plan; returns whether it was accepted. */
static bool step(struct slice_plan *plan, const struct slice *slice, uint32_t most, uint32_t salt)
{
	struct played p = play(slice, plan->layout.group_items, most, salt);
	uint64_t groups = slice->box.end - slice->box.begin;

	if (!plan->is_exact && p.chunks > slice->chunk_count) {
		if (!slice_plan_shrink(plan, slice, p.words))
			slice_plan_set_room(plan, plan->room_bytes * 2);
		return false;
	}
	slice_plan_accept(plan, slice, (uint32_t)p.chunks);
	if (random_below(2))
		slice_plan_learn(plan,
		                 &(struct slice_lesson){ p.words, p.chunk_words, p.sets, groups });
	return true;
}

static void every_group_is_accepted_once_and_in_order(void **state)
{
	print_message("seed %u\n", SEED);
	for (int round = 0; round < 3000; round++) {
		uint32_t items = 1 + random_below(random_below(2) ? 8 : 200);
		uint32_t most = 1 + random_below(random_below(2) ? 10 : 3000);
		uint32_t salt = random_below(1u << 30);
		struct launch_shape shape = { 2,
			                      { (UINT64_C(1) + random_below(30)) * items,
			                        1 + random_below(10), 1 },
			                      { items, 1, 1 },
			                      { 0 } };
		struct kernel_table table = { .item_words = random_below(3) ? 0 : most,
			                      .least_words = random_below(most),
			                      .lanes = 1 };
		struct slice_layout layout = slice_layout_of(&table, &shape, false, false);
		struct slice_plan plan;
		struct slice slice;
		uint64_t expected = 0, tries = 0;

		slice_plan_init(&plan, &table, &shape, &layout,
		                2048 + random_below(1u << (5 + random_below(16))));
		maybe_be_cautious(&plan);
		while (!slice_plan_is_done(&plan)) {
			assert_true(++tries < 100);
			if (!slice_plan_next(&plan, &slice)) {
				slice_plan_set_room(&plan, plan.room_bytes * 2);
				continue;
			}
			assert_int_equal(slice.box.begin, expected);
			assert_true(slice.end_offset <= plan.room_bytes);
			if (!step(&plan, &slice, most, salt))
				continue;
			expected = slice.box.end;
			tries = 0;
		}
		assert_int_equal(expected, launch_shape_group_count(&shape));
	}
}

/* 64 work-items with slots of 4 words: 2048 bytes a group. In 65536 bytes, less 256 for the header,
 * lie 31. */
static void slots_give_slices_as_large_as_fit(void **state)
{
	static const struct launch_shape shape = { 1, { 6400, 1, 1 }, { 64, 1, 1 }, { 0 } };
	static const struct kernel_table table = { .item_words = 4, .lanes = 1 };
	const struct slice_layout layout = slice_layout_of(&table, &shape, false, false);
	struct slice_plan plan;
	struct slice slice;

	slice_plan_init(&plan, &table, &shape, &layout, 65536);
	assert_true(plan.is_exact);
	assert_int_equal(slice_plan_guess(&plan), 100 * (2048 + 1));
	slice_plan_disallow_rerun(&plan);
	assert_true(slice_plan_next(&plan, &slice));
	assert_int_equal(slice.box.end - slice.box.begin, 31);
	slice_plan_set_room(&plan, 256 + 2048 - 1);
	assert_false(slice_plan_next(&plan, &slice));
	slice_plan_set_room(&plan, 256 + 2048);
	assert_true(slice_plan_next(&plan, &slice));
	assert_int_equal(slice.box.end - slice.box.begin, 1);
}

/* Launches of 2^60 work-items neither overflow nor stop. */
static void huge_launches_are_planned(void **state)
{
	static const struct launch_shape shape = {
		1, { UINT64_C(1) << 60, 1, 1 }, { 1 << 20, 1, 1 }, { 0 }
	};
	static const struct kernel_table tables[] = { { .lanes = 1 },
		                                      { .lanes = 32, .least_words = UINT32_MAX },
		                                      { .lanes = 1, .item_words = 64 } };

	for (size_t t = 0; t < 3; t++) {
		struct slice_layout layout = slice_layout_of(&tables[t], &shape, true, true);
		struct slice_plan plan;
		struct slice slice;

		slice_plan_init(&plan, &tables[t], &shape, &layout, UINT64_C(1) << 34);
		assert_true(slice_plan_guess(&plan) > UINT64_C(1) << 40);
		for (int slices = 0; slices < 1000; slices++) {
			assert_true(slice_plan_next(&plan, &slice));
			assert_true(slice.box.end > slice.box.begin);
			assert_true(slice.end_offset <= UINT64_C(1) << 34);
			slice_plan_accept(&plan, &slice, slice.chunk_count);
		}
		slice_plan_discard_records(&plan);
		assert_true(slice_plan_next(&plan, &slice));
	}
}

static void a_cautious_plan_begins_with_one_group(void **state)
{
	static const struct launch_shape shape = { 1, { 800, 1, 1 }, { 8, 1, 1 }, { 0 } };
	static const struct kernel_table table = { .lanes = 1 };
	const struct slice_layout layout = slice_layout_of(&table, &shape, false, false);
	struct slice_plan plan;
	struct slice slice;

	slice_plan_init(&plan, &table, &shape, &layout, UINT64_C(1) << 30);
	assert_true(plan.groups > 1);
	slice_plan_disallow_rerun(&plan);
	assert_true(slice_plan_next(&plan, &slice));
	assert_int_equal(slice.box.end - slice.box.begin, 1);
}

/* Run a slice of 64 work-items a group that write `words` each, and learn. Chunks must suffice. */
static void play_evenly(struct slice_plan *plan, const struct slice *slice, uint64_t words)
{
	uint64_t groups = slice->box.end - slice->box.begin, items = groups * 64, rest = 0;

	if (words > slice->place_words)
		rest = words - slice->place_words;
	rest *= items;
	slice_plan_accept(
		plan, slice,
		(uint32_t)(items * ((rest / items + slice->chunk_words - 1) / slice->chunk_words)));
	slice_plan_learn(plan,
	                 &(struct slice_lesson){ items * words, rest, rest ? items : 0, groups });
}

/*
 * A kernel whose work-items write 3 words each, where many more were expected: after a slice or two
 * places have 8 words, and a slice uses nearly all of the room.
 */
static void places_shrink_to_what_work_items_write(void **state)
{
	static const struct launch_shape shape = { 1, { 1 << 20, 1, 1 }, { 64, 1, 1 }, { 0 } };
	static const struct kernel_table table = { .lanes = 1, .least_words = 100 };
	const struct slice_layout layout = slice_layout_of(&table, &shape, false, false);
	struct slice_plan plan;
	struct slice slice;

	slice_plan_init(&plan, &table, &shape, &layout, 1 << 20);
	for (int i = 0; i < 4; i++) {
		assert_true(slice_plan_next(&plan, &slice));
		play_evenly(&plan, &slice, 3);
	}
	assert_int_equal(slice.place_words, 8);
	/* 4096 bytes of places and a chunk of 104 words for each group, in 7/8 of a megabyte: 185.
	 */
	assert_in_range(slice.box.end - slice.box.begin, 180, 186);
}

/* Work-items that write 12 words get places for them, and need chunks no more. */
static void places_grow_to_what_work_items_write(void **state)
{
	static const struct launch_shape shape = { 1, { 1 << 20, 1, 1 }, { 64, 1, 1 }, { 0 } };
	static const struct kernel_table table = { .lanes = 1 };
	const struct slice_layout layout = slice_layout_of(&table, &shape, false, false);
	struct slice_plan plan;
	struct slice slice;

	slice_plan_init(&plan, &table, &shape, &layout, 1 << 20);
	for (int i = 0; i < 4; i++) {
		assert_true(slice_plan_next(&plan, &slice));
		play_evenly(&plan, &slice, 12);
	}
	assert_in_range(slice.place_words, 12, 24);
}

/*
 * In 2048 bytes of a kernel with two arguments places begin at 512. Work-items of a group of 8 that
 * write 40 words each get places of half of the room, up to 1536; 64 bytes stay free behind them,
 * the bitmap of the sample is at 1792, and chunks, which begin at multiples of 256, have no room.
 */
static void learned_places_leave_room_for_a_bitmap(void **state)
{
	static const struct launch_shape shape = { 1, { 8 * 40, 1, 1 }, { 8, 1, 1 }, { 0 } };
	static const struct kernel_table table = { .lanes = 1,
		                                   .argument_count = 2,
		                                   .local_groups = 32 };
	const struct slice_layout layout = slice_layout_of(&table, &shape, false, false);
	struct slice_plan plan;
	struct slice slice;

	(void)state;
	slice_plan_init(&plan, &table, &shape, &layout, 2048);
	assert_true(slice_plan_next(&plan, &slice));
	slice_plan_accept(&plan, &slice, 8);
	slice_plan_learn(&plan, &(struct slice_lesson){ 40 * 8, 32 * 8, 8, 1 });
	assert_true(slice_plan_next(&plan, &slice));
	assert_true(slice.end_offset <= 2048);
}

/* And work-items that write much get larger chunks. */
static void chunks_grow_for_long_work_items(void **state)
{
	static const struct launch_shape shape = { 1, { 1 << 20, 1, 1 }, { 64, 1, 1 }, { 0 } };
	static const struct kernel_table table = { .lanes = 1 };
	const struct slice_layout layout = slice_layout_of(&table, &shape, false, false);
	struct slice_plan plan;
	struct slice slice;

	slice_plan_init(&plan, &table, &shape, &layout, 16 << 20);
	for (int i = 0; i < 12; i++) {
		uint64_t items, chunks;

		assert_true(slice_plan_next(&plan, &slice));
		items = (slice.box.end - slice.box.begin) * 64;
		chunks = items * ((4000 + slice.chunk_words - 1) / slice.chunk_words);
		if (chunks > slice.chunk_count)
			assert_true(slice_plan_shrink(&plan, &slice, 1));
		else
			play_evenly(&plan, &slice, 4000);
	}
	/* In the end places have 64 words. At first they had 8: 8 chunks of 499, to the next
	 * multiple of 8, and 492 is not worth a change. */
	assert_int_equal(slice.place_words, 64);
	assert_int_equal(slice.chunk_words, 504);
}

/* A work-item alone: smaller chunks save less than one of them. */
static void a_group_that_lost_more_than_a_chunk_needs_more_room(void **state)
{
	static const struct launch_shape shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } };
	static const struct kernel_table table = { .lanes = 1, .least_words = 10 };
	const struct slice_layout layout = slice_layout_of(&table, &shape, false, false);
	struct slice_plan plan;
	struct slice slice;

	slice_plan_init(&plan, &table, &shape, &layout, 1 << 16);
	assert_true(slice_plan_next(&plan, &slice));
	assert_int_equal(slice.chunk_words, 32);
	assert_false(slice_plan_shrink(&plan, &slice, 32));
	assert_true(slice_plan_shrink(&plan, &slice, 31));
	assert_int_equal(plan.chunk_words, 8);
}

static void the_room_for_what_was_lost_is_known(void **state)
{
	struct probe_header header = { .lost_records = 300, .lost_low = 300 };

	/* 10 bytes an event: 300 more. */
	assert_int_equal(slice_host_needed_bytes(&header, 1000, 100), 4000);
	/* Records of several accesses have up to five events. */
	header.lost_low = 900;
	assert_int_equal(slice_host_needed_bytes(&header, 1000, 100), 16000);
	assert_int_equal(slice_host_needed_bytes(&header, 1000, 0), 0);
	header.lost_records = UINT32_MAX;
	assert_int_equal(slice_host_needed_bytes(&header, UINT64_C(1) << 40, 1), 0);
	/* An eighth more, to the next power of two. */
	assert_int_equal(launch_room_for(4000), 1 << 20);
	assert_int_equal(launch_room_for(UINT64_C(227) << 20), 256 << 20);
	assert_int_equal(launch_room_for(UINT64_C(228) << 20), 512 << 20);
	assert_int_equal(launch_room_for(0), 0);
	assert_int_equal(launch_room_for(UINT64_C(1) << 60), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_group_is_accepted_once_and_in_order),
		cmocka_unit_test(slots_give_slices_as_large_as_fit),
		cmocka_unit_test(huge_launches_are_planned),
		cmocka_unit_test(a_cautious_plan_begins_with_one_group),
		cmocka_unit_test(places_shrink_to_what_work_items_write),
		cmocka_unit_test(places_grow_to_what_work_items_write),
		cmocka_unit_test(learned_places_leave_room_for_a_bitmap),
		cmocka_unit_test(chunks_grow_for_long_work_items),
		cmocka_unit_test(a_group_that_lost_more_than_a_chunk_needs_more_room),
		cmocka_unit_test(the_room_for_what_was_lost_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

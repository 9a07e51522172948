/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "kernel_table.h"
#include "probe_abi.h"
#include "slice_layout.h"

#include <stdbool.h>

#define SEED 99u

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* Take `bytes` from `offset` on, which must not be before *end, and be aligned. */
static void take(uint64_t *end, uint64_t offset, uint64_t bytes, uint64_t alignment)
{
	assert_true(offset >= *end);
	assert_int_equal(offset % alignment, 0);
	*end = offset + bytes;
}

/* The parts as probe_abi.h asks for them, one behind the other, and within the buffer. */
static void check(const struct slice_layout *l, const struct slice *s, uint64_t bytes)
{
	uint64_t groups = s->box.end - s->box.begin, end = PROBE_ARGUMENTS_OFFSET, tables, chunks;
	uint64_t column = l->slot_words ? 0 : UINT64_C(8) * l->full_items;

	take(&end, PROBE_ARGUMENTS_OFFSET, UINT64_C(8) * (l->argument_count + l->difference_count),
	     8);
	assert_int_equal(slice_layout_report_bytes(l), end);
	assert_int_equal(s->places_offset, PROBE_PLACES_OFFSET(UINT64_C(0) + l->argument_count +
	                                                       l->difference_count));
	assert_int_equal(s->places_bytes, groups * l->full_items * s->place_words * 8);
	take(&end, s->places_offset, s->places_bytes + column, 256);
	tables = end;
	assert_int_equal(s->directory_offset != 0, l->lanes > 1 && !l->slot_words);
	if (s->directory_offset)
		take(&end, s->directory_offset,
		     groups * (l->group_items / l->lanes) * s->lane_chunks * 4, 4);
	assert_int_equal(s->selection_offset != 0, l->is_selective);
	if (s->selection_offset)
		take(&end, s->selection_offset, (groups + 31) / 32 * 4, 4);
	assert_true(s->tables_offset >= tables);
	assert_int_equal(s->tables_bytes, end > tables ? end - s->tables_offset : 0);
	assert_int_equal(s->discard_offset != 0, l->is_selective && !l->slot_words);
	if (s->discard_offset)
		take(&end, s->discard_offset, UINT64_C(64) * PROBE_DISCARD_BYTES, 256);
	assert_int_equal(s->chunk_count == 0, l->slot_words != 0);
	chunks = s->chunk_count * (16 + UINT64_C(8) * s->chunk_words * l->lanes);
	if (s->chunk_count)
		take(&end, s->chunks_offset, chunks, 256);
	assert_int_equal(end, s->end_offset);
	assert_true(end <= bytes);
	assert_int_equal(slice_layout_record_bytes(l, s, 0), s->places_bytes);
	if (s->chunk_count)
		assert_int_equal(s->places_offset + slice_layout_record_bytes(l, s, s->chunk_count),
		                 s->end_offset);
}

static void parts_lie_apart_and_within_the_buffer(void **state)
{
	uint32_t placed = 0;

	print_message("seed %u\n", SEED);
	for (int round = 0; round < 20000; round++) {
		struct launch_shape shape = { 1,
			                      { 1 + random_below(100000), 1, 1 },
			                      { 1 + random_below(300), 1, 1 },
			                      { 0 } };
		struct kernel_table table = { .argument_count = random_below(40),
			                      .difference_count = random_below(30),
			                      .item_words = random_below(2) ? random_below(65) : 0,
			                      .lanes = random_below(2) ? 32 : 1 };
		struct slice_layout l =
			slice_layout_of(&table, &shape, random_below(2), random_below(2));
		uint64_t bytes = 2048 + random_below(1u << (1 + random_below(27)));
		struct slice s = { .box = slice_box_at(&shape, 0, 1 + random_below(1000)) };

		s.place_words = l.slot_words ? l.slot_words : random_below(5);
		s.chunk_words = 8 + random_below(500);
		if (!slice_layout_place(&l, &s, bytes))
			continue;
		placed++;
		check(&l, &s, bytes);
	}
	assert_true(placed > 3000);
}

/*
 * 10 work-items, 4 words: 320 bytes a group. Behind a header of 256 and 2 arguments the slots begin
 * at 512; 7 groups end at 2752. With lanes it is the same.
 */
static void slots_take_what_the_table_says(void **state)
{
	static const struct launch_shape shape = { 1, { 1000, 1, 1 }, { 10, 1, 1 }, { 0 } };
	struct kernel_table table = { .argument_count = 2, .item_words = 4, .lanes = 1 };
	struct slice_layout l = slice_layout_of(&table, &shape, false, false);
	struct slice s = { .box = slice_box_at(&shape, 0, 7), .place_words = 4 };

	assert_int_equal(slice_layout_group_bytes(&l, l.slot_words), 320);
	assert_true(slice_layout_place(&l, &s, 2752));
	assert_int_equal(s.places_offset, 512);
	assert_int_equal(s.end_offset, 2752);
	assert_false(slice_layout_place(&l, &s, 2751));
	table.lanes = 32;
	l = slice_layout_of(&table, &shape, false, false);
	assert_int_equal(slice_layout_group_bytes(&l, l.slot_words), 320);
	/* Wide addresses take three words for one. */
	l = slice_layout_of(&table, &shape, false, true);
	assert_int_equal(slice_layout_group_bytes(&l, l.slot_words), 960);
}

/* One group alone may have all chunks for one set of its lanes. */
static void a_set_of_lanes_of_a_single_group_may_have_every_chunk(void **state)
{
	static const struct launch_shape shape = { 1, { 2560, 1, 1 }, { 256, 1, 1 }, { 0 } };
	struct kernel_table table = { .lanes = 32 };
	struct slice_layout l = slice_layout_of(&table, &shape, false, false);
	struct slice s = { .box = slice_box_at(&shape, 3, 1), .chunk_words = 8 };

	assert_true(slice_layout_place(&l, &s, 1 << 20));
	assert_true(s.lane_chunks >= s.chunk_count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_lie_apart_and_within_the_buffer),
		cmocka_unit_test(slots_take_what_the_table_says),
		cmocka_unit_test(a_set_of_lanes_of_a_single_group_may_have_every_chunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

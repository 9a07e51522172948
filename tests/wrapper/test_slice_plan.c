/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "probe_abi.h"
#include "slice_plan.h"

#include <stdlib.h>

#define SEED 20140407u

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* Events of a work-item: the same whenever its slice is run. */
static uint32_t events_of(uint64_t item, uint32_t most, uint32_t salt)
{
	uint64_t h = (item + 1) * UINT64_C(0x9e3779b97f4a7c15) + salt;

	h ^= h >> 29;
	/* A few work-items make most of the events. */
	return (uint32_t)(h % 16 == 0 ? h / 16 % (most + 1) : h / 16 % (most / 8 + 1));
}

/* What a device would do: chunks asked for and events made by a slice, by the definition. */
static void play(const struct slice *slice, uint32_t items, uint32_t most, uint32_t salt,
                 uint64_t *chunks, uint64_t *events)
{
	*chunks = *events = 0;
	for (uint64_t i = slice->begin * items; i < slice->end * items; i++) {
		uint64_t made = events_of(i, most, salt);

		*events += made;
		*chunks += (made + slice->chunk_events - 1) / slice->chunk_events;
	}
}

static void maybe_be_cautious(struct slice_plan *plan)
{
	if (random_below(4) == 0)
		slice_plan_be_cautious(plan);
}

static void every_group_is_accepted_once_and_in_order(void **state)
{
	print_message("seed %u\n", SEED);
	for (int round = 0; round < 3000; round++) {
		uint64_t groups = 1 + random_below(300);
		uint32_t items = 1 + random_below(random_below(2) ? 8 : 200);
		uint32_t most = 1 + random_below(random_below(2) ? 10 : 3000);
		uint32_t salt = random_below(1u << 30);
		uint64_t bound = random_below(2) ? most : 0;
		uint64_t room = sizeof(struct probe_chunk) + sizeof(struct event) +
		                random_below(1u << (5 + random_below(16)));
		struct slice_plan plan;
		struct slice slice;
		uint64_t expected = 0, tries = 0;

		slice_plan_init(&plan, groups, items, bound, room);
		maybe_be_cautious(&plan);
		while (slice_plan_next(&plan, &slice)) {
			uint64_t chunks, events;

			assert_int_equal(slice.begin, expected);
			assert_true(slice.end > slice.begin && slice.end <= groups);
			assert_true(slice.chunk_events >= 1 && slice.chunk_count >= 1);
			assert_true(slice.chunk_count *
			                    (sizeof(struct probe_chunk) +
			                     slice.chunk_events * sizeof(struct event)) <=
			            plan.room_bytes);
			play(&slice, items, most, salt, &chunks, &events);
			if (chunks > slice.chunk_count) {
				assert_false(plan.is_exact);
				if (slice_plan_shrink(&plan, &slice))
					assert_true(++tries < 100);
				else
					slice_plan_set_room(&plan, plan.room_bytes * 2);
				continue;
			}
			slice_plan_accept(&plan, &slice, events);
			expected = slice.end;
			tries = 0;
		}
		assert_int_equal(expected, groups);
	}
}

/* 64 work-items of at most 4 events: a chunk is 16 + 4*16 = 80 bytes, a group needs 64*80 = 5120;
 * 12 of them fit in 65536 bytes. */
static void a_known_bound_gives_exact_slices(void **state)
{
	struct slice_plan plan;
	struct slice slice;

	slice_plan_init(&plan, 100, 64, 4, 65536);
	assert_true(plan.is_exact);
	assert_true(slice_plan_next(&plan, &slice));
	assert_int_equal(slice.end - slice.begin, 12);
	assert_int_equal(slice.chunk_events, 4);
	assert_int_equal(slice.chunk_count, 65536 / 80);
	/* One group would need 5120 bytes: with less there is no exact slice. */
	slice_plan_init(&plan, 100, 64, 4, 5119);
	assert_false(plan.is_exact);
	slice_plan_init(&plan, 100, 64, 4, 5120);
	assert_true(plan.is_exact);
}

/* Launches of 2^62 groups neither overflow nor stop. */
static void huge_launches_are_planned(void **state)
{
	struct slice_plan plan;
	struct slice slice;
	uint64_t slices = 0;

	slice_plan_init(&plan, UINT64_C(1) << 40, 1 << 20, 0, UINT64_C(1) << 36);
	while (slices < 1000 && slice_plan_next(&plan, &slice)) {
		assert_true(slice.end > slice.begin);
		slice_plan_accept(&plan, &slice, UINT64_MAX / 2);
		slices++;
	}
	slice_plan_init(&plan, UINT64_C(1) << 62, 1, 1, UINT64_C(1) << 36);
	assert_true(slice_plan_next(&plan, &slice));
	/* 2^36 / 32 bytes, as many as 31 bits count at most. */
	assert_int_equal(slice.end, UINT32_MAX / 2);
}

static void a_cautious_plan_begins_with_one_group(void **state)
{
	struct slice_plan plan;
	struct slice slice;

	(void)state;
	/* Room for a million chunks of 64 events, 8 work-items a group: else it would begin with
	 * many. */
	slice_plan_init(&plan, 100, 8, 0, UINT64_C(1040) << 20);
	assert_true(plan.groups > 1);
	slice_plan_be_cautious(&plan);
	assert_true(slice_plan_next(&plan, &slice));
	assert_int_equal(slice.end - slice.begin, 1);
	/* Nothing can overflow where a bound is known: no need. */
	slice_plan_init(&plan, 100, 8, 16, UINT64_C(1040) << 20);
	slice_plan_be_cautious(&plan);
	assert_true(slice_plan_next(&plan, &slice));
	assert_int_equal(slice.end - slice.begin, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_group_is_accepted_once_and_in_order),
		cmocka_unit_test(a_known_bound_gives_exact_slices),
		cmocka_unit_test(huge_launches_are_planned),
		cmocka_unit_test(a_cautious_plan_begins_with_one_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

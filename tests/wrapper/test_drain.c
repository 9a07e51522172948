/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "drain.h"
#include "err.h"
#include "probe_abi.h"

#include <stdlib.h>
#include <string.h>

#define SEED         1977u
#define MOST_CHUNKS  4096
#define CHUNK_EVENTS 3
#define CHUNK_BYTES  (sizeof(struct probe_chunk) + CHUNK_EVENTS * sizeof(struct event))

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* 7 groups of 5x3 work-items; the slice has groups 2..5. */
static const struct launch_shape shape = { 2, { 35, 3, 1 }, { 5, 3, 1 }, { 0, 0, 0 } };
static const struct slice slice = { 2, 6, CHUNK_EVENTS, MOST_CHUNKS };
#define ITEMS 15

/*
 * What the device leaves: in each step a random work-item makes its next event; `open` is the
 * chunk that it fills. Event values are group, item and a count, so that each is told apart.
 */
static uint32_t play(unsigned char *chunks, uint64_t made[4][ITEMS], uint32_t steps)
{
	struct probe_chunk *open[4][ITEMS] = { { NULL } };
	uint32_t used = 0;

	for (uint32_t step = 0; step < steps; step++) {
		uint32_t g = random_below(4), item = random_below(ITEMS);
		struct probe_chunk *chunk = open[g][item];
		struct event *event;

		if (!chunk || chunk->order == CHUNK_EVENTS) {
			chunk = (struct probe_chunk *)(void *)(chunks + used++ * CHUNK_BYTES);
			*chunk = (struct probe_chunk){ g + slice.begin, item, 0 };
			open[g][item] = chunk;
		}
		event = (struct event *)(chunk + 1) + chunk->order++;
		*event = (struct event){ made[g][item]++, g + (uint32_t)slice.begin, item };
	}
	return used;
}

static void check_group(struct drain *d, uint64_t g, uint64_t made[ITEMS])
{
	struct group_events group;
	struct err err = { 0 };

	assert_int_equal(drain_group(d, g, &group, &err), 0);
	assert_int_equal(group.item_count, ITEMS);
	assert_int_equal(group.first[0], 0);
	for (uint32_t item = 0; item < ITEMS; item++) {
		assert_int_equal(group.first[item + 1] - group.first[item], made[item]);
		for (uint64_t k = 0; k < made[item]; k++) {
			const struct event *event = &group.events[group.first[item] + k];

			assert_int_equal(event->value, k);
			assert_int_equal(event->point, g);
			assert_int_equal(event->iteration, item);
		}
	}
}

static void events_come_out_by_item_in_the_order_they_were_made(void **state)
{
	unsigned char *chunks = calloc(MOST_CHUNKS, CHUNK_BYTES);
	struct err err = { 0 };
	struct drain d;

	print_message("seed %u\n", SEED);
	assert_int_equal(drain_init(&d, &shape, &err), 0);
	for (int round = 0; round < 200; round++) {
		uint64_t made[4][ITEMS] = { { 0 } };
		uint32_t steps = random_below(2000), used = play(chunks, made, steps);

		assert_int_equal(drain_slice(&d, &slice, chunks, used, &err), 0);
		assert_int_equal(d.event_count, steps);
		for (uint32_t g = 0; g < 4; g++)
			check_group(&d, slice.begin + g, made[g]);
	}
	assert_int_equal(d.damaged_count, 0);
	drain_release(&d);
	free(chunks);
}

/* Chunks that name no work-item of the slice, or more events than fit, are counted and left out. */
static void damaged_chunks_are_left_out(void **state)
{
	static const struct probe_chunk bad[] = {
		{ 1, 0, 1 },          { 6, 0, 1 },          { UINT64_MAX, 0, 1 },
		{ 2, ITEMS, 1 },      { 2, UINT32_MAX, 1 }, { 2, 0, CHUNK_EVENTS + 1 },
		{ 2, 0, UINT32_MAX },
	};
	const uint32_t count = sizeof(bad) / sizeof(bad[0]);
	unsigned char *chunks = calloc(count + 1, CHUNK_BYTES);
	struct probe_chunk good = { 3, 4, 2 };
	struct group_events group;
	struct err err = { 0 };
	struct drain d;

	for (uint32_t i = 0; i < count; i++)
		memcpy(chunks + i * CHUNK_BYTES, &bad[i], sizeof(bad[i]));
	memcpy(chunks + count * CHUNK_BYTES, &good, sizeof(good));
	assert_int_equal(drain_init(&d, &shape, &err), 0);
	assert_int_equal(drain_slice(&d, &slice, chunks, count + 1, &err), 0);
	assert_int_equal(d.damaged_count, count);
	assert_int_equal(d.event_count, 2);
	assert_int_equal(drain_group(&d, 3, &group, &err), 0);
	assert_int_equal(group.first[ITEMS], 2);
	assert_int_equal(group.first[5] - group.first[4], 2);
	drain_release(&d);
	free(chunks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_come_out_by_item_in_the_order_they_were_made),
		cmocka_unit_test(damaged_chunks_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

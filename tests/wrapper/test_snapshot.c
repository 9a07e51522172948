/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "event.h"
#include "launch_job.h"
#include "snapshot.h"

#define SEED  31u
#define BYTES 4096

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* A read of 4 bytes, a write of 4, an atomic of 8, a write of a size known only at run time. */
static struct site sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_GLOBAL, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 4, .space = SPACE_GLOBAL, .loop = -1 },
	{ .kind = SITE_ATOMIC, .bytes = 8, .space = SPACE_GLOBAL, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 0, .space = SPACE_GLOBAL, .loop = -1 },
};
static const struct kernel_table table = { .sites = sites, .site_count = 4 };

/* Two buffers, one behind the other with a gap. */
static const uint64_t bases[2] = { 1 << 20, (1 << 20) + 3 * BYTES };

/* What the oracle has seen written: for each buffer the first byte and one past the last. */
struct seen {
	uint64_t begin[2], end[2];
};

static void see(struct seen *s, uint64_t address, uint32_t bytes)
{
	for (int b = 0; b < 2; b++)
		for (uint64_t at = address; at < address + bytes; at++) {
			if (at < bases[b] || at >= bases[b] + BYTES)
				continue;
			if (at - bases[b] < s->begin[b])
				s->begin[b] = at - bases[b];
			if (at - bases[b] >= s->end[b])
				s->end[b] = at - bases[b] + 1;
		}
}

/* One record of up to two dimensions, and every byte that it stands for. Returns its events. */
static size_t make_record(struct event *e, struct seen *s)
{
	uint32_t kind = random_below(3), site = random_below(3);
	uint32_t count = kind ? 1 + random_below(9) : 1, rows = kind == 2 ? 1 + random_below(5) : 1;
	uint64_t stride = random_below(200) - UINT64_C(100);
	uint64_t row_stride = random_below(2000) - UINT64_C(1000);
	uint64_t address = bases[0] + random_below(4 * BYTES);
	static const uint32_t kinds[] = { EVENT_SITE, EVENT_RUN, EVENT_GRID };

	e[0] = (struct event){ address, kinds[kind] | site, kind ? count : 0 };
	e[1] = (struct event){ 7, EVENT_PART | site, kind == 2 ? rows : 0 };
	e[2] = (struct event){ stride, EVENT_PART | site, 0 };
	e[3] = (struct event){ row_stride, EVENT_PART | site, 0 };
	e[4] = (struct event){ 0, EVENT_PART | site, 0 };
	for (uint64_t r = 0; site && r < rows; r++)
		for (uint64_t i = 0; i < count; i++)
			see(s, address + i * stride + r * row_stride, sites[site].bytes);
	return kind == 0 ? 1 : kind == 1 ? 3 : 5;
}

static void all_that_events_write_is_stale(void **state)
{
	struct launch_job job = { .shadow.table = &table };

	print_message("seed %u\n", SEED);
	for (int round = 0; round < 20000; round++) {
		struct snapshot_buffer buffers[2] = { { .bytes = BYTES, .argument = 0 },
			                              { .bytes = BYTES, .argument = 1 } };
		struct snapshot shot = { .job = &job, .count = 2, .buffers = buffers };
		struct seen seen = { { UINT64_MAX, UINT64_MAX }, { 0, 0 } };
		struct event events[20];
		size_t count = 0;
		uint64_t first[2] = { 0 };

		for (uint32_t n = 1 + random_below(4); n; n--)
			count += make_record(&events[count], &seen);
		first[1] = count;
		snapshot_note_writes(&shot, &(struct group_events){ 1, first, events }, bases);
		for (int b = 0; b < 2; b++) {
			bool is_fresh = seen.begin[b] == UINT64_MAX;

			/* A grid's span may cover a buffer that no byte of it is in. */
			if (is_fresh)
				continue;
			assert_true(buffers[b].stale_begin <= seen.begin[b]);
			assert_true(buffers[b].stale_end >= seen.end[b]);
			assert_true(buffers[b].stale_end <= BYTES);
		}
	}
}

/* Alone in one buffer: 3 ints from byte 40 down to 24 by steps of 8: bytes 24 to 44. */
static void a_run_that_goes_down_is_seen(void **state)
{
	struct launch_job job = { .shadow.table = &table };
	struct snapshot_buffer buffer = { .bytes = BYTES };
	struct snapshot shot = { .job = &job, .count = 1, .buffers = &buffer };
	const uint64_t first[2] = { 0, 3 };
	const struct event events[3] = { { bases[0] + 40, EVENT_RUN | 1, 3 },
		                         { 0, EVENT_PART | 1, 0 },
		                         { -UINT64_C(8), EVENT_PART | 1, 0 } };

	snapshot_note_writes(&shot, &(struct group_events){ 1, first, events }, bases);
	assert_int_equal(buffer.stale_begin, 24);
	assert_int_equal(buffer.stale_end, 44);
}

/* Sizes that are not known, and addresses that wrap around, may be anywhere. */
static void what_has_no_bounds_makes_everything_stale(void **state)
{
	static const struct event unbounded[2][3] = {
		{ { 1 << 20, EVENT_SITE | 3, 0 }, { 0, EVENT_SITE, 0 }, { 0, EVENT_SITE, 0 } },
		{ { 1 << 20, EVENT_RUN | 1, UINT32_MAX },
		  { 0, EVENT_PART | 1, 0 },
		  { UINT64_C(1) << 62, EVENT_PART | 1, 0 } },
	};
	struct launch_job job = { .shadow.table = &table };
	const uint64_t first[2] = { 0, 3 };

	for (int i = 0; i < 2; i++) {
		struct snapshot_buffer buffer = { .bytes = BYTES };
		struct snapshot shot = { .job = &job, .count = 1, .buffers = &buffer };

		snapshot_note_writes(&shot, &(struct group_events){ 1, first, unbounded[i] },
		                     bases);
		assert_int_equal(buffer.stale_begin, 0);
		assert_int_equal(buffer.stale_end, BYTES);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_events_write_is_stale),
		cmocka_unit_test(a_run_that_goes_down_is_seen),
		cmocka_unit_test(what_has_no_bounds_makes_everything_stale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

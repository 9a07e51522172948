/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "gpu.h"
#include "group_stream.h"
#include "stream_bundle.h"
#include "stream_maker.h"

enum { ITEMS = 70 };

static const size_t EVENTS = 3; /* of each */

static struct site sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .loop = -1 },
	{ .kind = SITE_BARRIER, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 4, .loop = -1 },
};
static const struct kernel_table table = { .sites = sites, .site_count = 3 };
static const struct gpu gpu = { .warp_lanes = 32, .l1_line_bytes = 128 };

/* Each work-item reads, passes a barrier and writes; a warp comes to a line each time. */
static struct group_events make_events(struct event *events, uint64_t *first, uint32_t items)
{
	for (size_t i = 0; i < items; i++) {
		first[i] = i * EVENTS;
		events[i * EVENTS] = (struct event){ 4096 + 4 * i, 0, 0 };
		events[i * EVENTS + 1] = (struct event){ 0, 1, 0 };
		events[i * EVENTS + 2] = (struct event){ 8192 + 4 * i, 2, 0 };
	}
	first[items] = items * EVENTS;
	return (struct group_events){ items, first, events };
}

/* Groups formed one after the other in the same memory; a part of a warp is a second pattern. */
static const struct {
	uint32_t items, warps, patterns;
} groups[] = { { 70, 3, 2 }, { 64, 2, 1 }, { 6, 1, 1 }, { 70, 3, 2 } };

static void check_stream(const struct group_stream *s, uint32_t items, uint32_t warp_count)
{
	static const uint32_t requests_of[] = { 1, 0, 1 };
	const struct stream_warp *warps = s->warps.data;

	assert_int_equal(s->warp_count, warp_count);
	assert_int_equal(s->lanes, UINT64_C(2) * items);
	assert_int_equal(s->accesses, UINT64_C(2) * warp_count);
	for (size_t w = 0; w <= warp_count; w++) {
		assert_int_equal(warps[w].first_instruction, 3 * w);
		assert_int_equal(warps[w].first_request, 2 * w);
	}
	for (size_t i = 0; i < (size_t)3 * warp_count; i++) {
		assert_int_equal(group_stream_instruction(s, i)->site, i % 3);
		assert_int_equal(group_stream_instruction(s, i)->request_count, requests_of[i % 3]);
	}
}

/* Reads and writes alternate with barriers, which have no lanes. */
static void check_lanes(const struct group_stream *s, uint32_t items)
{
	for (size_t i = 0; i < s->instructions.count; i++) {
		const struct stream_cursor at = { .at = group_stream_instruction(s, i) };
		uint32_t first = 32 * (uint32_t)(i / 3), left = items - first;
		struct warp_access a = { 0 };

		stream_cursor_lanes(&at, s, &a);
		assert_int_equal(a.lane_count, i % 3 == 1 ? 0 : left < 32 ? left : 32);
		for (uint32_t k = 0; k < a.lane_count; k++) {
			assert_int_equal(a.item[k], first + k);
			assert_int_equal(a.address[k], (i % 3 ? 8192 : 4096) + 4 * (first + k));
		}
	}
}

static void a_stream_keeps_lanes_when_asked_to(void **state)
{
	static struct stream_maker maker;
	struct event events[ITEMS * 3];
	uint64_t first[ITEMS + 1];
	struct group_stream s;

	(void)state;
	assert_int_equal(stream_maker_init(&maker, &gpu, &table, NULL, NULL, NULL), 0);
	group_stream_init(&s, maker.coalescer.mask_words);
	for (size_t i = 0; i < 2 * sizeof(groups) / sizeof(groups[0]); i++) {
		uint32_t items = groups[i / 2].items;
		struct group_items group = { .events = make_events(events, first, items) };

		maker.keeps_lanes = i % 2;
		assert_int_equal(group_stream_form(&s, &maker, i, &group, NULL), 0);
		if (i % 2)
			check_lanes(&s, items);
		else
			assert_int_equal(s.lane_ends.count + s.items.count + s.addresses.count, 0);
	}
	group_stream_release(&s);
	stream_maker_release(&maker);
}

static void a_stream_holds_each_warps_share_and_each_pattern_once(void **state)
{
	static struct stream_maker maker;
	struct event events[ITEMS * 3];
	uint64_t first[ITEMS + 1];
	struct group_stream s;

	(void)state;
	assert_int_equal(stream_maker_init(&maker, &gpu, &table, NULL, NULL, NULL), 0);
	group_stream_init(&s, maker.coalescer.mask_words);
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		struct group_items group = { .events =
			                             make_events(events, first, groups[i].items) };

		assert_int_equal(group_stream_form(&s, &maker, i, &group, NULL), 0);
		assert_int_equal(s.group, i);
		check_stream(&s, groups[i].items, groups[i].warps);
		assert_int_equal(s.patterns.patterns.count, groups[i].patterns);
		assert_int_equal(pattern_set_at(&s.patterns, 0)->bytes_used,
		                 groups[i].items < 32 ? 24 : 128);
	}
	group_stream_release(&s);
	stream_maker_release(&maker);
}

static void many_patterns_stay_apart(void **state)
{
	struct pattern_set s;

	(void)state;
	pattern_set_init(&s, 2);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 5000; i++) {
			uint64_t mask[2] = { i / 128, 7 };
			uint32_t number;

			assert_int_equal(pattern_set_add(&s, mask, 1 + i % 128, &number, NULL), 0);
			assert_int_equal(number, i);
			assert_memory_equal(pattern_set_mask(&s, i), mask, sizeof(mask));
			assert_int_equal(pattern_set_at(&s, i)->lanes, 1 + i % 128);
		}
	pattern_set_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stream_holds_each_warps_share_and_each_pattern_once),
		cmocka_unit_test(a_stream_keeps_lanes_when_asked_to),
		cmocka_unit_test(many_patterns_stay_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

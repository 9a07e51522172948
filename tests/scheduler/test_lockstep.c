/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of warps in step, with bundles, against those that fronts make of expanded events. */
#include "cmocka_all.h"

#include "address_map.h"
#include "err.h"
#include "gpu.h"
#include "nest_execution.h"
#include "random_cases.h"
#include "recorded.h"
#include "recording.h"
#include "stream_bundle.h"
#include "stream_way.h"
#include "whole_group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 40, ROUNDS = RANDOM_CASES(300) };

#define GPU(rule, lanes, line)                                                                     \
	{ .coalescing = GPU_COALESCING_##rule,                                                     \
	  .warp_lanes = lanes,                                                                     \
	  .l1_line_bytes = line,                                                                   \
	  .local_banks = 32,                                                                       \
	  .local_bank_bytes = 4 }

static const struct gpu gpus[] = {
	GPU(FERMI, 32, 128),
	GPU(MAXWELL, 16, 64),
	GPU(VOLTA, 8, 256),
	GPU(FERMI, 1, 32),
};

/* What the rounds have met, so that they cannot pass for want of cases. */
static struct {
	uint64_t in_step, apart, bundles, classes, long_bundles, failed, unmapped, ended, spilled,
		extents;
} met;

/* The events of a group, and where they go. */
struct group {
	struct random *r;
	const struct kernel_table *table;
	uint64_t first[ITEMS + 1];
	struct event *events; /* room for all that the items could have */
	uint64_t spread;      /* addresses lie in as many bytes */
	uint64_t seed;
};

static uint64_t random_address(struct group *g)
{
	return random_below(g->r, 400) ? 0x10000 + random_below(g->r, g->spread)
	                               : UINT64_MAX - random_below(g->r, 5000);
}

static uint64_t random_stride(struct random *r)
{
	static const int64_t strides[] = {
		0, 0, 4, 4, 4, 8, -4, 12, -64, 128, 2048, 132, -2048, 3
	};

	return random_below(r, 20) ? (uint64_t)strides[random_below(r, 14)] : random_next(r);
}

/*
 * Give the records of a stream addresses and strides of the lane's own: those of `like` (another
 * lane's stream of the same points, or the same stream) with an offset, or at random.
 */
static void move(struct group *g, struct event *events, const struct event *like, uint64_t count,
                 uint64_t offset)
{
	for (uint64_t i = 0; i < count; i++) {
		uint32_t kind = like[i].point & EVENT_KIND_MASK, id = like[i].point & EVENT_ID_MASK;
		uint32_t parts = event_parts(like[i].point);
		bool is_first = like == events, is_odd = random_below(g->r, 60) == 0;

		memcpy(&events[i], &like[i], (1 + parts) * sizeof(*events));
		if (kind == EVENT_SITE && !site_kind_has_address(g->table->sites[id].kind))
			continue;
		if (kind != EVENT_SITE && !parts)
			continue;
		events[i].value = is_first || is_odd ? random_address(g) : like[i].value + offset;
		for (uint32_t k = 2; k <= parts && k < EVENT_GRID_PARTS; k++)
			if (is_first || random_below(g->r, 300) == 0)
				events[i + k].value = random_stride(g->r);
		i += parts;
	}
}

/* How many events a lane has that ends before one of `like`. */
static uint64_t random_end(struct group *g, const struct event *like, uint64_t count)
{
	uint64_t end = 0, beyond = random_below(g->r, count + 1);

	while (end < beyond)
		end += 1 + event_parts(like[end].point);
	return end;
}

/* All lanes do the same, but for a few that do nothing, and in some groups one that differs, or
 * some that end before the others. */
static void make_group(struct group *g)
{
	const size_t room = (size_t)NEST_ENTRIES_MAX * (6 + NEST_DEPTH_MAX);
	uint64_t offset = random_below(g->r, 3) ? 4 : random_below(g->r, 300), count = 0;
	struct event *like = calloc(room, sizeof(*like));
	bool is_mixed = random_below(g->r, 4) == 0;
	uint64_t ends_early = random_below(g->r, 3) ? 0 : 1 + random_below(g->r, 9);
	struct nest_execution course;

	g->events = calloc(room * ITEMS, sizeof(*g->events));
	g->spread = random_below(g->r, 2) ? 3000 : 1000000;
	for (uint32_t i = 0; i < ITEMS; i++) {
		struct event *events = g->events + g->first[i];

		if (!i || (is_mixed && random_below(g->r, 16) == 0)) {
			nest_execution_make(g->r, g->table, &course);
			nest_execution_pack(g->r, g->table, &course);
			count = nest_execution_events(&course, g->table, like);
			free(course.entries);
			move(g, like, like, count, 0);
		}
		g->first[i + 1] = g->first[i];
		if (random_below(g->r, 30) == 0)
			continue;
		move(g, events, like, count, i * offset);
		g->first[i + 1] += ends_early && random_below(g->r, 10) < ends_early
		                           ? random_end(g, like, count)
		                           : count;
	}
	free(like);
}

/* Sometimes an event is not what it should be. */
static void damage(struct group *g)
{
	struct event *e = g->events + random_below(g->r, g->first[ITEMS] + 1);

	if (random_below(g->r, 5) || e == g->events + g->first[ITEMS])
		return;
	switch (random_below(g->r, 3)) {
	case 0:
		e->point = (uint32_t)random_next(g->r) >> random_below(g->r, 32);
		break;
	case 1:
		e->iteration += 1 + (uint32_t)random_below(g->r, 3);
		break;
	default:
		e->value += random_below(g->r, 2) ? 1 : UINT64_MAX << 20;
	}
}

static void count_met(const struct stream_way *w)
{
	const struct stream_bundles *b = &w->stream.bundles;
	const struct stream_bundle *bundles = b->bundles.data;

	met.failed += w->rc != 0;
	met.in_step += w->maker.lockstep.made_count && w->maker.lockstep.shape.count;
	met.ended += w->maker.lockstep.least == UINT64_MAX; /* all lanes did, before the shape */
	met.bundles += b->bundles.count;
	met.classes += b->classes.count;
	met.unmapped += w->maker.coalescer.unmapped_lanes;
	for (size_t i = 0; i < b->bundles.count; i++)
		met.long_bundles += bundles[i].length > 32;
}

/* Whether the group's first warp can be formed in step. */
static bool is_in_step(struct stream_way *w, const struct group_events *packed)
{
	uint32_t lanes = packed->item_count < 32 ? packed->item_count : 32;
	bool fits = false;

	assert_int_equal(lockstep_start(&w->maker.lockstep, packed, 0, lanes, &fits, NULL), 0);
	return fits;
}

/* The group in a temporary file, in parts: at each place some work-items go on. */
static void store(struct group *g, const struct group_events *packed, struct group_items *items)
{
	uint64_t at[ITEMS] = { 0 }, first[ITEMS + 1] = { 0 }, left = 1;
	uint32_t most = random_below(g->r, 8) ? 2000 : 20; /* records of a part */
	struct event *events = malloc((packed->first[ITEMS] + 1) * sizeof(*events));

	*items = (struct group_items){ .events = { .item_count = ITEMS } };
	assert_int_equal(item_store_create(&items->store, ITEMS, NULL), 0);
	while (left) {
		struct group_events part = { ITEMS, first, events };

		left = 0;
		for (uint32_t i = 0; i < ITEMS; i++) {
			const struct event *own = packed->events + packed->first[i];
			uint64_t count = packed->first[i + 1] - packed->first[i], used = 0;
			uint64_t wanted = random_below(g->r, most);

			while (at[i] + used < count && wanted--) /* whole records */
				used += 1 + event_parts(own[at[i] + used].point);
			while (at[i] + used < count && used &&
			       (own[at[i] + used - 1].point & EVENT_KIND_MASK) == EVENT_SIZE)
				used++;
			memcpy(events + first[i], own + at[i], used * sizeof(*events));
			first[i + 1] = first[i] + used;
			at[i] += used;
			left += at[i] < count;
		}
		assert_int_equal(item_store_add(items->store, &part, NULL), 0);
	}
	free(events);
}

/* The same group formed in step, by fronts of its runs, and of plain events; from a temporary file;
 * and with its stream outside memory. */
static void check_group(const struct gpu *gpu, struct group *g, const struct address_map *map)
{
	static struct stream_way in_step, by_fronts, expanded, spilled, from_file;
	struct group_events packed = { ITEMS, g->first, g->events }, plain;
	struct group_items stored;
	struct spill_file f;

	spill_file_init(&f);
	stream_way_open(&in_step, gpu, g->table, map);
	stream_way_open(&by_fronts, gpu, g->table, map);
	by_fronts.maker.takes_fronts = true;
	stream_way_form(&in_step, &packed);
	stream_way_form(&by_fronts, &packed);
	stream_ways_compare(&in_step, &by_fronts);
	stream_way_open(&spilled, gpu, g->table, map);
	spilled.maker.spill = &f;
	spilled.maker.spill_bytes = 0;
	spilled.maker.extent_bytes = random_below(g->r, 4096);
	stream_way_form(&spilled, &packed);
	stream_ways_compare(&in_step, &spilled);
	met.spilled += spilled.stream.spill.file == &f;
	met.extents += spilled.stream.spill.extent_count;
	if (!in_step.rc && g->seed % 4 == 0) {
		store(g, &packed, &stored);
		stream_way_open(&from_file, gpu, g->table, map);
		stream_way_form_items(&from_file, &stored);
		stream_ways_compare(&by_fronts, &from_file);
		stream_way_close(&from_file);
		group_items_release(&stored);
	}
	if (!in_step.rc) {
		stream_way_open(&expanded, gpu, g->table, map);
		expanded.maker.takes_fronts = true;
		assert_int_equal(whole_group_expand(g->table, &packed, 5, &plain, NULL), 0);
		stream_way_form(&expanded, &plain);
		stream_ways_compare(&in_step, &expanded);
		stream_way_form(&in_step, &plain); /* in step without a run */
		stream_way_form(&expanded, &plain);
		stream_ways_compare(&in_step, &expanded);
		stream_way_form(&in_step, &packed);
		stream_way_close(&expanded);
	}
	stream_way_close(&spilled);
	spill_file_release(&f);
	count_met(&in_step);
	met.apart += !is_in_step(&in_step, &packed);
	stream_way_close(&in_step);
	stream_way_close(&by_fronts);
}

/* A table with few sites whose size is known only at run time, most of them of global memory. */
static void make_table(struct random *r, struct kernel_table *t)
{
	static const uint32_t bytes[] = { 1, 2, 4, 4, 4, 8, 16, 12, 200 };

	random_table(r, t);
	t->is_irreducible = false;
	assert_true(t->site_count <= STREAM_WAY_SITES);
	for (size_t i = 0; i < t->site_count; i++) {
		if (!site_kind_has_address(t->sites[i].kind))
			continue;
		t->sites[i].bytes = random_below(r, 200) ? bytes[random_below(r, 9)] : 0;
		t->sites[i].space = random_below(r, 10) ? SPACE_GLOBAL : SPACE_LOCAL;
	}
}

static void play(uint64_t seed, const struct address_map *map, bool is_damaged)
{
	for (uint64_t round = 0; round < ROUNDS; round++) {
		struct random r = { seed + round };
		struct kernel_table t;
		struct group g = { .r = &r, .table = &t, .seed = seed + round };

		make_table(&r, &t);
		make_group(&g);
		if (is_damaged)
			damage(&g);
		check_group(&gpus[round % 4], &g, map);
		free(g.events);
		kernel_table_release(&t);
	}
	print_message("%" PRIu64 " groups in step, %" PRIu64 " with warps that were not, %" PRIu64
	              " refused, %" PRIu64 " bundles, %" PRIu64 " longer than 32, %" PRIu64
	              " alignments, %" PRIu64 " unmapped lanes, %" PRIu64
	              " ended before the shape\n",
	              met.in_step, met.apart, met.failed, met.bundles, met.long_bundles,
	              met.classes, met.unmapped, met.ended);
}

static void groups_are_formed_as_their_expanded_events_would_be(void **state)
{
	(void)state;
	memset(&met, 0, sizeof(met));
	play(20261121, NULL, false);
	assert_true(met.in_step > RANDOM_CASES(150) && met.apart > RANDOM_CASES(30) &&
	            met.bundles > RANDOM_CASES(3000) && met.ended &&
	            met.spilled > RANDOM_CASES(250) && met.extents > 2 * met.spilled);
}

static void damaged_groups_are_refused_in_the_same_words(void **state)
{
	(void)state;
	memset(&met, 0, sizeof(met));
	play(777, NULL, true);
	assert_true(met.failed > RANDOM_CASES(10));
}

/* Buffers side by side and with gaps in recorded memory, in another order in the replay's. */
static struct address_map *make_map(void)
{
	enum { BUFFERS = 30 };
	struct recorded_buffer buffers[BUFFERS];
	struct recorded_argument arguments[BUFFERS];
	struct recorded_launch launch = { .arguments = arguments, .argument_count = BUFFERS };
	struct recording recording = {
		.buffers = buffers, .buffer_count = BUFFERS, .launches = &launch, .launch_count = 1
	};
	struct random r = { 7 };
	struct address_map *map;
	uint64_t at = 0x10000;

	for (uint32_t i = 0; i < BUFFERS; i++) {
		buffers[i] = (struct recorded_buffer){ .bytes = 1 + random_below(&r, 60000),
			                               .parent = -1 };
		arguments[i] = (struct recorded_argument){ i, BUFFERS - 1 - i, 0 };
	}
	for (uint32_t i = 0; i < BUFFERS; i++) {
		arguments[i].address = at;
		at += buffers[BUFFERS - 1 - i].bytes + (i % 3 ? 0 : random_below(&r, 5000));
	}
	assert_int_equal(address_map_create(&map, &recording, 0, NULL), 0);
	return map;
}

static void runs_that_leave_their_buffers_are_formed_as_expanded(void **state)
{
	struct address_map *map = make_map();

	(void)state;
	memset(&met, 0, sizeof(met));
	play(99, map, false);
	assert_true(met.bundles > RANDOM_CASES(400) && met.unmapped > RANDOM_CASES(5000));
	address_map_free(map);
}

static struct site loop_sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_GLOBAL, .loop = 0 },
	{ .kind = SITE_PREFETCH, .bytes = 4, .space = SPACE_GLOBAL, .loop = 0 },
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_LOCAL, .loop = 0 },
	{ .kind = SITE_WRITE, .bytes = 8, .space = SPACE_GLOBAL, .loop = 0 },
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_GLOBAL, .loop = -1 },
};
static struct loop loop_loops[] = { { .parent = -1, .depth = 1 } };
static const struct kernel_table loop_table = {
	.sites = loop_sites, .site_count = 5, .loops = loop_loops, .loop_count = 1
};

/* Each of ITEMS work-items: a run of `length` iterations at each of the loop's sites, then a read.
 * Item i is at base + i * apart. */
static void make_runs(struct group *g, uint32_t length, const uint64_t *strides, uint64_t apart)
{
	g->events = calloc((size_t)ITEMS * 13, sizeof(*g->events));
	for (uint32_t i = 0; i < ITEMS; i++) {
		struct event *e = g->events + 13 * (size_t)i;

		g->first[i + 1] = 13 * (i + UINT64_C(1));
		for (uint32_t k = 0; k < 4; k++)
			e += packed_run_put(
				&(struct packed_run){ .site = k,
			                              .count = length,
			                              .address = UINT64_C(0x100000) * (k + 1) +
			                                         i * apart,
			                              .stride = strides[k] },
				e);
		*e = (struct event){ 0x10000 + 4 * i, 4, 0 };
	}
}

static void long_runs_are_formed_as_expanded(void **state)
{
	static const uint64_t aparts[] = { 0, 4, 8, 128, 4096, (uint64_t)-4 };
	struct address_map *map = make_map();

	(void)state;
	memset(&met, 0, sizeof(met));
	for (uint64_t round = 0; round < RANDOM_CASES(200); round++) {
		struct random r = { round };
		struct group g = { .r = &r, .table = &loop_table };
		uint64_t strides[4];

		for (uint32_t k = 0; k < 4; k++)
			strides[k] = random_stride(&r);
		make_runs(&g, 1 + (uint32_t)random_below(&r, 300), strides, aparts[round % 6]);
		check_group(&gpus[round / 6 % 4], &g, round % 2 ? map : NULL);
		free(g.events);
	}
	assert_true(met.long_bundles > RANDOM_CASES(100));
	address_map_free(map);
}

/*
 * By hand: 40 items in warps of 32 and 8. The read of 4 bytes with stride 4 has all 32 alignments
 * of a line of 128 bytes. The prefetch and the local read are no instructions. The write with
 * stride 256 has one. So a warp has 33 of them whatever the length, and an iteration makes two
 * instructions. Whole warps read 128 bytes, which are two lines but for one alignment: 1 + 31 * 2
 * requests; 8 lanes read 32 bytes, in two lines where they begin at bytes 100..124: 25 + 7 * 2.
 * They write 32 * 8 bytes in half-warps, a line each, and 8 * 8, one. So 63 + 2 and 39 + 1.
 */
static void a_stream_does_not_grow_with_the_length_of_runs(void **state)
{
	static const uint64_t strides[4] = { 4, 4, 4, 256 };
	static struct stream_way w;

	(void)state;
	for (uint32_t length = 1000; length <= 100000; length *= 100) {
		struct group g = { .table = &loop_table };
		struct group_events packed = { ITEMS, g.first, NULL };
		uint64_t steps = 0;
		struct stream_cursor c;

		make_runs(&g, length, strides, 4);
		for (uint32_t i = 0; i < ITEMS; i++) /* the writes lie side by side */
			g.events[13 * (size_t)i + 9].value = 0x400000 + 8 * i;
		packed.events = g.events;
		stream_way_open(&w, &gpus[0], &loop_table, NULL);
		stream_way_form(&w, &packed);
		assert_int_equal(w.rc, 0);
		assert_int_equal(w.stream.instructions.count, 2 * 2); /* bundle and read */
		assert_int_equal(w.stream.bundles.classes.count, 2 * 33);
		assert_int_equal(w.stream.bundles.requests.count, 63 + 2 + 39 + 1);
		assert_int_equal(w.stream.lanes, ITEMS * (UINT64_C(2) * length + 1));
		assert_int_equal(w.stream.accesses, 2 * (UINT64_C(2) * length + 1));
		stream_cursor_start(&c, &w.stream, 0);
		for (; c.at != c.end; stream_cursor_next(&c, &w.stream)) {
			if (++steps == 2 * UINT64_C(999) + 2) /* the write of iteration 999 */
				assert_int_equal(c.requests[1].line + c.moved_bytes,
				                 0x400000 + 128 + 999 * 256);
		}
		assert_int_equal(steps, 2 * UINT64_C(1) * length + 1);
		stream_way_close(&w);
		free(g.events);
	}
}

/* Sites of a tree of sums: a read, then barriers, and a write. */
static struct site tree_sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_GLOBAL, .loop = -1 },
	{ .kind = SITE_BARRIER, .loop = -1 },
	{ .kind = SITE_WRITE, .bytes = 4, .space = SPACE_GLOBAL, .loop = -1 },
};
static const struct kernel_table tree_table = { .sites = tree_sites, .site_count = 3 };

/*
 * By hand: item i of 40, in warps of 32 and 8, reads, passes a barrier, and writes if it is an odd
 * one of the first 10, or 35, and then the last of these. All in step, by the shape of item 1: the
 * first warp reads with 32 lanes and writes with 5; the second one reads with 8, writes with 1.
 */
static void lanes_that_do_no_more_are_in_step_up_to_there(void **state)
{
	static struct stream_way w;
	struct event events[ITEMS * 3];
	uint64_t first[ITEMS + 1] = { 0 }, at = 0;
	const struct group_events g = { ITEMS, first, events };
	static const uint32_t sites[] = { 0, 1, 2, 0, 1, 2 }, lanes[] = { 32, 0, 5, 8, 0, 1 };
	const struct stream_instruction *made;

	(void)state;
	for (uint32_t i = 0; i < ITEMS; i++) {
		events[at++] = (struct event){ 0x10000 + 4 * i, 0, 0 };
		events[at++] = (struct event){ 0, 1, 0 };
		if ((i < 10 && i % 2) || i == 35)
			events[at++] = (struct event){ 0x20000, 2, 0 };
		first[i + 1] = at;
	}
	stream_way_open(&w, &gpus[0], &tree_table, NULL);
	stream_way_form(&w, &g);
	assert_int_equal(w.rc, 0);
	assert_int_equal(w.maker.lockstep.shape.count, 3);
	assert_int_equal(w.stream.instructions.count, 6);
	made = w.stream.instructions.data;
	for (uint32_t i = 0, r = 0; i < 6; i++) {
		assert_int_equal(made[i].site, sites[i]);
		assert_int_equal(made[i].request_count, lanes[i] != 0);
		if (lanes[i])
			assert_int_equal(
				pattern_set_at(&w.stream.patterns,
			                       group_stream_request(&w.stream, r++)->pattern)
					->lanes,
				lanes[i]);
	}
	stream_way_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_are_formed_as_their_expanded_events_would_be),
		cmocka_unit_test(damaged_groups_are_refused_in_the_same_words),
		cmocka_unit_test(runs_that_leave_their_buffers_are_formed_as_expanded),
		cmocka_unit_test(long_runs_are_formed_as_expanded),
		cmocka_unit_test(a_stream_does_not_grow_with_the_length_of_runs),
		cmocka_unit_test(lanes_that_do_no_more_are_in_step_up_to_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

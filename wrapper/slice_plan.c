/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_plan.h"

#include "kernel_table.h"
#include "launch_shape.h"
#include "probe_abi.h"

#define LEAST_CHUNK_WORDS  PROBE_MIN_CHUNK_WORDS
#define NARROW_CHUNK_WORDS 1
#define FIRST_CHUNK_WORDS  32u
#define MOST_CHUNK_WORDS   512u
/* Most work-items in a slice with chunks: the host has a number for each while it drains it. */
#define MOST_SLICE_ITEMS (UINT64_C(1) << 21)
#define GROWTH           8u
#define CAUTIOUS_RESERVE 8u

static uint64_t at_least_one(uint64_t n)
{
	return n ? n : 1;
}

static uint64_t at_most(uint64_t n, uint64_t limit)
{
	return n < limit ? n : limit;
}

static uint32_t whole_words(uint64_t words, uint32_t least)
{
	words = at_most((words + 7) / 8 * 8, MOST_CHUNK_WORDS);
	return (uint32_t)(words > least ? words : least);
}

static uint64_t chunks_in_room(const struct slice_plan *p)
{
	return p->room_bytes / slice_layout_chunk_bytes(&p->layout, p->chunk_words);
}

/* Sets of lanes in a group: each takes chunks of its own. */
static uint64_t group_sets(const struct slice_plan *p)
{
	return p->layout.group_items / p->layout.lanes;
}

/* Smaller chunks until every set of lanes of a group may have two, if that is possible. */
static void fit_chunks(struct slice_plan *p)
{
	while (!p->is_narrow && p->chunk_words > LEAST_CHUNK_WORDS &&
	       chunks_in_room(p) / 2 < group_sets(p))
		p->chunk_words = whole_words(p->chunk_words / 2, LEAST_CHUNK_WORDS);
}

static uint64_t most_groups(const struct slice_plan *p)
{
	return at_least_one(MOST_SLICE_ITEMS / p->layout.group_items);
}

/* The next slice's size, from what a group needs. */
static void retune(struct slice_plan *p, uint64_t limit)
{
	uint64_t chunks = chunks_in_room(p), reserve = p->is_cautious ? CAUTIOUS_RESERVE : 1;
	uint64_t groups = (chunks - chunks / 8) / reserve / at_least_one(p->group_chunks);

	p->groups = at_most(at_most(at_least_one(groups), limit), most_groups(p));
}

/* A first slice where nothing is known but the instrumenter's estimate. */
static void begin_guessing(struct slice_plan *p, uint32_t least_words)
{
	uint64_t chunks;

	p->chunk_words = whole_words((uint64_t)least_words + 1, FIRST_CHUNK_WORDS);
	fit_chunks(p);
	chunks = group_sets(p) * 2 * (least_words / p->chunk_words + UINT64_C(1));
	p->groups = at_most(at_least_one(chunks_in_room(p) / chunks), most_groups(p));
}

void slice_plan_init(struct slice_plan *p, const struct kernel_table *table,
                     const struct launch_shape *shape, const struct slice_layout *layout,
                     uint64_t room_bytes)
{
	*p = (struct slice_plan){ .shape = shape,
		                  .layout = *layout,
		                  .group_count = launch_shape_group_count(shape),
		                  .room_bytes = room_bytes };
	p->is_exact = layout->slot_words > 0;
	p->groups = UINT64_MAX;
	p->chunk_words = layout->slot_words;
	if (!p->is_exact)
		begin_guessing(p, table->least_words);
}

void slice_plan_be_narrow(struct slice_plan *p)
{
	p->is_narrow = true;
	p->chunk_words = NARROW_CHUNK_WORDS;
}

uint64_t slice_plan_guess(const struct slice_plan *p)
{
	uint64_t chunks = p->group_chunks ? p->group_chunks * 2 : group_sets(p) * 2, bytes, all;

	if (p->is_exact)
		bytes = slice_layout_group_bytes(&p->layout);
	else
		bytes = slice_layout_chunk_bytes(&p->layout, p->chunk_words) * chunks;
	bytes += 1; /* of the bitmap */
	return __builtin_mul_overflow(p->group_count, bytes, &all) ? UINT64_MAX : all;
}

void slice_plan_begin_with(struct slice_plan *p, uint64_t groups)
{
	if (!p->is_exact && !p->group_chunks)
		p->groups = at_most(p->groups, at_least_one(groups));
}

void slice_plan_set_room(struct slice_plan *p, uint64_t room_bytes)
{
	uint64_t before = p->room_bytes;

	p->room_bytes = room_bytes;
	if (p->is_exact)
		return;
	if (room_bytes < before && !p->group_chunks)
		p->groups = at_least_one(at_most(p->groups, most_groups(p)) * room_bytes / before);
	if (p->chunk_words < FIRST_CHUNK_WORDS && !p->group_chunks && !p->is_narrow)
		p->chunk_words = FIRST_CHUNK_WORDS;
	fit_chunks(p);
	if (p->group_chunks)
		retune(p, UINT64_MAX);
}

void slice_plan_be_cautious(struct slice_plan *p)
{
	p->is_cautious = true;
	if (!p->is_exact && !p->group_chunks)
		p->groups = 1;
}

void slice_plan_be_mute(struct slice_plan *p)
{
	p->is_mute = true;
	p->groups = UINT64_MAX;
}

bool slice_plan_is_done(const struct slice_plan *p)
{
	return p->next >= p->group_count;
}

/* Most groups whose parts all fit; with fixed slots this is what bounds a slice. */
static uint64_t fitting_groups(const struct slice_plan *p)
{
	uint64_t groups = at_most(p->groups, p->group_count - p->next);

	if (p->is_exact)
		groups = at_most(groups, p->room_bytes / slice_layout_group_bytes(&p->layout));
	return at_least_one(groups);
}

bool slice_plan_next(const struct slice_plan *p, struct slice *out)
{
	uint64_t groups = fitting_groups(p);

	for (;;) {
		*out = (struct slice){ .box = slice_box_at(p->shape, p->next, groups),
			               .chunk_words = p->chunk_words };
		if (slice_layout_place(&p->layout, out, p->room_bytes))
			return true;
		groups = out->box.end - out->box.begin;
		if (groups == 1)
			return false;
		/* Only a little is missing with slots: the header, or the bitmap. */
		groups -= p->is_exact ? groups / 64 + 1 : groups / 2;
	}
}

void slice_plan_accept(struct slice_plan *p, const struct slice *done, uint32_t used_chunks)
{
	uint64_t groups = done->box.end - done->box.begin;
	uint64_t mean = (used_chunks + groups - 1) / groups;

	p->next = done->box.end;
	if (p->is_exact || p->is_mute)
		return;
	/* Where nothing can be undone the most that was seen counts, else what was seen last. */
	if (!p->is_cautious || mean > p->group_chunks)
		p->group_chunks = at_least_one(mean);
	retune(p, groups > UINT64_MAX / GROWTH ? UINT64_MAX : groups * GROWTH);
}

/* Words of a chunk so that few of them hold what a lane writes, and little stays free. */
static uint32_t best_words(uint64_t lane_words)
{
	uint64_t chunks = (lane_words + MOST_CHUNK_WORDS - 1) / MOST_CHUNK_WORDS;

	return whole_words((lane_words + chunks - 1) / at_least_one(chunks), LEAST_CHUNK_WORDS);
}

void slice_plan_learn(struct slice_plan *p, const struct slice_lesson *lesson)
{
	uint64_t lanes = lesson->sets * p->layout.lanes, lane_words, chunks;
	uint32_t wanted;

	if (p->is_exact || p->is_mute || p->is_narrow || !lanes || !lesson->words)
		return;
	lane_words = (lesson->words + lanes - 1) / lanes;
	wanted = best_words(lane_words);
	if (wanted < p->chunk_words + p->chunk_words / 4 &&
	    wanted > p->chunk_words - p->chunk_words / 4)
		return;
	/* A quarter more, since not all lanes are alike. */
	chunks = (lane_words + wanted - 1) / wanted * lesson->sets / lesson->groups;
	p->group_chunks = at_least_one(chunks + chunks / 4);
	p->chunk_words = wanted;
	fit_chunks(p);
	retune(p, p->groups * 2);
}

void slice_plan_recall(struct slice_plan *p, uint32_t chunk_words, uint64_t group_chunks)
{
	if (p->is_exact || p->is_narrow || !group_chunks)
		return;
	p->chunk_words = chunk_words;
	p->group_chunks = group_chunks;
	fit_chunks(p);
	retune(p, UINT64_MAX);
}

bool slice_plan_shrink(struct slice_plan *p, const struct slice *failed, uint64_t lost)
{
	uint64_t groups = failed->box.end - failed->box.begin;
	uint64_t words = (uint64_t)failed->chunk_count * failed->chunk_words * p->layout.lanes;

	if (groups > 1) {
		/* Each lost event is a word at least. */
		uint64_t parts = at_most(lost, UINT64_MAX / 2) / at_least_one(words) + 2;

		p->groups = at_least_one(groups / parts);
		return true;
	}
	/* One group: smaller chunks waste less on work-items that make few events. */
	if (p->chunk_words <= LEAST_CHUNK_WORDS)
		return false;
	p->chunk_words = whole_words(p->chunk_words / 4, LEAST_CHUNK_WORDS);
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_plan.h"

#include "device_ops.h"
#include "kernel_table.h"
#include "launch_shape.h"
#include "probe_abi.h"

/* Groups of a slice for each compute unit, if the budget allows. */
#define UNIT_GROUPS 4

#define FIRST_BYTES (UINT64_C(64) << 10)

/* Bytes of a round: few, since they are decoded at once. Twice as many after every that many
 * rounds, so that a group with many records does not run too often. */
#define ROUND_BYTES (UINT64_C(8) << 20)

#define ROUNDS_OF_SIZE 32

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Round up to a power of two, so that launches of similar size share a buffer. */
static uint64_t round_up(uint64_t bytes, uint64_t limit)
{
	uint64_t size = FIRST_BYTES;

	while (size < limit && size < bytes)
		size *= 2;
	return smaller(size, limit);
}

/* Each buffer's share of the budget. */
static uint64_t share_bytes(const struct launch_room *r)
{
	return r->budget_bytes / r->ops->room.buffers;
}

static uint64_t usual_bytes(const struct launch_room *r, const struct slice_plan *plan)
{
	uint64_t groups = (uint64_t)r->units * UNIT_GROUPS;
	uint64_t busy = slice_plan_guess(plan) / plan->group_count;

	busy = groups && busy > UINT64_MAX / groups ? UINT64_MAX : busy * groups;
	if (plan->group_count == 1 && plan->layout.lanes == 1)
		busy = 0; /* it keeps one unit busy, and is recorded in rounds if it has no room */
	return smaller(larger(r->ops->room.usual_bytes, busy), share_bytes(r));
}

/* Bytes of the next buffer. */
static uint64_t launch_room_bytes(const struct launch_room *r)
{
	return r->ops->room_bytes(r->device, r->which);
}

static int reserve(const struct launch_room *r, unsigned which, uint64_t bytes, struct err *err)
{
	return r->ops->reserve(r->device, which, bytes, err);
}

/* Enlarge the next buffer and set the plan's room. Returns whether it has more than `before` now.
 */
static bool enlarge(const struct launch_room *r, uint64_t before, uint64_t bytes,
                    struct slice_plan *plan)
{
	if (reserve(r, r->which, bytes, NULL) < 0)
		return false;
	slice_plan_set_room(plan, launch_room_bytes(r));
	return plan->room_bytes > before;
}

int launch_room_open(struct launch_room *r, struct slice_plan *plan, struct err *err)
{
	uint64_t guess = slice_plan_guess(plan), spare = r->ops->room.spare_bytes;
	int rc;

	r->usual_bytes = usual_bytes(r, plan);
	guess = guess > UINT64_MAX - spare ? guess : guess + spare;
	rc = reserve(r, 0, round_up(guess, r->usual_bytes), err);
	if (rc < 0)
		return rc;
	slice_plan_set_room(plan, launch_room_bytes(r));
	return 0;
}

void launch_room_close(struct launch_room *r)
{
	for (unsigned i = 0; r->ops && r->ops->release_buffer && i < r->ops->room.buffers; i++)
		if (r->ops->room_bytes(r->device, i) > share_bytes(r))
			r->ops->release_buffer(r->device, i);
}

void launch_room_fill(struct launch_room *r, struct slice_plan *plan)
{
	r->usual_bytes = share_bytes(r);
	(void)launch_room_widen(r, plan);
}

uint64_t launch_room_for(uint64_t bytes)
{
	uint64_t room = UINT64_C(1) << 20;

	bytes += bytes / 8;
	while (room < bytes && room < UINT64_C(1) << 40)
		room *= 2;
	return bytes && room >= bytes ? room : 0;
}

bool launch_room_widen(struct launch_room *r, struct slice_plan *plan)
{
	uint64_t before = plan->room_bytes;

	return !r->ops->room.is_doubled_only && before < r->usual_bytes &&
	       enlarge(r, before, r->usual_bytes, plan);
}

static uint64_t limit_bytes(const struct launch_room *r)
{
	return larger(r->budget_bytes, r->ops->group_limit());
}

bool launch_room_grow(struct launch_room *r, struct slice_plan *plan)
{
	uint64_t before = launch_room_bytes(r), limit = limit_bytes(r);

	if (before >= limit)
		return false;
	if (r->ops->room.buffers > 1)
		r->ops->release_buffer(r->device, !r->which);
	r->is_single = true;
	return enlarge(r, before, smaller(before * 2, limit), plan);
}

uint64_t launch_room_of_rounds(const struct launch_room *r, uint32_t rounds)
{
	uint64_t bytes = smaller(ROUND_BYTES, share_bytes(r));

	while (rounds >= ROUNDS_OF_SIZE && bytes < limit_bytes(r)) {
		rounds -= ROUNDS_OF_SIZE;
		bytes *= 2;
	}
	return bytes;
}

bool launch_room_has_other(struct launch_room *r, const struct slice_plan *plan)
{
	if (r->is_single)
		return false;
	if (reserve(r, !r->which, plan->room_bytes, NULL) < 0 ||
	    r->ops->room_bytes(r->device, !r->which) < plan->room_bytes)
		r->is_single = true;
	return !r->is_single;
}

void launch_room_turn(struct launch_room *r)
{
	r->which = !r->which;
}

#define LEAST_CHUNK_WORDS  PROBE_MIN_CHUNK_WORDS
#define NARROW_CHUNK_WORDS 1
#define FIRST_CHUNK_WORDS  32u
#define MOST_CHUNK_WORDS   512u
#define FIRST_PLACE_WORDS  8u
#define MOST_PLACE_WORDS   64u

/* Maximum number of work-items in a slice with chunks: the host keeps a number for each. */
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

static uint64_t place_bytes(const struct slice_plan *p)
{
	return slice_layout_group_bytes(&p->layout, p->place_words);
}

/* Chunks that fit beside the places of one group. */
static uint64_t chunks_in_room(const struct slice_plan *p)
{
	uint64_t places = at_most(place_bytes(p), p->room_bytes);

	return (p->room_bytes - places) / slice_layout_chunk_bytes(&p->layout, p->chunk_words);
}

/* Groups that fit, each with its places and `chunks` chunks. */
static uint64_t groups_in_room(const struct slice_plan *p, uint64_t room_bytes, uint64_t chunks)
{
	uint64_t chunk_bytes = slice_layout_chunk_bytes(&p->layout, p->chunk_words);

	if (chunks > room_bytes / chunk_bytes)
		return 0;
	return room_bytes / (place_bytes(p) + at_least_one(chunks) * chunk_bytes);
}

/* Sets of lanes in a group: each takes chunks of its own. */
static uint64_t group_sets(const struct slice_plan *p)
{
	return p->layout.group_items / p->layout.lanes;
}

/* Shrink places until those of a group leave half of the room; then shrink chunks until every set
 * of lanes of a group can have two, if possible. */
static void fit_words(struct slice_plan *p)
{
	while (p->place_words && place_bytes(p) > p->room_bytes / 2)
		p->place_words /= 2;
	while (!p->is_narrow && p->chunk_words > LEAST_CHUNK_WORDS &&
	       chunks_in_room(p) / 2 < group_sets(p))
		p->chunk_words = whole_words(p->chunk_words / 2, LEAST_CHUNK_WORDS);
}

static uint64_t most_groups(const struct slice_plan *p)
{
	return at_least_one(MOST_SLICE_ITEMS / p->layout.group_items);
}

/* Set the next slice's size from what a group needs. */
static void retune(struct slice_plan *p, uint64_t limit)
{
	uint64_t room = p->room_bytes / (p->is_cautious ? CAUTIOUS_RESERVE : 1);
	uint64_t groups = groups_in_room(p, room - room / 8, p->group_chunks);

	p->groups = at_most(at_most(at_least_one(groups), limit), most_groups(p));
}

/* Size the first slice from the instrumenter's estimate alone. */
static void begin_guessing(struct slice_plan *p, uint32_t least_words)
{
	uint64_t chunks;

	p->chunk_words = whole_words((uint64_t)least_words + 1, FIRST_CHUNK_WORDS);
	p->place_words = (uint32_t)at_most(
		whole_words((uint64_t)least_words + 1, FIRST_PLACE_WORDS), MOST_PLACE_WORDS);
	fit_words(p);
	chunks = group_sets(p) * 2 * (least_words / p->chunk_words + UINT64_C(1));
	p->groups = at_most(at_least_one(groups_in_room(p, p->room_bytes, chunks)), most_groups(p));
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
	p->place_words = layout->slot_words;
	if (!p->is_exact)
		begin_guessing(p, table->least_words);
}

void slice_plan_use_small_chunks(struct slice_plan *p)
{
	p->is_narrow = true;
	p->place_words = 0;
	p->chunk_words = NARROW_CHUNK_WORDS;
}

uint64_t slice_plan_guess(const struct slice_plan *p)
{
	uint64_t chunks = p->group_chunks ? p->group_chunks * 2 : group_sets(p) * 2, all;
	uint64_t bytes = place_bytes(p) + 1; /* and the bitmap */

	if (!p->is_exact)
		bytes += slice_layout_chunk_bytes(&p->layout, p->chunk_words) * chunks;
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
	fit_words(p);
	if (p->group_chunks)
		retune(p, UINT64_MAX);
}

void slice_plan_disallow_rerun(struct slice_plan *p)
{
	p->is_cautious = true;
	if (!p->is_exact && !p->group_chunks)
		p->groups = 1;
}

void slice_plan_discard_records(struct slice_plan *p)
{
	p->discards_records = true;
	p->groups = UINT64_MAX;
}

bool slice_plan_is_done(const struct slice_plan *p)
{
	return p->next >= p->group_count;
}

/* Maximum number of groups whose parts all fit; with slots this limits a slice. */
static uint64_t fitting_groups(const struct slice_plan *p)
{
	uint64_t groups = at_most(p->groups, p->group_count - p->next);

	if (p->is_exact)
		groups = at_most(groups, p->room_bytes / place_bytes(p));
	return at_least_one(groups);
}

bool slice_plan_next(const struct slice_plan *p, struct slice *out)
{
	uint64_t groups = fitting_groups(p);
	uint32_t place_words = p->place_words;

	for (;;) {
		*out = (struct slice){ .box = slice_box_at(p->shape, p->next, groups),
			               .place_words = place_words,
			               .chunk_words = p->chunk_words };
		if (slice_layout_place(&p->layout, out, p->room_bytes))
			return true;
		groups = out->box.end - out->box.begin;
		if (groups == 1) {
			/* With learned places there may be no room for the tables. */
			if (p->is_exact || !place_words)
				return false;
			place_words /= 2;
			continue;
		}
		/* With slots only the header or the bitmap exceeds the room. */
		groups -= p->is_exact ? groups / 64 + 1 : groups / 2;
	}
}

void slice_plan_accept(struct slice_plan *p, const struct slice *done, uint32_t used_chunks)
{
	uint64_t groups = done->box.end - done->box.begin;
	uint64_t mean = (used_chunks + groups - 1) / groups;

	p->next = done->box.end;
	if (p->is_exact || p->discards_records)
		return;
	/* Where nothing can be undone the maximum counts, else the last slice. */
	if (!p->is_cautious || mean > p->group_chunks)
		p->group_chunks = at_least_one(mean);
	retune(p, groups > UINT64_MAX / GROWTH ? UINT64_MAX : groups * GROWTH);
}

/* Words of a chunk so that a lane needs few chunks and wastes little. */
static uint32_t best_words(uint64_t lane_words)
{
	uint64_t chunks = (lane_words + MOST_CHUNK_WORDS - 1) / MOST_CHUNK_WORDS;

	return whole_words((lane_words + chunks - 1) / at_least_one(chunks), LEAST_CHUNK_WORDS);
}

/* Set the size of places to what most work-items write. Returns whether it changed. */
static bool learn_places(struct slice_plan *p, const struct slice_lesson *lesson)
{
	uint64_t items = lesson->groups * p->layout.full_items;
	uint64_t mean = (lesson->words + items - 1) / items;
	uint32_t wanted = (uint32_t)at_most((mean + mean / 2 + 4) / 4 * 4, MOST_PLACE_WORDS);
	bool is_short = lesson->sets * p->layout.lanes > items / 8;

	if (is_short ? wanted <= p->place_words : wanted > p->place_words / 2)
		return false;
	p->place_words = wanted;
	return true;
}

/* Set the size of chunks for the rest. Returns whether it changed. */
static bool learn_chunks(struct slice_plan *p, const struct slice_lesson *lesson)
{
	uint64_t lanes = lesson->sets * p->layout.lanes, lane_words, chunks;
	uint32_t wanted;

	if (!lanes || !lesson->chunk_words)
		return false;
	lane_words = (lesson->chunk_words + lanes - 1) / lanes;
	wanted = best_words(lane_words);
	if (wanted < p->chunk_words + p->chunk_words / 4 &&
	    wanted > p->chunk_words - p->chunk_words / 4)
		return false;
	/* A quarter more, since lanes differ. */
	chunks = (lane_words + wanted - 1) / wanted * lesson->sets / lesson->groups;
	p->group_chunks = at_least_one(chunks + chunks / 4);
	p->chunk_words = wanted;
	return true;
}

void slice_plan_learn(struct slice_plan *p, const struct slice_lesson *lesson)
{
	bool is_new;

	if (p->is_exact || p->discards_records || p->is_narrow || !lesson->words)
		return;
	is_new = learn_chunks(p, lesson);
	if (!learn_places(p, lesson) && !is_new)
		return;
	fit_words(p);
	retune(p, p->groups * 2);
}

struct slice_needs slice_plan_needs(const struct slice_plan *p)
{
	return (struct slice_needs){ p->layout.group_items, p->place_words, p->chunk_words,
		                     p->group_chunks };
}

void slice_plan_recall(struct slice_plan *p, const struct slice_needs *needs)
{
	if (p->is_exact || p->is_narrow || !needs->group_chunks ||
	    needs->group_items != p->layout.group_items)
		return;
	p->place_words = needs->place_words;
	p->chunk_words = needs->chunk_words;
	p->group_chunks = needs->group_chunks;
	fit_words(p);
	retune(p, UINT64_MAX);
}

bool slice_plan_shrink(struct slice_plan *p, const struct slice *failed, uint64_t lost)
{
	uint64_t groups = failed->box.end - failed->box.begin;
	uint64_t words = (uint64_t)failed->chunk_count * failed->chunk_words * p->layout.lanes;

	if (groups > 1) {
		/* Each lost event has at least one word. */
		uint64_t parts = at_most(lost, UINT64_MAX / 2) / at_least_one(words) + 2;

		p->groups = at_least_one(groups / parts);
		return true;
	}
	/* One group: smaller chunks waste less on work-items with few events, at most a chunk of
	 * each set. */
	if (p->chunk_words <= LEAST_CHUNK_WORDS ||
	    lost / p->layout.lanes / p->chunk_words >= group_sets(p))
		return false;
	p->chunk_words = whole_words(p->chunk_words / 4, LEAST_CHUNK_WORDS);
	return true;
}

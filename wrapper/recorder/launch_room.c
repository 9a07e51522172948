/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_room.h"

#include "device_ops.h"
#include "slice_plan.h"

/* Groups for each compute unit in a slice, if the budget allows. */
#define UNIT_GROUPS 4
#define FIRST_BYTES (UINT64_C(64) << 10)
/* Of a group that is recorded in rounds: with what is decoded at a time, little memory; and after
 * so many rounds twice as much, so that a group of many records does not run too often. */
#define ROUND_BYTES    (UINT64_C(8) << 20)
#define ROUNDS_OF_SIZE 32

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The next power of two, so that launches of similar size share a buffer. */
static uint64_t round_up(uint64_t bytes, uint64_t limit)
{
	uint64_t size = FIRST_BYTES;

	while (size < limit && size < bytes)
		size *= 2;
	return smaller(size, limit);
}

/* What each of the buffers may have. */
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
		busy = 0; /* it keeps one unit busy, and what has no room goes in rounds */
	return smaller(larger(r->ops->room.usual_bytes, busy), share_bytes(r));
}

uint64_t launch_room_bytes(const struct launch_room *r)
{
	return r->ops->room_bytes(r->device, r->which);
}

static int reserve(const struct launch_room *r, unsigned which, uint64_t bytes, struct err *err)
{
	return r->ops->reserve(r->device, which, bytes, err);
}

/* Whether the next buffer has more than `before` then; the plan is told. */
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
	for (unsigned i = 0; r->ops && r->ops->give_up && i < r->ops->room.buffers; i++)
		if (r->ops->room_bytes(r->device, i) > share_bytes(r))
			r->ops->give_up(r->device, i);
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
		r->ops->give_up(r->device, !r->which);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_room.h"

#include "engine.h"
#include "slice_plan.h"

#include <unistd.h>

/* Slices of this size keep the device busy and stay in its caches; more only costs page faults. */
#define USUAL_BYTES (UINT64_C(8) << 20)
/* Groups for each compute unit in a slice, if the budget allows. */
#define UNIT_GROUPS 4
#define FIRST_BYTES (UINT64_C(64) << 10)
/* Part of the host's memory that records of one group may take: decoded they take up to four times
 * as much. */
#define HOST_SHARE 32

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

static uint64_t usual_bytes(const struct engine *e, const struct slice_plan *plan, uint64_t budget)
{
	uint64_t guess = slice_plan_guess(plan), groups = (uint64_t)e->units * UNIT_GROUPS;
	uint64_t busy = guess / plan->group_count;

	busy = busy > UINT64_MAX / groups ? UINT64_MAX : busy * groups;
	return smaller(larger(USUAL_BYTES, busy), budget / ENGINE_BUFFERS);
}

static void tell(const struct launch_room *r, struct slice_plan *plan)
{
	slice_plan_set_room(plan, r->engine->buffers[r->which].bytes);
}

int launch_room_open(struct launch_room *r, struct engine *engine, struct slice_plan *plan,
                     uint64_t budget_bytes, struct err *err)
{
	uint64_t guess = slice_plan_guess(plan);
	int rc;

	*r = (struct launch_room){ .engine = engine, .budget_bytes = budget_bytes };
	r->usual_bytes = usual_bytes(engine, plan, budget_bytes);
	/* A little more for header, arguments and bitmap. */
	guess = guess > UINT64_MAX - FIRST_BYTES ? guess : guess + FIRST_BYTES / 16;
	r->bytes = round_up(guess, r->usual_bytes);
	rc = engine_reserve(engine, 0, r->bytes, err);
	if (rc < 0)
		return rc;
	tell(r, plan);
	return 0;
}

void launch_room_close(struct launch_room *r)
{
	for (unsigned i = 0; r->engine && i < ENGINE_BUFFERS; i++)
		if (r->engine->buffers[i].bytes > r->budget_bytes / ENGINE_BUFFERS)
			engine_give_up(r->engine, i);
}

void launch_room_fill(struct launch_room *r, struct slice_plan *plan)
{
	r->usual_bytes = r->budget_bytes / ENGINE_BUFFERS;
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

	if (before >= r->usual_bytes ||
	    engine_reserve(r->engine, r->which, r->usual_bytes, NULL) < 0)
		return false;
	r->bytes = r->usual_bytes;
	tell(r, plan);
	return plan->room_bytes > before;
}

/* Most that one group gets, whatever the budget. */
static uint64_t group_limit(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	uint64_t share = LAUNCH_ROOM_LIMIT_BYTES;

	if (pages > 0 && page > 0)
		share = (uint64_t)pages * (uint64_t)page / HOST_SHARE;
	return smaller(share, LAUNCH_ROOM_LIMIT_BYTES);
}

bool launch_room_grow(struct launch_room *r, struct slice_plan *plan)
{
	uint64_t before = r->engine->buffers[r->which].bytes;
	uint64_t limit = larger(r->budget_bytes, group_limit());

	if (before >= limit)
		return false;
	engine_give_up(r->engine, !r->which);
	r->is_single = true;
	if (engine_reserve(r->engine, r->which, smaller(before * 2, limit), NULL) < 0)
		return false;
	tell(r, plan);
	return plan->room_bytes > before;
}

bool launch_room_has_other(struct launch_room *r, const struct slice_plan *plan)
{
	if (r->is_single)
		return false;
	if (engine_reserve(r->engine, !r->which, plan->room_bytes, NULL) < 0 ||
	    r->engine->buffers[!r->which].bytes < plan->room_bytes)
		r->is_single = true;
	return !r->is_single;
}

void launch_room_turn(struct launch_room *r)
{
	r->which = !r->which;
}

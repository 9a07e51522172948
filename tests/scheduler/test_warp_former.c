/* SPDX-License-Identifier: Apache-2.0 */
/* Warp formation by hand: one row is a few lanes' events and the steps that they must give. */
#include "cmocka_all.h"

#include "err.h"
#include "random.h"
#include "warp_former.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 4, EVENTS = 14, NO_LOOP = -1 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Site 0; loop 0 of sites 1, 2, 3, of which 2 is in loop 1; then one of each kind. */
static struct site sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .loop = NO_LOOP },
	{ .kind = SITE_READ, .bytes = 4, .loop = 0 },
	{ .kind = SITE_READ, .bytes = 4, .loop = 1 },
	{ .kind = SITE_READ, .bytes = 4, .loop = 0 },
	{ .kind = SITE_BARRIER, .loop = NO_LOOP },
	{ .kind = SITE_FENCE, .loop = NO_LOOP },
	{ .kind = SITE_WRITE, .bytes = 0, .loop = NO_LOOP },
	{ .kind = SITE_ATOMIC, .bytes = 8, .loop = NO_LOOP },
	{ .kind = SITE_BARRIER, .loop = NO_LOOP },
	{ .kind = SITE_READ, .bytes = WARP_ACCESS_LIMIT_BYTES + 1, .loop = NO_LOOP },
	{ .kind = SITE_PREFETCH, .bytes = 64, .space = SPACE_GLOBAL, .loop = NO_LOOP },
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_LOCAL, .loop = NO_LOOP },
	{ .kind = SITE_WRITE, .bytes = 0, .space = SPACE_LOCAL, .loop = NO_LOOP },
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_CONSTANT, .loop = NO_LOOP },
};
static struct loop loops[] = { { .parent = -1, .depth = 1 }, { .parent = 0, .depth = 2 } };
static const struct kernel_table table = {
	.sites = sites, .site_count = COUNT(sites), .loops = loops, .loop_count = COUNT(loops)
};

#define S(site, iteration) { 0, (site), (iteration) }
#define A(site, address)   { (address), (site), 0 }
#define L(loop, value)     { (value), EVENT_LOOP | (loop), 0 }
#define E(loop, value)     { (value), EVENT_EPOCH | (loop), 0 }
#define Z(site, bytes)     { (bytes), EVENT_SIZE | (site), 0 }
#define END                { 0, UINT32_MAX, UINT32_MAX }

#define EPOCH (UINT64_C(1) << 32)

struct lanes {
	uint64_t first[LANES + 1];
	struct event events[LANES * EVENTS];
	struct group_events group;
};

/* Put the lanes' events together: EVENTS for each at most, ended by END. */
static void gather(struct lanes *l, const struct event *lists)
{
	uint64_t at = 0;

	for (int i = 0; i < LANES; i++) {
		l->first[i] = at;
		for (int k = 0; k < EVENTS && lists[i * EVENTS + k].point != UINT32_MAX; k++)
			l->events[at++] = lists[i * EVENTS + k];
	}
	l->first[LANES] = at;
	l->group = (struct group_events){ LANES, l->first, l->events };
}

/* Form a warp: "site:lanes site:lanes ..." in `text`. Returns what warp_former_next() does. */
static int form(const struct event *lists, char *text, size_t size, struct err *err)
{
	struct warp_former *f;
	struct warp_step step;
	struct lanes l;
	size_t at = 0;
	int rc;

	gather(&l, lists);
	*text = '\0';
	assert_int_equal(warp_former_create(&f, &table, NULL), 0);
	rc = warp_former_start(f, &(struct group_items){ .events = l.group }, 0, LANES, err);
	while (!rc && !(rc = warp_former_next(f, &step, err)) && step.lane_count) {
		at += (size_t)snprintf(text + at, size - at, "%s%u:", at ? " " : "", step.site);
		for (uint32_t i = 0; i < step.lane_count; i++)
			at += (size_t)snprintf(text + at, size - at, "%u", step.lane[i]);
	}
	warp_former_free(f);
	return rc;
}

static const struct {
	const char *name;
	struct event lanes[LANES][EVENTS];
	const char *steps;
} rows[] = {
	{ "nothing", { { END }, { END }, { END }, { END } }, "" },
	{ "together",
	  { { S(0, 0), END }, { S(0, 0), END }, { S(0, 0), END }, { S(0, 0), END } },
	  "0:0123" },
	{ "a lane that did nothing",
	  { { S(0, 0), END }, { END }, { S(0, 0), END }, { S(0, 0), END } },
	  "0:023" },
	/* if (lane odd) 0; 7 -- the others wait at 7 */
	{ "a branch and its join",
	  { { A(7, 0), END },
	    { S(0, 0), A(7, 0), END },
	    { A(7, 0), END },
	    { S(0, 0), A(7, 0), END } },
	  "0:13 7:0123" },
	/* two, one, no, two iterations of loop 0 */
	{ "trip counts",
	  { { S(1, 0), S(3, 0), S(1, 1), S(3, 1), A(7, 0), END },
	    { S(1, 0), S(3, 0), A(7, 0), END },
	    { A(7, 0), END },
	    { S(1, 0), S(3, 0), S(1, 1), S(3, 1), A(7, 0), END } },
	  "1:013 3:013 1:03 3:03 7:0123" },
	/* a lane an iteration ahead at a smaller site waits: iteration before site */
	{ "iterations before sites",
	  { { S(1, 1), END }, { S(3, 0), S(1, 1), END }, { S(1, 1), END }, { S(1, 1), END } },
	  "3:1 1:0123" },
	/* the same site next, in different iterations of an access that is not made in each */
	{ "iterations that lanes pass over",
	  { { S(1, 2), S(1, 3), END },
	    { S(1, 0), S(1, 3), END },
	    { S(1, 2), END },
	    { S(1, 1), S(1, 2), END } },
	  "1:1 1:3 1:023 1:01" },
	/* inner loop: the outer iteration comes first, then the inner one */
	{ "nested loops",
	  { { L(1, 0), S(2, 0), S(2, 1), L(1, 1), S(2, 0), END },
	    { L(1, 1), S(2, 0), END },
	    { L(1, 0), S(2, 0), L(1, 1), S(2, 0), S(2, 1), END },
	    { S(3, 0), L(1, 1), S(2, 0), END } },
	  "2:02 2:0 3:3 2:0123 2:2" },
	/* an iteration of 64 bits: 2^32 comes after 2^32 - 1, of the inner and of the outer loop */
	{ "epochs",
	  { { S(1, UINT32_MAX), E(0, EPOCH), S(1, 0), END },
	    { E(0, EPOCH), S(1, 0), END },
	    { S(1, 5), END },
	    { E(0, EPOCH), E(0, 2 * EPOCH), S(1, 0), END } },
	  "1:2 1:0 1:01 1:3" },
	{ "an epoch around a loop",
	  { { L(1, EPOCH), S(2, 0), END },
	    { L(1, EPOCH - 1), S(2, 0), L(1, EPOCH), S(2, 0), END },
	    { L(1, 1), E(1, EPOCH), S(2, 0), L(1, 2), S(2, 7), END },
	    { L(1, 1), S(2, UINT32_MAX), L(1, 2), S(2, 7), END } },
	  "2:3 2:2 2:23 2:1 2:01" },
	/* lane 0 stands at the barrier until the branch of 1, 2 and 3 is done */
	{ "a barrier holds the warp",
	  { { S(4, 0), S(0, 0), END },
	    { A(7, 0), S(4, 0), S(0, 0), END },
	    { A(7, 0), S(4, 0), S(0, 0), END },
	    { A(7, 0), S(4, 0), S(0, 0), END } },
	  "7:123 4:0123 0:0123" },
	{ "finished lanes do not hold a barrier",
	  { { S(4, 0), A(7, 0), END }, { END }, { A(7, 0), END }, { S(4, 0), A(7, 0), END } },
	  "7:2 4:03 7:03" },
	{ "different barriers pass together",
	  { { S(4, 0), S(0, 0), END },
	    { S(8, 0), S(0, 0), END },
	    { S(4, 0), S(0, 0), END },
	    { S(8, 0), S(0, 0), END } },
	  "4:0123 0:0123" },
	{ "a barrier twice",
	  { { S(4, 0), S(4, 0), END },
	    { S(4, 0), S(4, 0), END },
	    { S(4, 0), S(4, 0), END },
	    { S(4, 0), END } },
	  "4:0123 4:012" },
	{ "fences give no step and keep their place",
	  { { S(5, 0), S(5, 0), END },
	    { S(5, 0), A(7, 0), END },
	    { S(0, 0), S(5, 0), A(7, 0), END },
	    { A(7, 0), END } },
	  "0:2 7:123" },
	{ "prefetches give no step; accesses to local and constant memory do",
	  { { A(10, 1), A(11, 2), S(4, 0), END },
	    { A(0, 3), A(13, 4), S(4, 0), END },
	    { Z(12, 9), A(12, 5), S(4, 0), END },
	    { A(10, 6), S(0, 0), END } },
	  "0:1 0:3 11:0 12:2 13:1 4:012" },
	{ "sizes known at run time",
	  { { Z(6, 3), A(6, 0), END },
	    { Z(6, 4), A(6, 0), Z(6, 4), A(6, 0), END },
	    { Z(6, 0), A(6, 0), END },
	    { S(0, 0), Z(6, 1), A(6, 0), END } },
	  "0:3 6:0123 6:1" },
};

static void lanes_go_in_the_order_derived_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = { 0 };
		char text[256];

		print_message("  %s\n", rows[i].name);
		assert_int_equal(form(rows[i].lanes[0], text, sizeof(text), &err), 0);
		assert_string_equal(text, rows[i].steps);
	}
}

/* Lane 0 does nothing, the others what the row says: whose event it was is part of the message. */
static const struct {
	struct event events[EVENTS];
	int code;
	const char *message;
} hostile[] = {
	{ { S(14, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: there is no site 14: the kernel has 14" },
	{ { A(EVENT_RUN, 0), END },
	  ERR_FORMAT,
	  "work-item 1: a run or grid of site 0: it is not a record with all its parts" },
	{ { S(0, 0), S(EVENT_ID_MASK, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 1: there is no site 536870911: the kernel has 14" },
	{ { S(0, 1), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: site 0 is in iteration 1: it lies in no loop" },
	{ { S(2, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: loop 1 has events without being entered" },
	{ { L(2, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: loop 2 is entered: the kernel has 2" },
	{ { L(0, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: loop 0 is entered by an event: it lies in no other" },
	{ { E(2, EPOCH), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: loop 2 has an epoch: the kernel has 2" },
	{ { E(1, EPOCH), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: loop 1 has events without being entered" },
	{ { E(0, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: loop 0 has an epoch at iteration 0: expected a multiple of 2^32" },
	{ { E(0, EPOCH + 1), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: loop 0 has an epoch at iteration 4294967297: expected a multiple "
	  "of "
	  "2^32" },
	{ { A(6, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: an access of site 6 without its size" },
	{ { Z(6, 4), A(6, 0), A(6, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 2: an access of site 6 without its size" },
	{ { Z(6, 4), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: a size for site 6 without its access" },
	{ { Z(6, 4), A(7, 0), END },
	  ERR_FORMAT,
	  "work-item 1, event 0: a size for site 6 without its access" },
	{ { Z(6, WARP_ACCESS_LIMIT_BYTES + 1), A(6, 0), END },
	  ERR_LIMIT,
	  "work-item 1, event 0: an access of 65537 bytes: at most 65536 are replayed" },
	{ { A(9, 0), END },
	  ERR_LIMIT,
	  "work-item 1, event 0: an access of 65537 bytes: at most 65536 are replayed" },
};

static void events_that_contradict_the_table_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(hostile); i++) {
		for (int together = 0; together < 2; together++) { /* alone, or with others alike */
			struct event lanes[LANES][EVENTS] = { { END }, { END }, { END }, { END } };
			struct err err = { 0 };
			char text[256];

			memcpy(lanes[1], hostile[i].events, sizeof(lanes[1]));
			if (together)
				memcpy(lanes[3], hostile[i].events, sizeof(lanes[3]));
			assert_int_equal(form(lanes[0], text, sizeof(text), &err), hostile[i].code);
			assert_string_equal(err.msg, hostile[i].message);
		}
	}
}

static void a_step_has_the_addresses_and_sizes_of_its_lanes(void **state)
{
	static const struct event lists[LANES][EVENTS] = {
		{ A(0, 100), Z(6, 3), A(6, 60), END },
		{ A(0, 101), Z(6, 5), A(6, 61), END },
		{ Z(6, 3), A(6, 62), END },
		{ A(0, 103), END },
	};
	struct warp_former *f;
	struct warp_step step;
	struct lanes l;
	struct group_items items = { 0 };

	(void)state;
	gather(&l, lists[0]);
	assert_int_equal(warp_former_create(&f, &table, NULL), 0);
	items.events = l.group;
	assert_int_equal(warp_former_start(f, &items, 0, LANES, NULL), 0);
	assert_int_equal(warp_former_next(f, &step, NULL), 0);
	assert_int_equal(step.lane_count, 3);
	assert_int_equal(step.bytes, 4);
	assert_false(step.is_mixed);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(step.address[i], 100 + step.lane[i]);
	assert_int_equal(warp_former_next(f, &step, NULL), 0);
	assert_int_equal(step.lane_count, 3);
	assert_int_equal(step.bytes, 5);
	assert_true(step.is_mixed);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(step.address[i], 60 + i);
		assert_int_equal(step.sizes[i], i == 1 ? 5 : 3);
	}
	assert_int_equal(warp_former_next(f, &step, NULL), 0);
	assert_int_equal(step.lane_count, 0);
	warp_former_free(f);
	warp_former_free(NULL);
}

/* Small numbers, so that many streams get far before they are refused. */
static struct event random_event(struct random *r)
{
	static const uint32_t kinds[] = { EVENT_SITE, EVENT_SITE,  EVENT_SITE,
		                          EVENT_LOOP, EVENT_EPOCH, EVENT_SIZE };
	uint32_t kind = kinds[random_below(r, COUNT(kinds))];

	return (struct event){ kind == EVENT_EPOCH ? EPOCH : random_below(r, 3),
		               kind | (kind == EVENT_LOOP ? 1 : random_below(r, 7)),
		               random_below(r, 20) ? 0 : 1 };
}

static void any_events_give_steps_or_a_refusal(void **state)
{
	struct random r = { 3 };
	int played = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct event lanes[LANES * EVENTS];
		struct err err = { 0 };
		char text[1024];
		int rc;

		for (int k = 0; k < LANES * EVENTS; k++)
			lanes[k] = random_event(&r);
		for (int k = 0; k < LANES; k++)
			lanes[k * EVENTS + (int)random_below(&r, 6)].point = UINT32_MAX;
		rc = form(lanes, text, sizeof(text), &err);
		assert_true(rc == 0 || rc == ERR_FORMAT);
		assert_int_equal(rc, err.code);
		played += rc == 0;
	}
	assert_true(played > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_go_in_the_order_derived_by_hand),
		cmocka_unit_test(events_that_contradict_the_table_are_refused),
		cmocka_unit_test(any_events_give_steps_or_a_refusal),
		cmocka_unit_test(a_step_has_the_addresses_and_sizes_of_its_lanes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

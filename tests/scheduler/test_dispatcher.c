/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets which group: by hand, and against a dispatcher that steps through every cycle. */
#include "dispatcher.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { GROUPS_MAX = 64, SMS_MAX = 9, SLOTS_MAX = 4, NOBODY = -1 };

/* A launch: how many cycles each group takes; groups that are not there take none of the SMs. */
struct scene {
	struct dispatcher_setup setup;
	uint32_t groups;
	uint32_t cycles[GROUPS_MAX];
	bool is_absent[GROUPS_MAX];
};

static uint64_t next_there(void *context, uint64_t group)
{
	const struct scene *s = context;

	while (group < s->groups && s->is_absent[group])
		group++;
	return group < s->groups ? group : UINT64_MAX;
}

/* --- the dispatcher, with SMs that run on in any order -----------------------------------------
 */

struct runner {
	uint64_t now;
	uint64_t ends[SLOTS_MAX]; /* of resident groups */
	uint32_t resident;
};

static uint32_t first_end(const struct runner *r)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < r->resident; i++)
		if (r->ends[i] < r->ends[first])
			first = i;
	return first;
}

/* Run to the first cycle in which groups end, or to `until`; how many ended. */
static uint32_t run(struct runner *r, uint64_t until)
{
	uint32_t ended = 0;

	for (uint32_t i = first_end(r); r->resident && r->ends[i] <= until; i = first_end(r)) {
		r->now = until = r->ends[i];
		r->ends[i] = r->ends[--r->resident];
		ended++;
	}
	if (!ended)
		r->now = until;
	return ended;
}

static void place(struct dispatcher *d, const struct scene *s, struct runner *runners, int *sms)
{
	struct placement p;

	while (dispatcher_place(d, &p)) {
		struct runner *r = &runners[p.sm];

		assert_int_equal(sms[p.group], NOBODY);
		sms[p.group] = (int)p.sm;
		r->ends[r->resident++] = r->now + s->cycles[p.group];
	}
}

/* One of the SMs that can run, runs; false when none can. */
static bool run_any(struct dispatcher *d, struct runner *runners, struct random *random)
{
	uint32_t count = d->setup.sm_count, first = random_below(random, count);

	for (uint32_t k = 0; k < count; k++) {
		uint32_t sm = (first + k) % count, ended;
		struct runner *r = &runners[sm];

		if (!r->resident || dispatcher_holds(d, sm))
			continue;
		ended = run(r, r->now + random_below(random, 40));
		if (ended)
			dispatcher_ended(d, sm, r->now, ended);
		else
			dispatcher_passed(d, sm, r->now);
		return true;
	}
	return false;
}

/* The SM that each group began on, in *sms; NOBODY for one that is not played. */
static void dispatch(struct scene *s, uint64_t seed, int *sms)
{
	struct runner runners[SMS_MAX] = { 0 };
	struct random random = { seed };
	struct dispatcher d;

	for (uint32_t i = 0; i < GROUPS_MAX; i++)
		sms[i] = NOBODY;
	s->setup.next = next_there;
	s->setup.context = s;
	assert_int_equal(dispatcher_init(&d, &s->setup, NULL), 0);
	do
		place(&d, s, runners, sms);
	while (run_any(&d, runners, &random));
	assert_true(dispatcher_is_done(&d));
	dispatcher_release(&d);
}

__extension__ typedef unsigned __int128 wide;

/* --- the same from the definition, cycle by cycle ----------------------------------------------
 */

static uint32_t naive_free[SMS_MAX]; /* slots */
static uint64_t naive_end[GROUPS_MAX];
static bool naive_runs[GROUPS_MAX];

/* The SM of the sample that stands for one: the next played one below it. */
static uint32_t stand_in(const struct scene *s, uint32_t sm)
{
	uint32_t found = 0;

	for (uint32_t k = 0; k < s->setup.played; k++) {
		uint32_t played = k * s->setup.sm_count / s->setup.played;

		if (played <= sm)
			found = played;
	}
	return found;
}

static uint64_t splitmix(uint64_t seed, uint64_t number)
{
	struct random r = { seed };

	while (number--)
		random_next(&r);
	return random_next(&r);
}

/* Whom a group goes to, of the SMs in `may`. */
static uint32_t naive_choose(const struct scene *s, const uint32_t *may, uint64_t group,
                             bool is_first)
{
	uint32_t candidates[SMS_MAX] = { 0 }, count = 0, best = 0;

	for (uint32_t i = 0; i < s->setup.sm_count; i++)
		if (may[i])
			candidates[count++] = i;
	if (s->setup.order.kind == DISPATCH_random)
		return candidates[(wide)splitmix(s->setup.order.seed, group) * count >> 64];
	if (s->setup.order.kind == DISPATCH_roundrobin && !is_first)
		return candidates[0];
	for (uint32_t i = 1; i < count; i++)
		if (may[candidates[i]] > may[candidates[best]])
			best = i;
	return candidates[best];
}

/* Give out what is free now, which excludes what these groups will leave; true if there was any. */
static bool naive_round(struct scene *s, uint64_t now, bool is_first, uint64_t *group, int *sms)
{
	uint32_t may[SMS_MAX], left = 0;
	bool is_any = false;

	memcpy(may, naive_free, sizeof(may));
	for (uint32_t i = 0; i < s->setup.sm_count; i++)
		left += may[i];
	for (; left && *group < s->groups; left--) {
		uint32_t sm = naive_choose(s, may, *group, is_first);

		may[sm]--;
		naive_free[sm]--;
		if (stand_in(s, sm) == sm) {
			sms[*group] = (int)sm;
			naive_runs[*group] = true;
			naive_end[*group] = now + s->cycles[*group];
		}
		is_any = true;
		*group = next_there(s, *group + 1);
	}
	return is_any;
}

/* Free what the groups leave that end now; true if there was any. */
static bool naive_ends(const struct scene *s, uint64_t now, const int *sms)
{
	bool is_any = false;

	for (uint32_t g = 0; g < s->groups; g++) {
		if (!naive_runs[g] || naive_end[g] != now)
			continue;
		naive_runs[g] = false;
		is_any = true;
		for (uint32_t i = 0; i < s->setup.sm_count; i++)
			naive_free[i] += stand_in(s, i) == (uint32_t)sms[g];
	}
	return is_any;
}

static void naive_dispatch(struct scene *s, int *sms)
{
	uint64_t group = next_there(s, 0);

	memset(naive_runs, 0, sizeof(naive_runs));
	for (uint32_t i = 0; i < GROUPS_MAX; i++)
		sms[i] = NOBODY;
	for (uint32_t i = 0; i < SMS_MAX; i++)
		naive_free[i] = i < s->setup.sm_count ? s->setup.slots : 0;
	for (uint64_t now = 0; now < 10000; now++)
		for (bool is_first = !now; naive_round(s, now, is_first, &group, sms) || !is_first;
		     is_first = false)
			if (!naive_ends(s, now, sms))
				break;
}

/* --- by hand -----------------------------------------------------------------------------------
 */

/* One digit a group: its cycles, '-' for one that is not there; and the SM that it goes to, '.' for
 * one that is not played or not there. */
static const struct {
	const char *name, *order;
	uint32_t sms, played, slots;
	const char *cycles, *wanted;
} rows[] = {
	/* SM 1 is free at 1 and again at 3, SM 2 at 2 and at 3: then the lower has it. */
	{ "in turn, then who is free first", "roundrobin", 3, 3, 2, "919992219", "012012121" },
	/* SM 0 has both slots free at 2, SM 1 one; at 7 again. */
	{ "the lowest on a tie", "roundrobin", 2, 2, 2, "222955555", "010100100" },
	/* The same: after one group both hold one, and SM 0 is the lower. */
	{ "the lowest of the emptiest", "breadth", 2, 2, 2, "2229555", "0101001" },
	/* At 2 SM 0 has one slot free and SM 1 two; when SM 1 has got one it is a tie; so at 7. */
	{ "the emptiest first", "breadth", 2, 2, 2, "92225555", "01011011" },
	/* Group 0 ends as it begins, so does 2, which gets its slot. */
	{ "nothing to do takes no time", "roundrobin", 2, 2, 1, "0309", "0100" },
	/* Both SMs are free again in cycle 0: neither is before the other's turn. */
	{ "a cycle has rounds", "roundrobin", 2, 2, 1, "0009", "0101" },
	{ "absent groups are passed over", "roundrobin", 3, 3, 1, "-1-11---2", ".0.12...0" },
	/* SMs 0 and 2 of 4. 0 1 2 3 first; at 1 SM 0 is free and SM 1 with it, at 2 they are again.
	 */
	{ "a sample", "roundrobin", 4, 2, 1, "1595119", "0.2.0.0" },
	{ "a sample of one", "roundrobin", 3, 1, 1, "11111111", "0..0..0." },
};

static void set_up(struct scene *s, const char *order, uint32_t sms, uint32_t played,
                   uint32_t slots)
{
	*s = (struct scene){ .setup = { .sm_count = sms, .played = played, .slots = slots } };
	assert_int_equal(dispatch_order_parse(&s->setup.order, order, NULL), 0);
}

static void groups_go_where_the_hand_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char found[GROUPS_MAX + 1] = "";
		int sms[GROUPS_MAX];
		struct scene s;

		print_message("  %s\n", rows[i].name);
		set_up(&s, rows[i].order, rows[i].sms, rows[i].played, rows[i].slots);
		s.groups = (uint32_t)strlen(rows[i].cycles);
		for (uint32_t g = 0; g < s.groups; g++) {
			s.is_absent[g] = rows[i].cycles[g] == '-';
			s.cycles[g] = (uint32_t)rows[i].cycles[g] - '0';
		}
		dispatch(&s, i, sms);
		for (uint32_t g = 0; g < s.groups; g++)
			found[g] = ".0123456789"[sms[g] == NOBODY ? 0 : sms[g] + 1];
		assert_string_equal(found, rows[i].wanted);
	}
}

static void make_scene(struct scene *s, struct random *random)
{
	static const char *const orders[] = { "roundrobin", "random:5", "breadth" };
	uint32_t sms = 1 + random_below(random, SMS_MAX), longest = 1 + random_below(random, 30);

	set_up(s, orders[random_below(random, 3)], sms, 1 + random_below(random, sms),
	       1 + random_below(random, SLOTS_MAX));
	if (random_below(random, 2))
		s->setup.played = sms;
	s->groups = random_below(random, GROUPS_MAX + 1);
	for (uint32_t g = 0; g < s->groups; g++) {
		s->is_absent[g] = random_below(random, 8) == 0;
		s->cycles[g] = random_below(random, longest);
	}
}

static void whoever_runs_first_groups_go_where_the_definition_says(void **state)
{
	struct random random = { 20261121 };

	(void)state;
	print_message("  seed %d\n", 20261121);
	for (int i = 0; i < 4000; i++) {
		int sms[GROUPS_MAX], wanted[GROUPS_MAX];
		struct scene s;

		make_scene(&s, &random);
		naive_dispatch(&s, wanted);
		for (uint64_t k = 0; k < 3; k++) {
			dispatch(&s, random_next(&random), sms);
			assert_memory_equal(sms, wanted, sizeof(sms));
		}
	}
}

static void the_first_groups_of_a_sample_are_those_of_all(void **state)
{
	struct random random = { 7 };

	(void)state;
	for (int i = 0; i < 500; i++) {
		int some[GROUPS_MAX], all[GROUPS_MAX];
		struct scene s;
		uint32_t first;

		make_scene(&s, &random);
		memset(s.is_absent, 0, sizeof(s.is_absent));
		dispatch(&s, 1, some);
		first = s.setup.sm_count * s.setup.slots;
		s.setup.played = s.setup.sm_count;
		dispatch(&s, 1, all);
		for (uint32_t g = 0; g < s.groups && g < first; g++)
			if (some[g] != NOBODY)
				assert_int_equal(some[g], all[g]);
	}
}

static void a_sample_is_spread_evenly(void **state)
{
	(void)state;
	for (uint32_t count = 1; count <= 40; count++)
		for (uint32_t played = 1; played <= count; played++) {
			uint32_t found = 0;

			for (uint32_t sm = 0; sm < count; sm++)
				if (dispatcher_plays(sm, count, played))
					assert_int_equal(sm, found++ * count / played);
			assert_int_equal(found, played);
		}
}

static void orders_are_named(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "depth", "unknown dispatch 'depth'; there are: roundrobin random breadth" },
		{ "", "unknown dispatch ''; there are: roundrobin random breadth" },
		{ "breadth:2", "'breadth:2': breadth takes no seed" },
		{ "random:", "random:: '' is not a number" },
	};
	char text[DISPATCH_ORDER_BYTES];
	struct dispatch_order o;

	(void)state;
	assert_int_equal(dispatch_order_parse(&o, "random", NULL), 0);
	assert_string_equal(dispatch_order_text(text, &o), "random:1");
	assert_int_equal(dispatch_order_parse(&o, "random:18446744073709551615", NULL), 0);
	assert_string_equal(dispatch_order_text(text, &o), "random:18446744073709551615");
	assert_int_equal(dispatch_order_parse(&o, "breadth", NULL), 0);
	assert_string_equal(dispatch_order_text(text, &o), "breadth");
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err err = { 0 };

		assert_int_equal(dispatch_order_parse(&o, bad[i].text, &err), ERR_USAGE);
		assert_string_equal(err.msg, bad[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_go_where_the_hand_says),
		cmocka_unit_test(whoever_runs_first_groups_go_where_the_definition_says),
		cmocka_unit_test(the_first_groups_of_a_sample_are_those_of_all),
		cmocka_unit_test(a_sample_is_spread_evenly),
		cmocka_unit_test(orders_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatcher.h"

#include "array.h"
#include "err.h"
#include "number.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	bool takes_seed;
} orders[] = {
#define DISPATCH_ORDER(name, takes_seed, text) { #name, takes_seed },
#include "dispatch_orders.def"
#undef DISPATCH_ORDER
};

int dispatch_order_parse(struct dispatch_order *o, const char *text, struct err *err)
{
	size_t length = strcspn(text, ":");
	uint64_t seed = 1;

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (strlen(orders[i].name) != length || memcmp(orders[i].name, text, length) != 0)
			continue;
		if (text[length] && !orders[i].takes_seed)
			return err_set(err, ERR_USAGE, "'%s': %s takes no seed", text,
			               orders[i].name);
		if (text[length] &&
		    number_parse(text + length + 1, text, 0, UINT64_MAX, &seed, err))
			return ERR_USAGE;
		*o = (struct dispatch_order){ (enum dispatch_order_kind)i,
			                      orders[i].takes_seed ? seed : 0 };
		return 0;
	}
	return err_set(err, ERR_USAGE, "unknown dispatch '%s'; there are:%s", text,
#define DISPATCH_ORDER(name, takes_seed, text) " " #name
#include "dispatch_orders.def"
#undef DISPATCH_ORDER
	);
}

const char *dispatch_order_text(char text[DISPATCH_ORDER_BYTES], const struct dispatch_order *o)
{
	if (orders[o->kind].takes_seed)
		snprintf(text, DISPATCH_ORDER_BYTES, "%s:%" PRIu64, orders[o->kind].name, o->seed);
	else
		snprintf(text, DISPATCH_ORDER_BYTES, "%s", orders[o->kind].name);
	return text;
}

/* Returns output `number` of splitmix64. Its state grows by a constant, so each output can be
 * computed directly. */
static uint64_t random_number(uint64_t seed, uint64_t number)
{
	uint64_t z = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* floor(random * count / 2^64), computed in halves of 32 bits. */
static uint32_t scale(uint64_t random, uint32_t count)
{
	uint64_t low = (random & UINT32_MAX) * count;

	return (uint32_t)(((random >> 32) * count + (low >> 32)) >> 32);
}

/* The candidate with the most free slots. All SMs have the same number of slots, so it holds the
 * fewest groups. */
static uint32_t emptiest(const struct dispatch_candidate *candidates, uint32_t count)
{
	uint32_t found = 0;

	for (uint32_t i = 1; i < count; i++)
		if (candidates[i].free > candidates[found].free)
			found = i;
	return found;
}

/*
 * Returns the index, among `count` (>= 1) candidates ascending by SM, of the one that gets `group`.
 * is_first: no group has run yet. random takes candidate floor(h * count / 2^64), where h is output
 * number `group` (from 0) of splitmix64 seeded with the seed.
 */
static uint32_t dispatch_order_choose(const struct dispatch_order *o,
                                      const struct dispatch_candidate *candidates, uint32_t count,
                                      uint64_t group, bool is_first)
{
	switch (o->kind) {
	case DISPATCH_roundrobin:
		return is_first ? emptiest(candidates, count) : 0;
	case DISPATCH_random:
		return scale(random_number(o->seed, group), count);
	case DISPATCH_breadth:
		return emptiest(candidates, count);
	}
	return 0;
}

#define NONE UINT64_MAX

enum { TURN_MIN_CYCLES = 256, TURN_MAX_CYCLES = 4096 };

static bool is_before(struct dispatch_time a, struct dispatch_time b)
{
	return a.cycle < b.cycle || (a.cycle == b.cycle && a.round < b.round);
}

bool dispatcher_plays(uint32_t sm, uint32_t sm_count, uint32_t played)
{
	/* floor(k * sm_count / played) == sm for k = ceil(sm * played / sm_count), or for none */
	uint64_t k = ((uint64_t)sm * played + sm_count - 1) / sm_count;

	return k < played && k * sm_count / played == sm;
}

int dispatcher_init(struct dispatcher *d, const struct dispatcher_setup *setup, struct err *err)
{
	*d = (struct dispatcher){ .setup = *setup };
	d->sms = array_alloc(setup->sm_count, sizeof(*d->sms), "SMs", err);
	d->candidates = array_alloc(setup->sm_count, sizeof(*d->candidates), "SMs", err);
	if (!d->sms || !d->candidates)
		return ERR_NOMEM;
	for (uint32_t i = 0, stand_in = 0; i < setup->sm_count; i++) {
		if (dispatcher_plays(i, setup->sm_count, setup->played))
			stand_in = i;
		d->sms[i] = (struct dispatcher_sm){ .free = setup->slots, .stand_in = stand_in };
	}
	d->next_group = setup->next(setup->context, 0);
	return 0;
}

void dispatcher_release(struct dispatcher *d)
{
	free(d->sms);
	free(d->candidates);
	d->sms = NULL;
	d->candidates = NULL;
}

/* Find the earliest time with free slots, if all ends up to it are known. */
static bool find_time(struct dispatcher *d)
{
	struct dispatch_time first = { NONE, UINT64_MAX };

	for (uint32_t i = 0; i < d->setup.sm_count; i++)
		if (d->sms[i].free && is_before(d->sms[i].time, first))
			first = d->sms[i].time;
	for (uint32_t i = 0; i < d->setup.sm_count; i++)
		if (is_before(d->sms[i].time, first))
			return false;
	d->time = first;
	return first.cycle != NONE;
}

/* Find the SMs that may get the next group; false if that is not decided yet. */
static bool find_candidates(struct dispatcher *d)
{
	if (d->candidate_count)
		return true;
	if (!find_time(d))
		return false;
	for (uint32_t i = 0; i < d->setup.sm_count; i++) {
		const struct dispatcher_sm *s = &d->sms[i];

		if (s->free && s->time.cycle == d->time.cycle && s->time.round == d->time.round)
			d->candidates[d->candidate_count++] =
				(struct dispatch_candidate){ i, s->free };
	}
	return true;
}

/* Take a slot of the candidate at index `at`. */
static void take(struct dispatcher *d, uint32_t at)
{
	struct dispatch_candidate *c = &d->candidates[at];

	d->sms[c->sm].free--;
	if (--c->free)
		return;
	d->candidate_count--;
	for (uint32_t i = at; i < d->candidate_count; i++)
		d->candidates[i] = d->candidates[i + 1];
}

bool dispatcher_place(struct dispatcher *d, struct placement *out)
{
	while (d->next_group != NONE && find_candidates(d)) {
		bool is_first = !d->time.cycle && !d->time.round;
		uint32_t at = dispatch_order_choose(&d->setup.order, d->candidates,
		                                    d->candidate_count, d->next_group, is_first);
		uint32_t sm = d->candidates[at].sm;

		*out = (struct placement){ d->next_group, sm };
		d->next_group = d->setup.next(d->setup.context, d->next_group + 1);
		take(d, at);
		if (d->sms[sm].stand_in == sm)
			return true;
	}
	return false;
}

bool dispatcher_is_done(const struct dispatcher *d)
{
	return d->next_group == NONE;
}

bool dispatcher_holds(const struct dispatcher *d, uint32_t sm)
{
	return d->sms[sm].free && !dispatcher_is_done(d);
}

uint64_t dispatcher_turn(const struct dispatcher *d, uint64_t now)
{
	uint64_t until = now + TURN_MAX_CYCLES;

	for (uint32_t i = 0; i < d->setup.sm_count; i++) {
		uint64_t cycle = d->sms[i].time.cycle;

		if (dispatcher_holds(d, i) && cycle >= now + TURN_MIN_CYCLES && cycle < until)
			until = cycle;
	}
	return until;
}

/* The end of the SMs that a simulated SM stands for. */
static uint32_t end_of_share(const struct dispatcher *d, uint32_t sm)
{
	uint32_t end = sm + 1;

	while (end < d->setup.sm_count && d->sms[end].stand_in == sm)
		end++;
	return end;
}

void dispatcher_ended(struct dispatcher *d, uint32_t sm, uint64_t cycle, uint32_t count)
{
	uint64_t round = d->sms[sm].time.cycle == cycle ? d->sms[sm].time.round + 1 : 0;

	for (uint32_t i = sm, end = end_of_share(d, sm); i < end; i++) {
		struct dispatcher_sm *s = &d->sms[i];

		assert(!s->free || dispatcher_is_done(d));
		s->time = (struct dispatch_time){ cycle, round };
		s->free += count;
	}
}

void dispatcher_passed(struct dispatcher *d, uint32_t sm, uint64_t cycle)
{
	for (uint32_t i = sm, end = end_of_share(d, sm); i < end; i++)
		d->sms[i].time = (struct dispatch_time){ cycle, UINT64_MAX };
}

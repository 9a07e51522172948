/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_sm.h"

#include "cmocka_all.h"
#include "random.h"

#include <string.h>

#define KIND        (l->play->order.kind)
#define TAKES_ITEMS (naive_lanes(l) == 1)

enum state { ABSENT, READY, AT_BARRIER, IN_CHANNEL };

/* A warp, large warp or work-item. */
struct unit {
	struct naive_instruction now; /* what it does next, */
	uint64_t group;
	uint64_t ready, data;     /* READY: from this cycle on; all it asked for is there */
	uint64_t began, turned;   /* numbers of events: it began; it issued or began */
	uint32_t number;          /* of its group */
	uint32_t place[2], phase; /* behind `now` */
	enum state state;
	bool is_over; /* nothing is left */
};

static struct naive_launch *l;
static struct unit units[NAIVE_UNITS];
static uint32_t unit_count, group_units, schedulers;
static uint64_t now, events, next_group, port_free, busy_until;
static struct random draws;
static uint32_t first_scheduler, turn[NAIVE_UNITS], held[NAIVE_UNITS];
static uint64_t greedy[NAIVE_UNITS];
static bool is_there[NAIVE_UNITS];  /* the slot has a group */
static bool has_ended[NAIVE_UNITS]; /* it had one that has ended in this cycle */

static bool is_barrier(const struct unit *u)
{
	return l->play->table.sites[u->now.site].kind == SITE_BARRIER;
}

/* It goes on at `cycle`, with its next instruction. */
static void go_on(struct unit *u, uint64_t cycle)
{
	u->is_over = !naive_next(l, u->group, u->number, u->place, &u->now);
	u->state = READY;
	u->ready = cycle;
}

static void start_group(uint32_t slot)
{
	is_there[slot] = next_group < l->groups;
	for (uint32_t i = 0; is_there[slot] && i < group_units; i++) {
		struct unit *u = &units[(size_t)slot * group_units + i];

		*u = (struct unit){ .group = next_group, .number = i, .data = now };
		u->began = u->turned = ++events;
		go_on(u, now);
	}
	next_group += is_there[slot];
}

/* All of the group's units that have not finished are at a barrier: they go on at `cycle`. */
static void open_barrier(uint32_t slot, uint64_t cycle)
{
	struct unit *first = &units[(size_t)slot * group_units];
	uint32_t waiting = 0, others = 0;

	for (uint32_t i = 0; i < group_units; i++) {
		waiting += first[i].state == AT_BARRIER;
		others += first[i].state != AT_BARRIER && first[i].state != ABSENT;
	}
	for (uint32_t i = 0; waiting && !others && i < group_units; i++)
		if (first[i].state == AT_BARRIER && ++first[i].phase)
			go_on(&first[i], cycle);
}

/* Whether something finished in this cycle; it may end the group. */
static bool retire(uint32_t slot)
{
	uint32_t left = 0;
	bool is_any = false;

	for (uint32_t i = slot * group_units; i < (slot + 1) * group_units; i++) {
		if (units[i].state == READY && units[i].is_over && units[i].ready <= now) {
			units[i].state = ABSENT;
			is_any = true;
		}
		left += units[i].state != ABSENT;
	}
	if (is_any)
		open_barrier(slot, now);
	has_ended[slot] |= is_there[slot] && !left;
	is_there[slot] &= left > 0;
	return is_any;
}

/* When all that ends in this cycle has ended, the slots get the next groups, in order. */
static bool start_next(void)
{
	bool is_any = false;

	for (uint32_t slot = 0; slot < l->slots; slot++) {
		is_any |= has_ended[slot];
		if (has_ended[slot])
			start_group(slot);
		has_ended[slot] = false;
	}
	return is_any;
}

static void retire_all(void)
{
	do {
		for (uint32_t slot = 0; slot < l->slots; slot++)
			if (retire(slot))
				slot = UINT32_MAX; /* from the first one again */
	} while (start_next());
}

static struct unit *member(uint32_t s, uint32_t i)
{
	return &units[(size_t)i * schedulers + s];
}

static uint32_t members(uint32_t s)
{
	return unit_count / schedulers + (s < unit_count % schedulers);
}

static bool can_issue(const struct unit *u)
{
	return u->state == READY && !u->is_over && u->ready <= now;
}

/* Of begin..end - 1 the first that can issue, from `from` on, then from the beginning. */
static int in_turn(uint32_t s, uint32_t begin, uint32_t end, uint32_t from)
{
	for (uint32_t k = 0; k < end - begin; k++) {
		uint32_t i = begin + (from - begin + k) % (end - begin);

		if (can_issue(member(s, i)))
			return (int)i;
	}
	return -1;
}

static int strictly_in_turn(uint32_t s)
{
	for (uint32_t k = 0; k < members(s) && member(s, turn[s])->state != READY; k++)
		turn[s] = (turn[s] + 1) % members(s);
	return can_issue(member(s, turn[s])) ? (int)turn[s] : -1;
}

static int in_fetch_groups(uint32_t s)
{
	uint32_t n = (uint32_t)l->play->order.number, count = members(s);
	uint32_t groups = (count + n - 1) / n, from = turn[s];

	for (uint32_t k = 0, g = turn[s] / n; k < groups; k++) {
		uint32_t end = (g + 1) * n < count ? (g + 1) * n : count;
		int found = in_turn(s, g * n, end, from);

		if (found >= 0)
			return found;
		g = (g + 1) % groups;
		from = g * n;
	}
	return -1;
}

/* What is least first: for gto and sequential when it began, for fifo when it became ready. */
static int least(uint32_t s)
{
	int best = -1;

	for (uint32_t i = 0; i < members(s); i++) {
		const struct unit *u = member(s, i),
				  *b = best < 0 ? NULL : member(s, (uint32_t)best);

		if (!can_issue(u))
			continue;
		if (KIND == ISSUE_ORDER_gto && u->began == greedy[s])
			return (int)i;
		if (KIND == ISSUE_ORDER_fifo
		            ? !b || u->ready < b->ready ||
		                      (u->ready == b->ready && u->turned < b->turned)
		            : !b || u->began < b->began)
			best = (int)i;
	}
	return best;
}

static int at_random(uint32_t s)
{
	uint64_t count = 0, z;

	for (uint32_t i = 0; i < members(s); i++)
		count += can_issue(member(s, i));
	if (!count)
		return -1;
	z = random_next(&draws) % count;
	for (uint32_t i = 0;; i++)
		if (can_issue(member(s, i)) && !z--)
			return (int)i;
}

static int next_of(uint32_t s)
{
	if (KIND == ISSUE_ORDER_prr)
		return strictly_in_turn(s);
	if (KIND == ISSUE_ORDER_twolevel)
		return in_fetch_groups(s);
	if (KIND == ISSUE_ORDER_random)
		return at_random(s);
	if (KIND == ISSUE_ORDER_gto || KIND == ISSUE_ORDER_fifo || KIND == ISSUE_ORDER_sequential)
		return least(s);
	if (held[s] != UINT32_MAX)
		return can_issue(member(s, held[s])) ? (int)held[s] : -1;
	return in_turn(s, 0, members(s), turn[s]);
}

static void has_issued(uint32_t s, uint32_t i)
{
	uint32_t n = (uint32_t)l->play->order.number, count = members(s);

	greedy[s] = member(s, i)->began;
	member(s, i)->turned = ++events;
	turn[s] = (i + 1) % count;
	if (KIND == ISSUE_ORDER_twolevel && ((i + 1) % n == 0 || i + 1 == count))
		turn[s] = i / n * n;
}

static void access_memory(struct unit *u)
{
	enum site_kind what = l->play->table.sites[u->now.site].kind;
	bool is_followed = u->now.is_followed;
	const struct logged *last = &l->log[l->log_count + u->now.count - 1];
	uint64_t at = now;

	u->data = u->data > now ? u->data : now + 1;
	for (uint32_t i = 0; i < u->now.count; i++) {
		struct logged *r = naive_log(l, &u->now, i);
		uint64_t there;

		r->cycle = at;
		r->group = u->group;
		r->warp = u->number;
		there = at + l->play->latency(r);
		if (what != SITE_WRITE && there > u->data)
			u->data = there;
		at += l->play->gpu.l1_request_cycles;
	}
	port_free = at;
	if (l->closed && last->cycle + l->closed(last) > at)
		port_free = last->cycle + l->closed(last);
	go_on(u, now + 1);
	if (!is_followed && (u->is_over || l->play->gpu.scoreboard != GPU_SCOREBOARD_IN_ORDER ||
	                     !naive_is_independent(l, u->now.site)))
		u->ready = u->data;
}

/* The access that a unit will make next: its key in the static order; false when none is left. */
static bool next_access(const struct unit *u, uint64_t key[4])
{
	uint32_t place[2] = { u->place[0], u->place[1] };
	struct naive_instruction n = u->now;
	bool is_over = u->state == ABSENT || u->is_over;

	key[0] = u->phase;
	for (; !is_over && l->play->table.sites[n.site].kind == SITE_BARRIER; key[0]++)
		is_over = !naive_next(l, u->group, u->number, place, &n);
	key[1] = n.site;
	key[2] = u->group;
	key[3] = u->number;
	return !is_over;
}

/* The access that stands first of all that the resident groups have yet to make. */
static struct unit *first_in_order(void)
{
	struct unit *best = NULL;
	uint64_t key[4], best_key[4] = { 0 };

	for (uint32_t i = 0; i < unit_count; i++) {
		int order = 0;

		if (!next_access(&units[i], key))
			continue;
		for (int k = 0; best && !order && k < 4; k++)
			order = (key[k] > best_key[k]) - (key[k] < best_key[k]);
		if (best && order >= 0)
			continue;
		best = &units[i];
		memcpy(best_key, key, sizeof(key));
	}
	return best;
}

/* Whether a resident group has accesses left; one that has none stops the reorder unit. */
static bool has_accesses(uint32_t slot)
{
	uint64_t key[4];

	for (uint32_t i = slot * group_units; i < (slot + 1) * group_units; i++)
		if (next_access(&units[i], key))
			return true;
	return false;
}

static void send_in_order(void)
{
	for (;;) {
		struct unit *u = first_in_order();
		bool may_come = true, is_waited_for = false; /* the next group */

		for (uint32_t slot = 0; slot < l->slots; slot++) {
			may_come &= is_there[slot];
			is_waited_for |= !has_accesses(slot);
		}
		if (may_come && is_waited_for)
			return;
		if (!u || u->state != IN_CHANNEL || port_free > now)
			return;
		access_memory(u);
	}
}

static void issue(uint32_t s)
{
	int found = busy_until > now ? -1 : next_of(s);
	struct unit *u = found < 0 ? NULL : member(s, (uint32_t)found);
	bool takes_port;

	if (!u)
		return;
	takes_port = (l->play->gpu.l1_request_cycles || l->closed) && !is_barrier(u) &&
	             KIND != ISSUE_ORDER_reorder;
	if (takes_port && port_free > now)
		return;
	if (takes_port)
		first_scheduler = (s + 1) % schedulers;
	has_issued(s, (uint32_t)found);
	held[s] = u->now.is_followed ? (uint32_t)found : UINT32_MAX;
	if (is_barrier(u)) {
		u->state = AT_BARRIER;
		open_barrier((uint32_t)(u - units) / group_units, now + 1);
	} else if (KIND == ISSUE_ORDER_reorder) {
		u->state = IN_CHANNEL;
	} else {
		access_memory(u);
		if (TAKES_ITEMS)
			busy_until = u->ready > port_free ? u->ready : port_free;
	}
}

static bool is_done(void)
{
	uint32_t there = 0;

	for (uint32_t slot = 0; slot < l->slots; slot++)
		there += is_there[slot];
	return !there;
}

static void set_up(void)
{
	struct random seed = { l->play->order.number };

	memset(units, 0, sizeof(units));
	memset(turn, 0, sizeof(turn));
	memset(greedy, 0, sizeof(greedy));
	memset(held, 0xff, sizeof(held));
	group_units = (l->items + naive_lanes(l) - 1) / naive_lanes(l);
	unit_count = l->slots * group_units;
	assert_true(unit_count <= NAIVE_UNITS);
	schedulers = TAKES_ITEMS ? 1 : l->play->gpu.schedulers;
	now = events = next_group = port_free = busy_until = first_scheduler = 0;
	l->log_count = 0;
	draws.state = random_next(&seed); /* the SM is number 0 */
}

void naive_play(struct naive_launch *launch)
{
	l = launch;
	set_up();
	for (uint32_t slot = 0; slot < l->slots; slot++)
		start_group(slot);
	for (; !is_done(); now++) {
		retire_all();
		if (is_done())
			break;
		for (uint32_t k = 0, first = first_scheduler; k < schedulers; k++)
			if (members((first + k) % schedulers))
				issue((first + k) % schedulers);
		if (KIND == ISSUE_ORDER_reorder)
			send_in_order();
		assert_true(now < 1000000);
	}
	l->cycles = now;
}

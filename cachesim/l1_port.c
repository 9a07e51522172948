/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_lines.h"
#include "l1_visit.h"
#include "sector_masks.h"

#include <assert.h>

/* A request that waits; its bytes are in port.held_used. */
struct l1_held {
	struct request r;
	struct counters *counters;
	uint64_t asked_cycles;
	uint64_t cycle; /* when it was looked up last, or will be first */
	uint64_t stall_cycles;
	bool is_failed;
	bool is_past;
};

void l1_port_init(struct l1 *l1)
{
	l1->port = (struct l1_port){ .known_until = UINT64_MAX };
	if (l1->below && !l1->is_immediate)
		l1->port.known_until = l1->horizon_cycles;
	fifo_init(&l1->port.held, sizeof(struct l1_held), "requests that L1 holds");
	fifo_init(&l1->port.held_used, l1->used_bytes, "requests that L1 holds");
	fifo_init(&l1->coming, sizeof(struct below_answer), "fills of an L1");
}

void l1_port_release(struct l1 *l1)
{
	fifo_release(&l1->port.held);
	fifo_release(&l1->port.held_used);
	fifo_release(&l1->coming);
}

static struct l1_visit visit_of(const struct l1 *l1, const struct request *r, uint64_t asked_cycles,
                                struct counters *counters)
{
	struct l1_visit v = { .r = r,
		              .asked_cycles = asked_cycles,
		              .cycle = asked_cycles,
		              .line = r->line >> l1->line_shift };
	struct sector_masks masks = sector_masks_find(r, l1->line_bytes, l1->sector_bytes);

	v.touched = masks.touched;
	v.whole = masks.whole;
	v.set = set_index_find(&l1->index, v.line);
	v.origin = (struct l1_origin){ .counters = counters,
		                       .group = r->group,
		                       .warp = r->warp,
		                       .site = r->site,
		                       .buffer = r->buffer };
	return v;
}

/* Wait for what comes next, and look again; false when that is not known yet. */
static bool serve_later(struct l1 *l1, struct l1_visit *v)
{
	const struct below_answer *next;

	do {
		next = fifo_peek(&l1->coming);
		if (!next || next->cycle >= l1->port.known_until)
			return false; /* or more may come in that cycle */
		v->stall_cycles += next->cycle - v->cycle;
		v->cycle = next->cycle;
		l1_lines_come(l1, v->cycle);
	} while (!l1_visit(l1, v));
	return true;
}

/* Serve it, in the cycle in which that is possible; false when that cycle is not known yet. */
static bool serve(struct l1 *l1, struct l1_visit *v)
{
	bool is_served = false;

	if (!v->is_failed) {
		if (v->cycle < l1->port.free)
			v->cycle = l1->port.free;
		if (v->cycle >= l1->port.known_until)
			return false;
		l1_lines_come(l1, v->cycle);
		is_served = l1_visit(l1, v);
		v->is_failed = !is_served;
		v->origin.counters->reservation_fails += v->is_failed;
	}
	if (!is_served && !serve_later(l1, v))
		return false;
	if (v->cycle > v->asked_cycles)
		l1->port.free = v->cycle + l1->request_cycles;
	return true;
}

/* Keep a request and where it stands. */
static void hold(struct l1 *l1, const struct l1_visit *v)
{
	const struct l1_held held = { .r = *v->r,
		                      .counters = v->origin.counters,
		                      .asked_cycles = v->asked_cycles,
		                      .cycle = v->cycle,
		                      .stall_cycles = v->stall_cycles,
		                      .is_failed = v->is_failed,
		                      .is_past = v->is_past };

	if (fifo_push(&l1->port.held, &held))
		fifo_push(&l1->port.held_used, v->r->used);
}

uint64_t l1_port_request(struct l1 *l1, const struct request *r, bool is_past, uint64_t now_cycles,
                         struct counters *counters)
{
	struct l1_visit v = visit_of(l1, r, now_cycles, counters);

	v.is_past = is_past;
	if (now_cycles >= l1->port.known_until)
		l1->port.known_until = now_cycles + 1; /* else it would not have been made */
	if (fifo_peek(&l1->port.held) || !serve(l1, &v)) {
		hold(l1, &v);
		return MEMORY_LATER;
	}
	return v.data;
}

/* Serve what has waited, as far as its time is known. */
static void serve_held(struct l1 *l1)
{
	struct l1_held *held;

	while ((held = fifo_peek(&l1->port.held)) && !l1->port.held_used.is_failed) {
		struct l1_visit v;

		held->r.used = fifo_peek(&l1->port.held_used);
		v = visit_of(l1, &held->r, held->asked_cycles, held->counters);
		v.cycle = held->cycle;
		v.stall_cycles = held->stall_cycles;
		v.is_failed = held->is_failed;
		v.is_past = held->is_past;
		if (!serve(l1, &v)) {
			held->cycle = v.cycle;
			held->stall_cycles = v.stall_cycles;
			held->is_failed = v.is_failed;
			return;
		}
		if (held->r.kind != SITE_WRITE && v.data != MEMORY_LATER)
			l1_waiters_answer(&l1->waiters, held->r.waiter, v.data);
		fifo_drop(&l1->port.held);
		fifo_drop(&l1->port.held_used);
	}
}

uint64_t l1_port_free(const struct l1 *l1)
{
	return fifo_peek(&l1->port.held) ? MEMORY_LATER : l1->port.free;
}

void l1_advance(struct l1 *l1, uint64_t until)
{
	if (l1->is_plain || !until)
		return;
	assert(until <= l1->port.known_until || !fifo_peek(&l1->port.held));
	l1_lines_come(l1, until - 1);
	if (l1->port.known_until == UINT64_MAX)
		return;
	l1->port.known_until =
		until < UINT64_MAX - l1->horizon_cycles ? until + l1->horizon_cycles : UINT64_MAX;
}

static void settle_data(struct l1 *l1, const struct below_answer *answer)
{
	uint32_t name = (uint32_t)answer->token_or_line;
	struct l1_fill *fill = l1_fills_at(&l1->fills, name);

	struct below_answer come = *answer;

	come.cycle = l1_link_receive(&l1->link, answer->cycle, fill->bytes);
	l1_waiters_come(&l1->waiters, &fill->waiters, come.cycle);
	fill->cycle = come.cycle;
	if (fill->is_past)
		l1_fills_remove(&l1->fills, name);
	else
		fifo_push(&l1->coming, &come);
}

/* Not before data that came before it. */
static void settle_invalidation(struct l1 *l1, const struct below_answer *answer)
{
	struct below_answer come = *answer;

	come.cycle = l1_link_leave(&l1->link, answer->cycle);
	fifo_push(&l1->coming, &come);
}

void l1_settle(struct l1 *l1, const struct below_answer *answers, size_t count)
{
	if (l1->is_plain) {
		l1_asks_settle(l1, answers, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (answers[i].kind == ANSWER_DATA)
			settle_data(l1, &answers[i]);
		else
			settle_invalidation(l1, &answers[i]);
	}
	serve_held(l1);
}

bool l1_next_answer(struct l1 *l1, struct memory_answer *out)
{
	return l1_waiters_next(&l1->waiters, out);
}

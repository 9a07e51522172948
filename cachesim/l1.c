/* SPDX-License-Identifier: Apache-2.0 */
#include "l1.h"

#include "err.h"
#include "gpu.h"
#include "l1_lines.h"
#include "l1_visit.h"
#include "sector_masks.h"

#include <assert.h>
#include <stdlib.h>

/* A request that waits at the port; its bytes are in port.held_used. */
struct l1_held {
	struct request r;
	struct counters *counters;
	uint64_t asked_cycles;
	uint64_t cycle; /* of its last lookup, or of its first one to come */
	uint64_t stall_cycles;
	bool is_failed;
	bool is_past;
};

/* Prepare the port, where requests wait for their turn. */
static void l1_port_init(struct l1 *l1)
{
	l1->port = (struct l1_port){ .known_until = UINT64_MAX };
	if (l1->below && !l1->is_immediate)
		l1->port.known_until = l1->horizon_cycles;
	fifo_init(&l1->port.held, sizeof(struct l1_held), "requests that L1 holds");
	fifo_init(&l1->port.held_used, l1->used_bytes, "requests that L1 holds");
	fifo_init(&l1->coming, sizeof(struct below_answer), "fills of an L1");
}

static void l1_port_release(struct l1 *l1)
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

/* Wait for the next arrival and look up again; false if its cycle is not known yet. */
static bool serve_later(struct l1 *l1, struct l1_visit *v)
{
	const struct below_answer *next;

	do {
		next = fifo_peek(&l1->coming);
		if (!next || next->cycle >= l1->port.known_until)
			return false; /* more may arrive in that cycle */
		v->stall_cycles += next->cycle - v->cycle;
		v->cycle = next->cycle;
		l1_lines_arrive(l1, v->cycle);
	} while (!l1_visit(l1, v));
	return true;
}

/* Serve a request in the first possible cycle; false if that cycle is not known yet. */
static bool serve(struct l1 *l1, struct l1_visit *v)
{
	bool is_served = false;

	if (!v->is_failed) {
		if (v->cycle < l1->port.free)
			v->cycle = l1->port.free;
		if (v->cycle >= l1->port.known_until)
			return false;
		l1_lines_arrive(l1, v->cycle);
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

/* Keep a request and its state. */
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
		l1->port.known_until = now_cycles + 1; /* or there would be no request */
	if (fifo_peek(&l1->port.held) || !serve(l1, &v)) {
		hold(l1, &v);
		return MEMORY_LATER;
	}
	return v.data;
}

/* Serve the waiting requests, as far as their cycles are known. */
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
	l1_lines_arrive(l1, until - 1);
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
	l1_waiters_arrive(&l1->waiters, &fill->waiters, come.cycle);
	fill->cycle = come.cycle;
	if (fill->is_past)
		l1_fills_remove(&l1->fills, name);
	else
		fifo_push(&l1->coming, &come);
}

/* Process an invalidation, but not before the data that arrives before it. */
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

enum { FEW_WAYS = 16 }; /* searched linearly in l1_lru.c */

static const struct l1_setup nothing_beside;

/* Set the sizes of lines and sectors, and the limits. Returns 0 or ERR_CONFIG. */
static int take_sizes(struct l1 *l1, const struct gpu *gpu, struct err *err)
{
	uint32_t line = gpu->l1_line_bytes, sector = gpu->l1_sector_bytes;
	uint64_t lines = (uint64_t)gpu->l1_sets * gpu->l1_ways;

	if (!lines || lines > 1u << 30)
		return err_set(err, ERR_CONFIG, "%s: l1_sets * l1_ways is outside 1..2^30",
		               gpu->name);
	if (line < 16 || line & (line - 1))
		return err_set(err, ERR_CONFIG,
		               "%s: l1_line_bytes = %u is not a power of two of at least 16",
		               gpu->name, line);
	if (sector && (sector & (sector - 1) || sector > line || line / sector > 64))
		return err_set(err, ERR_CONFIG,
		               "%s: l1_sector_bytes = %u does not cut l1_line_bytes = %u into "
		               "1..64 sectors",
		               gpu->name, sector, line);
	l1->line_bytes = line;
	l1->line_shift = (uint32_t)__builtin_ctz(line);
	l1->sector_bytes = sector ? sector : line;
	if (gpu->l1_promotion_bytes > l1->sector_bytes && gpu->l1_promotion_bytes <= line)
		l1->promoted_sectors = gpu->l1_promotion_bytes / l1->sector_bytes;
	l1->used_bytes = line < 64 ? 8 : line / 8;
	l1->max_entries = gpu->l1_mshr_entries;
	l1->max_merged = gpu->l1_mshr_merge;
	return 0;
}

static void take_times(struct l1 *l1, const struct gpu *gpu)
{
	l1->request_cycles = gpu->l1_request_cycles;
	l1->is_immediate = gpu->latency == GPU_LATENCY_OFF;
	if (gpu->bandwidth == GPU_BANDWIDTH_ON && !l1->is_immediate)
		l1->link.cycle_bytes = gpu->l1_fill_bytes;
	l1->hit_cycles = l1->is_immediate ? 0 : gpu->l1_hit_cycles;
	l1->miss_cycles = l1->is_immediate ? 0 : l1->hit_cycles + gpu->l2_cycles;
}

static void take_ways_of_working(struct l1 *l1, const struct gpu *gpu, const struct l1_setup *s)
{
	bool is_limited = l1->max_entries || l1->max_merged;

	l1->write = (enum gpu_l1_write)gpu->l1_write;
	l1->below = s->below;
	l1->observer = s->observer;
	l1->has_classes = !s->is_unclassified;
	l1->horizon_cycles = s->horizon_cycles;
	l1->reports_victims = s->reports_victims;
	l1->is_at_fill = gpu->l1_allocation == GPU_L1_ALLOCATION_AT_FILL;
	l1->is_locking = is_limited && !l1->is_at_fill;
	l1->is_plain = !is_limited && !l1->link.cycle_bytes && !l1->is_at_fill &&
	               (!s->observer || !s->below) && !s->reports_victims &&
	               l1->write != GPU_L1_WRITE_BACK_ALLOCATE &&
	               (!s->below || gpu->l2_inclusion == GPU_L2_INCLUSION_NON_INCLUSIVE);
	if (s->below || s->observer || l1->sector_bytes < l1->line_bytes ||
	    l1->write == GPU_L1_WRITE_THROUGH_ALLOCATE)
		l1->slot_words = 1 + l1->line_bytes / l1->sector_bytes + !!l1->promoted_sectors;
}

static int make_lines(struct l1 *l1, const struct gpu *gpu, uint32_t sm, struct err *err)
{
	const struct cache_array_setup tags = {
		.sets = gpu->l1_sets, .ways = gpu->l1_ways, .policy = &gpu->l1_policy, .stream = sm
	};
	size_t lines = (size_t)gpu->l1_sets * gpu->l1_ways;
	int ret;

	l1->way_count = gpu->l1_ways;
	if (l1->is_plain && !l1->slot_words && gpu->l1_policy.kind == GPU_POLICY_LRU &&
	    l1->way_count <= FEW_WAYS) {
		l1->lru_ways = array_alloc(lines, sizeof(*l1->lru_ways), "L1", err);
		return l1->lru_ways ? 0 : ERR_NOMEM;
	}
	ret = cache_array_init(&l1->tags, &tags, err);
	if (ret)
		return ret;
	if (l1->is_plain && l1->slot_words) {
		l1->sector_words =
			array_alloc(lines, l1->slot_words * sizeof(*l1->sector_words), "L1", err);
		if (!l1->sector_words || (l1->observer && !l1_stays_reserve(&l1->stays, lines)))
			return err_set(err, ERR_NOMEM, "out of memory for an L1 of %zu lines",
			               lines);
		return 0;
	}
	if (l1->is_plain) {
		l1->ready_cycles = array_alloc(lines, sizeof(*l1->ready_cycles), "L1", err);
		return l1->ready_cycles ? 0 : ERR_NOMEM;
	}
	l1->slots = array_alloc(lines, sizeof(*l1->slots), "L1", err);
	if (!l1->slots)
		return ERR_NOMEM;
	return l1_fills_init(&l1->fills, l1->is_at_fill ? gpu->l1_sets : (uint32_t)lines, err);
}

int l1_create(struct l1 **out, const struct gpu *gpu, const struct l1_setup *setup, struct err *err)
{
	const struct l1_setup *s = setup ? setup : &nothing_beside;
	struct l1 *l1 = array_alloc(1, sizeof(*l1), "L1", err);
	int ret;

	assert(!s->is_unclassified || !s->observer);
	if (!l1)
		return ERR_NOMEM;
	ret = gpu->l2 == GPU_L2_ON && !s->below
	              ? err_set(err, ERR_CONFIG, "%s: what l2 says is not modelled yet", gpu->name)
	              : take_sizes(l1, gpu, err);
	if (ret) {
		free(l1);
		return ret;
	}
	take_times(l1, gpu);
	take_ways_of_working(l1, gpu, s);
	l1_port_init(l1);
	l1_waiters_init(&l1->waiters);
	l1_asks_init(&l1->asks);
	l1_stays_init(&l1->stays, l1->observer, l1->line_bytes, l1->sector_bytes);
	ret = set_index_init(&l1->index, gpu, err);
	if (!ret)
		ret = miss_classes_init(&l1->classes,
		                        l1->has_classes ? gpu->l1_sets * gpu->l1_ways : 0, err);
	if (!ret)
		ret = make_lines(l1, gpu, s->sm, err);
	if (ret)
		l1_free(l1);
	else
		*out = l1;
	return ret;
}

void l1_free(struct l1 *l1)
{
	if (!l1)
		return;
	cache_array_release(&l1->tags);
	miss_classes_release(&l1->classes);
	l1_port_release(l1);
	l1_waiters_release(&l1->waiters);
	l1_asks_release(&l1->asks);
	l1_stays_release(&l1->stays);
	l1_fills_release(&l1->fills);
	free(l1->lru_ways);
	free(l1->ready_cycles);
	free(l1->sector_words);
	free(l1->slots);
	free(l1);
}

bool l1_has_sectors(const struct l1 *l1)
{
	return l1->sector_bytes < l1->line_bytes;
}

void l1_end(struct l1 *l1, uint64_t now_cycles)
{
	if (now_cycles > l1->now)
		l1->now = now_cycles;
	if (l1->is_plain) {
		if (l1->observer)
			l1_sectors_end(l1);
		return;
	}
	l1_lines_arrive(l1, UINT64_MAX);
	l1_lines_end(l1);
}

int l1_status(const struct l1 *l1, struct err *err)
{
	if (l1->fills.is_failed || l1->asks.is_failed || l1->stays.is_failed ||
	    l1->coming.is_failed || l1->port.held.is_failed || l1->port.held_used.is_failed ||
	    l1_waiters_have_failed(&l1->waiters))
		return err_set(err, ERR_NOMEM, "L1: out of memory for what is on its way");
	return miss_classes_status(&l1->classes, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_visit.h"

#include "l1_lines.h"
#include "l1_private.h"
#include "sector_masks.h"

#include <assert.h>

/* The bytes that a bypassing read fetches, or that the answer to an atomic has. */
static uint32_t l1_bypass_bytes(const struct l1 *l1, const struct request *r)
{
	return r->sectors * (l1->line_bytes < 32 ? l1->line_bytes : 32);
}

/* Returns the cycle of the data of *v, which brings nothing into L1, or MEMORY_LATER. */
static uint64_t l1_visit_past(struct l1 *l1, const struct l1_visit *v)
{
	if (l1->is_immediate)
		return v->cycle;
	if (l1->below)
		return MEMORY_LATER;
	return l1_link_receive(&l1->link, v->cycle + l1->miss_cycles, l1_bypass_bytes(l1, v->r));
}

/* Returns the token of a message that brings nothing into L1, and whose answer *v waits for. */
static uint64_t l1_visit_token(struct l1 *l1, const struct l1_visit *v)
{
	const struct l1_fill fill = { .line = v->line,
		                      .cycle = MEMORY_LATER,
		                      .set = v->set,
		                      .bytes = l1_bypass_bytes(l1, v->r),
		                      .waiters = L1_WAITER_NONE,
		                      .is_past = true };
	uint32_t name = l1_fills_add(&l1->fills, &fill);
	uint32_t waiting = l1_waiters_add(&l1->waiters, v->r->waiter, v->cycle);

	if (name == L1_FILL_NONE)
		return OUTBOX_NO_TOKEN;
	l1_waiters_wait(&l1->waiters, waiting, &l1_fills_at(&l1->fills, name)->waiters);
	return name;
}

/* Count a bypassing read, except in the counters of all requests. */
static void count(const struct l1 *l1, const struct request *r, struct counters *c)
{
	uint32_t bytes = l1_bypass_bytes(l1, r);

	c->bypasses++;
	c->bytes_bypassed += bytes;
	c->bytes_from_l2 += bytes;
}

static void ask_below(struct l1 *l1, const struct l1_visit *v, uint64_t token)
{
	const struct message m = {
		.cycle = v->cycle,
		.line = v->line << l1->line_shift,
		.sectors =
			sector_masks_of(v->r, l1->line_bytes, outbox_sector_bytes(l1->line_bytes))
				.touched,
		.token = token,
		.bytes = l1_bypass_bytes(l1, v->r),
		.kind = MESSAGE_READ_PAST,
	};

	l1_lines_send(l1, &v->origin, &m);
}

/* Serve a bypassing read of an L1 that is not plain, in v->cycle. */
static void l1_bypass_serve(struct l1 *l1, struct l1_visit *v)
{
	bool is_later = l1->below && !l1->is_immediate;

	v->event = L1_BYPASS;
	v->data = l1_visit_past(l1, v);
	count(l1, v->r, v->origin.counters);
	if (l1->write == GPU_L1_WRITE_BACK_ALLOCATE)
		l1_lines_write_back(l1, v);
	if (l1->below)
		ask_below(l1, v, is_later ? l1_visit_token(l1, v) : OUTBOX_NO_TOKEN);
}

/* Report a bypassing read of a plain L1. */
static void report_bypass(struct l1 *l1, const struct request *r, uint64_t now_cycles)
{
	const struct l1_outcome o = { .event = L1_BYPASS,
		                      .set = set_index_find(&l1->index, r->line >> l1->line_shift),
		                      .cycle = now_cycles,
		                      .bytes_fetched = l1_bypass_bytes(l1, r) };

	if (now_cycles > l1->now)
		l1->now = now_cycles;
	l1->observer->served(l1->observer->context, r, &o);
}

uint64_t l1_read_past(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *counters)
{
	if (!l1->is_plain)
		return l1_port_request(l1, r, true, now_cycles, counters);
	counters->lanes += r->lanes;
	counters->bytes_asked += r->bytes_used;
	count(l1, r, counters);
	if (l1->observer)
		report_bypass(l1, r, now_cycles);
	if (l1->below)
		return l1_asks_read_past(l1, r, l1_bypass_bytes(l1, r), now_cycles);
	return now_cycles + l1->miss_cycles;
}

/* The sectors of a request that fills of the line bring. */
struct on_way {
	bool is_any;      /* the line has fills */
	bool is_full;     /* a needed fill takes no more requests */
	bool is_later;    /* the cycle of a needed fill is unknown */
	uint64_t cycle;   /* last known cycle of the needed fills; 0: none */
	uint64_t missing; /* sectors that no fill brings */
};

static uint32_t first_fill(const struct l1 *l1, const struct l1_visit *v)
{
	return l1_first_fill(l1, v->slot, v->set, v->line);
}

static struct on_way look_at_fills(const struct l1 *l1, const struct l1_visit *v, uint64_t need)
{
	struct on_way o = { .missing = need };
	uint32_t name = first_fill(l1, v);

	while (name != L1_FILL_NONE) {
		const struct l1_fill *fill = l1_fills_at(&l1->fills, name);

		o.is_any = true;
		if (fill->sectors & o.missing) {
			o.is_full |= l1->max_merged && fill->requests >= l1->max_merged;
			if (fill->cycle == MEMORY_LATER)
				o.is_later = true;
			else if (fill->cycle > o.cycle)
				o.cycle = fill->cycle;
		}
		o.missing &= ~fill->sectors;
		name = l1_fills_find(&l1->fills, fill->next, v->line);
	}
	return o;
}

/* Join the fills that bring these sectors, including any that *v just requested. */
static void share_fills(struct l1 *l1, struct l1_visit *v, uint64_t need, const struct on_way *o,
                        uint32_t own)
{
	uint32_t name = first_fill(l1, v), waiting = L1_WAITER_NONE;
	uint64_t own_cycle = own == L1_FILL_NONE ? 0 : l1_fills_at(&l1->fills, own)->cycle;

	if (o->cycle > v->data)
		v->data = o->cycle;
	if (own_cycle != MEMORY_LATER && own_cycle > v->data)
		v->data = own_cycle;
	if (o->is_later || own_cycle == MEMORY_LATER)
		waiting = l1_waiters_add(&l1->waiters, v->r->waiter, v->data);
	while (need && name != L1_FILL_NONE) {
		struct l1_fill *fill = l1_fills_at(&l1->fills, name);

		if (fill->sectors & need) {
			fill->requests += name != own;
			if (fill->cycle == MEMORY_LATER)
				l1_waiters_wait(&l1->waiters, waiting, &fill->waiters);
		}
		need &= ~fill->sectors;
		name = l1_fills_find(&l1->fills, fill->next, v->line);
	}
	if (waiting != L1_WAITER_NONE)
		v->data = MEMORY_LATER;
}

static bool has_entry(const struct l1 *l1)
{
	return !l1->max_entries || l1->fills.entries < l1->max_entries;
}

/* Choose a slot for a line that is neither in L1 nor on its way; false if there is none. */
static bool choose_slot(struct l1 *l1, struct l1_visit *v)
{
	v->slot = cache_array_victim(&l1->tags, v->set);
	return v->slot != CACHE_ARRAY_NONE;
}

/* Request v->fetched, if anything, and only then evict another line for this one, if a slot was
 * chosen. So the level below does not replace the requested line to make room for the evicted one.
 */
static uint32_t fetch_and_place(struct l1 *l1, const struct l1_visit *v, bool has_chosen)
{
	uint32_t own = v->fetched ? l1_lines_fetch(l1, v) : L1_FILL_NONE;

	if (has_chosen)
		l1_lines_place(l1, v->slot, v->line, v->set, &v->origin, v->cycle);
	return own;
}

/* Record the request in the stay of its line, as the first or a further one. */
static void note_stay(struct l1 *l1, const struct l1_visit *v, bool is_first)
{
	uint32_t name = first_fill(l1, v), *stay;

	if (!l1->observer || (v->slot == CACHE_ARRAY_NONE && name == L1_FILL_NONE))
		return;
	stay = v->slot == CACHE_ARRAY_NONE ? &l1_fills_at(&l1->fills, name)->stay
	                                   : &l1->slots[v->slot].stay;
	if (!*stay) {
		*stay = l1_lines_begin_stay(l1, v->line, v->set, &v->origin, v->cycle);
		is_first = true;
	}
	if (is_first)
		l1_stays_first(&l1->stays, *stay, v->r);
	else
		l1_stays_use(&l1->stays, *stay, v->r);
}

static enum l1_event count_miss(struct l1 *l1, const struct l1_visit *v)
{
	struct counters *c = v->origin.counters;

	c->read_misses++;
	return (enum l1_event)(L1_COLD + l1_classify(l1, v->line, c, l1->has_classes));
}

/* Count a read of a line that is in L1 or on its way. */
static void count_found(struct l1 *l1, struct l1_visit *v, uint64_t need)
{
	struct counters *c = v->origin.counters;

	if (v->slot != CACHE_ARRAY_NONE)
		cache_array_use(&l1->tags, v->slot);
	miss_classes_hit(&l1->classes, v->line);
	v->event = v->fetched ? L1_SECTOR : need ? L1_PENDING : L1_HIT;
	c->read_hits += v->event == L1_HIT;
	c->pending_hits += v->event == L1_PENDING;
	c->read_misses += v->event == L1_SECTOR;
	c->sector += v->event == L1_SECTOR;
}

/* Returns the touched sectors that were promoted and not requested since; they count as requested
 * now. */
static uint64_t take_promoted(struct l1 *l1, const struct l1_visit *v)
{
	uint32_t name = l1->promoted_sectors ? first_fill(l1, v) : L1_FILL_NONE;
	uint64_t taken = 0;

	if (v->slot != CACHE_ARRAY_NONE) {
		taken = l1->slots[v->slot].promoted & v->touched;
		l1->slots[v->slot].promoted &= ~taken;
	}
	while (name != L1_FILL_NONE) {
		struct l1_fill *fill = l1_fills_at(&l1->fills, name);

		taken |= fill->promoted & v->touched;
		fill->promoted &= ~v->touched;
		name = l1_fills_find(&l1->fills, fill->next, v->line);
	}
	return taken;
}

/* Count the sectors of a read; these are missing, and is_there is whether its line is in L1 or on
 * its way. */
static void count_sectors(struct l1 *l1, struct l1_visit *v, uint64_t missing, bool is_there)
{
	struct counters *c = v->origin.counters;
	uint64_t taken = is_there ? take_promoted(l1, v) : 0;

	v->sectors = (struct l1_sector_counts){
		.hit = sector_runs_bits(v->touched & ~missing & ~taken),
		.missed = sector_runs_bits(missing),
		.promoted = sector_runs_bits(v->fetched & ~missing),
		.promoted_hit = sector_runs_bits(taken),
	};
	c->sectors_hit += v->sectors.hit;
	c->sectors_missed += v->sectors.missed;
	c->sectors_promoted += v->sectors.promoted;
	c->sectors_promoted_hit += v->sectors.promoted_hit;
}

/* Returns the sectors to fetch with `missing`, if that is not 0: promoted ones that are neither
 * valid nor on their way. */
static uint64_t find_promoted(const struct l1 *l1, const struct l1_visit *v, uint64_t missing)
{
	uint64_t more = missing ? l1_promoted(l1, v->r, v->touched) : 0;

	if (v->slot != CACHE_ARRAY_NONE)
		more &= ~l1->slots[v->slot].valid;
	return more ? look_at_fills(l1, v, more).missing : 0;
}

static bool serve_read(struct l1 *l1, struct l1_visit *v)
{
	bool has_slot = v->slot != CACHE_ARRAY_NONE, is_there, is_new;
	uint64_t need = has_slot ? v->touched & ~l1->slots[v->slot].valid : v->touched;
	struct on_way o = look_at_fills(l1, v, need);
	uint32_t own;

	is_there = has_slot || o.is_any;
	is_new = !is_there && !l1->is_at_fill;
	v->fetched = o.missing | find_promoted(l1, v, o.missing);
	if (o.is_full || (v->fetched && !has_entry(l1)) || (is_new && !choose_slot(l1, v)))
		return false;
	if (is_there)
		count_found(l1, v, need);
	else
		v->event = count_miss(l1, v);
	v->origin.counters->reads++;
	count_sectors(l1, v, o.missing, is_there);
	v->data = v->cycle + l1->hit_cycles;
	own = fetch_and_place(l1, v, is_new);
	if (need)
		share_fills(l1, v, need, &o, own);
	note_stay(l1, v, !is_there);
	l1_lines_expect(l1, v, own);
	return true;
}

/* Send a write or an atomic below. */
static void send_through(struct l1 *l1, const struct l1_visit *v, enum message_kind kind,
                         uint64_t token)
{
	struct sector_masks masks;
	struct message m = { .cycle = v->cycle,
		             .line = v->line << l1->line_shift,
		             .token = token,
		             .bytes = v->r->bytes_used,
		             .kind = kind };

	v->origin.counters->bytes_to_l2 += v->r->bytes_used;
	if (!l1->below)
		return;
	masks = sector_masks_of(v->r, l1->line_bytes, outbox_sector_bytes(l1->line_bytes));
	m.sectors = masks.touched;
	m.whole = kind == MESSAGE_WRITE ? masks.whole : 0;
	l1_lines_send(l1, &v->origin, &m);
	if (outbox_has_parts(&m))
		outbox_send_part(l1->below, v->r->used);
}

/* Serve a write that does not allocate. */
static void write_past(struct l1 *l1, struct l1_visit *v)
{
	bool is_there = v->slot != CACHE_ARRAY_NONE || first_fill(l1, v) != L1_FILL_NONE;

	v->origin.counters->write_hits += is_there;
	v->event = is_there ? L1_WRITE_HIT : L1_WRITE;
	if (is_there)
		note_stay(l1, v, false);
	if (is_there && l1->write == GPU_L1_WRITE_THROUGH_EVICT) {
		l1_lines_remove(l1, v->slot, v->line, v->set, v->cycle, L1_LEAVE_WRITTEN);
		miss_classes_take(&l1->classes, v->line);
	}
}

/* Record the write in the line of *v, which has a slot or a fill. */
static void mark_written(struct l1 *l1, const struct l1_visit *v)
{
	bool has_slot = v->slot != CACHE_ARRAY_NONE;
	uint32_t name = has_slot ? L1_FILL_NONE : first_fill(l1, v);
	struct l1_fill *fill = name == L1_FILL_NONE ? NULL : l1_fills_at(&l1->fills, name);

	if (!has_slot && !fill)
		return; /* out of memory */
	*(has_slot ? &l1->slots[v->slot].valid : &fill->sectors) |= v->whole;
	if (l1->write != GPU_L1_WRITE_BACK_ALLOCATE)
		return;
	if (has_slot) {
		l1->slots[v->slot].dirty |= v->touched;
		l1->slots[v->slot].writer = v->origin;
	} else {
		fill->dirty |= v->touched;
		fill->writer = v->origin;
	}
}

/* Serve a write that allocates its line; false if it has to wait. */
static bool write_into(struct l1 *l1, struct l1_visit *v)
{
	bool has_slot = v->slot != CACHE_ARRAY_NONE, is_there, is_new;
	uint64_t need = v->touched & ~v->whole;
	struct on_way o = look_at_fills(l1, v, has_slot ? need & ~l1->slots[v->slot].valid : need);
	uint32_t own;

	is_there = has_slot || o.is_any;
	v->fetched = l1->write == GPU_L1_WRITE_BACK_ALLOCATE ? o.missing : 0;
	is_new = !is_there && !(l1->is_at_fill && v->fetched);
	if ((v->fetched && !has_entry(l1)) || (is_new && !choose_slot(l1, v)))
		return false;
	if (has_slot)
		cache_array_use(&l1->tags, v->slot);
	if (is_there)
		miss_classes_hit(&l1->classes, v->line);
	else
		miss_classes_miss(&l1->classes, v->line);
	v->origin.counters->write_hits += is_there;
	v->event = is_there ? L1_WRITE_HIT : L1_WRITE;
	own = fetch_and_place(l1, v, is_new);
	mark_written(l1, v);
	note_stay(l1, v, !is_there);
	l1_lines_expect(l1, v, own);
	return true;
}

/* Returns the touched sectors that are valid or on their way. */
static uint64_t find_present(const struct l1 *l1, const struct l1_visit *v)
{
	uint64_t valid = v->slot != CACHE_ARRAY_NONE ? l1->slots[v->slot].valid : 0;

	return v->touched & ~look_at_fills(l1, v, v->touched & ~valid).missing;
}

static bool serve_write(struct l1 *l1, struct l1_visit *v)
{
	uint64_t present = find_present(l1, v);
	bool is_back = l1->write == GPU_L1_WRITE_BACK_ALLOCATE;
	bool is_there = v->slot != CACHE_ARRAY_NONE || first_fill(l1, v) != L1_FILL_NONE;
	bool is_into =
		is_back || (l1->write == GPU_L1_WRITE_THROUGH_ALLOCATE && (is_there || v->whole));

	if (is_into) {
		if (!write_into(l1, v))
			return false;
	} else {
		write_past(l1, v);
	}
	v->origin.counters->writes++;
	v->sectors.hit = sector_runs_bits(present);
	v->sectors.missed = sector_runs_bits(v->touched & ~present);
	v->origin.counters->write_sectors_hit += v->sectors.hit;
	v->origin.counters->write_sectors_missed += v->sectors.missed;
	if (!is_back)
		send_through(l1, v, MESSAGE_WRITE, OUTBOX_NO_TOKEN);
	v->data = v->cycle;
	return true;
}

static void serve_atomic(struct l1 *l1, struct l1_visit *v)
{
	bool is_there = v->slot != CACHE_ARRAY_NONE || first_fill(l1, v) != L1_FILL_NONE;
	bool is_later = l1->below && !l1->is_immediate;

	v->origin.counters->atomics++;
	v->event = L1_ATOMIC;
	if (is_there) {
		l1_lines_remove(l1, v->slot, v->line, v->set, v->cycle, L1_LEAVE_ATOMIC);
		miss_classes_take(&l1->classes, v->line);
	}
	v->data = l1_visit_past(l1, v);
	send_through(l1, v, MESSAGE_ATOMIC, is_later ? l1_visit_token(l1, v) : OUTBOX_NO_TOKEN);
}

static bool serve_kind(struct l1 *l1, struct l1_visit *v)
{
	if (v->is_past) {
		l1_bypass_serve(l1, v);
		return true;
	}
	if (v->r->kind == SITE_READ)
		return serve_read(l1, v);
	if (v->r->kind == SITE_WRITE)
		return serve_write(l1, v);
	assert(v->r->kind == SITE_ATOMIC);
	serve_atomic(l1, v);
	return true;
}

static void report(const struct l1 *l1, const struct l1_visit *v)
{
	const struct l1_outcome o = {
		.event = v->event,
		.set = v->set,
		.cycle = v->cycle,
		.stall_cycles = v->stall_cycles,
		.sectors = v->fetched,
		.counts = v->sectors,
		.bytes_touched =
			v->is_past ? 0
				   : (uint32_t)__builtin_popcountll(v->touched) * l1->sector_bytes,
		.bytes_fetched =
			v->is_past ? l1_bypass_bytes(l1, v->r)
				   : (uint32_t)__builtin_popcountll(v->fetched) * l1->sector_bytes,
	};

	l1->observer->served(l1->observer->context, v->r, &o);
}

bool l1_visit(struct l1 *l1, struct l1_visit *v)
{
	struct counters *c = v->origin.counters;

	v->slot = cache_array_find(&l1->tags, v->set, v->line);
	v->fetched = 0;
	if (!serve_kind(l1, v))
		return false;
	if (v->cycle > l1->now)
		l1->now = v->cycle;
	c->lanes += v->r->lanes;
	c->bytes_asked += v->r->bytes_used;
	c->stall_cycles += v->stall_cycles;
	if (l1->observer)
		report(l1, v);
	return true;
}

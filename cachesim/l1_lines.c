/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_lines.h"

#include "l1_visit.h"
#include "sector_masks.h"

#include <assert.h>

void l1_lines_send(struct l1 *l1, const struct l1_origin *origin, const struct message *m)
{
	struct message sent = *m;

	if (!l1->below)
		return;
	sent.site = origin->site;
	sent.buffer = origin->buffer;
	outbox_send(l1->below, &sent);
}

static uint32_t bytes_of(const struct l1 *l1, uint64_t sectors)
{
	return (uint32_t)__builtin_popcountll(sectors) * l1->sector_bytes;
}

/* Send sectors of an evicted line. Returns their bytes. */
static uint32_t send_line(struct l1 *l1, uint64_t line, uint64_t sectors,
                          const struct l1_origin *origin, struct message *m)
{
	struct sector_masks masks = sector_masks_convert(sectors, l1->line_bytes, l1->sector_bytes,
	                                                 outbox_sector_bytes(l1->line_bytes));

	m->line = line << l1->line_shift;
	m->token = OUTBOX_NO_TOKEN;
	m->sectors = masks.touched;
	m->whole = m->kind == MESSAGE_WRITE_BACK ? masks.whole : 0;
	m->bytes = bytes_of(l1, sectors);
	l1_lines_send(l1, origin, m);
	return m->bytes;
}

/* Evict the line of slot `s`, in L1 or on its way. */
static void leave(struct l1 *l1, const struct l1_slot *s, uint64_t line, uint64_t cycle,
                  enum l1_leave reason)
{
	struct message m = { .cycle = cycle, .kind = MESSAGE_WRITE_BACK };

	if (s->dirty) {
		s->writer.counters->write_backs++;
		s->writer.counters->bytes_to_l2 += send_line(l1, line, s->dirty, &s->writer, &m);
	}
	m.kind = MESSAGE_VICTIM;
	if (l1->reports_victims && reason == L1_LEAVE_REPLACED && s->valid & ~s->dirty)
		send_line(l1, line, s->valid & ~s->dirty, &s->origin, &m);
	l1_stays_end(&l1->stays, s->stay, cycle, reason);
}

uint32_t l1_lines_begin_stay(struct l1 *l1, uint64_t line, uint32_t set,
                             const struct l1_origin *origin, uint64_t cycle)
{
	const struct l1_residency first = { .line = line << l1->line_shift,
		                            .group = origin->group,
		                            .warp = origin->warp,
		                            .site = origin->site,
		                            .buffer = origin->buffer,
		                            .set = set,
		                            .in_cycles = cycle };

	return l1_stays_begin(&l1->stays, &first);
}

/* Drop the fills of a line that is no longer wanted: nothing is filled. Their state is added to *s.
 */
static void drop_fills(struct l1 *l1, uint64_t line, uint32_t set, uint32_t slot, struct l1_slot *s)
{
	uint32_t name = l1_first_fill(l1, slot, set, line);
	uint64_t fetched = 0;
	const struct l1_fill *first = name == L1_FILL_NONE ? NULL : l1_fills_at(&l1->fills, name);

	while (name != L1_FILL_NONE) {
		struct l1_fill *fill = l1_fills_at(&l1->fills, name);
		uint32_t next = l1_fills_find(&l1->fills, fill->next, line);

		fetched |= fill->fetched;
		if (fill->dirty && !s->dirty)
			s->writer = fill->writer;
		s->dirty |= fill->dirty;
		if (!s->stay)
			s->stay = fill->stay;
		fill->is_dropped = true;
		l1_fills_detach(&l1->fills, name);
		name = next;
	}
	if (first && !s->stay)
		s->stay = l1_lines_begin_stay(l1, line, set, &first->origin, first->asked_cycles);
	l1_stays_move(&l1->stays, s->stay, fetched);
}

void l1_lines_remove(struct l1 *l1, uint32_t slot, uint64_t line, uint32_t set, uint64_t cycle,
                     enum l1_leave reason)
{
	struct l1_slot s = { 0 };

	if (slot != CACHE_ARRAY_NONE) {
		s = l1->slots[slot];
		cache_array_take(&l1->tags, slot);
	}
	drop_fills(l1, line, set, slot, &s);
	leave(l1, &s, line, cycle, reason);
}

void l1_lines_place(struct l1 *l1, uint32_t slot, uint64_t line, uint32_t set,
                    const struct l1_origin *origin, uint64_t cycle)
{
	if (cache_array_is_used(&l1->tags, slot)) {
		uint64_t old = cache_array_key(&l1->tags, slot);

		origin->counters->evictions++;
		if (!l1->is_at_fill)
			drop_fills(l1, old, set, slot, &l1->slots[slot]);
		leave(l1, &l1->slots[slot], old, cycle, L1_LEAVE_REPLACED);
	}
	cache_array_put(&l1->tags, slot, line);
	l1->slots[slot] = (struct l1_slot){ .origin = *origin };
}

/* Returns the stay of a line that gets its slot when *fill arrives; the stay may have begun with
 * another fill of the line. */
static uint32_t stay_of(struct l1 *l1, const struct l1_fill *fill)
{
	uint32_t name = l1->fills.firsts[fill->chain];

	if (!l1->observer || fill->stay)
		return fill->stay;
	while ((name = l1_fills_find(&l1->fills, name, fill->line)) != L1_FILL_NONE) {
		struct l1_fill *other = l1_fills_at(&l1->fills, name);
		uint32_t stay = other->stay;

		other->stay = 0;
		if (stay)
			return stay;
		name = other->next;
	}
	return l1_lines_begin_stay(l1, fill->line, fill->set, &fill->origin, fill->asked_cycles);
}

/* Fill the line of a wanted fill, which must be in no chain. */
static void bring_in(struct l1 *l1, const struct l1_fill *fill, uint64_t cycle)
{
	uint32_t slot =
		l1->is_at_fill ? cache_array_find(&l1->tags, fill->set, fill->line) : fill->chain;
	struct l1_slot *s;

	if (slot == CACHE_ARRAY_NONE) {
		slot = cache_array_victim(&l1->tags, fill->set);
		assert(slot != CACHE_ARRAY_NONE); /* at_fill: nothing is locked */
		l1_lines_place(l1, slot, fill->line, fill->set, &fill->origin, cycle);
		l1->slots[slot].stay = stay_of(l1, fill);
	}
	s = &l1->slots[slot];
	s->valid |= fill->sectors;
	s->promoted |= fill->promoted;
	if (fill->dirty && !s->dirty)
		s->writer = fill->writer;
	s->dirty |= fill->dirty;
	l1_stays_move(&l1->stays, s->stay, fill->fetched);
	if (l1->is_locking && l1_first_fill(l1, slot, fill->set, fill->line) == L1_FILL_NONE)
		cache_array_unlock(&l1->tags, slot);
}

static void arrive(struct l1 *l1, uint32_t name, uint64_t cycle)
{
	struct l1_fill fill = *l1_fills_at(&l1->fills, name);

	if (!fill.is_dropped) {
		l1_fills_detach(&l1->fills, name);
		bring_in(l1, &fill, cycle);
	}
	l1_fills_remove(&l1->fills, name);
}

static void invalidate(struct l1 *l1, uint64_t address, uint64_t cycle)
{
	uint64_t line = address >> l1->line_shift;
	uint32_t set = set_index_find(&l1->index, line);
	uint32_t slot = cache_array_find(&l1->tags, set, line);

	if (slot == CACHE_ARRAY_NONE && l1_first_fill(l1, slot, set, line) == L1_FILL_NONE)
		return;
	l1_lines_remove(l1, slot, line, set, cycle, L1_LEAVE_INVALIDATED);
	miss_classes_take(&l1->classes, line);
}

void l1_lines_arrive(struct l1 *l1, uint64_t until)
{
	const struct below_answer *next;

	while ((next = fifo_peek(&l1->coming)) && next->cycle <= until) {
		const struct below_answer answer = *next;

		fifo_drop(&l1->coming);
		if (answer.cycle > l1->now)
			l1->now = answer.cycle;
		if (answer.kind == ANSWER_DATA)
			arrive(l1, (uint32_t)answer.token_or_line, answer.cycle);
		else
			invalidate(l1, answer.token_or_line, answer.cycle);
	}
}

/* Returns the cycle in which a fill requested now arrives. */
static uint64_t fill_cycle(struct l1 *l1, uint64_t now_cycles, uint32_t bytes)
{
	if (l1->is_immediate)
		return now_cycles;
	return l1->below ? MEMORY_LATER
	                 : l1_link_receive(&l1->link, now_cycles + l1->miss_cycles, bytes);
}

static void ask_below(struct l1 *l1, const struct l1_visit *v, uint32_t name, uint32_t bytes)
{
	uint32_t to_bytes = outbox_sector_bytes(l1->line_bytes);
	struct message m = { .cycle = v->cycle,
		             .line = v->line << l1->line_shift,
		             .token = l1->is_immediate ? OUTBOX_NO_TOKEN : name,
		             .bytes = bytes,
		             .kind = MESSAGE_READ };

	m.sectors = sector_masks_convert(v->fetched, l1->line_bytes, l1->sector_bytes, to_bytes)
	                    .touched;
	l1_lines_send(l1, &v->origin, &m);
}

uint32_t l1_lines_fetch(struct l1 *l1, const struct l1_visit *v)
{
	const struct l1_fill fill = { .line = v->line,
		                      .fetched = v->fetched,
		                      .sectors = v->fetched,
		                      .promoted = v->fetched & ~v->touched,
		                      .cycle = fill_cycle(l1, v->cycle, bytes_of(l1, v->fetched)),
		                      .asked_cycles = v->cycle,
		                      .origin = v->origin,
		                      .set = v->set,
		                      .chain = l1_chain_of(l1, v->slot, v->set),
		                      .bytes = bytes_of(l1, v->fetched),
		                      .requests = 1,
		                      .waiters = L1_WAITER_NONE };
	uint32_t name = l1_fills_add(&l1->fills, &fill);

	if (name == L1_FILL_NONE)
		return name;
	v->origin.counters->bytes_from_l2 += fill.bytes;
	if (l1->below)
		ask_below(l1, v, name, fill.bytes);
	return name;
}

void l1_lines_expect(struct l1 *l1, const struct l1_visit *v, uint32_t name)
{
	struct below_answer answer = { .token_or_line = name, .kind = ANSWER_DATA };

	if (name == L1_FILL_NONE)
		return;
	if (v->slot != CACHE_ARRAY_NONE && l1->is_locking)
		cache_array_lock(&l1->tags, v->slot);
	answer.cycle = l1_fills_at(&l1->fills, name)->cycle;
	if (l1->is_immediate)
		arrive(l1, name, answer.cycle);
	else if (answer.cycle != MEMORY_LATER)
		fifo_push(&l1->coming, &answer);
}

void l1_lines_write_back(struct l1 *l1, const struct l1_visit *v)
{
	struct l1_slot *slot = v->slot == CACHE_ARRAY_NONE ? NULL : &l1->slots[v->slot];
	uint32_t name = l1_first_fill(l1, v->slot, v->set, v->line);
	struct message m = { .cycle = v->cycle, .kind = MESSAGE_WRITE_BACK };
	uint64_t dirty = slot ? slot->dirty & v->touched : 0;
	struct l1_origin writer = dirty ? slot->writer : v->origin;

	if (slot)
		slot->dirty &= ~dirty;
	while (name != L1_FILL_NONE) {
		struct l1_fill *fill = l1_fills_at(&l1->fills, name);
		uint64_t more = fill->dirty & v->touched;

		if (more && !dirty)
			writer = fill->writer;
		dirty |= more;
		fill->dirty &= ~more;
		name = l1_fills_find(&l1->fills, fill->next, v->line);
	}
	if (!dirty)
		return;
	writer.counters->write_backs++;
	writer.counters->bytes_to_l2 += send_line(l1, v->line, dirty, &writer, &m);
}

void l1_lines_end(struct l1 *l1)
{
	for (uint32_t slot = 0; slot < l1->tags.sets * l1->tags.ways; slot++)
		if (cache_array_is_used(&l1->tags, slot))
			leave(l1, &l1->slots[slot], cache_array_key(&l1->tags, slot), l1->now,
			      L1_LEAVE_END);
}

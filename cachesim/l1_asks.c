/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_asks.h"

#include "err.h"
#include "l1_private.h"
#include "request.h"
#include "sector_masks.h"

#include <assert.h>
#include <stdlib.h>

struct waiting {
	struct memory_answer answer; /* so far */
	uint32_t fills;              /* fills that it still waits for */
	uint32_t next_free;
};

/* A request in the list of a fill, or a free link. */
struct link {
	uint32_t request;
	uint32_t next;
};

void l1_waiters_init(struct l1_waiters *w)
{
	*w = (struct l1_waiters){ .free_request = L1_WAITER_NONE, .free_link = L1_WAITER_NONE };
	array_init(&w->requests, sizeof(struct waiting), L1_WAITER_NONE, "requests that wait");
	array_init(&w->links, sizeof(struct link), L1_WAITER_NONE, "requests that wait");
	fifo_init(&w->answers, sizeof(struct memory_answer), "answers of an L1");
}

void l1_waiters_release(struct l1_waiters *w)
{
	array_release(&w->requests);
	array_release(&w->links);
	fifo_release(&w->answers);
}

/* Append an item to an array. Returns its index, or L1_WAITER_NONE. */
static uint32_t push(struct l1_waiters *w, struct array *a)
{
	if (array_push(a, 1, NULL))
		return (uint32_t)a->count - 1;
	w->is_failed = true;
	return L1_WAITER_NONE;
}

static struct waiting *request_at(const struct l1_waiters *w, uint32_t request)
{
	return (struct waiting *)w->requests.data + request;
}

static struct link *link_at(const struct l1_waiters *w, uint32_t link)
{
	return (struct link *)w->links.data + link;
}

uint32_t l1_waiters_add(struct l1_waiters *w, uint32_t waiter, uint64_t cycle)
{
	uint32_t request = w->free_request;

	if (request == L1_WAITER_NONE)
		request = push(w, &w->requests);
	else
		w->free_request = request_at(w, request)->next_free;
	if (request != L1_WAITER_NONE)
		*request_at(w, request) = (struct waiting){ .answer = { waiter, cycle } };
	return request;
}

void l1_waiters_wait(struct l1_waiters *w, uint32_t request, uint32_t *first)
{
	uint32_t link = w->free_link;

	if (request == L1_WAITER_NONE)
		return;
	if (link == L1_WAITER_NONE)
		link = push(w, &w->links);
	else
		w->free_link = link_at(w, link)->next;
	if (link == L1_WAITER_NONE)
		return;
	*link_at(w, link) = (struct link){ request, *first };
	*first = link;
	request_at(w, request)->fills++;
}

void l1_waiters_answer(struct l1_waiters *w, uint32_t waiter, uint64_t cycle)
{
	struct memory_answer *answer = fifo_add(&w->answers);

	if (answer)
		*answer = (struct memory_answer){ waiter, cycle };
}

/* A fill that the request waits for arrives. */
static void arrive(struct l1_waiters *w, uint32_t request, uint64_t cycle)
{
	struct waiting *r = request_at(w, request);

	if (cycle > r->answer.cycle)
		r->answer.cycle = cycle;
	if (--r->fills)
		return;
	l1_waiters_answer(w, r->answer.waiter, r->answer.cycle);
	r->next_free = w->free_request;
	w->free_request = request;
}

void l1_waiters_arrive(struct l1_waiters *w, uint32_t *first, uint64_t cycle)
{
	while (*first != L1_WAITER_NONE) {
		struct link *link = link_at(w, *first);
		uint32_t next = link->next;

		arrive(w, link->request, cycle);
		link->next = w->free_link;
		w->free_link = *first;
		*first = next;
	}
}

bool l1_waiters_next(struct l1_waiters *w, struct memory_answer *out)
{
	const struct memory_answer *answer = fifo_peek(&w->answers);

	if (!answer)
		return false;
	*out = *answer;
	fifo_drop(&w->answers);
	return true;
}

int l1_fills_init(struct l1_fills *f, uint32_t chains, struct err *err)
{
	*f = (struct l1_fills){ .free = L1_FILL_NONE };
	array_init(&f->fills, sizeof(struct l1_fill), L1_FILL_NONE, "fills of an L1");
	f->firsts = array_alloc(chains, sizeof(*f->firsts), "fills of an L1", err);
	if (!f->firsts)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < chains; i++)
		f->firsts[i] = L1_FILL_NONE;
	return 0;
}

void l1_fills_release(struct l1_fills *f)
{
	array_release(&f->fills);
	free(f->firsts);
	*f = (struct l1_fills){ 0 };
}

/* Returns the name of an unused fill, or L1_FILL_NONE if out of memory. */
static uint32_t take_free_fill(struct l1_fills *f)
{
	uint32_t fill = f->free;

	if (fill != L1_FILL_NONE) {
		f->free = l1_fills_at(f, fill)->next;
		return fill;
	}
	if (!array_push(&f->fills, 1, NULL)) {
		f->is_failed = true;
		return L1_FILL_NONE;
	}
	return (uint32_t)f->fills.count - 1;
}

uint32_t l1_fills_add(struct l1_fills *f, const struct l1_fill *fill)
{
	uint32_t added = take_free_fill(f);
	uint32_t *end = &f->firsts[fill->chain];

	if (added == L1_FILL_NONE)
		return added;
	*l1_fills_at(f, added) = *fill;
	l1_fills_at(f, added)->next = L1_FILL_NONE;
	if (fill->is_past)
		return added;
	f->entries++;
	while (*end != L1_FILL_NONE)
		end = &l1_fills_at(f, *end)->next;
	*end = added;
	return added;
}

void l1_fills_detach(struct l1_fills *f, uint32_t fill)
{
	struct l1_fill *detached = l1_fills_at(f, fill);
	uint32_t *at = &f->firsts[detached->chain];

	while (*at != fill)
		at = &l1_fills_at(f, *at)->next;
	*at = detached->next;
	detached->next = L1_FILL_NONE;
}

void l1_fills_remove(struct l1_fills *f, uint32_t fill)
{
	struct l1_fill *removed = l1_fills_at(f, fill);

	f->entries -= !removed->is_past;
	removed->next = f->free;
	f->free = fill;
}

static const size_t AHEAD = 16; /* answers */

void l1_asks_init(struct l1_asks *a)
{
	*a = (struct l1_asks){ .free = L1_ASK_NONE };
	array_init(&a->asks, sizeof(struct l1_ask), L1_ASK_NONE, "what an L1 has asked for");
}

void l1_asks_release(struct l1_asks *a)
{
	array_release(&a->asks);
}

static struct l1_ask *ask_at(const struct l1_asks *a, uint32_t name)
{
	return (struct l1_ask *)a->asks.data + name;
}

/* Returns the name of an unused ask, or L1_ASK_NONE if out of memory. */
static uint32_t take_free(struct l1_asks *a)
{
	uint32_t name = a->free;

	if (name != L1_ASK_NONE) {
		a->free = ask_at(a, name)->next;
		return name;
	}
	if (array_push(&a->asks, 1, NULL))
		return (uint32_t)a->asks.count - 1;
	a->is_failed = true;
	return L1_ASK_NONE;
}

/* Add an ask that `waiter` waits for. Returns its name, which is the token of its message. */
static uint32_t add(struct l1_asks *a, uint32_t slot, uint64_t sectors, uint32_t waiter)
{
	uint32_t name = take_free(a);

	if (name != L1_ASK_NONE)
		*ask_at(a, name) = (struct l1_ask){ .sectors = sectors,
			                            .slot = slot,
			                            .waiter = waiter,
			                            .waiters = L1_WAITER_NONE };
	return name;
}

/* Returns a message with the fields common to all messages of this request. */
static struct message message_of(const struct request *r, uint64_t now_cycles)
{
	return (struct message){ .cycle = now_cycles,
		                 .line = r->line,
		                 .token = OUTBOX_NO_TOKEN,
		                 .site = r->site,
		                 .buffer = r->buffer };
}

/* Converts sectors of L1 to sectors of messages. */
static uint64_t to_message(const struct l1 *l1, uint64_t sectors)
{
	uint32_t to_bytes = outbox_sector_bytes(l1->line_bytes);

	if (l1->sector_bytes == to_bytes)
		return sectors;
	if (l1->sector_bytes == l1->line_bytes)
		return sector_masks_all(l1->line_bytes, to_bytes);
	return sector_masks_convert(sectors, l1->line_bytes, l1->sector_bytes, to_bytes).touched;
}

uint64_t l1_asks_read(struct l1 *l1, const struct request *r, uint64_t sectors, uint32_t slot,
                      uint32_t waiter, uint64_t now_cycles)
{
	struct message m = message_of(r, now_cycles);
	uint64_t word = now_cycles;

	m.kind = MESSAGE_READ;
	m.sectors = to_message(l1, sectors);
	for (uint64_t left = sectors; left; left &= left - 1)
		m.bytes += l1->sector_bytes;
	if (!l1->is_immediate) {
		m.token = add(&l1->asks, slot, sectors, waiter);
		word = L1_ASK_BIT | m.token;
		if (m.token == L1_ASK_NONE)
			return now_cycles;
	}
	outbox_send(l1->below, &m);
	return word;
}

/* Send a message whose answer brings nothing into L1. Returns the cycle of its data, or
 * MEMORY_LATER. */
static uint64_t send_past(struct l1 *l1, const struct request *r, struct message *m)
{
	if (!l1->is_immediate)
		m->token = add(&l1->asks, L1_ASK_NONE, 0, r->waiter);
	if (m->token != L1_ASK_NONE)
		outbox_send(l1->below, m);
	return m->token == OUTBOX_NO_TOKEN ? m->cycle : MEMORY_LATER;
}

uint64_t l1_asks_change(struct l1 *l1, const struct request *r, uint64_t now_cycles)
{
	struct sector_masks masks =
		sector_masks_find(r, l1->line_bytes, outbox_sector_bytes(l1->line_bytes));
	struct message m = message_of(r, now_cycles);

	m.kind = r->kind == SITE_ATOMIC ? MESSAGE_ATOMIC : MESSAGE_WRITE;
	m.bytes = r->bytes_used;
	m.sectors = masks.touched;
	if (r->kind == SITE_ATOMIC)
		return send_past(l1, r, &m);
	m.whole = masks.whole;
	outbox_send(l1->below, &m);
	if (outbox_has_parts(&m))
		outbox_send_part(l1->below, r->used);
	return now_cycles;
}

uint64_t l1_asks_read_past(struct l1 *l1, const struct request *r, uint32_t bytes,
                           uint64_t now_cycles)
{
	struct message m = message_of(r, now_cycles);

	m.kind = MESSAGE_READ_PAST;
	m.bytes = bytes;
	m.sectors =
		sector_masks_find(r, l1->line_bytes, outbox_sector_bytes(l1->line_bytes)).touched;
	return send_past(l1, r, &m);
}

void l1_asks_wait(struct l1 *l1, const struct request *r, const uint64_t *words, uint64_t sectors,
                  uint64_t cycle)
{
	uint32_t waiting = l1_waiters_add(&l1->waiters, r->waiter, cycle);

	while (sectors && !l1->asks.is_failed) {
		uint64_t word = words[1 + __builtin_ctzll(sectors)];
		struct l1_ask *ask;

		sectors &= sectors - 1;
		if (!(word & L1_ASK_BIT))
			continue;
		ask = ask_at(&l1->asks, (uint32_t)word);
		l1_waiters_wait(&l1->waiters, waiting, &ask->waiters);
		sectors &= ~ask->sectors;
	}
}

static uint64_t *words_of(const struct l1 *l1, const struct l1_ask *ask)
{
	return l1->sector_words + (size_t)ask->slot * l1->slot_words;
}

/* Answer an ask. */
static void answer(struct l1 *l1, uint32_t name, uint64_t cycle)
{
	struct l1_ask *ask = ask_at(&l1->asks, name);

	if (ask->waiter != L1_ASK_NONE)
		l1_waiters_answer(&l1->waiters, ask->waiter, cycle);
	l1_waiters_arrive(&l1->waiters, &ask->waiters, cycle);
	if (ask->slot != L1_ASK_NONE) {
		uint64_t *words = words_of(l1, ask);

		for (uint64_t left = ask->sectors; left; left &= left - 1) {
			uint64_t *word = &words[1 + __builtin_ctzll(left)];

			if (*word == (L1_ASK_BIT | name))
				*word = cycle;
		}
	}
	ask->next = l1->asks.free;
	l1->asks.free = name;
}

/* Prefetch the asks and words of later answers. */
static void fetch_ahead(const struct l1 *l1, const struct below_answer *answers, size_t count)
{
	const struct l1_ask *ask;

	if (count > 2 * AHEAD)
		__builtin_prefetch(ask_at(&l1->asks, (uint32_t)answers[2 * AHEAD].token_or_line));
	if (count <= AHEAD)
		return;
	ask = ask_at(&l1->asks, (uint32_t)answers[AHEAD].token_or_line);
	if (ask->slot != L1_ASK_NONE)
		__builtin_prefetch(words_of(l1, ask), 1);
}

void l1_asks_settle(struct l1 *l1, const struct below_answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert(answers[i].kind == ANSWER_DATA);
		fetch_ahead(l1, answers + i, count - i);
		answer(l1, (uint32_t)answers[i].token_or_line, answers[i].cycle);
	}
}

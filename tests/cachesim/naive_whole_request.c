/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_whole_private.h"

#include "counters.h"

#include <string.h>

/* A request as this oracle sees it. */
struct asked {
	const struct request *r;
	struct counters *c;
	uint64_t line, now;
	uint32_t set;
	int64_t slot;                                  /* -1: none */
	bool is_past;                                  /* a read that bypasses */
	bool touched[NAIVE_BYTES], whole[NAIVE_BYTES]; /* sectors */
	struct l1_outcome *o;
};

static bool is_off(const struct naive_whole *n)
{
	return n->gpu->latency == GPU_LATENCY_OFF;
}

static bool is_back(const struct naive_whole *n)
{
	return n->gpu->l1_write == GPU_L1_WRITE_BACK_ALLOCATE;
}

static struct l1_residency origin_of(const struct asked *a, uint32_t line_bytes)
{
	return (struct l1_residency){ .line = a->line * line_bytes,
		                      .group = a->r->group,
		                      .warp = a->r->warp,
		                      .site = a->r->site,
		                      .buffer = a->r->buffer,
		                      .set = a->set,
		                      .in_cycles = a->now };
}

/* SEMANTICS 5: of all references up to now. A line that was never referenced is cold; taken out
 * since it was, coherence. */
static enum l1_event class_of(const struct naive_whole *n, uint64_t line)
{
	uint64_t others = 0;

	for (size_t t = n->event_count; t-- > 0;) {
		const struct naive_event *e = &n->events[t];
		bool is_known = e->is_taking;

		if (e->line == line && e->is_taking)
			return L1_COHERENCE;
		if (e->line == line)
			return others >= (uint64_t)n->gpu->l1_sets * n->gpu->l1_ways ? L1_CAPACITY
			                                                             : L1_CONFLICT;
		for (size_t later = t + 1; later < n->event_count && !is_known; later++)
			is_known = !n->events[later].is_taking && n->events[later].line == e->line;
		others += !is_known;
	}
	return L1_COLD;
}

/* A request finds its line, or begins its stay. */
static void note_stay(struct naive_whole *n, const struct asked *a, bool is_first)
{
	struct naive_fetch *f = naive_oldest(n, a->line);
	size_t *stay = a->slot >= 0 ? &n->ways[a->slot].stay : f ? &f->stay : NULL;
	const struct l1_residency origin = origin_of(a, n->gpu->l1_line_bytes);
	struct naive_stay *s;

	if (!stay)
		return;
	if (!*stay) {
		*stay = naive_begin_stay(n, &origin);
		is_first = true;
	}
	s = &n->stays[*stay];
	if (a->r->kind == SITE_WRITE) {
		s->x.writes++;
		return;
	}
	s->x.uses += !is_first;
	s->x.first_bytes_used += is_first ? a->r->bytes_used : 0;
	for (uint32_t i = 0; i < n->gpu->l1_line_bytes; i++)
		s->is_used[i] |= a->r->used[i / 64] >> i % 64 & 1;
}

/* Its data waits for this answer. */
static void wait_for(struct naive_whole *n, size_t answer)
{
	n->waits[n->outcome_count - 1][answer] = true;
}

static struct naive_fetch *fetch(struct naive_whole *n, const struct asked *a, const bool *sectors)
{
	struct naive_fetch *f = &n->fetches[n->fetch_count++];

	*f = (struct naive_fetch){ .line = a->line,
		                   .asked = a->now,
		                   .counters = a->c,
		                   .requests = 1,
		                   .is_wanted = true,
		                   .origin = origin_of(a, n->gpu->l1_line_bytes) };
	memcpy(f->asked_for, sectors, n->sectors);
	memcpy(f->sectors, sectors, n->sectors);
	f->bytes = naive_count(n, sectors) * n->sector_bytes;
	f->answer = naive_ask(n, a->now, f->bytes);
	a->c->bytes_from_l2 += f->bytes;
	naive_send(n, MESSAGE_READ, a->line, f->bytes, a->now);
	if (a->slot >= 0 && naive_is_limited(n) && !naive_is_at_fill(n))
		n->tags.lines[a->slot].is_locked = true;
	if (naive_entries(n) > n->most_entries)
		n->most_entries = naive_entries(n);
	return f;
}

static struct naive_fetch *fetch_promoted(struct naive_whole *n, const struct asked *a,
                                          const bool *sectors, const bool *promoted)
{
	struct naive_fetch *f = fetch(n, a, sectors);

	memcpy(f->promoted, promoted, n->sectors);
	return f;
}

/* For each sector that `needs`: the oldest fetch that brings it, or it is missing. */
struct search {
	bool missing[NAIVE_BYTES];
	struct naive_fetch *shared[NAIVE_BYTES];
	bool is_full;
	uint32_t missing_count, shared_count;
};

static struct search look(struct naive_whole *n, const struct asked *a, const bool *needs)
{
	struct search found = { 0 };

	for (uint32_t s = 0; s < n->sectors; s++) {
		if (!needs[s] || (a->slot >= 0 && n->ways[a->slot].valid[s]))
			continue;
		for (size_t i = 0; i < n->fetch_count && !found.shared[s]; i++)
			if (naive_is_on_way(&n->fetches[i], a->line) && n->fetches[i].sectors[s])
				found.shared[s] = &n->fetches[i];
		found.missing[s] = !found.shared[s];
		found.missing_count += found.missing[s];
		found.shared_count += !found.missing[s];
		if (found.shared[s] && n->gpu->l1_mshr_merge &&
		    found.shared[s]->requests >= n->gpu->l1_mshr_merge)
			found.is_full = true;
	}
	return found;
}

static bool has_entry(const struct naive_whole *n)
{
	return !n->gpu->l1_mshr_entries || naive_entries(n) < n->gpu->l1_mshr_entries;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* With latency = off it is there before anything else happens. */
static void come_at_once(struct naive_whole *n, uint64_t now)
{
	if (is_off(n))
		naive_comes(n, now);
}

static void count_read(struct naive_whole *n, struct asked *a, bool is_there, bool is_all_there)
{
	struct counters *c = a->c;
	enum l1_event e = class_of(n, a->line);

	if (is_there)
		e = a->o->sectors ? L1_SECTOR : is_all_there ? L1_HIT : L1_PENDING;
	c->reads++;
	c->read_hits += e == L1_HIT;
	c->pending_hits += e == L1_PENDING;
	c->read_misses += e != L1_HIT && e != L1_PENDING;
	c->cold += e == L1_COLD;
	c->coherence += e == L1_COHERENCE;
	c->capacity += e == L1_CAPACITY;
	c->conflict += e == L1_CONFLICT;
	c->sector += e == L1_SECTOR;
	a->o->event = e;
	n->events[n->event_count++] = (struct naive_event){ a->line, false };
}

/* The sectors beyond those missing that the read fetches. */
static void find_promoted(struct naive_whole *n, const struct asked *a, const struct search *found,
                          bool *promoted)
{
	uint32_t to = n->gpu->l1_promotion_bytes, last = 0;
	bool more[NAIVE_BYTES] = { false };
	struct search s;

	if (!found->missing_count || !a->r->is_last || to <= n->sector_bytes ||
	    to > n->gpu->l1_line_bytes)
		return;
	for (uint32_t i = 0; i < n->sectors; i++)
		last = a->touched[i] ? i : last;
	for (uint32_t i = last + 1; i * n->sector_bytes % to; i++)
		more[i] = true;
	s = look(n, a, more);
	memcpy(promoted, s.missing, n->sectors);
}

/* Whether sector s was promoted and not asked for since; it has been now. */
static bool take_promoted(struct naive_whole *n, const struct asked *a, uint32_t s)
{
	bool is_taken = a->slot >= 0 && n->ways[a->slot].promoted[s];

	if (a->slot >= 0)
		n->ways[a->slot].promoted[s] = false;
	for (size_t i = 0; i < n->fetch_count; i++) {
		if (!naive_is_on_way(&n->fetches[i], a->line))
			continue;
		is_taken |= n->fetches[i].promoted[s];
		n->fetches[i].promoted[s] = false;
	}
	return is_taken;
}

static void count_sectors(struct naive_whole *n, struct asked *a, const struct search *found,
                          const bool *promoted)
{
	struct l1_sector_counts *counts = &a->o->counts;

	for (uint32_t s = 0; s < n->sectors; s++) {
		bool was_promoted = a->touched[s] && take_promoted(n, a, s);

		counts->missed += found->missing[s];
		counts->promoted += promoted[s];
		counts->promoted_hit += was_promoted;
		counts->hit += a->touched[s] && !found->missing[s] && !was_promoted;
	}
	a->c->sectors_hit += counts->hit;
	a->c->sectors_missed += counts->missed;
	a->c->sectors_promoted += counts->promoted;
	a->c->sectors_promoted_hit += counts->promoted_hit;
}

static uint64_t mask_of(const struct naive_whole *n, const bool *sectors)
{
	uint64_t mask = 0;

	for (uint32_t s = 0; s < n->sectors; s++)
		mask |= (uint64_t)sectors[s] << s;
	return mask;
}

/* False when it has to wait. */
static bool read_line(struct naive_whole *n, struct asked *a, uint64_t *soonest)
{
	struct search found = look(n, a, a->touched);
	bool had_way = a->slot >= 0, is_there = had_way || naive_oldest(n, a->line);
	bool promoted[NAIVE_BYTES] = { false }, fetched[NAIVE_BYTES];

	find_promoted(n, a, &found, promoted);
	for (uint32_t s = 0; s < n->sectors; s++)
		fetched[s] = found.missing[s] || promoted[s];
	if (found.is_full || (found.missing_count && !has_entry(n)))
		return false;
	if (!is_there && !naive_is_at_fill(n)) {
		a->slot = naive_place(n, a->line, a->set, a->c, a->now);
		if (a->slot < 0)
			return false;
	}
	if (had_way)
		naive_array_use(&n->tags, a->slot);
	a->o->sectors = mask_of(n, fetched);
	count_sectors(n, a, &found, promoted);
	count_read(n, a, is_there, !found.missing_count && !found.shared_count);
	*soonest = a->now + (is_off(n) ? 0 : n->gpu->l1_hit_cycles);
	for (uint32_t s = 0; s < n->sectors; s++) {
		bool is_first = found.shared[s];

		for (uint32_t before = 0; before < s; before++)
			is_first &= found.shared[before] != found.shared[s];
		if (is_first)
			found.shared[s]->requests++;
		if (found.shared[s])
			wait_for(n, found.shared[s]->answer);
	}
	if (found.missing_count)
		wait_for(n, fetch_promoted(n, a, fetched, promoted)->answer);
	note_stay(n, a, !is_there);
	come_at_once(n, a->now);
	return true;
}

/* What is written to a line that has a way, or else comes with its oldest fetch. */
static void mark_written(struct naive_whole *n, const struct asked *a)
{
	struct naive_fetch *f = a->slot >= 0 ? NULL : naive_oldest(n, a->line);

	for (uint32_t s = 0; s < n->sectors; s++) {
		*(f ? &f->sectors[s] : &n->ways[a->slot].valid[s]) |= a->whole[s];
		if (is_back(n))
			*(f ? &f->dirty[s] : &n->ways[a->slot].dirty[s]) |= a->touched[s];
	}
	if (is_back(n))
		*(f ? &f->writer : &n->ways[a->slot].writer) = a->c;
}

/* A write that may bring its line in. */
static bool write_into(struct naive_whole *n, struct asked *a)
{
	bool needs[NAIVE_BYTES] = { false }, had_way = a->slot >= 0;
	bool is_there = had_way || naive_oldest(n, a->line);
	struct search found;

	for (uint32_t s = 0; s < n->sectors && is_back(n); s++)
		needs[s] = a->touched[s] && !a->whole[s];
	found = look(n, a, needs);
	if (found.missing_count && !has_entry(n))
		return false;
	if (!is_there && !(found.missing_count && naive_is_at_fill(n))) {
		a->slot = naive_place(n, a->line, a->set, a->c, a->now);
		if (a->slot < 0)
			return false;
	}
	if (had_way)
		naive_array_use(&n->tags, a->slot);
	n->events[n->event_count++] = (struct naive_event){ a->line, false };
	a->o->sectors = mask_of(n, found.missing);
	if (found.missing_count)
		fetch(n, a, found.missing);
	mark_written(n, a);
	note_stay(n, a, !is_there);
	come_at_once(n, a->now);
	return true;
}

static bool write_line(struct naive_whole *n, struct asked *a)
{
	bool is_there = a->slot >= 0 || naive_oldest(n, a->line), is_into = is_back(n);
	struct search absent = look(n, a, a->touched);

	if (n->gpu->l1_write == GPU_L1_WRITE_THROUGH_ALLOCATE)
		is_into = is_there || naive_count(n, a->whole);
	if (is_into && !write_into(n, a))
		return false;
	if (!is_into && is_there)
		note_stay(n, a, false);
	if (n->gpu->l1_write == GPU_L1_WRITE_THROUGH_EVICT)
		naive_take_out(n, a->line, a->set, a->now, L1_LEAVE_WRITTEN);
	a->c->writes++;
	a->c->write_hits += is_there;
	a->o->counts.missed = absent.missing_count;
	a->o->counts.hit = naive_count(n, a->touched) - absent.missing_count;
	a->c->write_sectors_hit += a->o->counts.hit;
	a->c->write_sectors_missed += a->o->counts.missed;
	if (!is_back(n)) {
		a->c->bytes_to_l2 += a->r->bytes_used;
		naive_send(n, MESSAGE_WRITE, a->line, a->r->bytes_used, a->now);
	}
	a->o->event = is_there ? L1_WRITE_HIT : L1_WRITE;
	return true;
}

static void read_past(struct naive_whole *n, struct asked *a)
{
	uint32_t bytes = naive_past_bytes(n, a->r);

	naive_clean(n, a->line, a->slot, a->touched, a->now);
	naive_send(n, MESSAGE_READ_PAST, a->line, bytes, a->now);
	wait_for(n, naive_ask(n, a->now, bytes));
	a->c->bypasses++;
	a->c->bytes_bypassed += bytes;
	a->c->bytes_from_l2 += bytes;
	a->o->event = L1_BYPASS;
}

static bool serve(struct naive_whole *n, struct asked *a)
{
	uint64_t *soonest = &n->soonest[n->outcome_count - 1];

	n->sent_before = n->sent_count;
	a->slot = naive_array_find(&n->tags, a->set, a->line);
	*soonest = a->now;
	if (a->is_past) {
		read_past(n, a);
		return true;
	}
	if (a->r->kind == SITE_READ)
		return read_line(n, a, soonest);
	if (a->r->kind == SITE_WRITE)
		return write_line(n, a);
	naive_take_out(n, a->line, a->set, a->now, L1_LEAVE_ATOMIC);
	wait_for(n, naive_ask(n, a->now, naive_past_bytes(n, a->r)));
	naive_send(n, MESSAGE_ATOMIC, a->line, a->r->bytes_used, a->now);
	a->c->atomics++;
	a->c->bytes_to_l2 += a->r->bytes_used;
	a->o->event = L1_ATOMIC;
	return true;
}

/* Which sectors have a byte used, and which have all. */
static void find_sectors(const struct naive_whole *n, struct asked *a)
{
	for (uint32_t s = 0; s < n->sectors; s++) {
		uint32_t used = 0;

		for (uint32_t i = s * n->sector_bytes; i < (s + 1) * n->sector_bytes; i++)
			used += (uint32_t)(a->r->used[i / 64] >> i % 64 & 1);
		a->touched[s] = used > 0;
		a->whole[s] = used == n->sector_bytes;
	}
}

static void ask(struct naive_whole *n, const struct request *r, bool is_past, uint64_t now,
                struct counters *c)
{
	struct l1_outcome *o = &n->outcomes[n->outcome_count++];
	struct asked a = { .r = r, .c = c, .line = r->line / n->gpu->l1_line_bytes, .o = o };

	a.is_past = is_past;
	find_sectors(n, &a);
	a.set = (uint32_t)(a.line % n->gpu->l1_sets);
	a.now = later(now, n->port_free);
	while (naive_comes(n, a.now))
		;
	while (!serve(n, &a)) { /* cycle by cycle; it looks when something has come */
		c->reservation_fails += o->stall_cycles == 0;
		do {
			o->stall_cycles++;
			a.now++;
		} while (!naive_comes(n, a.now));
		while (naive_comes(n, a.now))
			;
	}
	if (a.now > now)
		n->port_free = a.now + n->gpu->l1_request_cycles;
	n->now = later(n->now, a.now);
	c->stall_cycles += o->stall_cycles;
	c->lanes += r->lanes;
	c->bytes_asked += r->bytes_used;
	o->cycle = a.now;
	o->set = a.set;
	o->bytes_fetched = is_past ? naive_past_bytes(n, r)
	                           : (uint32_t)__builtin_popcountll(o->sectors) * n->sector_bytes;
}

void naive_whole_request(struct naive_whole *n, const struct request *r, uint64_t now,
                         struct counters *c)
{
	ask(n, r, false, now, c);
}

void naive_whole_past(struct naive_whole *n, const struct request *r, uint64_t now,
                      struct counters *c)
{
	ask(n, r, true, now, c);
}

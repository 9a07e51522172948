/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_whole_private.h"

#include "counters.h"

#include <string.h>

void naive_whole_init(struct naive_whole *n, const struct gpu *gpu)
{
	memset(n, 0, sizeof(*n));
	n->gpu = gpu;
	n->sector_bytes = gpu->l1_sector_bytes ? gpu->l1_sector_bytes : gpu->l1_line_bytes;
	n->sectors = gpu->l1_line_bytes / n->sector_bytes;
	n->stay_count = 1;
	naive_array_init(&n->tags, gpu->l1_sets, gpu->l1_ways, &gpu->l1_policy);
}

void naive_whole_release(struct naive_whole *n)
{
	naive_array_release(&n->tags);
}

uint32_t naive_count(const struct naive_whole *n, const bool *sectors)
{
	uint32_t count = 0;

	for (uint32_t s = 0; s < n->sectors; s++)
		count += sectors[s];
	return count;
}

/* Stays. */

size_t naive_begin_stay(struct naive_whole *n, const struct l1_residency *origin)
{
	n->stays[n->stay_count].x = *origin;
	return n->stay_count++;
}

static void end_stay(struct naive_whole *n, size_t stay, uint64_t now, enum l1_leave reason)
{
	struct naive_stay *s = &n->stays[stay];

	for (uint32_t i = 0; i < n->gpu->l1_line_bytes; i++)
		s->x.bytes_used += s->is_used[i] && s->has_come[i];
	s->x.out_cycles = now;
	s->x.reason = reason;
	n->left[n->left_count++] = s->x;
}

/* Fetches. */

bool naive_is_on_way(const struct naive_fetch *f, uint64_t line)
{
	return f->is_wanted && !f->is_over && f->line == line;
}

/* The oldest wanted one of this line; NULL: none. */
struct naive_fetch *naive_oldest(struct naive_whole *n, uint64_t line)
{
	for (size_t i = 0; i < n->fetch_count; i++)
		if (naive_is_on_way(&n->fetches[i], line))
			return &n->fetches[i];
	return NULL;
}

uint32_t naive_entries(const struct naive_whole *n)
{
	uint32_t count = 0;

	for (size_t i = 0; i < n->fetch_count; i++)
		count += !n->fetches[i].is_over;
	return count;
}

/* The bytes of a fetch come, or are on their way to a line that has left. */
static void note_moved(const struct naive_whole *n, struct naive_stay *s,
                       const struct naive_fetch *f)
{
	s->x.bytes_moved += f->bytes;
	for (uint32_t i = 0; i < n->gpu->l1_line_bytes; i++)
		s->has_come[i] |= f->asked_for[i / n->sector_bytes];
}

/* The line is not wanted any more; what was in slot `way` (NULL: it had none) is lost. */
static void forget(struct naive_whole *n, struct naive_way *way, uint64_t line, uint64_t now,
                   enum l1_leave reason)
{
	static const struct naive_way nothing;
	struct naive_way w = way ? *way : nothing;
	bool drops =
		reason != L1_LEAVE_END && !(reason == L1_LEAVE_REPLACED && naive_is_at_fill(n));
	const struct naive_fetch *oldest = NULL;
	struct naive_stay lost = { 0 }; /* what its fetches bring */
	uint32_t dirty;

	for (size_t i = 0; drops && i < n->fetch_count; i++) {
		struct naive_fetch *f = &n->fetches[i];

		if (!naive_is_on_way(f, line))
			continue;
		f->is_wanted = false;
		note_moved(n, &lost, f);
		oldest = oldest ? oldest : f;
		if (!w.stay)
			w.stay = f->stay;
		if (!naive_count(n, w.dirty) && naive_count(n, f->dirty))
			w.writer = f->writer;
		for (uint32_t s = 0; s < n->sectors; s++)
			w.dirty[s] |= f->dirty[s];
	}
	dirty = naive_count(n, w.dirty);
	if (dirty) {
		w.writer->write_backs++;
		w.writer->bytes_to_l2 += (uint64_t)dirty * n->sector_bytes;
		naive_send(n, MESSAGE_WRITE_BACK, line, dirty * n->sector_bytes, now);
	}
	if (!w.stay && oldest) /* it was replaced while more of it was on its way */
		w.stay = naive_begin_stay(n, &oldest->origin);
	n->stays[w.stay].x.bytes_moved += lost.x.bytes_moved;
	for (uint32_t i = 0; i < n->gpu->l1_line_bytes; i++)
		n->stays[w.stay].has_come[i] |= lost.has_come[i];
	end_stay(n, w.stay, now, reason);
	if (way)
		*way = nothing;
}

/* A way for a line; -1 when there is none. */
int64_t naive_place(struct naive_whole *n, uint64_t line, uint32_t set, struct counters *c,
                    uint64_t now)
{
	int64_t slot = naive_array_victim(&n->tags, set);

	if (slot < 0)
		return -1;
	if (n->tags.lines[slot].is_used) {
		c->evictions++;
		forget(n, &n->ways[slot], n->tags.lines[slot].key, now, L1_LEAVE_REPLACED);
	}
	naive_array_put(&n->tags, slot, line);
	return slot;
}

/* The stay of a line that gets its way with *f. */
static size_t stay_of(struct naive_whole *n, struct naive_fetch *f)
{
	if (f->stay)
		return f->stay;
	for (size_t i = 0; i < n->fetch_count; i++) {
		size_t stay = n->fetches[i].stay;

		if (!naive_is_on_way(&n->fetches[i], f->line) || !stay)
			continue;
		n->fetches[i].stay = 0;
		return stay;
	}
	return naive_begin_stay(n, &f->origin);
}

static void fetch_comes(struct naive_whole *n, struct naive_fetch *f)
{
	uint32_t set = f->origin.set;
	int64_t slot = naive_array_find(&n->tags, set, f->line);
	struct naive_way *w;

	f->is_over = true;
	if (!f->is_wanted)
		return;
	if (slot < 0) {
		slot = naive_place(n, f->line, set, f->counters, n->answers[f->answer].comes);
		n->ways[slot].stay = stay_of(n, f);
	}
	w = &n->ways[slot];
	if (!naive_count(n, w->dirty))
		w->writer = f->writer;
	for (uint32_t s = 0; s < n->sectors; s++) {
		w->valid[s] |= f->sectors[s];
		w->promoted[s] |= f->promoted[s];
		w->dirty[s] |= f->dirty[s];
	}
	note_moved(n, &n->stays[w->stay], f);
	if (!naive_oldest(n, f->line))
		n->tags.lines[slot].is_locked = false;
}

void naive_take_out(struct naive_whole *n, uint64_t line, uint32_t set, uint64_t now,
                    enum l1_leave reason)
{
	int64_t slot = naive_array_find(&n->tags, set, line);

	if (slot < 0 && !naive_oldest(n, line))
		return;
	forget(n, slot < 0 ? NULL : &n->ways[slot], line, now, reason);
	if (slot >= 0) {
		n->tags.lines[slot].is_locked = false;
		naive_array_take(&n->tags, slot);
	}
	n->events[n->event_count++] = (struct naive_event){ line, true };
}

size_t naive_ask(struct naive_whole *n, uint64_t now, uint32_t bytes)
{
	struct naive_answer *a = &n->answers[n->answer_count];
	bool is_off = n->gpu->latency == GPU_LATENCY_OFF;

	a->cycle = is_off ? now : now + n->latency(n->context, n->answer_count);
	a->comes = UINT64_MAX;
	a->bytes = bytes;
	if (is_off || n->gpu->bandwidth == GPU_BANDWIDTH_OFF || !n->gpu->l1_fill_bytes)
		a->comes = a->cycle;
	return n->answer_count++;
}

/* One byte after another: when the last of them has come. */
static uint64_t receive(struct naive_whole *n, const struct naive_answer *a)
{
	if (a->cycle > n->link_cycle) {
		n->link_cycle = a->cycle;
		n->link_used = 0;
	}
	for (uint32_t i = 0; i < a->bytes; i++) {
		if (n->link_used == n->gpu->l1_fill_bytes) {
			n->link_cycle++;
			n->link_used = 0;
		}
		n->link_used++;
	}
	return n->link_cycle;
}

/* The answer, and the invalidation, that nobody has received yet and that are first; NULL: none. */
static struct naive_answer *next_answer(struct naive_whole *n)
{
	struct naive_answer *first = NULL;

	for (size_t i = 0; i < n->answer_count; i++)
		if (n->answers[i].comes == UINT64_MAX &&
		    (!first || n->answers[i].cycle < first->cycle))
			first = &n->answers[i];
	return first;
}

static struct naive_invalidation *next_invalidation(struct naive_whole *n)
{
	for (size_t i = 0; i < n->invalidation_count; i++)
		if (!n->invalidations[i].comes)
			return &n->invalidations[i];
	return NULL;
}

/* What is answered up to `until` is received, in the order of these cycles: of equals data first,
 * what was asked for first. An invalidation does not overtake data. */
static void receive_all(struct naive_whole *n, uint64_t until)
{
	for (;;) {
		struct naive_answer *first = next_answer(n);
		struct naive_invalidation *out = next_invalidation(n);

		if (first && first->cycle <= until && (!out || first->cycle <= out->cycle))
			first->comes = receive(n, first);
		else if (out && out->cycle <= until)
			out->comes = out->cycle > n->link_cycle ? out->cycle : n->link_cycle;
		else
			return;
	}
}

/* Whether *a comes before *b: of what comes in one cycle what was answered first. */
static bool is_before(const struct naive_whole *n, const struct naive_fetch *a,
                      const struct naive_fetch *b)
{
	const struct naive_answer *x = &n->answers[a->answer], *y = &n->answers[b->answer];

	return x->comes != y->comes ? x->comes < y->comes : x->cycle < y->cycle;
}

static bool is_before_out(const struct naive_answer *a, const struct naive_invalidation *out)
{
	return a->comes != out->comes ? a->comes < out->comes : a->cycle <= out->cycle;
}

static void note_cycle(struct naive_whole *n, uint64_t cycle)
{
	n->now = cycle > n->now ? cycle : n->now;
}

/* What comes next up to `until`: the earliest, of equals what was answered first, data before an
 * invalidation, the oldest first. */
bool naive_comes(struct naive_whole *n, uint64_t until)
{
	struct naive_fetch *first = NULL;
	struct naive_invalidation *out = NULL;
	const struct naive_answer *a;

	receive_all(n, until);
	for (size_t i = 0; i < n->fetch_count; i++)
		if (!n->fetches[i].is_over && (!first || is_before(n, &n->fetches[i], first)))
			first = &n->fetches[i];
	for (size_t i = 0; i < n->invalidation_count && !out; i++)
		if (n->invalidations[i].comes && !n->invalidations[i].is_over)
			out = &n->invalidations[i];
	a = first ? &n->answers[first->answer] : NULL;
	if (a && a->comes <= until && (!out || is_before_out(a, out))) {
		note_cycle(n, a->comes);
		fetch_comes(n, first);
		return true;
	}
	if (!out || out->comes > until)
		return false;
	out->is_over = true;
	note_cycle(n, out->comes);
	naive_take_out(n, out->line, (uint32_t)(out->line % n->gpu->l1_sets), out->comes,
	               L1_LEAVE_INVALIDATED);
	return true;
}

void naive_whole_end(struct naive_whole *n, uint64_t now)
{
	n->now = now > n->now ? now : n->now;
	while (naive_comes(n, UINT64_MAX))
		;
	for (uint32_t slot = 0; slot < n->gpu->l1_sets * n->gpu->l1_ways; slot++)
		if (n->tags.lines[slot].is_used)
			forget(n, &n->ways[slot], n->tags.lines[slot].key, n->now, L1_LEAVE_END);
}

uint64_t naive_whole_data(const struct naive_whole *n, size_t number)
{
	uint64_t data = n->soonest[number];

	for (size_t i = 0; i < n->answer_count; i++)
		if (n->waits[number][i] && n->answers[i].comes > data)
			data = n->answers[i].comes;
	return data;
}

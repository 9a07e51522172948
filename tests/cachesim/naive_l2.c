/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_l2.h"

#include "cmocka_all.h"
#include "naive_places.h"

#include <string.h>

/* Count something of a site and of a line's slice. */
#define ADD(n, line, site, name, count)                                                            \
	((n)->sites[site].name += (count),                                                         \
	 (n)->slices[naive_slice_of((n)->gpu, line)].name += (count))

/* A message in the terms of L2. */
struct asked {
	uint64_t line, cycle;
	bool sectors[NAIVE_SECTORS], whole[NAIVE_SECTORS];
	bool is_known; /* which bytes of the line a write writes: */
	bool written[NAIVE_LINE_BYTES];
	uint32_t site, sm, slice;
	bool is_past; /* no L1 keeps it */
};

/* Byte i of the line is read from, or written to, DRAM where is_moved[i's sector]. */
static void move_bytes(struct naive_l2 *n, uint64_t line, const bool *is_moved, bool is_write)
{
	const struct gpu *gpu = n->gpu;
	bool was_moved = false;

	for (uint32_t i = 0; i < gpu->l2_line_bytes; i++) {
		uint64_t address = line * gpu->l2_line_bytes + i;
		uint64_t piece = address / gpu->dram_interleave_bytes;
		struct dram_counters *c = &n->channels[piece % gpu->dram_channels];
		bool is_first = !was_moved || piece * gpu->dram_interleave_bytes == address;

		was_moved = is_moved[i / naive_sector_bytes(gpu)];
		if (!was_moved)
			continue;
		if (is_write) {
			c->writes += is_first;
			c->bytes_written++;
			c->sectors_written += address % 32 == 0;
		} else {
			c->reads += is_first;
			c->bytes_read++;
			c->sectors_read += address % 32 == 0;
		}
	}
}

static uint64_t moved_bytes(const struct gpu *gpu, const bool *is_moved)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < naive_sector_count(gpu); i++)
		bytes += is_moved[i] ? naive_sector_bytes(gpu) : 0;
	return bytes;
}

static void write_dram(struct naive_l2 *n, uint64_t line, const bool *sectors, uint32_t site)
{
	ADD(n, line, site, bytes_to_dram, moved_bytes(n->gpu, sectors));
	move_bytes(n, line, sectors, true);
}

/* Of these sectors the dirty ones are written. */
static void clean(struct naive_l2 *n, struct naive_line *l, const bool *sectors)
{
	bool written[NAIVE_SECTORS] = { false }, any = false;

	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++) {
		written[i] = sectors[i] && l->dirty[i];
		any = any || written[i];
		if (written[i])
			l->dirty[i] = false;
	}
	if (!any)
		return;
	ADD(n, l->line, l->writer, write_backs, 1);
	write_dram(n, l->line, written, l->writer);
}

struct naive_line *naive_l2_find(struct naive_l2 *n, uint64_t line)
{
	for (uint32_t i = 0; i < NAIVE_LINES; i++)
		if (n->lines[i].is_used && n->lines[i].line == line)
			return &n->lines[i];
	return NULL;
}

static void use(struct naive_l2 *n, struct naive_line *l)
{
	n->events++;
	if (n->gpu->l2_policy.kind == GPU_POLICY_LRU)
		l->moved = n->events;
}

static void tell(struct naive_l2 *n, const struct naive_line *l, const struct asked *a)
{
	uint64_t last = a->cycle;

	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++)
		if (l->valid[i] && l->ready[i] > last)
			last = l->ready[i];
	for (uint32_t sm = 0; sm < NAIVE_SMS; sm++) {
		if (!l->is_shared[sm])
			continue;
		ADD(n, a->line, a->site, invalidations, 1);
		for (uint32_t at = 0; at < n->gpu->l2_line_bytes; at += n->gpu->l1_line_bytes) {
			assert_true(n->invalidation_count < NAIVE_INVALIDATIONS);
			n->invalidations[n->invalidation_count++] =
				(struct naive_invalidation){ last + naive_horizon(n->gpu),
				                             l->line * n->gpu->l2_line_bytes + at,
				                             sm };
		}
	}
}

/* The line of the message, brought in if it is not there: in place of the one of its slice and set
 * that has not moved for longest, when that is full. */
static struct naive_line *bring(struct naive_l2 *n, const struct asked *a)
{
	struct naive_line *l = naive_l2_find(n, a->line), *oldest = NULL;
	bool all[NAIVE_SECTORS];
	uint32_t held = 0, at = 0;

	if (l) {
		use(n, l);
		return l;
	}
	memset(all, 1, sizeof(all));
	for (uint32_t i = 0; i < NAIVE_LINES; i++) {
		struct naive_line *other = &n->lines[i];

		if (!other->is_used || naive_slice_of(n->gpu, other->line) != a->slice ||
		    naive_set_of(n->gpu, other->line) != naive_set_of(n->gpu, a->line))
			continue;
		held++;
		if (!oldest || other->moved < oldest->moved)
			oldest = other;
	}
	if (held == n->gpu->l2_ways) {
		ADD(n, a->line, a->site, evictions, 1);
		clean(n, oldest, all);
		if (n->gpu->l2_inclusion == GPU_L2_INCLUSION_INCLUSIVE)
			tell(n, oldest, a);
		oldest->is_used = false;
	}
	while (n->lines[at].is_used)
		at++;
	n->lines[at] =
		(struct naive_line){ .is_used = true, .line = a->line, .moved = ++n->events };
	return &n->lines[at];
}

static void count_sectors(struct naive_l2 *n, const struct asked *a, const bool *missing)
{
	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++) {
		ADD(n, a->line, a->site, sectors_hit, a->sectors[i] && !missing[i]);
		ADD(n, a->line, a->site, sectors_missed, a->sectors[i] && missing[i]);
	}
}

/* Whether some of the sectors asked for are not there; these are fetched. */
static bool fetch(struct naive_l2 *n, struct naive_line *l, const struct asked *a,
                  const bool *sectors)
{
	bool fetched[NAIVE_SECTORS] = { false }, any = false;

	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++) {
		if (!sectors[i] || (l && l->valid[i]))
			continue;
		fetched[i] = any = true;
		if (l) {
			l->valid[i] = true;
			l->ready[i] = a->cycle + naive_dram_cycles(n->gpu);
		}
	}
	ADD(n, a->line, a->site, bytes_from_dram, moved_bytes(n->gpu, fetched));
	move_bytes(n, a->line, fetched, false);
	return any;
}

static void fill(struct naive_l2 *n, struct naive_line *l, const bool *sectors, uint64_t cycle)
{
	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++)
		if (sectors[i] && !l->valid[i]) {
			l->valid[i] = true;
			l->ready[i] = cycle;
		}
}

static uint64_t last_ready(const struct naive_l2 *n, const struct naive_line *l,
                           const struct asked *a)
{
	uint64_t last = a->cycle;

	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++)
		if (a->sectors[i] && l->valid[i] && l->ready[i] > last)
			last = l->ready[i];
	return last;
}

static void count_read(struct naive_l2 *n, const struct asked *a, bool has_missed, bool is_pending,
                       bool had_line)
{
	ADD(n, a->line, a->site, read_misses, has_missed);
	ADD(n, a->line, a->site, sector_misses, has_missed && had_line);
	ADD(n, a->line, a->site, pending_hits, !has_missed && is_pending);
	ADD(n, a->line, a->site, read_hits, !has_missed && !is_pending);
}

static uint64_t read_exclusive(struct naive_l2 *n, const struct asked *a)
{
	struct naive_line *l = naive_l2_find(n, a->line);
	uint64_t cycle = l ? last_ready(n, l, a) : a->cycle;
	bool missing[NAIVE_SECTORS] = { false }, any = false, is_empty = true;

	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++) {
		missing[i] = a->sectors[i] && !(l && l->valid[i]);
		any = any || missing[i];
	}
	if (l) {
		clean(n, l, a->sectors);
		for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++) {
			l->valid[i] = l->valid[i] && !a->sectors[i];
			is_empty = is_empty && !l->valid[i];
		}
		use(n, l);
		l->is_used = !is_empty;
	}
	fetch(n, NULL, a, missing);
	count_sectors(n, a, missing);
	if (any && a->cycle + naive_dram_cycles(n->gpu) > cycle)
		cycle = a->cycle + naive_dram_cycles(n->gpu);
	count_read(n, a, any, cycle > a->cycle, l != NULL);
	return cycle;
}

static uint64_t read(struct naive_l2 *n, const struct asked *a)
{
	bool had_line = naive_l2_find(n, a->line) != NULL, has_missed, missing[NAIVE_SECTORS];
	struct naive_line *l;
	uint64_t cycle;

	if (n->gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE && !a->is_past)
		return read_exclusive(n, a);
	l = bring(n, a);
	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++)
		missing[i] = !l->valid[i];
	count_sectors(n, a, missing);
	has_missed = fetch(n, l, a, a->sectors);
	cycle = last_ready(n, l, a);
	if (!a->is_past)
		l->is_shared[a->sm] = true;
	count_read(n, a, has_missed, cycle > a->cycle, had_line);
	return cycle;
}

static bool is_dirty(const struct naive_l2 *n, const struct naive_line *l)
{
	bool any = false;

	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++)
		any = any || l->dirty[i];
	return any;
}

/* If too many lines of the set of *l are dirty, that one of them becomes clean whose last change is
 * longest ago. */
static void keep_limit(struct naive_l2 *n, const struct naive_line *l, uint32_t slice)
{
	uint32_t limit = n->gpu->l2_ways * n->gpu->l2_dirty_percent / 100, dirty = 0;
	struct naive_line *oldest = NULL;
	bool all[NAIVE_SECTORS];

	memset(all, 1, sizeof(all));
	for (uint32_t i = 0; i < NAIVE_LINES; i++) {
		struct naive_line *other = &n->lines[i];

		if (!other->is_used || naive_slice_of(n->gpu, other->line) != slice ||
		    naive_set_of(n->gpu, other->line) != naive_set_of(n->gpu, l->line) ||
		    !is_dirty(n, other))
			continue;
		dirty++;
		if (!oldest || other->changed < oldest->changed)
			oldest = other;
	}
	if (n->gpu->l2_dirty_percent < 100 && dirty > (limit ? limit : 1))
		clean(n, oldest, all);
}

/* These sectors, which are there or written in part, are changed. */
static void change(struct naive_l2 *n, struct naive_line *l, const struct asked *a,
                   const bool *sectors)
{
	if (n->gpu->l2_write == GPU_L2_WRITE_THROUGH_UPDATE) {
		write_dram(n, a->line, sectors, a->site);
		return;
	}
	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++)
		if (sectors[i]) {
			l->dirty[i] = true;
			l->writer = a->site;
			l->changed = ++n->changes;
		}
	keep_limit(n, l, a->slice);
}

/* Bytes of sectors that are not valid are written: those that have all are. The others are fetched
 * where L2 keeps no bytes, or does not know them. */
static void write_parts(struct naive_l2 *n, const struct asked *a, struct naive_line *l)
{
	bool keeps = n->gpu->l2_partial_write == GPU_L2_PARTIAL_WRITE_MASK && a->is_known;
	uint32_t size = naive_sector_bytes(n->gpu);

	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++) {
		bool one[NAIVE_SECTORS] = { false };
		uint32_t held = 0;

		one[i] = a->sectors[i] && !l->valid[i];
		ADD(n, a->line, a->site, write_sectors_hit, a->sectors[i] && (keeps || !one[i]));
		ADD(n, a->line, a->site, write_sectors_missed, !keeps && one[i]);
		for (uint32_t at = i * size; at < (i + 1) * size; at++) {
			if (l->valid[i])
				l->is_written[at] = false;
			else if (keeps && one[i] && a->written[at])
				l->is_written[at] = true;
			held += l->is_written[at];
		}
		if (one[i] && keeps && held == size)
			fill(n, l, one, a->cycle);
	}
	if (!keeps)
		fetch(n, l, a, a->sectors);
}

/* To DRAM. A line that is there is used; if L2 is not exclusive it keeps what is whole. */
static void write_through(struct naive_l2 *n, const struct asked *a, struct naive_line *l)
{
	write_dram(n, a->line, a->sectors, a->site);
	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++)
		ADD(n, a->line, a->site, write_sectors_hit, a->sectors[i]);
	if (!l)
		return;
	use(n, l);
	if (n->gpu->l2_inclusion != GPU_L2_INCLUSION_EXCLUSIVE)
		fill(n, l, a->whole, a->cycle);
}

static void write(struct naive_l2 *n, const struct asked *a)
{
	struct naive_line *l = naive_l2_find(n, a->line);
	bool there[NAIVE_SECTORS] = { false }, others[NAIVE_SECTORS] = { false };

	ADD(n, a->line, a->site, write_hits, l != NULL);
	if (n->gpu->l2_write == GPU_L2_WRITE_THROUGH_UPDATE) {
		write_through(n, a, l);
		return;
	}
	if (n->gpu->l2_inclusion != GPU_L2_INCLUSION_EXCLUSIVE) {
		l = bring(n, a);
		fill(n, l, a->whole, a->cycle);
		write_parts(n, a, l);
		change(n, l, a, a->sectors);
		return;
	}
	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++) {
		there[i] = a->sectors[i] && l && l->valid[i];
		others[i] = a->sectors[i] && !there[i];
	}
	if (l) {
		use(n, l);
		change(n, l, a, there);
	}
	for (uint32_t i = 0; i < naive_sector_count(n->gpu); i++)
		ADD(n, a->line, a->site, write_sectors_hit, a->sectors[i]);
	write_dram(n, a->line, others, a->site);
}

static uint64_t atomic(struct naive_l2 *n, const struct asked *a)
{
	struct naive_line *l = bring(n, a);
	bool has_missed = fetch(n, l, a, a->sectors);
	uint64_t cycle = last_ready(n, l, a);

	ADD(n, a->line, a->site, atomic_misses, has_missed);
	change(n, l, a, a->sectors);
	return cycle;
}

static struct asked ask(const struct naive_l2 *n, const struct message *m, const bool *written,
                        uint32_t sm)
{
	const struct gpu *gpu = n->gpu;
	struct asked a = { .line = m->line / gpu->l2_line_bytes,
		           .cycle = m->cycle,
		           .site = m->site,
		           .sm = sm,
		           .is_past = m->kind == MESSAGE_READ_PAST };
	uint32_t asked[NAIVE_SECTORS] = { 0 }, whole[NAIVE_SECTORS] = { 0 };

	for (uint32_t i = 0; i < gpu->l1_line_bytes; i++) { /* each byte of the L1 line */
		uint32_t bit = i / outbox_sector_bytes(gpu->l1_line_bytes);
		uint64_t at = (m->line + i) % gpu->l2_line_bytes / naive_sector_bytes(gpu);

		asked[at] += (uint32_t)(m->sectors >> bit & 1);
		whole[at] += (uint32_t)(m->whole >> bit & 1);
		a.written[(m->line + i) % gpu->l2_line_bytes] =
			m->whole >> bit & 1 || (written && written[i]);
	}
	a.is_known = m->sectors == m->whole || (m->kind == MESSAGE_WRITE && written);
	for (uint32_t i = 0; i < naive_sector_count(gpu); i++) {
		a.sectors[i] = asked[i] > 0;
		a.whole[i] = whole[i] == naive_sector_bytes(gpu);
	}
	a.slice = naive_slice_of(gpu, a.line);
	return a;
}

static void count_message(struct naive_l2 *n, const struct message *m, uint64_t line)
{
	bool is_write = m->kind == MESSAGE_WRITE || m->kind == MESSAGE_WRITE_BACK;
	bool is_read = m->kind == MESSAGE_READ || m->kind == MESSAGE_READ_PAST;

	ADD(n, line, m->site, reads, is_read);
	ADD(n, line, m->site, writes, is_write);
	ADD(n, line, m->site, atomics, m->kind == MESSAGE_ATOMIC);
	ADD(n, line, m->site, victims, m->kind == MESSAGE_VICTIM);
	ADD(n, line, m->site, bytes_to_l1, is_read ? m->bytes : 0);
	ADD(n, line, m->site, bytes_from_l1, is_read ? 0 : m->bytes);
}

uint64_t naive_l2_serve(struct naive_l2 *n, const struct message *m, const bool *written,
                        uint32_t sm)
{
	const struct asked a = ask(n, m, written, sm);
	uint64_t cycle = m->cycle;

	count_message(n, m, a.line);
	if (m->kind == MESSAGE_READ || m->kind == MESSAGE_READ_PAST)
		cycle = read(n, &a);
	else if (m->kind == MESSAGE_ATOMIC)
		cycle = atomic(n, &a);
	else if (m->kind == MESSAGE_VICTIM)
		fill(n, bring(n, &a), a.sectors, a.cycle);
	else
		write(n, &a);
	return cycle + naive_horizon(n->gpu);
}

void naive_l2_finish(struct naive_l2 *n)
{
	bool all[NAIVE_SECTORS];

	memset(all, 1, sizeof(all));
	for (uint32_t i = 0; i < NAIVE_LINES; i++) {
		struct naive_line *l = &n->lines[i];

		if (!l->is_used)
			continue;
		ADD(n, l->line, l->writer, bytes_left, moved_bytes(n->gpu, l->dirty));
		clean(n, l, all);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_l1.h"

#include "cmocka_all.h"

#include <string.h>

uint32_t naive_l1_sector_bytes(const struct gpu *gpu)
{
	return gpu->l1_sector_bytes ? gpu->l1_sector_bytes : gpu->l1_line_bytes;
}

static bool is_byte_used(const struct request *r, uint32_t i)
{
	return r->used[i / 64] >> i % 64 & 1;
}

/* The message's sectors, from bytes that are asked for or written. */
static void name_bytes(const struct gpu *gpu, const bool *bytes, struct message *m)
{
	uint32_t unit = outbox_sector_bytes(gpu->l1_line_bytes);

	for (uint32_t first = 0, bit = 0; first < gpu->l1_line_bytes; first += unit, bit++) {
		uint32_t held = 0;

		for (uint32_t i = first; i < first + unit; i++)
			held += bytes[i];
		m->bytes += held;
		m->sectors |= (uint64_t)(held > 0) << bit;
		m->whole |= (uint64_t)(held == unit) << bit;
	}
}

static struct naive_l1_line *find(struct naive_l1 *n, uint64_t line)
{
	for (uint32_t i = 0; i < NAIVE_L1_LINES; i++)
		if (n->lines[i].is_used && n->lines[i].line == line)
			return &n->lines[i];
	return NULL;
}

/* Lines that L2 has told this L1 to give up, by now. */
static void give_up(struct naive_l1 *n, uint64_t cycle)
{
	for (uint32_t i = 0; i < n->below->invalidation_count; i++) {
		const struct naive_invalidation *v = &n->below->invalidations[i];
		struct naive_l1_line *l;

		if (v->sm != n->sm || v->cycle > cycle || n->is_applied[i])
			continue;
		n->is_applied[i] = true;
		l = find(n, v->line / n->below->gpu->l1_line_bytes);
		if (l)
			l->is_used = false;
	}
}

/* What was there of a line that was replaced goes to an exclusive L2. */
static void send_victim(struct naive_l1 *n, const struct naive_l1_line *old, uint64_t cycle)
{
	const struct gpu *gpu = n->below->gpu;
	struct message m = { .cycle = cycle,
		             .line = old->line * gpu->l1_line_bytes,
		             .site = old->site,
		             .kind = MESSAGE_VICTIM };
	bool bytes[4096];

	for (uint32_t i = 0; i < gpu->l1_line_bytes; i++)
		bytes[i] = old->has[i / naive_l1_sector_bytes(gpu)] &&
		           old->ready[i / naive_l1_sector_bytes(gpu)] <= cycle;
	name_bytes(gpu, bytes, &m);
	if (m.sectors && gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE)
		naive_l2_serve(n->below, &m, NULL, n->sm);
}

/* A place in the line's set: an empty one, or that of the line read longest ago. *old is what was
 * there. */
static struct naive_l1_line *place(struct naive_l1 *n, uint64_t line, uint32_t site,
                                   struct naive_l1_line *old)
{
	const struct gpu *gpu = n->below->gpu;
	struct naive_l1_line *oldest = NULL;
	uint32_t held = 0, at = 0;

	for (uint32_t i = 0; i < NAIVE_L1_LINES; i++) {
		struct naive_l1_line *l = &n->lines[i];

		if (!l->is_used || l->line % gpu->l1_sets != line % gpu->l1_sets)
			continue;
		held++;
		if (!oldest || l->last_read < oldest->last_read)
			oldest = l;
	}
	old->is_used = false;
	if (held == gpu->l1_ways) {
		*old = *oldest;
		oldest->is_used = false;
	}
	while (n->lines[at].is_used)
		at++;
	n->lines[at] = (struct naive_l1_line){ .is_used = true, .line = line, .site = site };
	return &n->lines[at];
}

/* Ask for the sectors of the request that the line has not; they come together. */
static bool fetch(struct naive_l1 *n, struct naive_l1_line *l, const struct request *r,
                  uint64_t cycle, struct counters *c)
{
	const struct gpu *gpu = n->below->gpu;
	struct message m = { .cycle = cycle, .line = r->line, .site = r->site };
	bool bytes[4096] = { false };
	uint64_t ready;

	for (uint32_t i = 0; i < gpu->l1_line_bytes; i++) {
		uint32_t sector = i / naive_l1_sector_bytes(gpu);

		if (!is_byte_used(r, i) || l->has[sector])
			continue;
		memset(bytes + (size_t)sector * naive_l1_sector_bytes(gpu), 1,
		       naive_l1_sector_bytes(gpu));
	}
	name_bytes(gpu, bytes, &m);
	if (!m.sectors)
		return false;
	m.whole = 0;
	c->bytes_from_l2 += m.bytes;
	ready = naive_l2_serve(n->below, &m, NULL, n->sm);
	if (gpu->latency == GPU_LATENCY_OFF)
		ready = cycle;
	for (uint32_t i = 0; i < gpu->l1_line_bytes; i++)
		if (bytes[i] && !l->has[i / naive_l1_sector_bytes(gpu)]) {
			l->has[i / naive_l1_sector_bytes(gpu)] = true;
			l->ready[i / naive_l1_sector_bytes(gpu)] = ready;
		}
	return true;
}

static uint64_t read(struct naive_l1 *n, const struct request *r, uint64_t cycle,
                     struct counters *c)
{
	const struct gpu *gpu = n->below->gpu;
	uint64_t line = r->line / gpu->l1_line_bytes;
	uint64_t data = cycle + (gpu->latency == GPU_LATENCY_ON ? gpu->l1_hit_cycles : 0);
	struct naive_l1_line *l = find(n, line), old = { 0 };
	bool had_line = l != NULL, has_missed, is_pending = false;

	c->reads++;
	if (!l)
		l = place(n, line, r->site, &old);
	l->last_read = ++n->reads;
	has_missed = fetch(n, l, r, cycle, c);
	if (old.is_used)
		send_victim(n, &old, cycle);
	c->sector += had_line && has_missed;
	for (uint32_t i = 0; i < gpu->l1_line_bytes; i++) {
		uint64_t ready = l->ready[i / naive_l1_sector_bytes(gpu)];

		is_pending = is_pending || (is_byte_used(r, i) && ready > cycle);
		if (is_byte_used(r, i) && ready > data)
			data = ready;
	}
	c->read_misses += has_missed;
	c->pending_hits += !has_missed && is_pending;
	c->read_hits += !has_missed && !is_pending;
	c->evictions += old.is_used;
	return data;
}

/* A write or an atomic goes below. */
static uint64_t pass(struct naive_l1 *n, const struct request *r, uint64_t cycle,
                     struct counters *c)
{
	const struct gpu *gpu = n->below->gpu;
	struct naive_l1_line *l = find(n, r->line / gpu->l1_line_bytes);
	struct message m = { .cycle = cycle,
		             .line = r->line,
		             .site = r->site,
		             .kind = r->kind == SITE_WRITE ? MESSAGE_WRITE : MESSAGE_ATOMIC };
	bool bytes[4096];
	uint64_t data;

	for (uint32_t i = 0; i < gpu->l1_line_bytes; i++)
		bytes[i] = is_byte_used(r, i);
	name_bytes(gpu, bytes, &m);
	c->bytes_to_l2 += m.bytes;
	c->writes += r->kind == SITE_WRITE;
	c->atomics += r->kind == SITE_ATOMIC;
	c->write_hits += r->kind == SITE_WRITE && l;
	if (l && (r->kind == SITE_ATOMIC || gpu->l1_write == GPU_L1_WRITE_THROUGH_EVICT))
		l->is_used = false;
	data = naive_l2_serve(n->below, &m, bytes, n->sm);
	if (gpu->latency == GPU_LATENCY_OFF)
		data = cycle;
	return r->kind == SITE_WRITE ? 0 : data;
}

uint64_t naive_l1_request(struct naive_l1 *n, const struct request *r, uint64_t cycle,
                          struct counters *c)
{
	c->bytes_asked += r->bytes_used;
	give_up(n, cycle);
	return r->kind == SITE_READ ? read(n, r, cycle, c) : pass(n, r, cycle, c);
}

uint64_t naive_l1_past(struct naive_l1 *n, const struct request *r, uint64_t cycle,
                       struct counters *c)
{
	const struct gpu *gpu = n->below->gpu;
	struct message m = {
		.cycle = cycle, .line = r->line, .site = r->site, .kind = MESSAGE_READ_PAST
	};
	uint32_t unit = gpu->l1_line_bytes < 32 ? gpu->l1_line_bytes : 32;
	bool bytes[4096] = { false };
	uint64_t data;

	for (uint32_t i = 0; i < gpu->l1_line_bytes; i++)
		if (is_byte_used(r, i))
			memset(&bytes[i - i % unit], 1, unit);
	name_bytes(gpu, bytes, &m);
	m.whole = 0;
	c->bypasses++;
	c->bytes_asked += r->bytes_used;
	c->bytes_bypassed += m.bytes;
	c->bytes_from_l2 += m.bytes;
	give_up(n, cycle);
	data = naive_l2_serve(n->below, &m, NULL, n->sm);
	return gpu->latency == GPU_LATENCY_OFF ? cycle : data;
}

void naive_l1_end(struct naive_l1 *n)
{
	give_up(n, UINT64_MAX);
}

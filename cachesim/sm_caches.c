/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_caches.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "hierarchy.h"
#include "l1.h"
#include "l1_private.h"
#include "l1_visit.h"
#include "read_rules.h"
#include "replay.h"
#include "request.h"

#include <assert.h>
#include <stdlib.h>

/*
 * Serves many reads of a plain L1 with LRU and few ways in one call. First all tags are updated,
 * without a branch that depends on their contents, because hits are unpredictable. Then the misses
 * are classified, which does not affect tags. Compiled once for each number of ways: `ways` is a
 * constant.
 */

#define INLINE static inline __attribute__((always_inline))

enum { PIECE = 256, WAYS_MAX = 8 };

/* The results of the reads of a piece. */
struct piece {
	uint64_t numbers[PIECE]; /* lines that missed */
	bool has_missed[PIECE];
	uint64_t misses, pending, evictions;
};

/* Read a line in a set of ways, most recently read first. Returns its ready cycle. `wanted` is its
 * way if it misses. Without times the ready cycles do not move: they are all in the past. */
INLINE uint64_t read_way(struct l1_way *set, uint32_t ways, struct l1_way wanted, bool has_times,
                         bool *has_missed)
{
	uint64_t ready = wanted.ready_cycles;
	uint64_t is_before = UINT64_MAX; /* all bits or none: before the way to move */
	struct l1_way old[WAYS_MAX];

	for (uint32_t i = 0; i < ways; i++)
		old[i] = set[i];
	for (uint32_t i = 0; i < ways; i++) {
		uint64_t is_it = 0 - (uint64_t)(old[i].key == wanted.key);
		uint32_t to = i + 1 < ways ? i + 1 : 0;

		is_before &= ~is_it;
		set[to].key = (old[i].key & is_before) | (old[to].key & ~is_before);
		if (!has_times)
			continue;
		ready = (old[i].ready_cycles & is_it) | (ready & ~is_it);
		set[to].ready_cycles =
			(old[i].ready_cycles & is_before) | (old[to].ready_cycles & ~is_before);
	}
	set[0].key = wanted.key;
	if (has_times)
		set[0].ready_cycles = ready;
	*has_missed = is_before;
	return ready;
}

INLINE void read_tags(struct l1 *l1, struct read_run *run, struct piece *p, uint32_t ways,
                      bool is_immediate)
{
	uint64_t now = run->now, port_free = run->port_free;

	for (size_t i = 0; i < run->count; i++) {
		uint64_t line = run->lines[i] >> l1->line_shift, last, ready, data;
		struct l1_way *set = l1->lru_ways + (size_t)set_index_find(&l1->index, line) * ways;

		now = now < port_free ? port_free : now;
		port_free = now + run->request_cycles;
		last = set[ways - 1].key;
		ready = read_way(set, ways, (struct l1_way){ line + 1, now + l1->miss_cycles },
		                 !is_immediate, &p->has_missed[i]);
		p->numbers[i] = line;
		p->misses += p->has_missed[i];
		p->evictions += p->has_missed[i] & (last != 0);
		data = now + 1;
		if (!is_immediate) { /* with latency = off nothing waits */
			p->pending += !p->has_missed[i] & (ready > now);
			data = now + l1->hit_cycles > data ? now + l1->hit_cycles : data;
			data = ready > data ? ready : data;
		}
		now = data;
	}
	run->now = now;
	run->port_free = port_free;
}

INLINE void read_piece_of(struct l1 *l1, struct read_run *run, struct piece *p, uint32_t ways)
{
	if (l1->is_immediate)
		read_tags(l1, run, p, ways, true);
	else
		read_tags(l1, run, p, ways, false);
}

static void read_piece(struct l1 *l1, struct read_run *run, struct piece *p)
{
	p->misses = p->pending = p->evictions = 0;
	switch (l1->way_count) {
	case 1:
		read_piece_of(l1, run, p, 1);
		break;
	case 2:
		read_piece_of(l1, run, p, 2);
		break;
	case 4:
		read_piece_of(l1, run, p, 4);
		break;
	case 6:
		read_piece_of(l1, run, p, 6);
		break;
	case 8:
		read_piece_of(l1, run, p, 8);
		break;
	default:
		assert(false);
	}
}

bool l1_has_reads(const struct l1 *l1)
{
	return l1->lru_ways && l1->way_count <= WAYS_MAX &&
	       (l1->way_count == 1 || l1->way_count % 2 == 0);
}

static void count_piece(const struct l1 *l1, const struct request *r, uint64_t count,
                        const struct piece *p, struct counters *c)
{
	c->lanes += r->lanes * count;
	c->bytes_asked += r->bytes_used * count;
	c->reads += count;
	c->read_hits += count - p->misses - p->pending;
	c->pending_hits += p->pending;
	c->read_misses += p->misses;
	c->bytes_from_l2 += p->misses * l1->line_bytes;
	c->evictions += p->evictions;
}

static void classify(struct l1 *l1, const struct piece *p, size_t count, struct counters *c)
{
	uint64_t classes[MISS_CLASSES] = { 0 };

	miss_classes_reads(&l1->classes, p->numbers, p->has_missed, count, classes);
	c->cold += classes[MISS_COLD];
	c->coherence += classes[MISS_COHERENCE];
	c->capacity += classes[MISS_CAPACITY];
	c->conflict += classes[MISS_CONFLICT];
}

void l1_reads(struct l1 *l1, const struct request *r, struct read_run *run,
              struct counters *counters)
{
	struct read_run part = *run; /* the rest, a piece at a time */
	size_t left = run->count;
	struct piece p;

	for (; left; left -= part.count, part.lines += part.count) {
		part.count = left < PIECE ? left : PIECE;
		read_piece(l1, &part, &p);
		count_piece(l1, r, part.count, &p, counters);
		if (l1->has_classes)
			classify(l1, &p, part.count, counters);
	}
	run->now = part.now;
	run->port_free = part.port_free;
}

/* Create cache number `cache`, of an SM that may get groups. */
static int create_cache(struct sm_caches *all, const struct gpu *gpu, uint32_t cache,
                        struct err *err)
{
	struct sm_cache *c = &all->caches[cache];
	struct l1_setup setup = { .sm = cache, .is_unclassified = all->options->is_unclassified };

	if (all->below) {
		setup.horizon_cycles = hierarchy_horizon(all->below);
		setup.below = hierarchy_outbox(all->below, cache);
		setup.reports_victims = gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE;
	}
	if (all->options->observer && cache < all->sm_count)
		setup.observer = all->options->observer(all->options->observer_context, cache);
	c->sites = array_alloc(all->site_count, sizeof(*c->sites), "counters of sites", err);
	return c->sites ? l1_create(&c->l1, gpu, &setup, err) : ERR_NOMEM;
}

/* To the hierarchy each cache is an SM. */
static int create_below(struct sm_caches *all, const struct gpu *gpu, struct err *err)
{
	struct gpu below = *gpu;

	if (gpu->l2 != GPU_L2_ON)
		return 0;
	below.sm_count = all->cache_count;
	return hierarchy_create(&all->below, &below, all->site_count, err);
}

/* Find the reads that bypass L1 or use the read-only cache. */
static int make_plans(struct sm_caches *all, const struct gpu *gpu,
                      const struct kernel_table *table, struct err *err)
{
	const struct replay_options *options = all->options;
	int ret = 0;

	if (all->has_read_only)
		ret = bypass_plan_init(&all->read_only, &options->read_only, table, gpu->sm_count,
		                       gpu->l1_line_bytes, err);
	if (!ret && options->bypass)
		ret = bypass_plan_init(&all->bypass, options->bypass, table, gpu->sm_count,
		                       gpu->l1_line_bytes, err);
	return ret;
}

int sm_caches_init(struct sm_caches *all, const struct gpu *gpu, const struct schedule_input *input,
                   const struct replay_options *options, struct err *err)
{
	bool has_read_only = options->read_only.count;
	struct gpu read_only = *gpu;
	int ret;

	*all = (struct sm_caches){ .sm_count = gpu->sm_count,
		                   .cache_count = gpu->sm_count * (has_read_only ? 2 : 1),
		                   .site_count = input->table->site_count,
		                   .has_read_only = has_read_only,
		                   .options = options };
	ret = has_read_only ? read_only_gpu(&read_only, gpu, err) : 0;
	if (!ret)
		ret = make_plans(all, gpu, input->table, err);
	if (ret)
		return ret;
	all->caches = array_alloc(all->cache_count, sizeof(*all->caches), "SMs", err);
	ret = all->caches ? create_below(all, gpu, err) : ERR_NOMEM;
	for (uint32_t c = 0; c < all->cache_count && !ret; c++)
		if (schedule_reaches(gpu, input, c % gpu->sm_count))
			ret = create_cache(all, c < gpu->sm_count ? gpu : &read_only, c, err);
	return ret;
}

void sm_caches_release(struct sm_caches *all)
{
	for (size_t c = 0; all->caches && c < all->cache_count; c++) {
		l1_free(all->caches[c].l1);
		free(all->caches[c].sites);
	}
	free(all->caches);
	bypass_plan_release(&all->read_only);
	bypass_plan_release(&all->bypass);
	hierarchy_free(all->below);
}

static uint64_t ask_cache(struct sm_caches *all, uint32_t cache, const struct request *r,
                          uint64_t now_cycles)
{
	assert(cache < all->cache_count && r->site < all->site_count);
	return l1_request(all->caches[cache].l1, r, now_cycles, &all->caches[cache].sites[r->site]);
}

/* Serve a request without read-only caches. */
static uint64_t ask(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	return ask_cache(context, sm, r, now_cycles);
}

static void ask_reads(void *context, uint32_t sm, const struct request *r, struct read_run *run)
{
	struct sm_caches *all = context;

	assert(r->site < all->site_count);
	l1_reads(all->caches[sm].l1, r, run, &all->caches[sm].sites[r->site]);
}

/* Serve a request with read-only caches. */
static uint64_t ask_either(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct sm_caches *all = context;

	if (bypass_plan_takes(&all->read_only, sm, r))
		sm += all->sm_count;
	return ask_cache(all, sm, r, now_cycles);
}

/* Deliver to a cache the answers that are known to come next, and at least those before `before`.
 */
static void deliver(struct sm_caches *all, uint32_t cache, uint64_t before)
{
	size_t count;
	const struct below_answer *answers = hierarchy_answers(all->below, cache, before, &count);

	if (count || l1_port_free(all->caches[cache].l1) == MEMORY_LATER)
		l1_settle(all->caches[cache].l1, answers, count);
	all->caches[cache].is_settled = true;
	all->caches[cache].due = hierarchy_next_answer(all->below, cache);
}

/* With a hierarchy: deliver invalidations that are due. They were not delivered if SMs skipped
 * cycles in which none had anything to do. */
static void deliver_due(struct sm_caches *all, uint32_t sm, uint64_t now_cycles)
{
	for (uint32_t c = sm; c < all->cache_count; c += all->sm_count)
		if (all->caches[c].due <= now_cycles)
			deliver(all, c, now_cycles + 1);
}

static uint64_t ask_below(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct sm_caches *all = context;

	deliver_due(all, sm, now_cycles);
	return (all->has_read_only ? ask_either : ask)(context, sm, r, now_cycles);
}

/* Serve a request if reads bypass L1 or options->request is set: a separate function, so that other
 * replays do not pay for it. */
static uint64_t ask_any(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct sm_caches *all = context;
	bool is_beside = bypass_plan_takes(&all->read_only, sm, r);
	bool is_past = !is_beside && bypass_plan_takes(&all->bypass, sm, r);
	const struct sm_cache *c = &all->caches[sm];

	if (all->options->request && !is_beside && !is_past)
		all->options->request(all->options->request_context, sm, r, now_cycles);
	if (all->below)
		deliver_due(all, sm, now_cycles);
	if (is_past)
		return l1_read_past(c->l1, r, now_cycles, &c->sites[r->site]);
	return ask_cache(all, is_beside ? sm + all->sm_count : sm, r, now_cycles);
}

static void report_access(void *context, uint32_t sm, const struct warp_access *a,
                          uint64_t now_cycles)
{
	const struct sm_caches *all = context;

	all->options->access(all->options->access_context, sm, a, now_cycles);
}

/* Settle everything that happened before `until` in the L1s and below. */
static void settle_once(struct sm_caches *all, uint64_t until)
{
	for (uint32_t c = 0; c < all->cache_count; c++) {
		struct l1 *l1 = all->caches[c].l1;

		if (!l1)
			continue;
		if (hierarchy_next_answer(all->below, c) < until ||
		    l1_port_free(l1) == MEMORY_LATER)
			deliver(all, c, until);
		l1_advance(l1, until);
		all->caches[c].is_settled = false;
	}
	hierarchy_settle(all->below, until);
	for (uint32_t c = 0; c < all->cache_count; c++)
		all->caches[c].due = hierarchy_next_answer(all->below, c);
	all->until = until;
}

/* Returns the first cycle with anything left to do; UINT64_MAX: there is none. */
static uint64_t next_cycle(const struct sm_caches *all)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t c = 0; c < all->cache_count; c++) {
		const struct message *m = outbox_peek(hierarchy_outbox(all->below, c));
		uint64_t answer = hierarchy_next_answer(all->below, c);

		next = m && m->cycle < next ? m->cycle : next;
		next = answer < next ? answer : next;
		if (all->caches[c].l1 && l1_port_free(all->caches[c].l1) == MEMORY_LATER)
			next = all->until < next ? all->until : next;
	}
	return next;
}

static void settle(void *context, uint64_t until)
{
	struct sm_caches *all = context;
	uint64_t round = hierarchy_horizon(all->below) - 1, from;

	/* Requests held at ports continue in rounds: none is looked up later than what it waits for
	 * arrives, and its messages are answered before the next one is looked up. */
	while (until - all->until > round && (from = next_cycle(all)) < until - round)
		settle_once(all, (from > all->until ? from : all->until) + round);
	settle_once(all, until);
}

static bool next_answer(void *context, uint32_t sm, struct memory_answer *out)
{
	struct sm_caches *all = context;

	for (uint32_t c = sm; c < all->cache_count; c += all->sm_count) {
		if (!all->caches[c].l1)
			continue;
		if (!all->caches[c].is_settled)
			deliver(all, c, 0);
		if (l1_next_answer(all->caches[c].l1, out))
			return true;
	}
	return false;
}

static uint64_t port_free(void *context, uint32_t sm)
{
	const struct sm_caches *all = context;

	return all->caches[sm].l1 ? l1_port_free(all->caches[sm].l1) : 0;
}

struct memory_port sm_caches_port(struct sm_caches *all, const struct gpu *gpu)
{
	struct memory_port port = { .context = all,
		                    .request = ask,
		                    .access = all->options->access ? report_access : NULL };

	if (gpu->l1_mshr_entries || gpu->l1_mshr_merge)
		port.port_free = port_free;
	if (all->has_read_only)
		port.request = ask_either;
	if (all->below) {
		port.request = ask_below;
		port.settle = settle;
		port.horizon_cycles = hierarchy_horizon(all->below);
		port.next_answer = next_answer;
	}
	if (all->options->request || all->bypass.is_any)
		port.request = ask_any;
	if (port.request == ask && all->caches[0].l1 && l1_has_reads(all->caches[0].l1))
		port.reads = ask_reads; /* for SM 0, which runs sequences */
	return port;
}

void sm_caches_end(struct sm_caches *all, uint64_t cycles)
{
	for (size_t c = 0; c < all->cache_count; c++)
		if (all->caches[c].l1)
			l1_end(all->caches[c].l1, cycles);
	if (!all->below)
		return;
	hierarchy_settle(all->below, UINT64_MAX);
	hierarchy_finish(all->below);
}

static int check_memory(const struct sm_caches *all, struct err *err)
{
	int ret = 0;

	for (size_t c = 0; c < all->cache_count && !ret; c++)
		ret = all->caches[c].l1 ? l1_status(all->caches[c].l1, err) : 0;
	return ret;
}

/* Add the counters of a cache to the sums of its kind. */
static void add_cache(const struct sm_caches *all, size_t cache, struct counters *sites,
                      struct counters *sum)
{
	const struct sm_cache *c = &all->caches[cache];

	for (size_t i = 0; c->sites && i < all->site_count; i++) {
		if (!l1_has_sectors(c->l1))
			counters_count_lines(&c->sites[i]);
		counters_add(&sites[i], &c->sites[i]);
		counters_add(sum, &c->sites[i]);
	}
}

static int count_read_only(const struct sm_caches *all, struct replay_result *out, struct err *err)
{
	if (!all->has_read_only)
		return 0;
	out->read_only_sites =
		array_alloc(all->site_count, sizeof(*out->read_only_sites), "counters", err);
	if (!out->read_only_sites)
		return ERR_NOMEM;
	for (size_t c = all->sm_count; c < all->cache_count; c++)
		add_cache(all, c, out->read_only_sites, &out->read_only);
	return 0;
}

int sm_caches_count(const struct sm_caches *all, struct replay_result *out, struct err *err)
{
	int ret = check_memory(all, err);

	if (!ret && all->below)
		ret = hierarchy_count(all->below, &out->below, err);
	if (!ret)
		ret = count_read_only(all, out, err);
	if (ret)
		return ret;
	out->sites = array_alloc(all->site_count, sizeof(*out->sites), "counters of sites", err);
	out->sms = array_alloc(all->sm_count, sizeof(*out->sms), "counters of SMs", err);
	if (!out->sites || !out->sms)
		return ERR_NOMEM;
	out->site_count = all->site_count;
	out->sm_count = all->sm_count;
	for (size_t s = 0; s < all->sm_count; s++) {
		add_cache(all, s, out->sites, &out->sms[s]);
		counters_add(&out->total, &out->sms[s]);
	}
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep.h"

#include "array.h"
#include "counters.h"
#include "err.h"
#include "gpu.h"
#include "miss_classes.h"
#include "replay.h"
#include "request.h"
#include "set_index.h"
#include "sweep_chain.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * sweep_plan - the caches of a sweep, in chains that share their walks (private to this room).
 */

struct err;

struct sweep_geometry;

struct sweep_plan {
	struct set_index *indices; /* chain by chain */
	size_t count;
	struct sweep_plan_chain {
		size_t first, count; /* of the indices */
	} *chains;
	size_t chain_count;
	struct sweep_plan_place {
		size_t chain, level;
	} *places;     /* of each geometry, in the caller's order */
	uint32_t ways; /* at most */
	uint32_t line_shift;
	bool is_evicting;
};

/* A geometry, with its place in the caller's list and its chain. */
struct candidate {
	struct set_index index;
	size_t place, chain;
};

static int by_sets(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->index.sets != b->index.sets)
		return a->index.sets < b->index.sets ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* The last candidate before number `i` of a chain; there is one. */
static const struct candidate *last_of(const struct candidate *list, size_t i, size_t chain)
{
	while (list[--i].chain != chain)
		;
	return &list[i];
}

/* Append each, in order of sets, to the first chain that it can continue. */
static void choose_chains(struct sweep_plan *p, struct candidate *list)
{
	for (size_t i = 0; i < p->count; i++) {
		size_t chain = 0;

		while (chain < p->chain_count &&
		       !sweep_refines(&last_of(list, i, chain)->index, &list[i].index))
			chain++;
		list[i].chain = chain;
		if (chain == p->chain_count)
			p->chain_count++;
	}
}

static void fill(struct sweep_plan *p, const struct candidate *list)
{
	size_t next = 0;

	for (size_t chain = 0; chain < p->chain_count; chain++) {
		struct sweep_plan_chain *c = &p->chains[chain];

		c->first = next;
		for (size_t i = 0; i < p->count; i++) {
			if (list[i].chain != chain)
				continue;
			p->places[list[i].place] = (struct sweep_plan_place){ chain, c->count++ };
			p->indices[next++] = list[i].index;
		}
	}
}

bool sweep_can(const struct gpu *gpu)
{
	return gpu->l1_policy.kind == GPU_POLICY_LRU &&
	       gpu->l1_write <= GPU_L1_WRITE_THROUGH_UPDATE && !gpu->l1_sector_bytes;
}

static int check_modelled(const struct gpu *gpu, struct err *err)
{
	if (sweep_can(gpu))
		return 0;
	return err_set(err, ERR_CONFIG,
	               "%s: a sweep needs l1_policy = lru, no sectors, and writes that go through "
	               "and allocate nothing",
	               gpu->name);
}

static int read_list(struct candidate *to, const struct gpu *gpu, const struct sweep_geometry *list,
                     size_t count, struct err *err)
{
	struct gpu one = *gpu;
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		one.l1_sets = list[i].sets;
		one.l1_index.kind = list[i].index;
		to[i].place = i;
		ret = gpu_check(&one, err);
		if (!ret)
			ret = set_index_init(&to[i].index, &one, err);
	}
	return ret;
}

/* Make the plan for a checked GPU and 1..65536 geometries. Returns 0, ERR_CONFIG for a geometry
 * that the GPU cannot have, or ERR_NOMEM; release in every case. */
static int sweep_plan_init(struct sweep_plan *p, const struct gpu *gpu,
                           const struct sweep_geometry *list, size_t count, uint32_t ways,
                           struct err *err)
{
	struct candidate *candidates = array_alloc(count, sizeof(*candidates), "caches", err);
	int ret = candidates ? 0 : ERR_NOMEM;

	assert(count && ways);
	*p = (struct sweep_plan){
		.count = count,
		.ways = ways,
		.line_shift = (uint32_t)__builtin_ctz(gpu->l1_line_bytes),
		.is_evicting = gpu->l1_write == GPU_L1_WRITE_THROUGH_EVICT,
	};
	p->indices = array_alloc(count, sizeof(*p->indices), "caches", err);
	p->chains = array_alloc(count, sizeof(*p->chains), "caches", err);
	p->places = array_alloc(count, sizeof(*p->places), "caches", err);
	if (!p->indices || !p->chains || !p->places)
		ret = ERR_NOMEM;
	if (!ret)
		ret = check_modelled(gpu, err);
	if (!ret)
		ret = read_list(candidates, gpu, list, count, err);
	if (!ret) {
		qsort(candidates, count, sizeof(*candidates), by_sets);
		choose_chains(p, candidates);
		fill(p, candidates);
	}
	free(candidates);
	return ret;
}

static void sweep_plan_release(struct sweep_plan *p)
{
	free(p->indices);
	free(p->chains);
	free(p->places);
	*p = (struct sweep_plan){ 0 };
}

/*
 * sweep_sm - all caches of a sweep for one SM (private to this room). Collects requests into
 * batches, and replays each batch through the chains.
 */

struct sweep_plan;

enum { SWEEP_BATCH = 4096 };

struct sweep_sm {
	const struct sweep_plan *plan; /* borrowed */
	struct sweep_chain *chains;    /* plan->chain_count, or NULL before the first request */
	uint64_t *lines;               /* of the current batch */
	enum site_kind *kinds;
	size_t count;
	uint64_t line_or;
	bool has_others;             /* the batch has other requests than reads */
	struct line_history history; /* of this launch */
	struct counters same;        /* counters common to all caches */
	int failed;                  /* 0, or ERR_NOMEM: the counts are invalid */
};

/* Prepare *sm; no allocation before its first request. */
static void sweep_sm_init(struct sweep_sm *sm, const struct sweep_plan *plan)
{
	*sm = (struct sweep_sm){ .plan = plan };
}

static void sweep_sm_release(struct sweep_sm *sm)
{
	for (size_t i = 0; sm->chains && i < sm->plan->chain_count; i++)
		sweep_chain_release(&sm->chains[i]);
	free(sm->chains);
	free(sm->lines);
	free(sm->kinds);
	line_history_release(&sm->history);
	*sm = (struct sweep_sm){ 0 };
}

static int begin(struct sweep_sm *sm)
{
	const struct sweep_plan *plan = sm->plan;
	int ret = 0;

	sm->lines = array_alloc(SWEEP_BATCH, sizeof(*sm->lines), "requests", NULL);
	sm->kinds = array_alloc(SWEEP_BATCH, sizeof(*sm->kinds), "requests", NULL);
	sm->chains = array_alloc(plan->chain_count, sizeof(*sm->chains), "caches", NULL);
	if (!sm->lines || !sm->kinds || !sm->chains)
		return ERR_NOMEM;
	for (size_t i = 0; !ret && i < plan->chain_count; i++)
		ret = sweep_chain_init(&sm->chains[i], plan->indices + plan->chains[i].first,
		                       plan->chains[i].count, plan->ways, plan->is_evicting, NULL);
	return ret;
}

/* Count the misses of lines never read before: all caches missed those. */
static void count_cold(struct sweep_sm *sm)
{
	const struct sweep_chain *c = &sm->chains[0];

	for (size_t i = 0; i < c->missed_count; i++)
		sm->same.cold += line_history_read(&sm->history, c->missed[i]) == LINE_NEW;
}

static void play(struct sweep_sm *sm)
{
	const struct sweep_batch batch = { .lines = sm->lines,
		                           .kinds = sm->has_others ? sm->kinds : NULL,
		                           .count = sm->count,
		                           .line_or = sm->line_or };

	for (size_t i = 0; !sm->failed && i < sm->plan->chain_count; i++)
		sm->failed = sweep_chain_play(&sm->chains[i], &batch, NULL);
	if (!sm->failed)
		count_cold(sm);
	sm->count = 0;
	sm->line_or = 0;
	sm->has_others = false;
}

/* Add a request. */
static void sweep_sm_request(struct sweep_sm *sm, const struct request *r)
{
	uint64_t line = r->line >> sm->plan->line_shift;

	if (!sm->chains && !sm->failed)
		sm->failed = begin(sm);
	if (!sm->history.entries && !sm->failed)
		sm->failed = line_history_init(&sm->history, NULL);
	if (sm->failed)
		return;
	sm->same.lanes += r->lanes;
	sm->same.bytes_asked += r->bytes_used;
	sm->same.bytes_to_l2 += r->kind == SITE_READ ? 0 : r->bytes_used;
	sm->same.reads += r->kind == SITE_READ;
	sm->same.writes += r->kind == SITE_WRITE;
	sm->same.atomics += r->kind == SITE_ATOMIC;
	sm->lines[sm->count] = line;
	sm->kinds[sm->count] = r->kind;
	sm->line_or |= line;
	sm->has_others |= r->kind != SITE_READ;
	if (++sm->count == SWEEP_BATCH)
		play(sm);
}

/* End the launch: replay the last batch and empty the caches. Returns 0 or an error. */
static int sweep_sm_end(struct sweep_sm *sm, struct err *err)
{
	if (sm->chains && !sm->failed) {
		play(sm);
		for (size_t i = 0; i < sm->plan->chain_count; i++)
			sweep_chain_empty(&sm->chains[i]);
	}
	if (sm->history.is_failed)
		sm->failed = ERR_NOMEM;
	line_history_release(&sm->history);
	sm->history = (struct line_history){ 0 };
	if (sm->failed)
		return err_set(err, (enum err_code)sm->failed, "out of memory for the caches");
	return 0;
}

/* Returns the sum over the first `ways` places. */
static uint64_t sum_of(const uint64_t *counts, uint32_t ways)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < ways; i++)
		sum += counts[i];
	return sum;
}

/* Add the counters of the cache of a level of a chain, with `ways` ways, in all launches. */
static void sweep_sm_count(const struct sweep_sm *sm, size_t chain, size_t level, uint32_t ways,
                           struct counters *sum)
{
	struct counters c = sm->same;
	const struct sweep_level *l;
	uint64_t taken;

	if (!sm->chains)
		return;
	l = &sm->chains[chain].levels[level];
	for (size_t i = 0; i <= level; i++)
		c.read_hits += sm->chains[chain].levels[i].stops;
	c.read_hits += sum_of(l->reads, ways);
	c.read_misses = c.reads - c.read_hits;
	c.write_hits = sum_of(l->writes, ways);
	c.bytes_from_l2 = c.read_misses << sm->plan->line_shift;
	/* Lines that came in and are not there at the end were replaced, or removed. */
	taken = sum_of(l->atomics, ways) + (sm->plan->is_evicting ? c.write_hits : 0);
	c.evictions = c.read_misses - taken - sum_of(l->held, ways);
	counters_add(sum, &c);
}

struct sweep {
	struct gpu gpu;
	struct sweep_plan plan;
	struct sweep_sm *sms; /* gpu.sm_count */
};

/* An SM's stacks are allocated at its first request, when it is too late to fail. */
static int check_places(const struct sweep_plan *p, struct err *err)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < p->count; i++)
		lines += (uint64_t)p->indices[i].sets * p->ways;
	if (lines <= SWEEP_LINES_MAX)
		return 0;
	return err_set(err, ERR_LIMIT,
	               "the caches of all set counts hold %llu lines together: at most %u can be "
	               "swept at once",
	               (unsigned long long)lines, SWEEP_LINES_MAX);
}

int sweep_create(struct sweep **out, const struct gpu *gpu, const struct sweep_geometry *list,
                 size_t count, uint32_t ways, struct err *err)
{
	struct sweep *s = array_alloc(1, sizeof(*s), "caches", err);
	int ret;

	if (!s)
		return ERR_NOMEM;
	s->gpu = *gpu;
	ret = sweep_plan_init(&s->plan, gpu, list, count, ways, err);
	if (!ret)
		ret = check_places(&s->plan, err);
	if (ret)
		goto out;
	s->sms = array_alloc(gpu->sm_count, sizeof(*s->sms), "SMs", err);
	if (!s->sms) {
		ret = ERR_NOMEM;
		goto out;
	}
	for (uint32_t i = 0; i < gpu->sm_count; i++)
		sweep_sm_init(&s->sms[i], &s->plan);
	*out = s;
	s = NULL;
out:
	sweep_free(s);
	return ret;
}

void sweep_free(struct sweep *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; s->sms && i < s->gpu.sm_count; i++)
		sweep_sm_release(&s->sms[i]);
	free(s->sms);
	sweep_plan_release(&s->plan);
	free(s);
}

void sweep_request(struct sweep *s, uint32_t sm, const struct request *r)
{
	assert(sm < s->gpu.sm_count);
	sweep_sm_request(&s->sms[sm], r);
}

int sweep_end(struct sweep *s, struct err *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < s->gpu.sm_count; i++)
		ret = sweep_sm_end(&s->sms[i], err);
	return ret;
}

/* The data arrives at once, whatever the caches contain. */
static uint64_t take_request(void *context, uint32_t sm, const struct request *r,
                             uint64_t now_cycles)
{
	sweep_request(context, sm, r);
	return now_cycles;
}

int sweep_launch(struct sweep *s, const struct recording *r, size_t launch,
                 const struct replay_options *options, bool *is_whole, struct err *err)
{
	const struct memory_port port = { .context = s, .request = take_request };
	struct schedule_result result = { 0 };
	struct launch_input input;
	int ret = launch_input_open(&input, r, launch, options, err);

	if (!ret)
		ret = schedule_launch(&s->gpu, &input.schedule, &port, &result, err);
	*is_whole = !ret && input.is_whole;
	if (!ret)
		ret = sweep_end(s, err);
	schedule_result_release(&result);
	launch_input_close(&input);
	return ret;
}

void sweep_cell(const struct sweep *s, size_t geometry, uint32_t ways, struct counters *out)
{
	struct sweep_plan_place at = s->plan.places[geometry];

	assert(geometry < s->plan.count && ways && ways <= s->plan.ways);
	*out = (struct counters){ 0 };
	for (uint32_t i = 0; i < s->gpu.sm_count; i++)
		sweep_sm_count(&s->sms[i], at.chain, at.level, ways, out);
	counters_count_lines(out);
}

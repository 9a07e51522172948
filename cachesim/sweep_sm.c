/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_sm.h"

#include "array.h"
#include "err.h"
#include "sweep_plan.h"

#include <stdlib.h>

void sweep_sm_init(struct sweep_sm *sm, const struct sweep_plan *plan)
{
	*sm = (struct sweep_sm){ .plan = plan };
}

void sweep_sm_release(struct sweep_sm *sm)
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

/* Which of the reads that missed were of new lines: all caches missed those. */
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

void sweep_sm_request(struct sweep_sm *sm, const struct request *r)
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

int sweep_sm_end(struct sweep_sm *sm, struct err *err)
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

/* Of the first `ways` places. */
static uint64_t sum_of(const uint64_t *counts, uint32_t ways)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < ways; i++)
		sum += counts[i];
	return sum;
}

void sweep_sm_count(const struct sweep_sm *sm, size_t chain, size_t level, uint32_t ways,
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
	/* What came in and is not there at the end was replaced, or taken out. */
	taken = sum_of(l->atomics, ways) + (sm->plan->is_evicting ? c.write_hits : 0);
	c.evictions = c.read_misses - taken - sum_of(l->held, ways);
	counters_add(sum, &c);
}

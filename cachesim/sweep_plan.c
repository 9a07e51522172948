/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_plan.h"

#include "array.h"
#include "err.h"
#include "sweep.h"
#include "sweep_chain.h"

#include <assert.h>
#include <stdlib.h>

/* A geometry, with its place in the caller's list and the chain that was found for it. */
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

/* Give each, in order of sets, to the first chain that it goes on. */
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

int sweep_plan_init(struct sweep_plan *p, const struct gpu *gpu, const struct sweep_geometry *list,
                    size_t count, uint32_t ways, struct err *err)
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

void sweep_plan_release(struct sweep_plan *p)
{
	free(p->indices);
	free(p->chains);
	free(p->places);
	*p = (struct sweep_plan){ 0 };
}

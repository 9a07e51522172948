/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_caches.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "hierarchy.h"
#include "l1.h"
#include "replay.h"

#include <assert.h>
#include <stdlib.h>

static int create_l1(struct sm_caches *all, const struct gpu *gpu, uint32_t sm, struct err *err)
{
	struct sm_cache *s = &all->sms[sm];
	struct l1_setup setup = { .sm = sm };

	if (all->below) {
		setup.horizon_cycles = hierarchy_horizon(all->below);
		setup.below = hierarchy_outbox(all->below, sm);
		setup.is_telling_victims = gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE;
	}
	if (all->options->observer)
		setup.observer = all->options->observer(all->options->observer_context, sm);
	s->sites = array_alloc(all->site_count, sizeof(*s->sites), "counters of sites", err);
	return s->sites ? l1_create(&s->l1, gpu, &setup, err) : ERR_NOMEM;
}

int sm_caches_init(struct sm_caches *all, const struct gpu *gpu, const struct schedule_input *input,
                   const struct replay_options *options, struct err *err)
{
	uint32_t played = schedule_played(gpu, input);
	int ret = 0;

	*all = (struct sm_caches){ .sm_count = gpu->sm_count,
		                   .site_count = input->table->site_count,
		                   .options = options };
	all->sms = array_alloc(all->sm_count, sizeof(*all->sms), "SMs", err);
	if (!all->sms)
		return ERR_NOMEM;
	if (gpu->l2 == GPU_L2_ON)
		ret = hierarchy_create(&all->below, gpu, all->site_count, err);
	for (uint32_t s = 0; s < gpu->sm_count && !ret; s++)
		if (schedule_plays(gpu, played, s))
			ret = create_l1(all, gpu, s, err);
	return ret;
}

void sm_caches_release(struct sm_caches *all)
{
	for (size_t s = 0; all->sms && s < all->sm_count; s++) {
		l1_free(all->sms[s].l1);
		free(all->sms[s].sites);
	}
	free(all->sms);
	hierarchy_free(all->below);
}

static uint64_t ask(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct sm_caches *all = context;

	assert(sm < all->sm_count && r->site < all->site_count);
	return l1_request(all->sms[sm].l1, r, now_cycles, &all->sms[sm].sites[r->site]);
}

/* Tell an L1 the answers that are known to be the next, and at least those before `before`. */
static void tell(struct sm_caches *all, uint32_t sm, uint64_t before)
{
	size_t count;
	const struct below_answer *answers = hierarchy_answers(all->below, sm, before, &count);

	if (count || l1_port_free(all->sms[sm].l1) == MEMORY_LATER)
		l1_settle(all->sms[sm].l1, answers, count);
	all->sms[sm].is_told = true;
}

/* With a hierarchy: invalidations that are due have not been told when SMs have passed over
 * cycles in which none had anything to do. */
static uint64_t ask_below(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct sm_caches *all = context;

	if (hierarchy_next_answer(all->below, sm) <= now_cycles)
		tell(all, sm, now_cycles + 1);
	return ask(context, sm, r, now_cycles);
}

/* The same where somebody else wants to know: functions of their own, so that nobody else pays. */
static uint64_t ask_told(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	const struct sm_caches *all = context;

	all->options->request(all->options->request_context, sm, r, now_cycles);
	return (all->below ? ask_below : ask)(context, sm, r, now_cycles);
}

static void tell_access(void *context, uint32_t sm, const struct warp_access *a,
                        uint64_t now_cycles)
{
	const struct sm_caches *all = context;

	all->options->access(all->options->access_context, sm, a, now_cycles);
}

/* All that happened before `until` in the L1s and below. */
static void settle_once(struct sm_caches *all, uint64_t until)
{
	for (uint32_t s = 0; s < all->sm_count; s++) {
		struct l1 *l1 = all->sms[s].l1;

		if (!l1)
			continue;
		if (hierarchy_next_answer(all->below, s) < until ||
		    l1_port_free(l1) == MEMORY_LATER)
			tell(all, s, until);
		l1_advance(l1, until);
		all->sms[s].is_told = false;
	}
	hierarchy_settle(all->below, until);
	all->until = until;
}

/* The cycle from which anything is left to do; UINT64_MAX: nothing is. */
static uint64_t next_cycle(const struct sm_caches *all)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t s = 0; s < all->sm_count; s++) {
		const struct message *m = outbox_peek(hierarchy_outbox(all->below, s));
		uint64_t answer = hierarchy_next_answer(all->below, s);

		next = m && m->cycle < next ? m->cycle : next;
		next = answer < next ? answer : next;
		if (all->sms[s].l1 && l1_port_free(all->sms[s].l1) == MEMORY_LATER)
			next = all->until < next ? all->until : next;
	}
	return next;
}

static void settle(void *context, uint64_t until)
{
	struct sm_caches *all = context;
	uint64_t round = hierarchy_horizon(all->below) - 1, next;

	/* Writes that their ports still hold go on in rounds. */
	while (until == UINT64_MAX && (next = next_cycle(all)) != UINT64_MAX)
		settle_once(all, (next > all->until ? next : all->until) + round);
	settle_once(all, until);
}

static bool next_answer(void *context, uint32_t sm, struct memory_answer *out)
{
	struct sm_caches *all = context;

	if (!all->sms[sm].is_told)
		tell(all, sm, 0);
	return l1_next_answer(all->sms[sm].l1, out);
}

static uint64_t port_free(void *context, uint32_t sm)
{
	const struct sm_caches *all = context;

	return l1_port_free(all->sms[sm].l1);
}

struct memory_port sm_caches_port(struct sm_caches *all, const struct gpu *gpu)
{
	struct memory_port port = { .context = all,
		                    .request = ask,
		                    .access = all->options->access ? tell_access : NULL };

	if (gpu->l1_mshr_entries || gpu->l1_mshr_merge)
		port.port_free = port_free;
	if (all->below) {
		port.request = ask_below;
		port.settle = settle;
		port.horizon_cycles = hierarchy_horizon(all->below);
		port.next_answer = next_answer;
	}
	if (all->options->request)
		port.request = ask_told;
	return port;
}

void sm_caches_end(struct sm_caches *all, uint64_t cycles)
{
	for (size_t s = 0; s < all->sm_count; s++)
		if (all->sms[s].l1)
			l1_end(all->sms[s].l1, cycles);
	if (!all->below)
		return;
	hierarchy_settle(all->below, UINT64_MAX);
	hierarchy_finish(all->below);
}

static int check_memory(const struct sm_caches *all, struct err *err)
{
	int ret = 0;

	for (size_t s = 0; s < all->sm_count && !ret; s++)
		ret = all->sms[s].l1 ? l1_status(all->sms[s].l1, err) : 0;
	return ret;
}

int sm_caches_count(const struct sm_caches *all, struct replay_result *out, struct err *err)
{
	int ret = check_memory(all, err);

	if (!ret && all->below)
		ret = hierarchy_count(all->below, &out->below, err);
	if (ret)
		return ret;
	out->sites = array_alloc(all->site_count, sizeof(*out->sites), "counters of sites", err);
	out->sms = array_alloc(all->sm_count, sizeof(*out->sms), "counters of SMs", err);
	if (!out->sites || !out->sms)
		return ERR_NOMEM;
	out->site_count = all->site_count;
	out->sm_count = all->sm_count;
	for (size_t s = 0; s < all->sm_count; s++) {
		for (size_t i = 0; all->sms[s].sites && i < all->site_count; i++) {
			counters_add(&out->sites[i], &all->sms[s].sites[i]);
			counters_add(&out->sms[s], &all->sms[s].sites[i]);
		}
		counters_add(&out->total, &out->sms[s]);
	}
	return 0;
}

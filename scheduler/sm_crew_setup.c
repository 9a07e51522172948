/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_crew_private.h"

#include "array.h"
#include "gpu.h"

#include <stdlib.h>

/* Groups formed ahead, a thread: half of them at a time, so that nobody is woken for one. */
enum { GROUPS_AHEAD = 16 };

/* So many warps do not stay in the second-level cache of a processor from round to round: about
 * half a kilobyte each. */
enum { COLD_WARPS_MIN = 2048 };

uint64_t sm_crew_next_group(void *context, uint64_t group)
{
	const struct sm_crew *c = context;
	const struct group_source *source = &c->input->groups;

	if (group < c->group_count && source->next)
		group = source->next(source->context, group);
	return group < c->group_count ? group : UINT64_MAX;
}

static int create_dispatcher(struct sm_crew *c, uint32_t slots, struct err *err)
{
	const struct dispatcher_setup setup = {
		.order = c->input->dispatch,
		.sm_count = c->sm_count,
		.played = c->played,
		.slots = slots,
		.next = sm_crew_next_group,
		.context = c,
	};

	return dispatcher_init(&c->dispatcher, &setup, err);
}

static int create_workers(struct sm_crew *c, const struct memory_port *port, uint32_t slots,
                          struct err *err)
{
	uint32_t size[3], items = launch_shape_group_size(c->input->shape, 0, size);
	uint32_t lanes = issue_order_lanes(&c->input->order, c->gpu->warp_lanes);
	struct sm_shape shape = { .schedulers = c->gpu->schedulers,
		                  .request_cycles = c->gpu->l1_request_cycles,
		                  .group_slots = slots,
		                  .warps_per_group = (items + lanes - 1) / lanes,
		                  .order = c->input->order,
		                  .is_in_order = c->gpu->scoreboard == GPU_SCOREBOARD_IN_ORDER,
		                  .horizon = c->rounds.horizon };
	uint64_t warps = (uint64_t)c->played * slots * shape.warps_per_group;
	int rc = 0;

	shape.has_cold_rounds = warps >= COLD_WARPS_MIN;
	c->workers = array_alloc(c->sm_count, sizeof(*c->workers), "SMs", err);
	if (!c->workers)
		return ERR_NOMEM;
	for (uint32_t i = 0; !rc && i < c->sm_count; i++) {
		shape.number = i;
		if (dispatcher_plays(i, c->sm_count, c->played))
			rc = sm_worker_init(&c->workers[i], &shape, c->input->table, port, err);
	}
	return rc;
}

static int create_members(struct sm_crew *c, bool keeps_lanes, struct err *err)
{
	int rc = 0;

	c->members = array_alloc(c->jobs, sizeof(*c->members), "threads", err);
	if (!c->members)
		return ERR_NOMEM;
	for (uint32_t i = 0; !rc && i < c->jobs; i++) {
		c->members[i].crew = c;
		rc = group_former_init(&c->members[i].former, c->gpu, c->input, keeps_lanes, err);
		if (c->input->order.kind != ISSUE_ORDER_reorder) /* which looks into streams */
			c->members[i].former.maker.spill = &c->spill;
	}
	return rc;
}

/* Tickets and streams: for every slot, and for what is ahead. */
static int create_tickets(struct sm_crew *c, uint32_t slots, struct err *err)
{
	size_t count = (size_t)c->played * slots + c->ahead_max;
	int rc = group_tickets_init(&c->tickets, count, err);

	return rc ? rc
	          : stream_pool_init(&c->streams, count,
	                             c->members[0].former.maker.coalescer.mask_words, err);
}

/* The lock is held for less than it takes to sleep: who wants it looks for a while first. */
static void init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t kind;

	pthread_mutexattr_init(&kind);
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
	pthread_mutex_init(lock, &kind);
	pthread_mutexattr_destroy(&kind);
}

int sm_crew_create(struct sm_crew **out, const struct gpu *gpu, const struct schedule_input *input,
                   const struct memory_port *port, uint32_t slots, struct err *err)
{
	struct sm_crew *c = array_alloc(1, sizeof(*c), "SMs", err);
	int rc;

	if (!c)
		return ERR_NOMEM;
	c->gpu = gpu;
	c->input = input;
	c->group_count = launch_shape_group_count(input->shape);
	c->sm_count = input->is_sequence ? 1 : gpu->sm_count;
	c->played = input->is_sequence ? 1 : schedule_played(gpu, input);
	c->jobs = input->jobs ? input->jobs : 1;
	if (c->jobs > 1 && c->played == c->sm_count) /* or most of what is ahead were for nobody */
		c->ahead_max = c->jobs * GROUPS_AHEAD;
	init_lock(&c->lock);
	pthread_cond_init(&c->changed, NULL);
	spill_file_init(&c->spill);
	rc = sm_rounds_init(&c->rounds, port, err);
	if (!rc)
		rc = create_dispatcher(c, slots, err);
	if (!rc)
		rc = create_workers(c, port, slots, err);
	if (!rc)
		rc = create_members(c, port->access, err);
	if (!rc)
		rc = create_tickets(c, slots, err);
	if (rc) {
		sm_crew_free(c);
		return rc;
	}
	*out = c;
	return 0;
}

void sm_crew_free(struct sm_crew *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; c->workers && i < c->sm_count; i++)
		sm_worker_release(&c->workers[i]);
	for (uint32_t i = 0; c->members && i < c->jobs; i++)
		group_former_release(&c->members[i].former);
	stream_pool_release(&c->streams);
	group_tickets_release(&c->tickets);
	dispatcher_release(&c->dispatcher);
	spill_file_release(&c->spill);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c->workers);
	free(c->members);
	free(c);
}

static void count_sm(const struct sm_crew *c, uint32_t i, struct schedule_result *out)
{
	const struct sm_counts *counts;

	if (!c->workers[i].sm)
		return;
	counts = sm_counts(c->workers[i].sm);
	out->sm_groups[i] = counts->groups;
	out->sm_requests[i] = counts->requests;
	out->sm_reads[i] = counts->reads;
	out->groups += counts->groups;
	out->requests += counts->requests;
	if (sm_now(c->workers[i].sm) > out->cycles)
		out->cycles = sm_now(c->workers[i].sm);
}

void sm_crew_count(const struct sm_crew *c, struct schedule_result *out)
{
	for (uint32_t i = 0; i < c->sm_count; i++)
		count_sm(c, i, out);
	for (uint32_t i = 0; i < c->jobs; i++)
		group_former_count(&c->members[i].former, out);
	out->lanes += c->lanes;
	out->instructions += c->instructions;
}

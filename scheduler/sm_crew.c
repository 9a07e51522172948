/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_crew.h"

#include "array.h"
#include "dispatcher.h"
#include "err.h"
#include "gpu.h"
#include "group_former.h"
#include "group_tickets.h"
#include "sm_worker.h"
#include "stream_pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* Groups formed ahead, a thread: half of them at a time, so that nobody is woken for one. */
enum { GROUPS_AHEAD = 8 };

struct member {
	struct sm_crew *crew;
	struct group_former former;
	pthread_t thread;
};

struct sm_crew {
	const struct gpu *gpu;
	const struct schedule_input *input;
	uint64_t group_count;
	uint32_t sm_count, played; /* SMs that get groups, and of them */
	uint32_t jobs;
	uint32_t ahead_max;     /* groups formed before an SM has got them */
	struct member *members; /* jobs */

	/* From here on under the lock, but for a worker that runs and a ticket that is formed. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct dispatcher dispatcher;
	struct sm_worker *workers; /* sm_count */
	struct stream_pool streams;
	struct group_tickets tickets;
	uint64_t next_ahead; /* the group after all that have a ticket */
	uint64_t resident;   /* groups that an SM has got and that have not ended */
	uint32_t busy;       /* members at work */
	bool is_reading;     /* one of them uses the source */
	uint64_t lanes, instructions;
	int rc; /* of the lowest group that failed */
	uint64_t failed_group;
	struct err err;
};

enum task_kind { TASK_END, TASK_FORM, TASK_RUN };

struct task {
	enum task_kind kind;
	struct group_ticket *ticket;
	uint32_t sm;
	uint64_t until;
	bool stops_at_end;
};

/* The first group >= `group` that is to be played. */
static uint64_t next_group(void *context, uint64_t group)
{
	const struct sm_crew *c = context;
	const struct group_source *source = &c->input->groups;

	if (group < c->group_count && source->next)
		group = source->next(source->context, group);
	return group < c->group_count ? group : UINT64_MAX;
}

/* A ticket that has its SM and its stream has done its work. */
static void use_ticket(struct sm_crew *c, struct group_ticket *t)
{
	if (!t->worker || !t->is_formed)
		return;
	sm_worker_give(t->worker, t->slot, t->stream);
	group_tickets_give(&c->tickets, t);
}

/* --- what is to be done ---------------------------------------------------------------------- */

/* Take slots for all groups whose SM is decided. */
static void place_groups(struct sm_crew *c)
{
	struct placement p;

	while (dispatcher_place(&c->dispatcher, &p)) {
		struct group_ticket *t = ticket_list_take(&c->tickets.ahead);

		if (!t) {
			t = group_tickets_take(&c->tickets, p.group);
			ticket_list_add(&c->tickets.unformed, t);
			c->next_ahead = next_group(c, p.group + 1);
		}
		assert(t->group == p.group);
		t->worker = &c->workers[p.sm];
		t->slot = sm_worker_take(t->worker);
		c->resident++;
		use_ticket(c, t);
	}
}

static bool can_run(const struct sm_crew *c, uint32_t sm)
{
	const struct sm_worker *w = &c->workers[sm];

	return w->resident && !w->unformed && !w->is_running &&
	       !dispatcher_holds(&c->dispatcher, sm);
}

/* The SM that is most behind of those that can run; false when none can. */
static bool find_run(struct sm_crew *c, struct task *task)
{
	uint32_t count = c->sm_count, found = count;
	struct sm_worker *w;

	for (uint32_t i = 0; i < count; i++)
		if (can_run(c, i) && (found == count || c->workers[i].now < c->workers[found].now))
			found = i;
	if (found == count)
		return false;
	w = &c->workers[found];
	w->is_running = true;
	*task = (struct task){ .kind = TASK_RUN,
		               .sm = found,
		               .until = c->jobs > 1 ? dispatcher_turn(&c->dispatcher, w->now)
		                                    : UINT64_MAX,
		               .stops_at_end = !dispatcher_is_done(&c->dispatcher) };
	return true;
}

/* A group to form: one that an SM waits for, or one ahead. */
static bool find_group(struct sm_crew *c, bool is_ahead, struct task *task)
{
	struct group_ticket *t = NULL;

	if (c->is_reading)
		return false;
	if (!is_ahead) {
		t = ticket_list_take(&c->tickets.unformed);
	} else if (c->next_ahead != UINT64_MAX && group_tickets_want(&c->tickets, c->ahead_max)) {
		t = group_tickets_take(&c->tickets, c->next_ahead);
		c->next_ahead = next_group(c, t->group + 1);
		ticket_list_add(&c->tickets.ahead, t);
	}
	if (!t)
		return false;
	c->is_reading = true;
	*task = (struct task){ .kind = TASK_FORM, .ticket = t };
	return true;
}

/* What a member that is free does next; waits until there is something. */
static struct task find_task(struct sm_crew *c)
{
	struct task task = { .kind = TASK_END };

	for (;;) {
		bool is_done = dispatcher_is_done(&c->dispatcher) && !c->resident;

		if (c->rc || is_done || find_group(c, false, &task) || find_run(c, &task) ||
		    find_group(c, true, &task))
			return task;
		assert(c->busy); /* or nobody would ever end our waiting */
		pthread_cond_wait(&c->changed, &c->lock);
	}
}

/* --- doing it: with the lock held, but for the work itself ------------------------------------ */

static void fail(struct sm_crew *c, uint64_t group, int rc, const struct err *why)
{
	if (c->rc && c->failed_group < group)
		return;
	c->rc = rc;
	c->failed_group = group;
	c->err = *why;
}

static void form(struct member *m, struct group_ticket *t)
{
	struct sm_crew *c = m->crew;
	struct err err = { 0 };
	int rc = 0;

	t->stream = stream_pool_take(&c->streams, &err);
	pthread_mutex_unlock(&c->lock);
	rc = t->stream ? group_former_read(&m->former, t->group, c->jobs > 1, &err) : ERR_NOMEM;
	pthread_mutex_lock(&c->lock);
	c->is_reading = false;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	if (!rc)
		rc = group_former_form(&m->former, t->group, t->stream, &err);
	pthread_mutex_lock(&c->lock);
	t->is_formed = true;
	if (rc)
		fail(c, t->group, rc, &err);
	else
		use_ticket(c, t);
}

static void run(struct sm_crew *c, const struct task *task)
{
	struct sm_worker *w = &c->workers[task->sm];
	struct group_stream *stream;
	uint32_t ended;

	pthread_mutex_unlock(&c->lock);
	ended = sm_worker_run(w, task->until, task->stops_at_end);
	pthread_mutex_lock(&c->lock);
	w->is_running = false;
	w->now = sm_now(w->sm);
	while ((stream = sm_worker_leave(w))) {
		c->lanes += stream->lanes;
		c->instructions += stream->accesses;
		stream_pool_give(&c->streams, stream);
	}
	c->resident -= ended;
	if (!task->stops_at_end)
		return;
	if (ended)
		dispatcher_ended(&c->dispatcher, task->sm, w->now, ended);
	else
		dispatcher_passed(&c->dispatcher, task->sm, w->now);
	place_groups(c);
}

static void *work(void *member)
{
	struct member *m = member;
	struct sm_crew *c = m->crew;
	struct task task;

	pthread_mutex_lock(&c->lock);
	while ((task = find_task(c)).kind != TASK_END) {
		c->busy++;
		if (task.kind == TASK_FORM)
			form(m, task.ticket);
		else
			run(c, &task);
		c->busy--;
		pthread_cond_broadcast(&c->changed);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

int sm_crew_play(struct sm_crew *c, struct err *err)
{
	uint32_t started = 1;

	place_groups(c);
	while (started < c->jobs &&
	       !pthread_create(&c->members[started].thread, NULL, work, &c->members[started]))
		started++; /* with fewer threads it takes longer */
	work(&c->members[0]);
	for (uint32_t i = 1; i < started; i++)
		pthread_join(c->members[i].thread, NULL);
	return c->rc ? err_set(err, (enum err_code)c->rc, "%s", c->err.msg) : 0;
}

/* --- beginning and end ----------------------------------------------------------------------- */

static int create_dispatcher(struct sm_crew *c, uint32_t slots, struct err *err)
{
	const struct dispatcher_setup setup = { c->input->dispatch, c->sm_count,
		                                c->played,          slots,
		                                next_group,         c };

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
		                  .is_in_order = c->gpu->scoreboard == GPU_SCOREBOARD_IN_ORDER };
	int rc = 0;

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
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
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

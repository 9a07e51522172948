/* SPDX-License-Identifier: Apache-2.0 */

#include "sm_crew.h"

#include "array.h"
#include "dispatcher.h"
#include "err.h"
#include "gpu.h"
#include "group_former.h"
#include "schedule.h"
#include "sm_rounds.h"
#include "spill_file.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct member {
	struct sm_crew *crew;
	struct group_former former;
	pthread_t thread;
};

struct sm_crew {
	const struct gpu *gpu;
	const struct schedule_input *input;
	uint64_t group_count;
	uint32_t sm_count, played; /* all SMs, and the simulated ones */
	uint32_t jobs;
	uint32_t ahead_max;      /* most groups formed before they are dispatched */
	struct member *members;  /* jobs */
	struct spill_file spill; /* for the streams of long groups */

	/* Guarded by the lock from here on, except a worker that runs and a ticket that is being
	 * formed. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t waiting;        /* members that wait for `changed` */
	_Atomic uint64_t change; /* counts changes; may be read without the lock */
	struct dispatcher dispatcher;
	struct sm_worker *workers; /* sm_count */
	struct stream_pool streams;
	struct group_tickets tickets;
	struct sm_rounds rounds;
	uint64_t next_ahead; /* the first group without a ticket */
	uint64_t resident;   /* groups dispatched and not ended */
	uint32_t busy;       /* members at work */
	uint32_t turn;       /* in rounds: where the search for an SM begins */
	bool is_reading;     /* a member uses the source */
	size_t group_events; /* average of the groups read last; only with several threads */
	uint64_t lanes, instructions;
	int rc; /* of the lowest group that failed */
	uint64_t failed_group;
	struct err err;
};

/* Groups formed ahead for each thread. Half of them are formed at a time, so that no thread is
 * woken for a single group. */
enum { GROUPS_AHEAD = 16 };

/* From this many warps on, at about half a kilobyte each, they do not stay in a processor's
 * second-level cache from round to round. */
enum { COLD_WARPS_MIN = 2048 };

static uint64_t sm_crew_next_group(void *context, uint64_t group)
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
		if (c->input->order.kind != ISSUE_ORDER_reorder) /* it reads the arrays */
			c->members[i].former.maker.spill = &c->spill;
	}
	return rc;
}

/* Create tickets and streams for every slot, and for the groups formed ahead. */
static int create_tickets(struct sm_crew *c, uint32_t slots, struct err *err)
{
	size_t count = (size_t)c->played * slots + c->ahead_max;
	int rc = group_tickets_init(&c->tickets, count, err);

	return rc ? rc
	          : stream_pool_init(&c->streams, count,
	                             c->members[0].former.maker.coalescer.mask_words, err);
}

/* The lock is held for less time than it takes to sleep, so a thread spins for a while before it
 * sleeps. */
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
	if (c->jobs > 1 && c->played == c->sm_count) /* a sample needs few of them */
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

enum { LOOKS = 300 }; /* some microseconds */

enum task_kind { TASK_END, TASK_FORM, TASK_RUN };

/* Groups that a thread reads at a time, one after another, so that others wait for the source only
 * once. */
enum { FORM_GROUPS = 8, FORM_EVENTS = 1 << 14 };

struct task {
	enum task_kind kind;
	struct group_ticket *tickets[FORM_GROUPS]; /* of ascending groups */
	uint32_t count;
	uint32_t sm;
	uint64_t until;
	bool stops_at_end;
};

/* Wake the others: there may be new work. */
static void wake_others(struct sm_crew *c)
{
	c->change++;
	if (c->waiting)
		pthread_cond_broadcast(&c->changed);
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/*
 * Wait for new work. The tasks of others take microseconds, and so does sleeping: spin for a while
 * first.
 */
static void wait_for_others(struct sm_crew *c)
{
	uint64_t change = c->change;

	pthread_mutex_unlock(&c->lock);
	for (int i = 0; i < LOOKS && c->change == change; i++)
		pause_briefly();
	pthread_mutex_lock(&c->lock);
	if (c->change != change)
		return;
	c->waiting++;
	pthread_cond_wait(&c->changed, &c->lock);
	c->waiting--;
}

/* If a ticket has both its SM and its stream, give the stream to the SM and the ticket back. */
static void use_ticket(struct sm_crew *c, struct group_ticket *t)
{
	if (!t->worker || !t->is_formed)
		return;
	sm_worker_give(t->worker, t->slot, t->stream);
	group_tickets_give(&c->tickets, t);
}

/* --- what is to be done ---------------------------------------------------------------------- */

/* Take slots for all groups whose SM is decided; false if there are none. */
static bool place_groups(struct sm_crew *c)
{
	struct placement p;
	bool is_any = false;

	while (dispatcher_place(&c->dispatcher, &p)) {
		struct group_ticket *t = ticket_list_take(&c->tickets.ahead);

		if (!t) {
			t = group_tickets_take(&c->tickets, p.group);
			ticket_list_add(&c->tickets.unformed, t);
			c->next_ahead = sm_crew_next_group(c, p.group + 1);
		}
		assert(t->group == p.group);
		t->worker = &c->workers[p.sm];
		t->slot = sm_worker_take(t->worker);
		c->resident++;
		use_ticket(c, t);
		is_any = true;
	}
	return is_any;
}

static bool can_run(const struct sm_crew *c, uint32_t sm)
{
	const struct sm_worker *w = &c->workers[sm];

	return w->resident && !w->unformed && !w->is_running &&
	       !dispatcher_holds(&c->dispatcher, sm);
}

/* Returns the SM with the earliest time of those that can run, or sm_count. */
static uint32_t find_last(const struct sm_crew *c)
{
	uint32_t count = c->sm_count, found = count;

	for (uint32_t i = 0; i < count; i++)
		if (can_run(c, i) && (found == count || c->workers[i].now < c->workers[found].now))
			found = i;
	return found;
}

/* Returns the next SM that can run and has not reached the end of the round, or sm_count. */
static uint32_t find_unfinished(struct sm_crew *c)
{
	for (uint32_t i = 0, sm = c->turn; i < c->sm_count; i++) {
		uint32_t next = sm + 1 < c->sm_count ? sm + 1 : 0;

		if (c->workers[sm].now < c->rounds.horizon && can_run(c, sm)) {
			c->turn = next;
			return sm;
		}
		sm = next;
	}
	return c->sm_count;
}

/* Choose an SM to run; false if none can. */
static bool find_run(struct sm_crew *c, struct task *task)
{
	uint32_t found = sm_rounds_exist(&c->rounds) ? find_unfinished(c) : find_last(c);
	struct sm_worker *w;

	if (found == c->sm_count)
		return false;
	w = &c->workers[found];
	w->is_running = true;
	task->kind = TASK_RUN;
	task->sm = found;
	task->until = c->jobs > 1 ? dispatcher_turn(&c->dispatcher, w->now) : UINT64_MAX;
	task->stops_at_end = !dispatcher_is_done(&c->dispatcher);
	return true;
}

/* Returns the ticket of a group to form: one that an SM waits for, or one ahead; NULL if there is
 * none. */
static struct group_ticket *find_ticket(struct sm_crew *c, bool is_ahead)
{
	struct group_ticket *t;

	if (!is_ahead)
		return ticket_list_take(&c->tickets.unformed);
	if (c->next_ahead == UINT64_MAX || !group_tickets_should_form(&c->tickets, c->ahead_max))
		return NULL;
	t = group_tickets_take(&c->tickets, c->next_ahead);
	c->next_ahead = sm_crew_next_group(c, t->group + 1);
	ticket_list_add(&c->tickets.ahead, t);
	return t;
}

/* Returns how many groups a thread takes. If others wait for the source, several short ones; of
 * those that SMs wait for, at most half. */
static uint32_t count_to_form(const struct sm_crew *c, bool is_ahead)
{
	uint32_t most = FORM_GROUPS;

	if (c->jobs == 1 || c->group_events * FORM_GROUPS > FORM_EVENTS)
		return 1;
	if (!is_ahead && most > (c->tickets.unformed.count + 1) / 2)
		most = (c->tickets.unformed.count + 1) / 2;
	return most;
}

/* Choose groups to form. */
static bool find_groups(struct sm_crew *c, bool is_ahead, struct task *task)
{
	uint32_t most = count_to_form(c, is_ahead);

	if (c->is_reading)
		return false;
	task->count = 0;
	while (task->count < most && (task->tickets[task->count] = find_ticket(c, is_ahead)))
		task->count++;
	if (!task->count)
		return false;
	c->is_reading = true;
	task->kind = TASK_FORM;
	return true;
}

/* If all SMs have reached the end of the round, begin the next one and return true. Others are not
 * woken until there is work for them: a round is short. */
static bool end_round(struct sm_crew *c)
{
	bool are_left = !dispatcher_is_done(&c->dispatcher);
	uint32_t count = 0;

	if (!sm_rounds_exist(&c->rounds) ||
	    !sm_rounds_is_over(&c->rounds, c->workers, c->sm_count, are_left))
		return false;
	sm_rounds_next(&c->rounds, c->workers, c->sm_count, are_left);
	for (uint32_t i = 0; i < c->sm_count; i++)
		count += c->workers[i].now < c->rounds.horizon && can_run(c, i);
	if (count > 1)
		wake_others(c);
	return true;
}

/* Returns the next task of a free member; waits until there is one. */
static struct task find_task(struct sm_crew *c)
{
	struct task task = { .kind = TASK_END };

	for (;;) {
		bool is_done = dispatcher_is_done(&c->dispatcher) && !c->resident;

		if (c->rc || is_done || find_groups(c, false, &task) ||
		    find_groups(c, true, &task) || find_run(c, &task))
			return task;
		if (end_round(c))
			continue;
		assert(c->busy); /* otherwise this member would wait forever */
		wait_for_others(c);
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

/* Read the groups of a task, without the lock. Returns their number. With several threads they are
 * copied, so that others can read. */
static uint32_t read_groups(struct member *m, const struct task *task, int *rc, struct err *err)
{
	bool copies = m->crew->jobs > 1;
	uint32_t i = 0;

	group_former_forget(&m->former);
	for (; i < task->count && !*rc; i++) {
		uint64_t group = task->tickets[i]->group;

		*rc = copies ? group_former_copy(&m->former, group, err)
		             : group_former_read(&m->former, group, err);
	}
	return *rc ? i - 1 : i;
}

/* Form group number `i` of a task, which must have been read. */
static void form_group(struct member *m, struct group_ticket *t, uint32_t i)
{
	struct sm_crew *c = m->crew;
	struct group_stream *stream;
	struct err err = { 0 };
	int rc = ERR_NOMEM;

	stream = stream_pool_take(&c->streams, &err);
	pthread_mutex_unlock(&c->lock);
	if (stream)
		rc = c->jobs > 1 ? group_former_form_copy(&m->former, i, t->group, stream, &err)
		                 : group_former_form(&m->former, t->group, stream, &err);
	pthread_mutex_lock(&c->lock);
	t->stream = stream;
	t->is_formed = true;
	if (rc)
		fail(c, t->group, rc, &err);
	else
		use_ticket(c, t);
}

static void form(struct member *m, const struct task *task)
{
	struct sm_crew *c = m->crew;
	struct err err = { 0 };
	uint32_t count;
	int rc = 0;

	pthread_mutex_unlock(&c->lock);
	count = read_groups(m, task, &rc, &err);
	pthread_mutex_lock(&c->lock);
	if (count)
		c->group_events = group_former_copied(&m->former) / count;
	if (rc)
		fail(c, task->tickets[count]->group, rc, &err);
	c->is_reading = false;
	wake_others(c);
	for (uint32_t i = 0; i < count; i++)
		form_group(m, task->tickets[i], i);
}

/* Returns whether there may be new work for others; in rounds, work other than this SM. */
static bool run(struct sm_crew *c, const struct task *task)
{
	struct sm_worker *w = &c->workers[task->sm];
	struct group_stream *stream;
	struct err err = { 0 };
	uint32_t ended;

	pthread_mutex_unlock(&c->lock);
	sm_rounds_join(&c->rounds, w);
	ended = sm_worker_run(w, task->until, task->stops_at_end);
	pthread_mutex_lock(&c->lock);
	w->is_running = false;
	w->now = sm_now(w->sm);
	if (sm_is_out_of_memory(w->sm)) {
		err_set(&err, ERR_NOMEM, "no memory left for the requests of an access");
		fail(c, UINT64_MAX, ERR_NOMEM, &err);
	}
	while ((stream = sm_worker_leave(w))) {
		if (stream->spill.file && spill_file_check(&c->spill, &err))
			fail(c, UINT64_MAX, ERR_IO, &err);
		c->lanes += stream->lanes;
		if (c->input->played)
			*c->input->played += stream->lanes;
		c->instructions += stream->accesses;
		stream_pool_give(&c->streams, stream);
	}
	c->resident -= ended;
	if (!task->stops_at_end)
		return ended || c->rc || !sm_rounds_exist(&c->rounds);
	if (ended)
		dispatcher_ended(&c->dispatcher, task->sm, w->now, ended);
	else
		dispatcher_passed(&c->dispatcher, task->sm, w->now);
	return place_groups(c) || ended || c->rc || !sm_rounds_exist(&c->rounds);
}

static void *work(void *member)
{
	struct member *m = member;
	struct sm_crew *c = m->crew;
	struct task task;

	pthread_mutex_lock(&c->lock);
	while ((task = find_task(c)).kind != TASK_END) {
		bool is_more = true;

		c->busy++;
		if (task.kind == TASK_FORM)
			form(m, &task);
		else
			is_more = run(c, &task);
		c->busy--;
		if (is_more)
			wake_others(c);
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
	if (!c->rc && sm_rounds_exist(&c->rounds))
		sm_rounds_end(&c->rounds, c->workers, c->sm_count);
	return c->rc ? err_set(err, (enum err_code)c->rc, "%s", c->err.msg) : 0;
}

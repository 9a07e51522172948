/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_crew_private.h"

#include "err.h"

#include <assert.h>

enum task_kind { TASK_END, TASK_FORM, TASK_RUN };

struct task {
	enum task_kind kind;
	struct group_ticket *ticket;
	uint32_t sm;
	uint64_t until;
	bool stops_at_end;
};

/* A ticket that has its SM and its stream has done its work. */
static void use_ticket(struct sm_crew *c, struct group_ticket *t)
{
	if (!t->worker || !t->is_formed)
		return;
	sm_worker_give(t->worker, t->slot, t->stream);
	group_tickets_give(&c->tickets, t);
}

/* --- what is to be done ---------------------------------------------------------------------- */

/* Take slots for all groups whose SM is decided; false when there is none. */
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

/* The SM that is most behind of those that can run, or sm_count. */
static uint32_t find_last(const struct sm_crew *c)
{
	uint32_t count = c->sm_count, found = count;

	for (uint32_t i = 0; i < count; i++)
		if (can_run(c, i) && (found == count || c->workers[i].now < c->workers[found].now))
			found = i;
	return found;
}

/* The next SM that can run and has not come to the end of the round, or sm_count. */
static uint32_t find_behind(struct sm_crew *c)
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

/* Run an SM; false when none can. */
static bool find_run(struct sm_crew *c, struct task *task)
{
	uint32_t found = sm_rounds_are_there(&c->rounds) ? find_behind(c) : find_last(c);
	struct sm_worker *w;

	if (found == c->sm_count)
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
		c->next_ahead = sm_crew_next_group(c, t->group + 1);
		ticket_list_add(&c->tickets.ahead, t);
	}
	if (!t)
		return false;
	c->is_reading = true;
	*task = (struct task){ .kind = TASK_FORM, .ticket = t };
	return true;
}

/* When all SMs have come to the end of the round, the next one begins: true. Others are woken when
 * there is something for them: a round is short. */
static bool end_round(struct sm_crew *c)
{
	bool are_left = !dispatcher_is_done(&c->dispatcher);
	uint32_t count = 0;

	if (!sm_rounds_are_there(&c->rounds) ||
	    !sm_rounds_is_over(&c->rounds, c->workers, c->sm_count, are_left))
		return false;
	sm_rounds_next(&c->rounds, c->workers, c->sm_count, are_left);
	for (uint32_t i = 0; i < c->sm_count; i++)
		count += c->workers[i].now < c->rounds.horizon && can_run(c, i);
	if (count > 1)
		pthread_cond_broadcast(&c->changed);
	return true;
}

/* What a member that is free does next; waits until there is something. */
static struct task find_task(struct sm_crew *c)
{
	struct task task = { .kind = TASK_END };

	for (;;) {
		bool is_done = dispatcher_is_done(&c->dispatcher) && !c->resident;

		if (c->rc || is_done || find_group(c, false, &task) || find_run(c, &task))
			return task;
		if (end_round(c))
			continue;
		if (find_group(c, true, &task))
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

/* Returns whether there may be more to do than there was: but for the SM itself, in rounds. */
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
		c->instructions += stream->accesses;
		stream_pool_give(&c->streams, stream);
	}
	c->resident -= ended;
	if (!task->stops_at_end)
		return ended || c->rc || !sm_rounds_are_there(&c->rounds);
	if (ended)
		dispatcher_ended(&c->dispatcher, task->sm, w->now, ended);
	else
		dispatcher_passed(&c->dispatcher, task->sm, w->now);
	return place_groups(c) || ended || c->rc || !sm_rounds_are_there(&c->rounds);
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
			form(m, task.ticket);
		else
			is_more = run(c, &task);
		c->busy--;
		if (is_more)
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
	if (!c->rc && sm_rounds_are_there(&c->rounds))
		sm_rounds_end(&c->rounds, c->workers, c->sm_count);
	return c->rc ? err_set(err, (enum err_code)c->rc, "%s", c->err.msg) : 0;
}

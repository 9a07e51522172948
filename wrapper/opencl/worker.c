/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include "clock.h"
#include "err.h"
#include "launch_fate.h"
#include "launch_job.h"
#include "opencl_session.h"
#include "thread_pool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

void waiting_jobs_add(struct launch_job *job)
{
	struct session *s = job->session;

	session_lock(s);
	job->waiting = (struct waiting_job){ .next = opencl_session(s)->waiting,
		                             .before = &opencl_session(s)->waiting };
	job->waiting.is_in = true;
	if (opencl_session(s)->waiting)
		opencl_session(s)->waiting->waiting.before = &job->waiting.next;
	opencl_session(s)->waiting = job;
	session_unlock(s);
}

/* Called with the session's lock held. */
static void take_out(struct waiting_job *w)
{
	if (!w->is_in)
		return;
	w->is_in = false;
	*w->before = w->next;
	if (w->next)
		w->next->waiting.before = w->before;
}

bool waiting_jobs_remove(struct launch_job *job)
{
	bool is_settled;

	session_lock(job->session);
	is_settled = job->waiting.is_settled;
	job->waiting.is_begun = true;
	take_out(&job->waiting);
	session_unlock(job->session);
	return !is_settled;
}

bool waiting_jobs_may_free(struct launch_job *job)
{
	bool may_free;

	session_lock(job->session);
	take_out(&job->waiting);
	may_free = !job->waiting.is_looked_at;
	job->waiting.is_left = !may_free;
	session_unlock(job->session);
	return may_free;
}

/* Returns the next job that was not looked at; NULL: there is none left, and the next pass begins
 * with all. */
static struct launch_job *begin_look(struct session *s)
{
	struct launch_job *job;

	session_lock(s);
	job = opencl_session(s)->waiting;
	while (job && job->waiting.is_seen)
		job = job->waiting.next;
	if (job)
		job->waiting.is_seen = job->waiting.is_looked_at = true;
	for (struct launch_job *other = job ? NULL : opencl_session(s)->waiting; other;
	     other = other->waiting.next)
		other->waiting.is_seen = false;
	session_unlock(s);
	return job;
}

/* Whether this thread has to settle the job; a job that was finished meanwhile is freed. */
static bool end_look(struct session *s, struct launch_job *job, bool has_failed)
{
	bool is_left, is_ours;

	session_lock(s);
	job->waiting.is_looked_at = false;
	is_left = job->waiting.is_left;
	is_ours = has_failed && !job->waiting.is_begun;
	job->waiting.is_settled = is_ours;
	if (is_ours)
		take_out(&job->waiting);
	session_unlock(s);
	if (is_left)
		launch_job_free(job);
	return is_ours;
}

void waiting_jobs_settle(struct session *s)
{
	struct launch_job *job;

	while ((job = begin_look(s))) {
		cl_int status = CL_QUEUED;
		bool has_failed = opencl_real()->clGetEventInfo(
					  job->head, CL_EVENT_COMMAND_EXECUTION_STATUS,
					  sizeof(status), &status, NULL) == CL_SUCCESS &&
		                  status < 0;
		struct launch_outcome outcome = launch_job_outcome(job);

		if (!end_look(s, job, has_failed))
			continue;
		err_set(&outcome.trouble, ERR_DEVICE, "a command that it waits for failed: %d",
		        status);
		launch_fate_write(&outcome);
		worker_expect(opencl_session(s)->worker, -1);
	}
}

void waiting_jobs_write_lines(struct session *s)
{
	session_lock(s);
	for (const struct launch_job *job = opencl_session(s)->waiting; job;
	     job = job->waiting.next) {
		const struct launch_outcome outcome = launch_job_outcome(job);

		launch_fate_write_line(&outcome);
	}
	session_unlock(s);
}

void waiting_jobs_record_lost(struct session *s)
{
	struct launch_job *job;

	while ((job = begin_look(s)))
		if (end_look(s, job, true))
			launch_job_record_lost(
				job, "the program ended before an event or a command that "
				     "it waits for was complete");
}

#define PATIENCE_SECONDS    30
#define EXPECTATION_SECONDS 3
#define NS_PER_SECOND       UINT64_C(1000000000)

struct worker {
	pthread_mutex_t lock; /* of everything below */
	pthread_cond_t ready; /* a job was pushed */
	pthread_cond_t moved; /* pushed, done or progress changed */
	struct launch_job *first, *last;
	uint64_t pushed, done, progress;
	int expected;
	bool has_thread, is_ending;
	bool has_given_up; /* worker_drain(), when done and progress were: */
	uint64_t given_up;
	uint64_t wake_ns; /* when to call on_time; 0: not */
	uint64_t held_ns; /* until when nothing is begun; 0: nothing is held */
	void (*on_time)(void *context);
	void *on_time_context;
	pthread_t thread;
	struct thread_pool *pool;
};

int worker_create(struct worker **out, struct err *err)
{
	struct worker *w = calloc(1, sizeof(*w));
	pthread_condattr_t attr;

	if (!w)
		return err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	if (thread_pool_create(&w->pool, err) < 0) {
		free(w);
		return ERR_NOMEM;
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->ready, &attr);
	pthread_cond_init(&w->moved, &attr);
	pthread_condattr_destroy(&attr);
	*out = w;
	return 0;
}

/* Make the call that is due. Called with the lock held, which it releases during the call. */
static void call_on_time(struct worker *w)
{
	if (!w->wake_ns || clock_now_ns() < w->wake_ns)
		return;
	w->wake_ns = 0;
	pthread_mutex_unlock(&w->lock);
	w->on_time(w->on_time_context);
	pthread_mutex_lock(&w->lock);
}

/* Wait for a job, the end, or the alarm. Called with the lock held. */
static void wait_for_work(struct worker *w)
{
	struct timespec until;

	if (!w->wake_ns) {
		pthread_cond_wait(&w->ready, &w->lock);
		return;
	}
	until.tv_sec = (time_t)(w->wake_ns / NS_PER_SECOND);
	until.tv_nsec = (long)(w->wake_ns % NS_PER_SECOND);
	(void)pthread_cond_timedwait(&w->ready, &w->lock, &until);
}

/* Wait until nothing is held. Called with the lock held, which it releases while it waits. */
static void wait_while_held(struct worker *w)
{
	while (clock_now_ns() < w->held_ns) {
		const struct timespec until = { (time_t)(w->held_ns / NS_PER_SECOND),
			                        (long)(w->held_ns % NS_PER_SECOND) };

		(void)pthread_cond_timedwait(&w->ready, &w->lock, &until);
	}
}

static void *work(void *argument)
{
	struct worker *w = argument;

	for (;;) {
		struct launch_job *job;

		pthread_mutex_lock(&w->lock);
		call_on_time(w);
		while (!w->first && !w->is_ending) {
			wait_for_work(w);
			call_on_time(w);
		}
		wait_while_held(w);
		job = w->first;
		w->first = job ? job->next : NULL;
		if (!w->first)
			w->last = NULL;
		pthread_mutex_unlock(&w->lock);
		if (!job)
			return NULL;

		launch_job_run(job);

		pthread_mutex_lock(&w->lock);
		w->done++;
		pthread_cond_broadcast(&w->moved);
		pthread_mutex_unlock(&w->lock);
	}
}

/* Start the thread with all signals masked: the application's handlers must not run in it. */
static bool start(struct worker *w)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc == 0;
}

void worker_push(struct worker *w, struct launch_job *job)
{
	bool has_thread;

	job->next = NULL;
	pthread_mutex_lock(&w->lock);
	has_thread = w->has_thread || (w->has_thread = start(w));
	if (has_thread) {
		if (w->last)
			w->last->next = job;
		else
			w->first = job;
		w->last = job;
		w->pushed++;
		pthread_cond_signal(&w->ready);
	}
	pthread_mutex_unlock(&w->lock);
	if (!has_thread)
		launch_job_run(job);
}

void worker_expect(struct worker *w, int more)
{
	pthread_mutex_lock(&w->lock);
	w->expected += more;
	w->progress++;
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
}

void worker_cancel_expected(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->expected--;
	w->pushed++;
	w->done++;
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
}

/* Wait for progress; false when there was none for that long. Called with the lock held. */
static bool wait_for_move(struct worker *w, int seconds)
{
	uint64_t seen = w->done + w->progress;
	struct timespec until;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += seconds;
	while (w->done + w->progress == seen && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&w->moved, &w->lock, &until);
	return w->done + w->progress != seen;
}

void worker_drain(struct worker *w)
{
	bool moves;
	uint64_t goal;

	pthread_mutex_lock(&w->lock);
	moves = !w->has_given_up || w->given_up != w->done + w->progress;
	goal = w->pushed + (w->expected > 0 ? (uint64_t)w->expected : 0);
	while (moves && w->done < goal)
		moves = wait_for_move(w,
		                      w->done < w->pushed ? PATIENCE_SECONDS : EXPECTATION_SECONDS);
	w->has_given_up = !moves;
	w->given_up = w->done + w->progress;
	pthread_mutex_unlock(&w->lock);
}

void worker_free(struct worker *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->is_ending = true;
	pthread_cond_signal(&w->ready);
	pthread_mutex_unlock(&w->lock);
	if (w->has_thread)
		pthread_join(w->thread, NULL);
	thread_pool_free(w->pool);
	pthread_cond_destroy(&w->moved);
	pthread_cond_destroy(&w->ready);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

void worker_hold(struct worker *w, uint64_t ns)
{
	pthread_mutex_lock(&w->lock);
	if (w->done < w->pushed)
		w->held_ns = clock_now_ns() + ns;
	pthread_mutex_unlock(&w->lock);
}

void worker_pause(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	wait_while_held(w);
	pthread_mutex_unlock(&w->lock);
}

void worker_record_ready_lost(struct worker *w)
{
	struct launch_job *job;

	pthread_mutex_lock(&w->lock);
	job = w->first;
	w->first = w->last = NULL;
	pthread_mutex_unlock(&w->lock);
	for (; job; job = job->next)
		launch_job_record_lost(job,
		                       "the program ended without waiting for it: clFinish() or a "
		                       "blocking call at its end has it recorded");
}

struct thread_pool *worker_threads(const struct worker *w)
{
	return w->pool;
}

void worker_note_progress(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->progress++;
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
}

void worker_set_alarm(struct worker *w, void (*call)(void *context), void *context)
{
	w->on_time = call;
	w->on_time_context = context;
}

void worker_alarm_at(struct worker *w, uint64_t ns)
{
	pthread_mutex_lock(&w->lock);
	w->has_thread = w->has_thread || start(w);
	w->wake_ns = ns;
	pthread_cond_signal(&w->ready);
	pthread_mutex_unlock(&w->lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include "err.h"
#include "launch_job.h"
#include "thread_pool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define PATIENCE_SECONDS    30
#define EXPECTATION_SECONDS 3

struct worker {
	pthread_mutex_t lock; /* of everything below */
	pthread_cond_t ready; /* a job was pushed */
	pthread_cond_t moved; /* pushed, done or progress changed */
	struct launch_job *first, *last;
	uint64_t pushed, done, progress;
	int expected;
	bool has_thread, is_ending;
	bool has_given_up; /* a drain, when there was this much of done and progress: */
	uint64_t given_up;
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
	pthread_cond_init(&w->ready, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->moved, &attr);
	pthread_condattr_destroy(&attr);
	*out = w;
	return 0;
}

static void *work(void *argument)
{
	struct worker *w = argument;

	for (;;) {
		struct launch_job *job;

		pthread_mutex_lock(&w->lock);
		while (!w->first && !w->is_ending)
			pthread_cond_wait(&w->ready, &w->lock);
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

/* Start the thread with every signal masked: the application's handlers are not for it. */
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

/* Wait until something moves; false when nothing has for that long. The lock is held. */
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

struct thread_pool *worker_threads(const struct worker *w)
{
	return w->pool;
}

void worker_moved(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->progress++;
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "thread_pool.h"

#include "err.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_THREADS 8

struct task {
	struct task *next;
	void (*run)(void *argument);
	void *argument;
};

struct thread_pool {
	unsigned count;
	pthread_mutex_t lock; /* of everything below */
	pthread_cond_t ready;
	struct task *first, **end;
	unsigned started;
	bool is_ending;
	pthread_t threads[MOST_THREADS];
};

int thread_pool_create(struct thread_pool **out, struct err *err)
{
	struct thread_pool *p = calloc(1, sizeof(*p));
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (!p)
		return err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	p->count = cores > MOST_THREADS ? MOST_THREADS : cores > 2 ? (unsigned)cores - 1 : 1;
	p->end = &p->first;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->ready, NULL);
	*out = p;
	return 0;
}

static void *work(void *argument)
{
	struct thread_pool *p = argument;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		struct task *task = p->first;

		if (task) {
			p->first = task->next;
			if (!p->first)
				p->end = &p->first;
			pthread_mutex_unlock(&p->lock);
			task->run(task->argument);
			free(task);
			pthread_mutex_lock(&p->lock);
		} else if (p->is_ending) {
			break;
		} else {
			pthread_cond_wait(&p->ready, &p->lock);
		}
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Start a thread with all signals masked: the application's handlers must not run in it. */
static bool start(struct thread_pool *p)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&p->threads[p->started], NULL, work, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	p->started += rc == 0;
	return rc == 0;
}

unsigned thread_pool_count(const struct thread_pool *p)
{
	return p->count;
}

int thread_pool_submit(struct thread_pool *p, void (*run)(void *argument), void *argument)
{
	struct task *task = malloc(sizeof(*task));
	bool has_thread;

	if (!task)
		return ERR_NOMEM;
	*task = (struct task){ NULL, run, argument };
	pthread_mutex_lock(&p->lock);
	while (p->started < p->count && start(p))
		continue;
	has_thread = p->started > 0;
	if (has_thread) {
		*p->end = task;
		p->end = &task->next;
		pthread_cond_signal(&p->ready);
	}
	pthread_mutex_unlock(&p->lock);
	if (has_thread)
		return 0;
	free(task);
	return ERR_NOMEM;
}

void thread_pool_free(struct thread_pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->is_ending = true;
	pthread_cond_broadcast(&p->ready);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->started; i++)
		pthread_join(p->threads[i], NULL);
	pthread_cond_destroy(&p->ready);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

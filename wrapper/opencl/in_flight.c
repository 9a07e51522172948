/* SPDX-License-Identifier: Apache-2.0 */
#include "in_flight.h"

#include "clock.h"
#include "direct_launch.h"
#include "launch_job.h"
#include "opencl.h"
#include "opencl_session.h"
#include "recorder.h"
#include "worker.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

#define MANY            64 /* with more, calls that launch settle some */
#define FEW             16 /* number of jobs that a launch looks at */
#define BLOCKED_MAX     16
#define PATIENCE_ROUNDS 3000 /* of a millisecond each, without any change */
#define ROUND_NS        1000000L

void in_flight_init(struct in_flight *f)
{
	*f = (struct in_flight){ .end = NULL };
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->settled, NULL);
	f->end = &f->first;
}

void in_flight_release(struct in_flight *f)
{
	while (f->first) {
		struct launch_job *job = f->first;

		f->first = job->next;
		launch_job_free(job);
	}
	pthread_cond_destroy(&f->settled);
	pthread_mutex_destroy(&f->lock);
}

void in_flight_add(struct session *s, struct launch_job *job)
{
	struct in_flight *f = &opencl_session(s)->in_flight;

	job->next = NULL;
	pthread_mutex_lock(&f->lock);
	*f->end = job;
	f->end = &job->next;
	atomic_fetch_add(&f->count, 1);
	pthread_mutex_unlock(&f->lock);
}

/* Take the first `most` jobs, once no other thread has taken any. NULL: the list is empty. */
static struct launch_job *take(struct in_flight *f, unsigned most, bool may_wait)
{
	struct launch_job *list = NULL, **end = &list;

	pthread_mutex_lock(&f->lock);
	while (f->is_settling && may_wait)
		pthread_cond_wait(&f->settled, &f->lock);
	if (!f->is_settling && f->first) {
		f->is_settling = true;
		list = f->first;
		while (*end && most--)
			end = &(*end)->next;
		f->first = *end;
		*end = NULL;
		if (!f->first)
			f->end = &f->first;
	}
	pthread_mutex_unlock(&f->lock);
	return list;
}

/* Put the jobs that are not done back in front of the list; `done` are done. */
static void put_back(struct in_flight *f, struct launch_job *list, struct launch_job **end,
                     unsigned done)
{
	pthread_mutex_lock(&f->lock);
	if (list) {
		*end = f->first;
		if (!f->first)
			f->end = end;
		f->first = list;
	}
	atomic_fetch_sub(&f->count, done);
	f->is_settling = false;
	pthread_cond_broadcast(&f->settled);
	pthread_mutex_unlock(&f->lock);
}

/* In-order queues whose first launch is not done, so that later ones are not either. */
struct blocked {
	cl_command_queue queues[BLOCKED_MAX];
	unsigned count;
};

static bool is_blocked(const struct blocked *b, cl_command_queue queue)
{
	for (unsigned i = 0; i < b->count; i++)
		if (b->queues[i] == queue)
			return true;
	return false;
}

static unsigned settle(struct in_flight *f, unsigned most, bool may_wait)
{
	struct launch_job *list = take(f, most, may_wait), *left = NULL, **end = &left, *next;
	struct blocked blocked = { .count = 0 };
	unsigned done = 0;

	if (!list)
		return 0;
	for (struct launch_job *job = list; job; job = next) {
		cl_command_queue queue = direct_launch_queue(job);

		next = job->next;
		if (!is_blocked(&blocked, queue) && direct_launch_is_done(job, may_wait)) {
			direct_launch_finish(job);
			atomic_store(&f->is_unflushed, true);
			done++;
			continue;
		}
		if (queue && blocked.count < BLOCKED_MAX && !is_blocked(&blocked, queue))
			blocked.queues[blocked.count++] = queue;
		*end = job;
		end = &job->next;
	}
	put_back(f, left, end, done);
	return done;
}

void in_flight_settle(struct session *s, bool may_wait)
{
	if (atomic_load(&opencl_session(s)->in_flight.count))
		(void)settle(&opencl_session(s)->in_flight, UINT_MAX, may_wait);
	if (atomic_exchange(&opencl_session(s)->in_flight.is_unflushed, false))
		(void)recorder_flush(s->recorder);
}

void in_flight_settle_oldest(struct session *s)
{
	if (atomic_load_explicit(&opencl_session(s)->in_flight.count, memory_order_relaxed) >= MANY)
		(void)settle(&opencl_session(s)->in_flight, FEW, false);
}

void in_flight_end(struct session *s)
{
	const struct timespec pause = { .tv_nsec = ROUND_NS };

	for (int rounds = 0;
	     atomic_load(&opencl_session(s)->in_flight.count) && rounds < PATIENCE_ROUNDS;
	     rounds++) {
		if (settle(&opencl_session(s)->in_flight, UINT_MAX, true))
			rounds = 0;
		else
			(void)nanosleep(&pause, NULL);
	}
}

void in_flight_record_lost(struct session *s)
{
	struct in_flight *f = &opencl_session(s)->in_flight;

	pthread_mutex_lock(&f->lock);
	for (const struct launch_job *job = f->first; job; job = job->next)
		launch_job_record_lost(job, "the program ended before it was done");
	pthread_mutex_unlock(&f->lock);
}

void in_flight_collect(struct session *s)
{
	in_flight_settle(s, true);
	launch_job_free_done(s);
}

/* For the hooks of calls that may report that commands are done. */
static void collect(void)
{
	struct session *s = session_current();

	if (s)
		in_flight_collect(s);
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
#define CL_WAIT(type, name, params, args, condition)                                               \
	type CL_API_CALL hook_##name params                                                        \
	{                                                                                          \
		type result = opencl_real()->name args;                                            \
                                                                                                   \
		if (condition)                                                                     \
			collect();                                                                 \
		return result;                                                                     \
	}
#define CL_EXT_WAIT(type, name, params, args, condition)                                           \
	type CL_API_CALL hook_##name params                                                        \
	{                                                                                          \
		type result = opencl_ext_of(command_queue)->name args;                             \
                                                                                                   \
		if (condition)                                                                     \
			collect();                                                                 \
		return result;                                                                     \
	}
#define CL_HOOK(type, name, params, args)
#define CL_EXT_HOOK(type, name, params, args)
#include "opencl_api.def"
/* NOLINTEND(readability-function-size) */

/* A callback of the application for an event. */
struct wrapped_callback {
	void(CL_CALLBACK *notify)(cl_event event, cl_int status, void *user_data);
	void *user_data;
};

static void CL_CALLBACK call_back(cl_event event, cl_int status, void *user_data)
{
	struct session *s = session_current();
	struct wrapped_callback *wrapped = user_data;

	if (s)
		in_flight_settle(s, false);
	/* Nothing is released in a callback of the driver. */
	if (s && atomic_load(&opencl_session(s)->done))
		worker_alarm_at(opencl_session(s)->worker, clock_now_ns());
	wrapped->notify(event, status, wrapped->user_data);
	free(wrapped);
}

cl_int CL_API_CALL hook_clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                           void(CL_CALLBACK *pfn_notify)(cl_event event,
                                                                         cl_int status,
                                                                         void *user_data),
                                           void *user_data)
{
	struct wrapped_callback *wrapped =
		session_current() && pfn_notify ? malloc(sizeof(*wrapped)) : NULL;
	cl_int rc;

	if (!wrapped)
		return opencl_real()->clSetEventCallback(event, command_exec_callback_type,
		                                         pfn_notify, user_data);
	*wrapped = (struct wrapped_callback){ pfn_notify, user_data };
	rc = opencl_real()->clSetEventCallback(event, command_exec_callback_type, call_back,
	                                       wrapped);
	if (rc != CL_SUCCESS)
		free(wrapped);
	return rc;
}

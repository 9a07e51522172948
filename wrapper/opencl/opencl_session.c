/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl_session.h"

#include "clock.h"
#include "command_buffer_state.h"
#include "engine.h"
#include "hook_event.h"
#include "kernel_state.h"
#include "program_state.h"
#include "svm_hold.h"
#include "worker.h"

#include <stdlib.h>
#include <unistd.h>

/* A process that ends does so sooner; in others, launches that something waits for run after it. */
#define HOLD_NS UINT64_C(2000000000)

static void init_recursive(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(mutex, &attr);
	pthread_mutexattr_destroy(&attr);
}

/* Called in the worker's thread when the alarm is due. */
static void do_on_time(void *session)
{
	struct session *s = session;
	uint64_t now = clock_now_ns(), due = launch_tallies_due_ns(&s->tallies, now);

	launch_job_free_done(s);
	if (!atomic_load(&s->tallies.has_news))
		return;
	if (due > now)
		worker_alarm_at(opencl_session(s)->worker, due);
	else
		session_write_counts(s);
}

static void count(struct session *s, bool is_first)
{
	if (is_first)
		worker_alarm_at(opencl_session(s)->worker,
		                launch_tallies_due_ns(&s->tallies, clock_now_ns()));
}

static int init(struct session *s, struct err *err)
{
	struct opencl_session *o = opencl_session(s);
	int rc;

	init_recursive(&o->own_lock);
	in_flight_init(&o->in_flight);
	atomic_init(&o->handle_age, clock_now_ns());
	binary_store_init(&o->binaries);
	svm_hold_init(s);
	macro_store_init(&o->macros);
	array_init(&o->pending, sizeof(struct pending_buffer), 1 << 24, "pending command buffers");
	rc = worker_create(&o->worker, err);
	if (rc == 0)
		worker_set_alarm(o->worker, do_on_time, s);
	return rc;
}

static void release(struct session *s)
{
	struct opencl_session *o = opencl_session(s);

	in_flight_release(&o->in_flight);
	launch_job_free_done(s);
	worker_free(o->worker);
	handle_map_release_all(&o->kernels, kernel_state_free);
	handle_map_release_all(&o->programs, program_state_free);
	handle_map_release_all(&o->contexts, context_state_free);
	handle_map_release_all(&o->queues, free);
	handle_map_release_all(&o->memory, free);
	handle_map_release_all(&o->events, free);
	handle_map_release_all(&o->command_buffers, command_buffer_state_free);
	handle_map_release_all(&o->devices, free);
	svm_hold_release(s);
	array_release(&o->pending);
	binary_store_release(&o->binaries);
	macro_store_release(&o->macros);
	pthread_mutex_destroy(&o->own_lock);
}

void opencl_session_settle(void)
{
	struct session *s = session_current();

	if (!s)
		return;
	in_flight_end(s);
	waiting_jobs_settle(s);
	worker_drain(opencl_session(s)->worker);
}

/*
 * The application's main thread ends, most likely in exit(), which calls this before its first
 * handler, while the whole driver still works. Later, when parts of its compiler may be gone,
 * nothing more is begun.
 */
static void main_thread_ends(void *unused)
{
	opencl_session_settle();
}

/* The C library's, for destructors of thread-local objects; some C libraries lack it. */
__attribute__((weak)) int __cxa_thread_atexit_impl(void (*call)(void *), void *object,
                                                   void *library);
extern void *__dso_handle;

/* If this is the main thread, have main_thread_ends() called when it ends. */
static void watch_main_thread(void)
{
	static atomic_bool is_watched;

	if (getpid() == gettid() && __cxa_thread_atexit_impl && !atomic_exchange(&is_watched, true))
		(void)__cxa_thread_atexit_impl(main_thread_ends, NULL, &__dso_handle);
}

/* A preloaded library starts in the main thread. */
__attribute__((constructor)) static void begin_with_process(void)
{
	watch_main_thread();
}

/* In the handlers of exit(), if main_thread_ends() was not called or other handlers have launched
 * something. Launches that nothing waits for are not run any more. */
static void process_ends(void)
{
	struct session *s = session_current();

	if (!s)
		return;
	in_flight_settle(s, false);
	waiting_jobs_settle(s);
	worker_hold(opencl_session(s)->worker, HOLD_NS);
}

static void watch_ends(void)
{
	watch_main_thread();
	atexit(process_ends);
}

static void end(struct session *s)
{
	in_flight_end(s);
	waiting_jobs_settle(s);
	worker_drain(opencl_session(s)->worker);
	in_flight_record_lost(s);
	waiting_jobs_write_lines(s);
}

static void lose(struct session *s)
{
	in_flight_record_lost(s);
	waiting_jobs_record_lost(s);
	worker_record_ready_lost(opencl_session(s)->worker);
}

const struct session_part opencl_part = { .bytes = sizeof(struct opencl_session),
	                                  .init = init,
	                                  .release = release,
	                                  .begun = watch_ends,
	                                  .end = end,
	                                  .lose = lose,
	                                  .counted = count };

/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include "command_buffer_state.h"
#include "engine.h"
#include "err.h"
#include "kernel_state.h"
#include "pending_buffers.h"
#include "problem.h"
#include "program_state.h"
#include "recorder.h"
#include "recorder_start.h"
#include "seen_list.h"
#include "str.h"
#include "svm_range.h"
#include "waiting_jobs.h"
#include "work_clock.h"
#include "worker.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* A process that ends does so sooner; one in which something waits for a launch gets it then. */
#define HOLD_NS UINT64_C(2000000000)

/* The one mutable global of this library. At exit the session is not freed: driver threads and
 * static destructors may come late. */
static _Atomic(struct session *) current;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_recursive(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(mutex, &attr);
	pthread_mutexattr_destroy(&attr);
}

/* What has its time, in the worker's thread. */
static void do_on_time(void *session)
{
	struct session *s = session;
	uint64_t now = work_clock_now(), due = launch_tallies_due_ns(&s->tallies, now);

	launch_job_free_done(s);
	if (!atomic_load(&s->tallies.has_news))
		return;
	if (due > now)
		worker_wake_at(s->worker, due);
	else
		launch_tallies_write(&s->tallies, s->recorder, now);
}

/* A session over settings that it takes. NULL, with a line on stderr, when it cannot record. */
static struct session *make(struct recorder_settings settings)
{
	struct session *s = calloc(1, sizeof(*s));
	struct err err = { 0 };

	if (!s) {
		recorder_settings_release(&settings);
		return NULL;
	}
	s->settings = settings;
	pthread_mutex_init(&s->lock, NULL);
	init_recursive(&s->own_lock);
	in_flight_init(&s->in_flight);
	atomic_init(&s->handle_age, work_clock_now());
	launch_tallies_init(&s->tallies, work_clock_now());
	launch_quota_init(&s->quota, &s->settings, work_clock_now());
	binary_store_init(&s->binaries);
	svm_range_init(s);
	macro_store_init(&s->macros);
	array_init(&s->pending, sizeof(struct pending_buffer), 1 << 24, "pending command buffers");
	if (launch_filter_init(&s->filter, &s->settings, &err) < 0 ||
	    recorder_start(&s->recorder, &s->settings, &err) < 0 ||
	    worker_create(&s->worker, &err) < 0) {
		problem("nothing is recorded: %s", err.msg);
		seen_list_add(s->settings.seen, SEEN_FAILURE, err.msg);
		recorder_free(s->recorder);
		macro_store_release(&s->macros);
		launch_filter_release(&s->filter);
		launch_quota_release(&s->quota);
		launch_tallies_release(&s->tallies);
		recorder_settings_release(&s->settings);
		free(s);
		return NULL;
	}
	s->has_selection =
		s->filter.has_kernel || s->filter.launches || launch_quota_is_set(&s->quota);
	worker_on_time(s->worker, do_on_time, s);
	atomic_store_explicit(&current, s, memory_order_release);
	return s;
}

/* A child has the parent's memory but not its threads, and not its recording: what it knew of that
 * is left alone, and the child's own first context begins another. */
static void leave_to_parent(void)
{
	static const pthread_once_t fresh = PTHREAD_ONCE_INIT;

	atomic_store_explicit(&current, NULL, memory_order_release);
	once = fresh;
}

void session_settle(void)
{
	struct session *s = session_current();

	if (!s)
		return;
	in_flight_end(s);
	waiting_jobs_settle(s);
	worker_drain(s->worker);
}

/*
 * The application's main thread ends, most likely in exit(), which calls this before the first of
 * its handlers: all of the driver is still there. Later, when parts of its compiler may be gone,
 * nothing is begun any more.
 */
static void main_thread_ends(void *unused)
{
	session_settle();
}

/* Of the C library, for destructors of objects that are a thread's own; other libraries lack it. */
__attribute__((weak)) int __cxa_thread_atexit_impl(void (*call)(void *), void *object,
                                                   void *library);
extern void *__dso_handle;

/* See that main_thread_ends() is called, if this is the main thread. */
static void watch_main_thread(void)
{
	static atomic_bool is_watched;

	if (getpid() == gettid() && __cxa_thread_atexit_impl && !atomic_exchange(&is_watched, true))
		(void)__cxa_thread_atexit_impl(main_thread_ends, NULL, &__dso_handle);
}

/* A library that is preloaded begins there. */
__attribute__((constructor)) static void begin_with_process(void)
{
	watch_main_thread();
}

/* In the handlers of exit(), where that was not foreseen, or when other handlers have launched
 * something. What nobody waits for is not run any more. */
static void process_ends(void)
{
	struct session *s = session_current();

	if (!s)
		return;
	in_flight_settle(s, false);
	waiting_jobs_settle(s);
	worker_hold(s->worker, HOLD_NS);
}

static void begin(void)
{
	struct recorder_settings settings;

	if (!recorder_start_settings(&settings))
		return;
	if (make(settings)) {
		pthread_atfork(NULL, NULL, leave_to_parent);
		watch_main_thread();
		atexit(process_ends);
	}
}

static void close_recording(struct session *s)
{
	launch_tallies_write(&s->tallies, s->recorder, work_clock_now());
	recorder_end(s->recorder);
}

/* After the application's own destructors, which may still launch. The driver may be gone. */
__attribute__((destructor)) static void end_with_process(void)
{
	struct session *s = atomic_exchange(&current, NULL);

	if (!s)
		return;
	in_flight_lose(s);
	waiting_jobs_lose(s);
	worker_lose_ready(s->worker);
	close_recording(s);
}

struct session *session_begin(void)
{
	pthread_once(&once, begin);
	return session_current();
}

struct session *session_current(void)
{
	return atomic_load_explicit(&current, memory_order_acquire);
}

struct session *session_create(const char *dir, const char *instrumenter, uint64_t buffer_bytes)
{
	struct recorder_settings settings;
	int rc = recorder_settings_init(&settings, NULL);

	free(settings.dir);
	free(settings.instrumenter);
	settings.dir = str_copy(dir, NULL);
	settings.instrumenter = str_copy(instrumenter, NULL);
	settings.buffer_bytes = buffer_bytes;
	if (rc == 0 && settings.dir && settings.instrumenter)
		return make(settings);
	recorder_settings_release(&settings);
	return NULL;
}

void session_end(void)
{
	struct session *s = atomic_exchange(&current, NULL);

	if (!s)
		return;
	in_flight_end(s);
	waiting_jobs_settle(s);
	worker_drain(s->worker);
	in_flight_lose(s);
	waiting_jobs_leave(s);
	close_recording(s);
}

/* Empty a map whose values are freed by `release`. */
static void release_map(struct handle_map *map, void (*release)(void *value))
{
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].key)
			release(map->slots[i].value);
	handle_map_release(map);
}

void session_free(struct session *s)
{
	in_flight_release(&s->in_flight);
	launch_job_free_done(s);
	worker_free(s->worker);
	release_map(&s->kernels, kernel_state_free);
	release_map(&s->programs, program_state_free);
	release_map(&s->contexts, context_state_free);
	release_map(&s->queues, free);
	release_map(&s->memory, free);
	release_map(&s->events, free);
	release_map(&s->command_buffers, command_buffer_state_free);
	release_map(&s->devices, free);
	svm_range_release(s);
	array_release(&s->pending);
	binary_store_release(&s->binaries);
	macro_store_release(&s->macros);
	recorder_free(s->recorder);
	launch_tallies_release(&s->tallies);
	launch_filter_release(&s->filter);
	launch_quota_release(&s->quota);
	recorder_settings_release(&s->settings);
	pthread_mutex_destroy(&s->own_lock);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void session_lock(struct session *s)
{
	pthread_mutex_lock(&s->lock);
}

void session_unlock(struct session *s)
{
	pthread_mutex_unlock(&s->lock);
}

void session_give_up_handle(struct session *s)
{
	atomic_fetch_add_explicit(&s->handle_age, 1, memory_order_release);
}

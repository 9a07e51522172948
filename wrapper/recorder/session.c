/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include "address_ranges.h"
#include "clock.h"
#include "err.h"
#include "problem.h"
#include "recorder.h"
#include "recorder_start.h"
#include "seen_list.h"
#include "str.h"

#include <stdlib.h>

#define LIMIT_RANGES (1 << 24)

/* What is mutable and global in a library that records. At exit the session is not freed: driver
 * threads and static destructors may come late. */
static _Atomic(struct session *) current;
static _Atomic(const struct session_part *) asked;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int open_part(struct session *s, struct err *err)
{
	s->part = calloc(1, s->interface->bytes);
	if (!s->part)
		return err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	return s->interface->init(s, err);
}

/* A session over settings that it takes. NULL, with a line on stderr, when it cannot record. */
static struct session *make(const struct session_part *interface, struct recorder_settings settings)
{
	struct session *s = calloc(1, sizeof(*s));
	struct err err = { 0 };

	if (!s) {
		recorder_settings_release(&settings);
		return NULL;
	}
	s->interface = interface;
	s->settings = settings;
	pthread_mutex_init(&s->lock, NULL);
	launch_tallies_init(&s->tallies, clock_now_ns());
	array_init(&s->ranges, sizeof(struct address_range), LIMIT_RANGES, "allocations");
	launch_quota_init(&s->quota, &s->settings, clock_now_ns());
	if (launch_filter_init(&s->filter, &s->settings, &err) < 0 ||
	    recorder_start(&s->recorder, &s->settings, &err) < 0 || open_part(s, &err) < 0) {
		problem("nothing is recorded: %s", err.msg);
		seen_list_add(s->settings.seen, SEEN_FAILURE, err.msg);
		session_free(s);
		return NULL;
	}
	s->has_selection =
		s->filter.has_kernel || s->filter.launches || launch_quota_is_set(&s->quota);
	atomic_store_explicit(&current, s, memory_order_release);
	return s;
}

/* A child has the parent's memory but not its threads, and not its recording: what it knew of that
 * is left alone, and the child's own first object begins another. */
static void leave_to_parent(void)
{
	static const pthread_once_t fresh = PTHREAD_ONCE_INIT;

	atomic_store_explicit(&current, NULL, memory_order_release);
	once = fresh;
}

static void begin(void)
{
	const struct session_part *interface = atomic_load(&asked);
	struct recorder_settings settings;

	if (!recorder_start_settings(&settings) || !make(interface, settings))
		return;
	pthread_atfork(NULL, NULL, leave_to_parent);
	if (interface->begun)
		interface->begun();
}

struct session *session_begin(const struct session_part *interface)
{
	atomic_store_explicit(&asked, interface, memory_order_relaxed);
	pthread_once(&once, begin);
	return session_current();
}

struct session *session_current(void)
{
	return atomic_load_explicit(&current, memory_order_acquire);
}

struct session *session_create(const struct session_part *interface, const char *dir,
                               const char *instrumenter, uint64_t buffer_bytes)
{
	struct recorder_settings settings;
	int rc = recorder_settings_init(&settings, NULL);

	free(settings.dir);
	free(settings.instrumenter);
	settings.dir = str_copy(dir, NULL);
	settings.instrumenter = str_copy(instrumenter, NULL);
	settings.buffer_bytes = buffer_bytes;
	if (rc == 0 && settings.dir && settings.instrumenter)
		return make(interface, settings);
	recorder_settings_release(&settings);
	return NULL;
}

static void end(struct session *s, void (*last)(struct session *s))
{
	if (last)
		last(s);
	session_write_counts(s);
	recorder_end(s->recorder);
}

void session_end(void)
{
	struct session *s = atomic_exchange(&current, NULL);

	if (s)
		end(s, s->interface->end);
}

/* After the application's own destructors, which may still launch. The driver may be gone. */
__attribute__((destructor)) static void end_with_process(void)
{
	struct session *s = atomic_exchange(&current, NULL);

	if (s)
		end(s, s->interface->lose);
}

void session_free(struct session *s)
{
	if (s->part)
		s->interface->release(s);
	free(s->part);
	array_release(&s->ranges);
	recorder_free(s->recorder);
	launch_tallies_release(&s->tallies);
	launch_filter_release(&s->filter);
	launch_quota_release(&s->quota);
	recorder_settings_release(&s->settings);
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

void session_count(struct session *s, struct launch_tally *tally, enum tally_reason reason,
                   uint64_t number)
{
	s->interface->counted(s, launch_tally_count(&s->tallies, tally, reason, number));
}

void session_write_counts(struct session *s)
{
	launch_tallies_write(&s->tallies, s->recorder, clock_now_ns());
}

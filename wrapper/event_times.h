/*
 * event_times - when a recorded launch really ran, for clGetEventProfilingInfo().
 *
 * The event that the application holds is that of the tail; its own times
 * would say nothing of the kernel.
 */
#ifndef EVENT_TIMES_H
#define EVENT_TIMES_H

#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct session;

/* Guarded by the session's lock. */
struct event_times {
	uint32_t refs;                       /* the map and the job */
	uint32_t app_refs;                   /* the application's own references to the event */
	bool is_known;                       /* the launch has run */
	cl_ulong queued, submit, start, end; /* device time, ns, ascending */
};

/* Times yet unknown, with one reference for the job. NULL when out of memory. */
struct event_times *event_times_create(void);

/* Let the application's event have these times. */
void event_times_attach(struct session *s, struct event_times *times, cl_event event);

/*
 * The launch has run from `start` to `end`; `head` was enqueued when it was and its own queued
 * and submit times hold. Must be called before the event completes.
 */
void event_times_set(struct session *s, struct event_times *times, cl_event head, cl_ulong start,
                     cl_ulong end);

/* Give a reference back. NULL is allowed. */
void event_times_release(struct session *s, struct event_times *times);

#endif

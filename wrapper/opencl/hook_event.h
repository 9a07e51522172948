/*
 * hook_event - what the application sees of events of ours: of a recorded launch (event_times), and
 * of a command buffer whose commands we enqueue (pending_buffers).
 */
#ifndef HOOK_EVENT_H
#define HOOK_EVENT_H

#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct session;

/*
 * event_times - what an event of ours that the application holds reports: when its launch really
 * ran, or that it is a command buffer's.
 *
 * The event is that of the tail; its own times and type would say nothing of the launch, or of the
 * commands of a buffer, which begin when `since` is complete and end with the event itself: that is
 * with what recording costs between them.
 */

/* Guarded by the session's lock. */
struct event_times {
	uint32_t refs;                       /* the map and the job */
	uint32_t app_refs;                   /* the application's own references to the event */
	bool is_known;                       /* the launch has run */
	cl_ulong queued, submit, start, end; /* device time, ns, ascending */
	cl_command_type type;                /* of the command; 0: the driver's answer holds */
	uint32_t own_refs;                   /* references to the event that are ours */
	cl_event since;                      /* a reference; NULL: the driver's times hold */
};

/* Times yet unknown, with one reference for the caller. NULL when out of memory. */
struct event_times *event_times_create(void);

/* Make room for them, so that they can be attached. False: out of memory. */
bool event_times_reserve(struct session *s, struct event_times *times);

/* Let the application's event report these times. False: there was no room, it reports the
 * driver's. */
bool event_times_attach(struct session *s, struct event_times *times, cl_event event);

/* Give back a reference of ours to an event, to the application if it still holds the event. */
void event_times_disown(struct session *s, cl_event event);

/*
 * The launch has run from `start` to `end`; `head` was enqueued when it was and its own queued
 * and submit times hold. Must be called before the event completes.
 */
void event_times_set(struct session *s, struct event_times *times, cl_event head, cl_ulong start,
                     cl_ulong end);

/* Give a reference back. NULL is allowed. No lock may be held. */
void event_times_release(struct session *s, struct event_times *times);

struct pending_buffer {
	cl_command_buffer_khr buffer;
	cl_event event;
};

/* Make room for one more. False: out of memory. */
bool pending_buffers_reserve(struct session *s);

/*
 * The buffer is pending until the event is complete. Takes over a reference to it. False: the
 * room is taken and memory is out, the reference stays the caller's and the buffer is as if it were
 * done.
 */
bool pending_buffers_add(struct session *s, cl_command_buffer_khr buffer, cl_event event);

/* Whether the buffer is pending. No lock may be held. */
bool pending_buffers_has(struct session *s, cl_command_buffer_khr buffer);

/* Give back the events of a buffer that is no more. No lock may be held. */
void pending_buffers_forget(struct session *s, cl_command_buffer_khr buffer);

#endif

/*
 * hook_event - our events as the application sees them: of a recorded launch (event_times), and of
 * a command buffer whose commands the recorder enqueues (pending_buffers).
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
 * The event is the tail's, whose own times and type say nothing of the launch or of the buffer's
 * commands. The commands of a buffer begin when `since` is complete and end with the event itself;
 * the cost of recording is included.
 */

/* Guarded by the session's lock. */
struct event_times {
	uint32_t refs;                       /* the map and the job */
	uint32_t app_refs;                   /* the application's own references to the event */
	bool is_known;                       /* the launch has run */
	cl_ulong queued, submit, start, end; /* device time, ns, ascending */
	cl_command_type type;                /* of the command; 0: the driver's answer holds */
	uint32_t own_refs;                   /* our own references to the event */
	cl_event since;                      /* a reference; NULL: the driver's times hold */
};

/* Create times, not known yet, with one reference for the caller. NULL when out of memory. */
struct event_times *event_times_create(void);

/* Reserve room so that event_times_attach() cannot fail. False: out of memory. */
bool event_times_reserve(struct session *s, struct event_times *times);

/* Let the application's event report these times. False: there was no room; it reports the
 * driver's. */
bool event_times_attach(struct session *s, struct event_times *times, cl_event event);

/* No longer count one of the references to an event as ours: it is released, or the application's.
 */
void event_times_disown(struct session *s, cl_event event);

/*
 * Set when the launch ran; queued and submit times are those of `head`. Must be called before the
 * event completes.
 */
void event_times_set(struct session *s, struct event_times *times, cl_event head, cl_ulong start,
                     cl_ulong end);

/* Drop a reference. NULL is allowed. No lock may be held. */
void event_times_release(struct session *s, struct event_times *times);

struct pending_buffer {
	cl_command_buffer_khr buffer;
	cl_event event;
};

/* Reserve room for one more. False: out of memory. */
bool pending_buffers_reserve(struct session *s);

/*
 * Count the buffer as pending until the event is complete. Takes a reference to the event. False:
 * the reserved room is used up and memory ran out; the reference stays the caller's, and the buffer
 * counts as done.
 */
bool pending_buffers_add(struct session *s, cl_command_buffer_khr buffer, cl_event event);

/* Whether the buffer is pending. No lock may be held. */
bool pending_buffers_has(struct session *s, cl_command_buffer_khr buffer);

/* Release the events of a destroyed buffer. No lock may be held. */
void pending_buffers_forget(struct session *s, cl_command_buffer_khr buffer);

#endif

/*
 * pending_buffers - command buffers whose commands we have enqueued and which are not yet done.
 *
 * The driver does not know that they are: it is from here that a buffer is pending for the
 * application. A reference to the event that completes last is held until that is seen to be
 * complete: when events are released, or the buffer is asked for, enqueued or released.
 */
#ifndef PENDING_BUFFERS_H
#define PENDING_BUFFERS_H

#include "opencl.h"

#include <stdbool.h>

struct session;

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

/* Give back the events that are complete. No lock may be held. */
void pending_buffers_forget_done(struct session *s);

/* Give back the events of a buffer that is no more. No lock may be held. */
void pending_buffers_forget(struct session *s, cl_command_buffer_khr buffer);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The list changes under both of the session's locks: who holds own_lock may ask the driver. */
#include "pending_buffers.h"

#include "array.h"
#include "event_times.h"
#include "opencl_session.h"

#define MOST_TRIES 3 /* a driver may be short of something for a moment */

/* A new last one, or NULL. Both locks must be held. */
static struct pending_buffer *push(struct session *s)
{
	return array_push(&opencl_session(s)->pending, 1, NULL);
}

bool pending_buffers_reserve(struct session *s)
{
	bool has_room;

	pthread_mutex_lock(&opencl_session(s)->own_lock);
	session_lock(s);
	has_room = push(s);
	opencl_session(s)->pending.count -= has_room;
	session_unlock(s);
	pthread_mutex_unlock(&opencl_session(s)->own_lock);
	return has_room;
}

bool pending_buffers_add(struct session *s, cl_command_buffer_khr buffer, cl_event event)
{
	struct pending_buffer *added;

	pthread_mutex_lock(&opencl_session(s)->own_lock);
	session_lock(s);
	added = push(s);
	if (added)
		*added = (struct pending_buffer){ buffer, event };
	session_unlock(s);
	pthread_mutex_unlock(&opencl_session(s)->own_lock);
	return added;
}

/* An event that cannot be asked is done: the application would not get on. */
static bool is_done(cl_event event)
{
	cl_int status = CL_COMPLETE;

	for (int tries = 0; tries < MOST_TRIES; tries++)
		if (opencl_real()->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
		                                  sizeof(status), &status, NULL) == CL_SUCCESS)
			break;
	return status <= CL_COMPLETE;
}

/* own_lock must be held. */
static void remove_at(struct session *s, size_t i)
{
	struct pending_buffer *all = opencl_session(s)->pending.data;
	cl_event event = all[i].event;

	session_lock(s);
	all[i] = all[opencl_session(s)->pending.count - 1];
	opencl_session(s)->pending.count--;
	session_unlock(s);
	event_times_disown(s, event);
	opencl_real()->clReleaseEvent(event);
}

bool pending_buffers_has(struct session *s, cl_command_buffer_khr buffer)
{
	const struct pending_buffer *all;
	bool has = false;

	pending_buffers_forget_done(s);
	session_lock(s);
	all = opencl_session(s)->pending.data;
	for (size_t i = 0; i < opencl_session(s)->pending.count && !has; i++)
		has = all[i].buffer == buffer;
	session_unlock(s);
	return has;
}

void pending_buffers_forget_done(struct session *s)
{
	pthread_mutex_lock(&opencl_session(s)->own_lock);
	for (size_t i = opencl_session(s)->pending.count; i-- > 0;)
		if (is_done(((struct pending_buffer *)opencl_session(s)->pending.data)[i].event))
			remove_at(s, i);
	pthread_mutex_unlock(&opencl_session(s)->own_lock);
}

void pending_buffers_forget(struct session *s, cl_command_buffer_khr buffer)
{
	pthread_mutex_lock(&opencl_session(s)->own_lock);
	for (size_t i = opencl_session(s)->pending.count; i-- > 0;)
		if (((struct pending_buffer *)opencl_session(s)->pending.data)[i].buffer == buffer)
			remove_at(s, i);
	pthread_mutex_unlock(&opencl_session(s)->own_lock);
}

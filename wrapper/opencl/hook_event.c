/* SPDX-License-Identifier: Apache-2.0 */
#include "hook_event.h"

#include "array.h"
#include "opencl.h"
#include "opencl_session.h"

#include <stdlib.h>
#include <string.h>

static void pending_buffers_forget_done(struct session *s);

/* The list changes only under both locks of the session: with own_lock alone held, one may read it
 * and call the driver. */

#define MOST_TRIES 3 /* a driver may lack resources for a moment */
/* Append an element; NULL when out of memory. Called with both locks held. */
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

/* An event without a status counts as done, since otherwise the application would be stuck. */
static bool is_done(cl_event event)
{
	cl_int status = CL_COMPLETE;

	for (int tries = 0; tries < MOST_TRIES; tries++)
		if (opencl_real()->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
		                                  sizeof(status), &status, NULL) == CL_SUCCESS)
			break;
	return status <= CL_COMPLETE;
}

/* Called with own_lock held. */
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

/* Release the events that are complete. No lock may be held. */
static void pending_buffers_forget_done(struct session *s)
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

struct event_times *event_times_create(void)
{
	struct event_times *times = calloc(1, sizeof(*times));

	if (times)
		times->refs = 1;
	return times;
}

/* Drop a reference. Returns an event that the caller releases, or NULL. Called with the session's
 * lock held. */
static cl_event drop(struct event_times *times)
{
	cl_event since;

	if (!times || --times->refs)
		return NULL;
	since = times->since;
	free(times);
	return since;
}

static void release(cl_event event)
{
	if (event)
		opencl_real()->clReleaseEvent(event);
}

/* An entry with a key that no event has reserves the room. */
bool event_times_reserve(struct session *s, struct event_times *times)
{
	bool has_room;

	session_lock(s);
	has_room = handle_map_put(&opencl_session(s)->events, times, times, NULL, NULL) == 0;
	session_unlock(s);
	return has_room;
}

void event_times_release(struct session *s, struct event_times *times)
{
	cl_event since;

	if (!times)
		return;
	session_lock(s);
	handle_map_remove(&opencl_session(s)->events, times);
	since = drop(times);
	session_unlock(s);
	release(since);
}

bool event_times_attach(struct session *s, struct event_times *times, cl_event event)
{
	void *old = NULL;
	cl_event since = NULL;
	bool is_attached;

	session_lock(s);
	handle_map_remove(&opencl_session(s)->events, times);
	is_attached = handle_map_put(&opencl_session(s)->events, event, times, &old, NULL) == 0;
	if (is_attached) {
		times->app_refs = 1;
		times->refs++;
		since = drop(old);
	}
	session_unlock(s);
	release(since);
	return is_attached;
}

void event_times_disown(struct session *s, cl_event event)
{
	struct event_times *times;

	session_lock(s);
	times = handle_map_get(&opencl_session(s)->events, event);
	if (times && times->own_refs)
		times->own_refs--;
	session_unlock(s);
}

void event_times_set(struct session *s, struct event_times *times, cl_event head, cl_ulong start,
                     cl_ulong end)
{
	const struct opencl_real *real = opencl_real();
	cl_ulong queued = start, submit = start;

	(void)real->clGetEventProfilingInfo(head, CL_PROFILING_COMMAND_QUEUED, sizeof(queued),
	                                    &queued, NULL);
	(void)real->clGetEventProfilingInfo(head, CL_PROFILING_COMMAND_SUBMIT, sizeof(submit),
	                                    &submit, NULL);
	submit = submit < start ? submit : start;
	queued = queued < submit ? queued : submit;
	session_lock(s);
	times->queued = queued;
	times->submit = submit;
	times->start = start;
	times->end = end < start ? start : end;
	times->is_known = true;
	session_unlock(s);
}

/* Look up the launch's own time for a property; false when it has none. */
static bool look_up(const struct event_times *times, cl_profiling_info property, cl_ulong *time)
{
	if (!times || !times->is_known)
		return false;
	if (property == CL_PROFILING_COMMAND_QUEUED)
		*time = times->queued;
	else if (property == CL_PROFILING_COMMAND_SUBMIT)
		*time = times->submit;
	else if (property == CL_PROFILING_COMMAND_START)
		*time = times->start;
	else if (property == CL_PROFILING_COMMAND_END || property == CL_PROFILING_COMMAND_COMPLETE)
		*time = times->end;
	else
		return false;
	return true;
}

/* Get a time of the command that a command buffer began with. */
static bool ask_since(cl_event since, cl_profiling_info property, cl_ulong *time)
{
	if (property == CL_PROFILING_COMMAND_END || property == CL_PROFILING_COMMAND_COMPLETE)
		return false;
	if (property == CL_PROFILING_COMMAND_START)
		property = CL_PROFILING_COMMAND_END;
	return opencl_real()->clGetEventProfilingInfo(since, property, sizeof(*time), time, NULL) ==
	       CL_SUCCESS;
}

/* Replace a time that the driver has reported with the recorder's value. */
static bool find_time(struct session *s, cl_event event, cl_profiling_info property, cl_ulong *time)
{
	const struct event_times *times;
	cl_event since;
	bool is_ours;

	session_lock(s);
	times = handle_map_get(&opencl_session(s)->events, event);
	since = times ? times->since : NULL;
	is_ours = look_up(times, property, time);
	session_unlock(s);
	return since ? ask_since(since, property, time) : is_ours;
}

cl_int CL_API_CALL hook_clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                                size_t param_value_size, void *param_value,
                                                size_t *param_value_size_ret)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clGetEventProfilingInfo(event, param_name, param_value_size,
	                                                   param_value, param_value_size_ret);
	cl_ulong time;

	if (s && rc == CL_SUCCESS)
		in_flight_collect(s);
	if (s && rc == CL_SUCCESS && param_value && param_value_size >= sizeof(time) &&
	    find_time(s, event, param_name, &time))
		memcpy(param_value, &time, sizeof(time));
	return rc;
}

cl_int CL_API_CALL hook_clGetEventInfo(cl_event event, cl_event_info param_name,
                                       size_t param_value_size, void *param_value,
                                       size_t *param_value_size_ret)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clGetEventInfo(event, param_name, param_value_size, param_value,
	                                          param_value_size_ret);
	const struct event_times *times;

	if (s && rc == CL_SUCCESS && param_name == CL_EVENT_COMMAND_EXECUTION_STATUS)
		in_flight_collect(s);
	if (!s || rc != CL_SUCCESS || !param_value ||
	    (param_name != CL_EVENT_COMMAND_TYPE && param_name != CL_EVENT_REFERENCE_COUNT))
		return rc;
	session_lock(s);
	times = handle_map_get(&opencl_session(s)->events, event);
	if (times && times->type && param_name == CL_EVENT_COMMAND_TYPE)
		*(cl_command_type *)param_value = times->type;
	else if (times && param_name == CL_EVENT_REFERENCE_COUNT)
		*(cl_uint *)param_value -= times->own_refs;
	session_unlock(s);
	return rc;
}

cl_int CL_API_CALL hook_clRetainEvent(cl_event event)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clRetainEvent(event);
	struct event_times *times;

	if (!s || rc != CL_SUCCESS)
		return rc;
	session_lock(s);
	times = handle_map_get(&opencl_session(s)->events, event);
	if (times)
		times->app_refs++;
	session_unlock(s);
	return rc;
}

cl_int CL_API_CALL hook_clReleaseEvent(cl_event event)
{
	struct session *s = session_current();
	struct event_times *times;
	cl_event since = NULL;
	bool has_pending = false;
	cl_int rc;

	if (s) {
		session_lock(s);
		times = handle_map_get(&opencl_session(s)->events, event);
		if (times && --times->app_refs == 0) {
			handle_map_remove(&opencl_session(s)->events, event);
			since = drop(times);
		}
		has_pending = opencl_session(s)->pending.count > 0;
		session_unlock(s);
	}
	rc = opencl_real()->clReleaseEvent(event);
	release(since);
	if (has_pending)
		pending_buffers_forget_done(s);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "event_times.h"
#include "opencl.h"
#include "session.h"

#include <stdlib.h>

struct event_times *event_times_create(void)
{
	struct event_times *times = calloc(1, sizeof(*times));

	if (times)
		times->refs = 1;
	return times;
}

/* Drop a reference; the session's lock must be held. */
static void drop(struct event_times *times)
{
	if (times && --times->refs == 0)
		free(times);
}

void event_times_release(struct session *s, struct event_times *times)
{
	if (!times)
		return;
	session_lock(s);
	drop(times);
	session_unlock(s);
}

void event_times_attach(struct session *s, struct event_times *times, cl_event event)
{
	void *old = NULL;

	session_lock(s);
	times->app_refs = 1;
	times->refs++;
	if (handle_map_put(&s->events, event, times, &old, NULL) < 0)
		old = times;
	drop(old);
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

/* The launch's own time for a property; false when it has none. */
static bool look_up(struct session *s, cl_event event, cl_profiling_info property, cl_ulong *time)
{
	const struct event_times *times;
	bool is_ours;

	session_lock(s);
	times = handle_map_get(&s->events, event);
	is_ours = times && times->is_known;
	if (is_ours && property == CL_PROFILING_COMMAND_QUEUED)
		*time = times->queued;
	else if (is_ours && property == CL_PROFILING_COMMAND_SUBMIT)
		*time = times->submit;
	else if (is_ours && property == CL_PROFILING_COMMAND_START)
		*time = times->start;
	else if (is_ours && (property == CL_PROFILING_COMMAND_END ||
	                     property == CL_PROFILING_COMMAND_COMPLETE))
		*time = times->end;
	else
		is_ours = false;
	session_unlock(s);
	return is_ours;
}

cl_int CL_API_CALL hook_clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                                size_t param_value_size, void *param_value,
                                                size_t *param_value_size_ret)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clGetEventProfilingInfo(event, param_name, param_value_size,
	                                                   param_value, param_value_size_ret);
	cl_ulong time;

	if (s && rc == CL_SUCCESS && param_value && param_value_size >= sizeof(time) &&
	    look_up(s, event, param_name, &time))
		*(cl_ulong *)param_value = time;
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
	times = handle_map_get(&s->events, event);
	if (times)
		times->app_refs++;
	session_unlock(s);
	return rc;
}

cl_int CL_API_CALL hook_clReleaseEvent(cl_event event)
{
	struct session *s = session_current();
	struct event_times *times;

	if (s) {
		session_lock(s);
		times = handle_map_get(&s->events, event);
		if (times && --times->app_refs == 0) {
			handle_map_remove(&s->events, event);
			drop(times);
		}
		session_unlock(s);
	}
	return opencl_real()->clReleaseEvent(event);
}

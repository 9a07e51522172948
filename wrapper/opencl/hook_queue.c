/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command queues: what we know of a context is of use as long as the application has a queue in it,
 * though it may have released the context itself.
 */
#include "engine.h"
#include "opencl.h"
#include "opencl_session.h"

#include <stdlib.h>

/* Named by the session's map while the application holds the queue. */
struct queue_state {
	uint32_t app_refs; /* the application's own references */
	cl_context context;
};

/* The session's lock must be held. */
static void count_queue(struct session *s, cl_context context, int more)
{
	struct context_state *state = handle_map_get(&opencl_session(s)->contexts, context);

	if (state)
		state->queue_count += (uint32_t)more;
}

static void remember(cl_command_queue queue, cl_context context)
{
	struct session *s = queue ? session_current() : NULL;
	struct queue_state *state = s ? calloc(1, sizeof(*state)) : NULL;
	void *old = NULL;

	if (!state)
		return;
	*state = (struct queue_state){ 1, context };
	session_lock(s);
	if (handle_map_put(&opencl_session(s)->queues, queue, state, &old, NULL) < 0) {
		old = state;
	} else {
		if (old)
			count_queue(s, ((struct queue_state *)old)->context, -1);
		count_queue(s, context, 1);
	}
	session_unlock(s);
	if (old)
		opencl_session_give_up_handle(s);
	free(old);
}

cl_command_queue CL_API_CALL hook_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                       cl_command_queue_properties properties,
                                                       cl_int *errcode_ret)
{
	cl_command_queue queue =
		opencl_real()->clCreateCommandQueue(context, device, properties, errcode_ret);

	remember(queue, context);
	return queue;
}

cl_command_queue CL_API_CALL
hook_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                        const cl_queue_properties *properties, cl_int *errcode_ret)
{
	cl_command_queue queue = opencl_real()->clCreateCommandQueueWithProperties(
		context, device, properties, errcode_ret);

	remember(queue, context);
	return queue;
}

cl_command_queue CL_API_CALL hook_clCreateCommandQueueWithPropertiesKHR(
	cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
	cl_int *errcode_ret)
{
	cl_command_queue queue = opencl_ext_of(context)->clCreateCommandQueueWithPropertiesKHR(
		context, device, properties, errcode_ret);

	remember(queue, context);
	return queue;
}

cl_int CL_API_CALL hook_clRetainCommandQueue(cl_command_queue command_queue)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clRetainCommandQueue(command_queue);
	struct queue_state *state;

	if (!s || rc != CL_SUCCESS)
		return rc;
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->queues, command_queue);
	if (state)
		state->app_refs++;
	session_unlock(s);
	return rc;
}

/* Forget a queue at its last release; what is to be freed of its context, or NULL. */
static struct context_state *forget(struct session *s, cl_command_queue queue)
{
	struct queue_state *state, *last = NULL;
	struct context_state *unused = NULL;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->queues, queue);
	if (state && --state->app_refs == 0)
		last = handle_map_remove(&opencl_session(s)->queues, queue);
	if (last) {
		count_queue(s, last->context, -1);
		unused = context_state_take_unused(s, last->context);
	}
	if (last)
		opencl_session_give_up_handle(s);
	session_unlock(s);
	free(last);
	return unused;
}

cl_int CL_API_CALL hook_clReleaseCommandQueue(cl_command_queue command_queue)
{
	struct session *s = session_current();

	if (s)
		context_state_free(forget(s, command_queue));
	return opencl_real()->clReleaseCommandQueue(command_queue);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command buffers run as the driver runs them. That they are one command of one event, whose state
 * says when it may be enqueued again, cannot be kept up with commands of ours in their place. So
 * their launches are counted and named.
 */
#include "command_buffer_state.h"
#include "launch_job.h"
#include "launch_refusal.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_LAUNCHES (1 << 20)

void command_buffer_state_free(void *command_buffer_state)
{
	struct command_buffer_state *state = command_buffer_state;

	if (state)
		array_release(&state->launches);
	free(state);
}

static void remember(struct session *s, cl_command_buffer_khr buffer, cl_command_queue queue)
{
	struct command_buffer_state *state = calloc(1, sizeof(*state));
	void *old = NULL;

	if (!state)
		return;
	state->app_refs = 1;
	state->queue = queue;
	array_init(&state->launches, sizeof(struct launch_refusal), LIMIT_LAUNCHES,
	           "launches of a command buffer");
	session_lock(s);
	if (handle_map_put(&s->command_buffers, buffer, state, &old, NULL) < 0)
		old = state;
	session_unlock(s);
	command_buffer_state_free(old);
}

cl_command_buffer_khr CL_API_CALL hook_clCreateCommandBufferKHR(
	cl_uint num_queues, const cl_command_queue *queues,
	const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_command_queue first = queues && num_queues ? queues[0] : NULL;
	cl_command_buffer_khr buffer = opencl_ext_of(first)->clCreateCommandBufferKHR(
		num_queues, queues, properties, errcode_ret);

	if (s && buffer)
		remember(s, buffer, first);
	return buffer;
}

cl_int CL_API_CALL hook_clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
	struct session *s = session_current();
	cl_int rc = opencl_ext_of(command_buffer)->clRetainCommandBufferKHR(command_buffer);
	struct command_buffer_state *state;

	if (!s || rc != CL_SUCCESS)
		return rc;
	session_lock(s);
	state = handle_map_get(&s->command_buffers, command_buffer);
	if (state)
		state->app_refs++;
	session_unlock(s);
	return rc;
}

cl_int CL_API_CALL hook_clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
	struct session *s = session_current();
	struct command_buffer_state *state, *last = NULL;

	if (s) {
		session_lock(s);
		state = handle_map_get(&s->command_buffers, command_buffer);
		if (state && --state->app_refs == 0)
			last = handle_map_remove(&s->command_buffers, command_buffer);
		session_unlock(s);
		command_buffer_state_free(last);
	}
	return opencl_ext_of(command_buffer)->clReleaseCommandBufferKHR(command_buffer);
}

/* The queue of a command that names none. */
static cl_command_queue queue_of(struct session *s, cl_command_buffer_khr buffer)
{
	const struct command_buffer_state *state;
	cl_command_queue queue = NULL;

	session_lock(s);
	state = handle_map_get(&s->command_buffers, buffer);
	if (state)
		queue = state->queue;
	session_unlock(s);
	return queue;
}

static void keep(struct session *s, cl_command_buffer_khr buffer, struct launch_request *request)
{
	struct command_buffer_state *state;
	struct launch_refusal refusal, *kept;

	if (!request->queue)
		request->queue = queue_of(s, buffer);
	if (!request->queue)
		return;
	launch_job_describe(s, request, &refusal);
	if (refusal.is_recordable || !*refusal.reason)
		snprintf(refusal.reason, sizeof(refusal.reason),
		         "in a command buffer, which the driver runs by itself");
	session_lock(s);
	state = handle_map_get(&s->command_buffers, buffer);
	kept = state ? array_push(&state->launches, 1, NULL) : NULL;
	if (kept)
		*kept = refusal;
	session_unlock(s);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clCommandNDRangeKernelKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
	const cl_ndrange_kernel_command_properties_khr *properties, cl_kernel kernel,
	cl_uint work_dim, const size_t *global_work_offset, const size_t *global_work_size,
	const size_t *local_work_size, cl_uint num_sync_points_in_wait_list,
	const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle)
{
	struct session *s = session_current();
	struct launch_request request = { .queue = command_queue,
		                          .kernel = kernel,
		                          .work_dim = work_dim,
		                          .offset = global_work_offset,
		                          .global = global_work_size,
		                          .local = local_work_size };
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandNDRangeKernelKHR(
				    command_buffer, command_queue, properties, kernel, work_dim,
				    global_work_offset, global_work_size, local_work_size,
				    num_sync_points_in_wait_list, sync_point_wait_list, sync_point,
				    mutable_handle);

	if (s && rc == CL_SUCCESS)
		keep(s, command_buffer, &request);
	return rc;
}

/* A line for each launch. */
static void record_launches(struct session *s, cl_command_buffer_khr buffer)
{
	const struct command_buffer_state *state;
	struct launch_refusal refusal;
	bool is_there = true;

	for (size_t i = 0; is_there; i++) {
		session_lock(s);
		state = handle_map_get(&s->command_buffers, buffer);
		is_there = state && i < state->launches.count;
		if (is_there)
			refusal = ((const struct launch_refusal *)state->launches.data)[i];
		session_unlock(s);
		if (is_there)
			launch_refusal_record(s, &refusal);
	}
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                                  cl_command_buffer_khr command_buffer,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list, cl_event *event)
{
	struct session *s = session_current();
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clEnqueueCommandBufferKHR(num_queues, queues, command_buffer,
	                                                num_events_in_wait_list, event_wait_list,
	                                                event);

	if (s && rc == CL_SUCCESS)
		record_launches(s, command_buffer);
	return rc;
}

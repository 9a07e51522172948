/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "command_buffer_state.h"
#include "hook_event.h"
#include "launch_capture.h"
#include "opencl.h"
#include "opencl_session.h"
#include "recorder.h"
#include "session.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * command_buffer_replay - the commands of a command buffer, enqueued one by one, so that its
 * launches are recorded like any others.
 *
 * A marker before them gets the application's queue and wait list, so that the driver checks these;
 * commands that wait for no sync point wait for it. The event of a marker after them is the
 * application's. Queue, order and failures are as with the driver's own command; the times from
 * begin to end include the cost of recording. If the driver refuses a command three times, the
 * application gets its code and the commands before it run, which a driver may do too.
 */

/* A call of clEnqueueCommandBufferKHR(). */
struct replay_request {
	cl_command_buffer_khr buffer;
	cl_command_queue queue; /* to run in */
	cl_uint wait_count;
	const cl_event *wait_list;
	cl_event *event;
};

#define MOST_TRIES 3 /* a driver may lack resources for a moment */

struct replay {
	const struct command_buffer_state *state;
	const struct replay_request *request;
	struct event_times *times;
	cl_event head;
	cl_event *events; /* of the commands issued */
	size_t issued;
	size_t barrier;  /* place of the last one and 1; 0: none */
	cl_event *waits; /* room for those of one command */
};

static const struct recorded_command *command_at(const struct replay *r, size_t place)
{
	return (const struct recorded_command *)r->state->commands.data + place;
}

/* Allocate everything before anything is enqueued. */
static bool prepare(struct session *s, struct replay *r)
{
	size_t most = r->state->commands.count;

	for (size_t i = 0; i < r->state->commands.count; i++)
		if (command_at(r, i)->wait_count > most)
			most = command_at(r, i)->wait_count;
	r->events = array_alloc(r->state->commands.count, sizeof(cl_event), "events", NULL);
	r->waits = array_alloc(most + 2, sizeof(cl_event), "events", NULL);
	r->times = event_times_create();
	return r->events && r->waits && r->times && event_times_reserve(s, r->times) &&
	       pending_buffers_reserve(s);
}

/* Set r->waits to the events that the next command waits for. Returns their number, at least one.
 */
static cl_uint gather_waits(struct replay *r)
{
	const struct recorded_command *command = command_at(r, r->issued);
	cl_uint count = 0;

	for (cl_uint i = 0; i < command->wait_count; i++)
		r->waits[count++] = r->events[command->waits[i]];
	if (r->barrier)
		r->waits[count++] = r->events[r->barrier - 1];
	/* A barrier without a wait list waits for all commands before it. */
	if (command->sort == COMMAND_BARRIER && !command->wait_count)
		for (size_t i = r->barrier; i < r->issued; i++)
			r->waits[count++] = r->events[i];
	if (!count)
		r->waits[count++] = r->head;
	return count;
}

static cl_int issue_next(struct replay *r)
{
	const struct recorded_command *command = command_at(r, r->issued);
	const struct command_place place = { r->request->queue,
		                             r->state->argument_time == ARGUMENTS_ENQUEUED,
		                             gather_waits(r), r->waits };
	cl_int rc = CL_SUCCESS;

	for (int tries = 0; tries < MOST_TRIES; tries++) {
		rc = recorded_command_issue(command, &place, &r->events[r->issued]);
		if (rc == CL_SUCCESS)
			break;
	}
	if (rc != CL_SUCCESS)
		return rc;
	r->issued++;
	if (command->sort == COMMAND_BARRIER)
		r->barrier = r->issued;
	return CL_SUCCESS;
}

static cl_int enqueue_tail(const struct replay *r, cl_event *tail)
{
	const struct opencl_real *real = opencl_real();
	cl_int rc = CL_SUCCESS;

	for (int tries = 0; tries < MOST_TRIES; tries++) {
		rc = real->clEnqueueMarkerWithWaitList(r->request->queue, (cl_uint)r->issued,
		                                       r->events, tail);
		if (rc == CL_SUCCESS)
			break;
	}
	return rc;
}

/* Set what the application's event reports; one reference to it is ours. */
static void set_event_times(struct session *s, struct replay *r, cl_event tail)
{
	cl_command_queue_properties properties = 0;

	(void)opencl_real()->clGetCommandQueueInfo(r->request->queue, CL_QUEUE_PROPERTIES,
	                                           sizeof(properties), &properties, NULL);
	r->times->type = CL_COMMAND_COMMAND_BUFFER_KHR;
	r->times->own_refs = 1;
	if (properties & CL_QUEUE_PROFILING_ENABLE) {
		r->times->since = r->head;
		r->head = NULL;
	}
	(void)event_times_attach(s, r->times, tail);
}

static bool retain(cl_event event)
{
	for (int tries = 0; tries < MOST_TRIES; tries++)
		if (opencl_real()->clRetainEvent(event) == CL_SUCCESS)
			return true;
	return false;
}

/* Give the application the tail's event; the buffer is pending until that is complete. */
static void finish(struct session *s, struct replay *r, cl_event tail)
{
	const struct opencl_real *real = opencl_real();

	if (r->request->event) {
		*r->request->event = tail;
		if (!retain(tail))
			return;
		set_event_times(s, r, tail);
	}
	if (!pending_buffers_add(s, r->request->buffer, tail)) {
		event_times_disown(s, tail);
		real->clReleaseEvent(tail);
	}
}

static void release(struct session *s, struct replay *r)
{
	for (size_t i = 0; i < r->issued; i++)
		hook_clReleaseEvent(r->events[i]);
	if (r->head)
		opencl_real()->clReleaseEvent(r->head);
	event_times_release(s, r->times);
	free(r->events);
	free(r->waits);
}

/*
 * Enqueue the commands of a final buffer that we understand. True: *rc is for the application.
 * False: nothing that matters was enqueued; the driver may run its own.
 */
static bool command_buffer_replay(struct session *s, const struct command_buffer_state *state,
                                  const struct replay_request *request, cl_int *rc)
{
	struct replay r = { .state = state, .request = request };
	cl_event tail = NULL;
	bool is_ours;

	is_ours = prepare(s, &r) && opencl_real()->clEnqueueMarkerWithWaitList(
					    request->queue, request->wait_count, request->wait_list,
					    &r.head) == CL_SUCCESS;
	*rc = CL_SUCCESS;
	while (is_ours && *rc == CL_SUCCESS && r.issued < state->commands.count)
		*rc = issue_next(&r);
	/* Only the marker is enqueued: let the driver run the buffer, or report why it cannot. */
	if (*rc != CL_SUCCESS && !r.issued)
		is_ours = false;
	if (is_ours && *rc == CL_SUCCESS)
		*rc = enqueue_tail(&r, &tail);
	if (is_ours && *rc == CL_SUCCESS)
		finish(s, &r, tail);
	release(s, &r);
	return is_ours;
}

/*
 * Command buffers. The driver always has its own, and runs it if nothing in it is to be recorded or
 * something is not understood; otherwise we enqueue the commands one by one instead. The
 * application gets the driver's answers except for the state: the driver does not know what we run.
 */

/* Read its properties; an unknown flag or property is an obstacle. */
static void read_properties(const cl_command_buffer_properties_khr *p,
                            struct command_buffer_state *state)
{
	for (; p && *p; p += 2) {
		bool is_flags = *p == CL_COMMAND_BUFFER_FLAGS_KHR;

		if (is_flags && p[1] & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR)
			state->is_simultaneous = true;
		if (!is_flags || p[1] & ~(cl_properties)CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR)
			state->obstacle =
				"in a command buffer with a property that the recorder does not "
				"know";
	}
}

cl_command_buffer_khr CL_API_CALL hook_clCreateCommandBufferKHR(
	cl_uint num_queues, const cl_command_queue *queues,
	const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret)
{
	struct session *s = session_current();
	struct command_buffer_state like = { 0 };
	cl_command_buffer_khr buffer;

	if (queues && num_queues)
		like.queue = queues[0];
	buffer = opencl_ext_of(like.queue)
	                 ->clCreateCommandBufferKHR(num_queues, queues, properties, errcode_ret);
	if (!s || !buffer)
		return buffer;
	read_properties(properties, &like);
	if (num_queues > 1)
		like.obstacle = "in a command buffer of several queues";
	command_buffer_state_remember(s, buffer, &like);
	return buffer;
}

cl_int CL_API_CALL hook_clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
	struct session *s = session_current();
	cl_int rc = opencl_ext_of(command_buffer)->clFinalizeCommandBufferKHR(command_buffer);

	if (s && rc == CL_SUCCESS)
		command_buffer_state_finalize(s, command_buffer);
	return rc;
}

cl_int CL_API_CALL hook_clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
	struct session *s = session_current();
	cl_int rc = opencl_ext_of(command_buffer)->clRetainCommandBufferKHR(command_buffer);
	struct command_buffer_state *state;

	if (!s || rc != CL_SUCCESS)
		return rc;
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->command_buffers, command_buffer);
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
		state = handle_map_get(&opencl_session(s)->command_buffers, command_buffer);
		if (state && --state->app_refs == 0)
			last = handle_map_remove(&opencl_session(s)->command_buffers,
			                         command_buffer);
		session_unlock(s);
	}
	if (last) {
		pending_buffers_forget(s, command_buffer);
		command_buffer_state_drop(s, last);
	}
	return opencl_ext_of(command_buffer)->clReleaseCommandBufferKHR(command_buffer);
}

cl_int CL_API_CALL hook_clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                                  cl_command_buffer_info_khr param_name,
                                                  size_t param_value_size, void *param_value,
                                                  size_t *param_value_size_ret)
{
	struct session *s = session_current();
	cl_int rc =
		opencl_ext_of(command_buffer)
			->clGetCommandBufferInfoKHR(command_buffer, param_name, param_value_size,
	                                            param_value, param_value_size_ret);
	cl_command_buffer_state_khr *state = param_value;

	if (s && rc == CL_SUCCESS && state && param_name == CL_COMMAND_BUFFER_STATE_KHR &&
	    *state == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR &&
	    pending_buffers_has(s, command_buffer))
		*state = CL_COMMAND_BUFFER_STATE_PENDING_KHR;
	return rc;
}

/* Write a line for each launch of a buffer that the driver runs. */
static void record_launches(struct session *s, const struct command_buffer_state *state)
{
	const struct recorded_command *commands = state->commands.data;

	for (size_t i = 0; i < state->commands.count; i++) {
		struct launch_refusal refusal;

		if (commands[i].sort != COMMAND_LAUNCH)
			continue;
		refusal = commands[i].launch.refusal;
		if (state->obstacle || !*refusal.reason)
			snprintf(refusal.reason, sizeof(refusal.reason),
			         "%s, which the driver runs by itself",
			         state->obstacle ? state->obstacle : "in a command buffer");
		launch_refusal_record(s, &refusal);
	}
}

struct queue_traits {
	cl_context context;
	cl_device_id device;
	cl_command_queue_properties properties;
};

static bool find_traits(cl_command_queue queue, struct queue_traits *t)
{
	const struct opencl_real *real = opencl_real();

	return real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(t->context),
	                                   (void *)&t->context, NULL) == CL_SUCCESS &&
	       real->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(t->device),
	                                   (void *)&t->device, NULL) == CL_SUCCESS &&
	       real->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(t->properties),
	                                   &t->properties, NULL) == CL_SUCCESS;
}

/* Whether a queue may replace another, as the extension requires. */
static bool are_alike(cl_command_queue one, cl_command_queue other)
{
	struct queue_traits a, b;

	return one == other ||
	       (find_traits(one, &a) && find_traits(other, &b) && a.context == b.context &&
	        a.device == b.device && a.properties == b.properties);
}

/* Whether the driver considers it executable. */
static bool is_executable(const struct command_buffer_state *state, cl_command_buffer_khr buffer)
{
	const struct opencl_ext *ext = opencl_ext_of(buffer);
	cl_command_buffer_state_khr now = CL_COMMAND_BUFFER_STATE_RECORDING_KHR;

	if (!ext->clGetCommandBufferInfoKHR ||
	    ext->clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof(now), &now,
	                                   NULL) != CL_SUCCESS)
		return false;
	return now == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR ||
	       (now == CL_COMMAND_BUFFER_STATE_PENDING_KHR && state->is_simultaneous);
}

/* Enqueue its commands one by one. False: the driver has to run it. */
static bool replay(struct session *s, const struct command_buffer_state *state,
                   const struct replay_request *request, cl_int *rc)
{
	if (!state->has_traceable || !request->queue ||
	    !request->wait_count != !request->wait_list || !are_alike(request->queue, state->queue))
		return false;
	*rc = CL_INVALID_OPERATION;
	if (!state->is_simultaneous && pending_buffers_has(s, request->buffer))
		return true;
	return is_executable(state, request->buffer) &&
	       command_buffer_replay(s, state, request, rc);
}

/* Returns the queue that a call names; NULL: the driver should refuse the call. */
static cl_command_queue queue_of(const struct command_buffer_state *state, cl_uint num_queues,
                                 const cl_command_queue *queues)
{
	if (!num_queues && !queues)
		return state->queue;
	return num_queues == 1 && queues ? queues[0] : NULL;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                                  cl_command_buffer_khr command_buffer,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list, cl_event *event)
{
	struct session *s = session_current();
	struct command_buffer_state *state = s ? command_buffer_state_get(s, command_buffer) : NULL;
	bool is_ours = false;
	cl_int rc;

	if (state)
		is_ours = replay(s, state,
		                 &(struct replay_request){
					 command_buffer, queue_of(state, num_queues, queues),
					 num_events_in_wait_list, event_wait_list, event },
		                 &rc);
	if (!is_ours)
		rc = opencl_ext_of(command_buffer)
		             ->clEnqueueCommandBufferKHR(num_queues, queues, command_buffer,
		                                         num_events_in_wait_list, event_wait_list,
		                                         event);
	if (!is_ours && state && rc == CL_SUCCESS)
		record_launches(s, state);
	if (s && !state && rc == CL_SUCCESS)
		recorder_note(s->recorder, "command buffer",
		              "one that the recorder has not seen made is not recorded");
	command_buffer_state_drop(s, state);
	return rc;
}

/* The hooks of calls that record a command: they call the driver first, then keep the command. */

#define COLOR_BYTES 16 /* four floats or integers, whatever the image holds */

#define THREE(list) { (list)[0], (list)[1], (list)[2] }

/* Keep a command that the driver has accepted. */
static void keep(cl_command_buffer_khr buffer, struct recorded_command *command,
                 const struct command_order *order)
{
	struct session *s = session_current();

	if (s)
		command_buffer_state_add(s, buffer, command, 0, order);
}

/* Keep a fill, whose pattern has command->transfer.pattern_bytes. */
static void keep_fill(cl_command_buffer_khr buffer, struct recorded_command *command,
                      const void *pattern, const struct command_order *order)
{
	if (command->transfer.pattern_bytes > COMMAND_PATTERN_BYTES)
		command->transfer.pattern_bytes = COMMAND_PATTERN_BYTES;
	memcpy(command->transfer.pattern, pattern, command->transfer.pattern_bytes);
	keep(buffer, command, order);
}

/* A struct command_order from the parameters of these calls. */
#define ORDER                                                                                      \
	&(struct command_order)                                                                    \
	{                                                                                          \
		num_sync_points_in_wait_list, sync_point_wait_list, sync_point, mutable_handle     \
	}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clCommandBarrierWithWaitListKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandBarrierWithWaitListKHR(
				    command_buffer, command_queue, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer, &(struct recorded_command){ .sort = COMMAND_BARRIER }, ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyBufferKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_buffer,
	cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyBufferKHR(
				    command_buffer, command_queue, src_buffer, dst_buffer,
				    src_offset, dst_offset, size, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){ .sort = COMMAND_COPY_BUFFER,
		                                 .transfer = { .from = src_buffer,
		                                               .to = dst_buffer,
		                                               .from_place = { src_offset },
		                                               .to_place = { dst_offset },
		                                               .region = { size } } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyBufferRectKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_buffer,
	cl_mem dst_buffer, const size_t *src_origin, const size_t *dst_origin, const size_t *region,
	size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyBufferRectKHR(
				    command_buffer, command_queue, src_buffer, dst_buffer,
				    src_origin, dst_origin, region, src_row_pitch, src_slice_pitch,
				    dst_row_pitch, dst_slice_pitch, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){
			     .sort = COMMAND_COPY_RECT,
			     .transfer = { .from = src_buffer,
		                           .to = dst_buffer,
		                           .from_place = THREE(src_origin),
		                           .to_place = THREE(dst_origin),
		                           .region = THREE(region),
		                           .from_pitches = { src_row_pitch, src_slice_pitch },
		                           .to_pitches = { dst_row_pitch, dst_slice_pitch } } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyBufferToImageKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_buffer,
	cl_mem dst_image, size_t src_offset, const size_t *dst_origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyBufferToImageKHR(
				    command_buffer, command_queue, src_buffer, dst_image,
				    src_offset, dst_origin, region, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){ .sort = COMMAND_COPY_TO_IMAGE,
		                                 .transfer = { .from = src_buffer,
		                                               .to = dst_image,
		                                               .from_place = { src_offset },
		                                               .to_place = THREE(dst_origin),
		                                               .region = THREE(region) } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyImageKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_image,
	cl_mem dst_image, const size_t *src_origin, const size_t *dst_origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyImageKHR(
				    command_buffer, command_queue, src_image, dst_image, src_origin,
				    dst_origin, region, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){ .sort = COMMAND_COPY_IMAGE,
		                                 .transfer = { .from = src_image,
		                                               .to = dst_image,
		                                               .from_place = THREE(src_origin),
		                                               .to_place = THREE(dst_origin),
		                                               .region = THREE(region) } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyImageToBufferKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_image,
	cl_mem dst_buffer, const size_t *src_origin, const size_t *region, size_t dst_offset,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyImageToBufferKHR(
				    command_buffer, command_queue, src_image, dst_buffer,
				    src_origin, region, dst_offset, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){ .sort = COMMAND_COPY_FROM_IMAGE,
		                                 .transfer = { .from = src_image,
		                                               .to = dst_buffer,
		                                               .from_place = THREE(src_origin),
		                                               .to_place = { dst_offset },
		                                               .region = THREE(region) } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandFillBufferKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem buffer,
	const void *pattern, size_t pattern_size, size_t offset, size_t size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandFillBufferKHR(
				    command_buffer, command_queue, buffer, pattern, pattern_size,
				    offset, size, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep_fill(
			command_buffer,
			&(struct recorded_command){ .sort = COMMAND_FILL_BUFFER,
		                                    .transfer = { .to = buffer,
		                                                  .to_place = { offset },
		                                                  .region = { size },
		                                                  .pattern_bytes = pattern_size } },
			pattern, ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandFillImageKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem image,
	const void *fill_color, const size_t *origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc =
		opencl_ext_of(command_buffer)
			->clCommandFillImageKHR(command_buffer, command_queue, image, fill_color,
	                                        origin, region, num_sync_points_in_wait_list,
	                                        sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep_fill(
			command_buffer,
			&(struct recorded_command){ .sort = COMMAND_FILL_IMAGE,
		                                    .transfer = { .to = image,
		                                                  .to_place = THREE(origin),
		                                                  .region = THREE(region),
		                                                  .pattern_bytes = COLOR_BYTES } },
			fill_color, ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandNDRangeKernelKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
	const cl_properties *properties, cl_kernel kernel, cl_uint work_dim,
	const size_t *global_work_offset, const size_t *global_work_size,
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
	struct command_order order = { num_sync_points_in_wait_list, sync_point_wait_list,
		                       sync_point, mutable_handle || (properties && *properties) };
	struct recorded_command command;
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandNDRangeKernelKHR(
				    command_buffer, command_queue, properties, kernel, work_dim,
				    global_work_offset, global_work_size, local_work_size,
				    num_sync_points_in_wait_list, sync_point_wait_list, sync_point,
				    mutable_handle);

	if (s && rc == CL_SUCCESS) {
		int known = recorded_command_launch(s, &command, &request);

		command_buffer_state_add(s, command_buffer, &command, known, &order);
	}
	return rc;
}
/* NOLINTEND(readability-function-size) */

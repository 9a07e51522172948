/* SPDX-License-Identifier: Apache-2.0 */
#include "command_buffer_replay.h"

#include "array.h"
#include "command_buffer_state.h"
#include "event_times.h"
#include "pending_buffers.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TRIES 3 /* a driver may be short of something for a moment */

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

/* Everything that may run out is had before anything is enqueued. */
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

/* The events that the next command waits for, in r->waits. Their number, at least one. */
static cl_uint gather_waits(struct replay *r)
{
	const struct recorded_command *command = command_at(r, r->issued);
	cl_uint count = 0;

	for (cl_uint i = 0; i < command->wait_count; i++)
		r->waits[count++] = r->events[command->waits[i]];
	if (r->barrier)
		r->waits[count++] = r->events[r->barrier - 1];
	/* A barrier that waits for nothing by name waits for all before it. */
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

/* What the application is told of its event, of which a reference is ours. */
static void hand_out(struct session *s, struct replay *r, cl_event tail)
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

/* The tail is the application's event, and tells when the buffer is no longer pending. */
static void finish(struct session *s, struct replay *r, cl_event tail)
{
	const struct opencl_real *real = opencl_real();

	if (r->request->event) {
		*r->request->event = tail;
		if (!retain(tail))
			return;
		hand_out(s, r, tail);
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

bool command_buffer_replay(struct session *s, const struct command_buffer_state *state,
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
	/* Nothing but the marker is there: let the driver do it, or say why not. */
	if (*rc != CL_SUCCESS && !r.issued)
		is_ours = false;
	if (is_ours && *rc == CL_SUCCESS)
		*rc = enqueue_tail(&r, &tail);
	if (is_ours && *rc == CL_SUCCESS)
		finish(s, &r, tail);
	release(s, &r);
	return is_ours;
}

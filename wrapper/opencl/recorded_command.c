/* SPDX-License-Identifier: Apache-2.0 */
#include "recorded_command.h"

#include "kernel_state.h"
#include "memory_state.h"
#include "opencl_session.h"
#include "program_build.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_ARGUMENTS (1 << 16)

/* An object that the session's map goes on to name. */
struct kept_memory {
	const void *handle;
	uint64_t serial; /* a driver that has not retained it may use the handle again */
};

/* Let the map name the objects in the arguments. */
static int keep_memory(struct session *s, struct command_launch *launch)
{
	const struct kernel_state *then = launch->then;

	for (cl_uint i = 0; i < then->value_count; i++) {
		struct kept_memory one = { .handle = kernel_value_handle(&then->values[i]) };
		struct kept_memory *kept;

		if (!one.handle || !memory_state_hold(s, one.handle, &one.serial))
			continue;
		kept = array_push(&launch->memory, 1, NULL);
		if (kept)
			*kept = one;
		else
			memory_state_let_go(s, one.handle, one.serial);
		if (!kept)
			return -1;
	}
	return 0;
}

static void let_go(struct session *s, const struct command_launch *launch)
{
	const struct kept_memory *kept = launch->memory.data;

	for (size_t i = 0; i < launch->memory.count; i++)
		memory_state_let_go(s, kept[i].handle, kept[i].serial);
	if (launch->is_kernel_held)
		kernel_state_let_go(s, launch->kernel);
}

/* A copy of the kernel as it is now; the session's lock must be held. NULL: it cannot be had. */
static struct kernel_state *copy_kernel(const struct kernel_state *state)
{
	struct kernel_state *copy;

	if (!state || state->has_lost_facts)
		return NULL;
	/* The driver took the launch: a value that is not set is one that we could not keep. */
	for (cl_uint i = 0; i < state->value_count; i++)
		if (!state->values[i].is_set)
			return NULL;
	copy = kernel_state_create(NULL, NULL, state->name, state->value_count);
	if (!copy)
		return NULL;
	if (kernel_facts_copy(copy->facts, state->facts) &&
	    kernel_values_copy(copy->values, state->values, state->value_count)) {
		copy->build = program_build_retain(state->build);
		return copy;
	}
	kernel_state_free(copy);
	return NULL;
}

int recorded_command_launch(struct session *s, struct recorded_command *command,
                            const struct launch_request *request)
{
	struct command_launch *launch = &command->launch;
	size_t bytes = request->work_dim * sizeof(size_t);

	*command = (struct recorded_command){ .sort = COMMAND_LAUNCH };
	array_init(&launch->memory, sizeof(struct kept_memory), LIMIT_ARGUMENTS,
	           "buffers of a recorded launch");
	if (request->work_dim < 1 || request->work_dim > 3 || !request->global)
		return -1;
	launch->kernel = request->kernel;
	launch->work_dim = request->work_dim;
	launch->has_offset = request->offset;
	launch->has_local = request->local;
	memcpy(launch->global, request->global, bytes);
	if (request->offset)
		memcpy(launch->offset, request->offset, bytes);
	if (request->local)
		memcpy(launch->local, request->local, bytes);
	session_lock(s);
	launch->then = copy_kernel(handle_map_get(&opencl_session(s)->kernels, request->kernel));
	session_unlock(s);
	launch->is_kernel_held = launch->then && kernel_state_hold(s, request->kernel);
	return launch->is_kernel_held ? keep_memory(s, launch) : -1;
}

struct launch_request recorded_command_request(const struct recorded_command *command,
                                               cl_command_queue queue)
{
	const struct command_launch *launch = &command->launch;

	return (struct launch_request){ .queue = queue,
		                        .kernel = launch->kernel,
		                        .work_dim = launch->work_dim,
		                        .offset = launch->has_offset ? launch->offset : NULL,
		                        .global = launch->global,
		                        .local = launch->has_local ? launch->local : NULL,
		                        .then = launch->then };
}

static cl_int issue_launch(const struct recorded_command *c, const struct command_place *place,
                           cl_event *event)
{
	struct launch_request request = recorded_command_request(c, place->queue);

	request.wait_count = place->wait_count;
	request.wait_list = place->wait_list;
	request.event = event;
	if (place->takes_arguments_now)
		request.then = NULL;
	return launch_enqueue(&request);
}

cl_int recorded_command_issue(const struct recorded_command *command,
                              const struct command_place *place, cl_event *event)
{
	const struct opencl_real *real = opencl_real();
	const struct command_transfer *t = &command->transfer;
	cl_command_queue queue = place->queue;
	cl_uint n = place->wait_count;
	const cl_event *list = place->wait_list;

	switch (command->sort) {
	case COMMAND_BARRIER:
		return real->clEnqueueMarkerWithWaitList(queue, n, list, event);
	case COMMAND_LAUNCH:
		return issue_launch(command, place, event);
	case COMMAND_COPY_BUFFER:
		return real->clEnqueueCopyBuffer(queue, t->from, t->to, t->from_place[0],
		                                 t->to_place[0], t->region[0], n, list, event);
	case COMMAND_COPY_RECT:
		return real->clEnqueueCopyBufferRect(queue, t->from, t->to, t->from_place,
		                                     t->to_place, t->region, t->from_pitches[0],
		                                     t->from_pitches[1], t->to_pitches[0],
		                                     t->to_pitches[1], n, list, event);
	case COMMAND_COPY_TO_IMAGE:
		return real->clEnqueueCopyBufferToImage(queue, t->from, t->to, t->from_place[0],
		                                        t->to_place, t->region, n, list, event);
	case COMMAND_COPY_IMAGE:
		return real->clEnqueueCopyImage(queue, t->from, t->to, t->from_place, t->to_place,
		                                t->region, n, list, event);
	case COMMAND_COPY_FROM_IMAGE:
		return real->clEnqueueCopyImageToBuffer(queue, t->from, t->to, t->from_place,
		                                        t->region, t->to_place[0], n, list, event);
	case COMMAND_FILL_BUFFER:
		return real->clEnqueueFillBuffer(queue, t->to, t->pattern, t->pattern_bytes,
		                                 t->to_place[0], t->region[0], n, list, event);
	case COMMAND_FILL_IMAGE:
		return real->clEnqueueFillImage(queue, t->to, t->pattern, t->to_place, t->region, n,
		                                list, event);
	}
	return CL_INVALID_OPERATION;
}

void recorded_command_release(struct session *s, struct recorded_command *command)
{
	if (command->sort == COMMAND_LAUNCH) {
		if (s)
			let_go(s, &command->launch);
		array_release(&command->launch.memory);
		kernel_state_free(command->launch.then);
	}
	free(command->waits);
	command->waits = NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "command_buffer_state.h"

#include "device_info.h"
#include "engine.h"
#include "held_objects.h"
#include "kernel_state.h"
#include "opencl_session.h"
#include "program_build.h"
#include "recorder.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

/* A kernel that writes its argument, which is 1 when it is recorded and 2 when it is enqueued. The
 * argument is a number because such a driver may have prepared only the buffers that were recorded.
 */
struct experiment {
	const struct opencl_real *real;
	const struct opencl_ext *ext;
	const struct engine *engine;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem buffer;
	cl_command_buffer_khr commands;
};

static bool prepare(struct experiment *x)
{
	cl_context context = x->engine->context;
	cl_command_queue_properties properties = device_info_number(
		x->engine->device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR);
	cl_int rc;

	if (!x->ext->clCreateCommandBufferKHR || !x->ext->clReleaseCommandBufferKHR ||
	    !x->ext->clCommandNDRangeKernelKHR || !x->ext->clFinalizeCommandBufferKHR ||
	    !x->ext->clEnqueueCommandBufferKHR)
		return false;
	x->queue = x->real->clCreateCommandQueue(context, x->engine->device, properties, &rc);
	if (!x->queue)
		return false;
	x->kernel = x->real->clCreateKernel(x->engine->program, "warpline_keep", &rc);
	x->buffer =
		x->real->clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_ulong), NULL, &rc);
	x->commands = x->ext->clCreateCommandBufferKHR(1, &x->queue, NULL, &rc);
	return x->kernel && x->buffer && x->commands;
}

static bool set_value(const struct experiment *x, cl_ulong value)
{
	return x->real->clSetKernelArg(x->kernel, 1, sizeof(value), &value) == CL_SUCCESS;
}

static bool run(const struct experiment *x)
{
	static const size_t one = 1;

	return x->real->clSetKernelArg(x->kernel, 0, sizeof(x->buffer), (const void *)&x->buffer) ==
	               CL_SUCCESS &&
	       set_value(x, 1) &&
	       x->ext->clCommandNDRangeKernelKHR(x->commands, NULL, NULL, x->kernel, 1, NULL, &one,
	                                         &one, 0, NULL, NULL, NULL) == CL_SUCCESS &&
	       set_value(x, 2) && x->ext->clFinalizeCommandBufferKHR(x->commands) == CL_SUCCESS &&
	       x->ext->clEnqueueCommandBufferKHR(0, NULL, x->commands, 0, NULL, NULL) ==
	               CL_SUCCESS &&
	       x->real->clFinish(x->queue) == CL_SUCCESS;
}

static enum argument_time judge(const struct experiment *x)
{
	cl_ulong written = 0;

	if (x->real->clEnqueueReadBuffer(x->queue, x->buffer, CL_TRUE, 0, sizeof(written), &written,
	                                 0, NULL, NULL) != CL_SUCCESS)
		return ARGUMENTS_UNKNOWN;
	if (written == 1)
		return ARGUMENTS_RECORDED;
	return written == 2 ? ARGUMENTS_ENQUEUED : ARGUMENTS_UNKNOWN;
}

static void release_probe(const struct experiment *x)
{
	if (x->commands)
		x->ext->clReleaseCommandBufferKHR(x->commands);
	if (x->buffer)
		x->real->clReleaseMemObject(x->buffer);
	if (x->kernel)
		x->real->clReleaseKernel(x->kernel);
	if (x->queue)
		x->real->clReleaseCommandQueue(x->queue);
}

static enum argument_time find_out(const struct engine *e)
{
	struct experiment x = { .real = opencl_real(),
		                .ext = opencl_ext_of(e->context),
		                .engine = e };
	enum argument_time time = ARGUMENTS_UNKNOWN;

	if (prepare(&x) && run(&x))
		time = judge(&x);
	release_probe(&x);
	return time;
}

/* Returns it for the device and context of a queue. Waits for a tiny kernel of ours. */
static enum argument_time argument_time_find(struct session *s, cl_command_queue queue)
{
	const struct opencl_real *real = opencl_real();
	cl_context context = NULL;
	cl_device_id device = NULL;
	struct engine *e = NULL;
	enum argument_time time;

	if (real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), (void *)&context,
	                                NULL) == CL_SUCCESS &&
	    real->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), (void *)&device,
	                                NULL) == CL_SUCCESS)
		e = engine_get(s, context, device, NULL);
	if (!e)
		return ARGUMENTS_UNKNOWN;
	time = (enum argument_time)atomic_load(&e->argument_time);
	if (time == ARGUMENTS_UNKNOWN) {
		time = find_out(e);
		atomic_store(&e->argument_time, time);
	}
	engine_release(e);
	return time;
}

#define LIMIT_ARGUMENTS (1 << 16)

/* An object that stays in the session's map. */
struct kept_memory {
	const void *handle;
	uint64_t serial; /* a driver that has not retained it may use the handle again */
};

/* Keep the objects in the arguments in the map. */
static int keep_memory(struct session *s, struct command_launch *launch)
{
	const struct kernel_state *then = launch->then;

	for (cl_uint i = 0; i < then->value_count; i++) {
		struct kept_memory one = { .handle = kernel_value_handle(&then->values[i]) };
		struct kept_memory *kept;

		if (!one.handle || !memory_state_retain(s, one.handle, &one.serial))
			continue;
		kept = array_push(&launch->memory, 1, NULL);
		if (kept)
			*kept = one;
		else
			memory_state_release(s, one.handle, one.serial);
		if (!kept)
			return -1;
	}
	return 0;
}

static void release_launch(struct session *s, const struct command_launch *launch)
{
	const struct kept_memory *kept = launch->memory.data;

	for (size_t i = 0; i < launch->memory.count; i++)
		memory_state_release(s, kept[i].handle, kept[i].serial);
	if (launch->is_kernel_held)
		kernel_state_release(s, launch->kernel);
}

/* Returns a copy of the kernel's present state, or NULL when out of memory. Called with the
 * session's lock held. */
static struct kernel_state *copy_kernel(const struct kernel_state *state)
{
	struct kernel_state *copy;

	if (!state || state->has_lost_facts)
		return NULL;
	/* The driver accepted the launch, so a value that is not set is one that we could not keep.
	 */
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
	launch->is_kernel_held = launch->then && kernel_state_retain(s, request->kernel);
	return launch->is_kernel_held ? keep_memory(s, launch) : -1;
}

/* Returns a request for the recorded launch in this queue; it points into the command. */
static struct launch_request recorded_command_request(const struct recorded_command *command,
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

/* Free what it owns. With a session, also release the objects of its arguments; NULL at its end. */
static void recorded_command_release(struct session *s, struct recorded_command *command)
{
	if (command->sort == COMMAND_LAUNCH) {
		if (s)
			release_launch(s, &command->launch);
		array_release(&command->launch.memory);
		kernel_state_free(command->launch.then);
	}
	free(command->waits);
	command->waits = NULL;
}

#define LIMIT_COMMANDS (1 << 20)

static const char out_of_memory[] = "in a command buffer for which memory ran out";

static void release(struct session *s, struct command_buffer_state *state)
{
	struct recorded_command *commands;

	if (!state)
		return;
	commands = state->commands.data;
	for (size_t i = 0; i < state->commands.count; i++)
		recorded_command_release(s, &commands[i]);
	array_release(&state->commands);
	free(state);
}

void command_buffer_state_free(void *command_buffer_state)
{
	release(NULL, command_buffer_state);
}

void command_buffer_state_remember(struct session *s, cl_command_buffer_khr buffer,
                                   const struct command_buffer_state *like)
{
	struct command_buffer_state *state = calloc(1, sizeof(*state));
	void *old = NULL;

	if (!state)
		return;
	*state = (struct command_buffer_state){ .refs = 1,
		                                .app_refs = 1,
		                                .queue = like->queue,
		                                .is_simultaneous = like->is_simultaneous,
		                                .obstacle = like->obstacle };
	array_init(&state->commands, sizeof(struct recorded_command), LIMIT_COMMANDS,
	           "commands of a command buffer");
	session_lock(s);
	if (handle_map_put(&opencl_session(s)->command_buffers, buffer, state, &old, NULL) < 0)
		old = state;
	session_unlock(s);
	command_buffer_state_drop(s, old);
}

struct command_buffer_state *command_buffer_state_get(struct session *s,
                                                      cl_command_buffer_khr buffer)
{
	struct command_buffer_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->command_buffers, buffer);
	if (state)
		state->refs++;
	session_unlock(s);
	return state;
}

void command_buffer_state_drop(struct session *s, struct command_buffer_state *state)
{
	bool is_last;

	if (!state)
		return;
	session_lock(s);
	is_last = --state->refs == 0;
	session_unlock(s);
	if (is_last)
		release(s, state);
}

/* Returns the place of the last command that has this sync point, or -1. */
static int64_t place_of(const struct command_buffer_state *state, cl_sync_point_khr sync_point)
{
	const struct recorded_command *commands = state->commands.data;

	for (size_t i = state->commands.count; i-- > 0;)
		if (commands[i].has_sync_point && commands[i].sync_point == sync_point)
			return (int64_t)i;
	return -1;
}

/* Find the places of the commands that a command waits for. False: out of memory, or a sync point
 * is unknown. */
static bool find_waits(const struct command_buffer_state *state, struct recorded_command *command,
                       const struct command_order *order)
{
	command->wait_count = order->wait_count;
	if (!order->wait_count)
		return true;
	command->waits =
		array_alloc(order->wait_count, sizeof(*command->waits), "sync points", NULL);
	if (!command->waits)
		return false;
	for (cl_uint i = 0; i < order->wait_count; i++) {
		int64_t place = place_of(state, order->wait_list[i]);

		if (place < 0)
			return false;
		command->waits[i] = (uint32_t)place;
	}
	return true;
}

/* Append a command. False: nothing of it is kept. Called with the session's lock held. */
static bool append(struct command_buffer_state *state, struct recorded_command *command,
                   const struct command_order *order)
{
	struct recorded_command *kept;

	if (!find_waits(state, command, order))
		return false;
	kept = array_push(&state->commands, 1, NULL);
	if (!kept)
		return false;
	*kept = *command;
	kept->has_sync_point = order->sync_point;
	if (order->sync_point)
		kept->sync_point = *order->sync_point;
	return true;
}

void command_buffer_state_add(struct session *s, cl_command_buffer_khr buffer,
                              struct recorded_command *command, int rc,
                              const struct command_order *order)
{
	struct command_buffer_state *state;
	bool is_kept = false;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->command_buffers, buffer);
	if (state && order->is_changeable && !state->obstacle)
		state->obstacle = "in a command buffer with commands that may be changed";
	if (state && rc < 0 && !state->obstacle)
		state->obstacle = "in a command buffer with kernels that the recorder does not "
				  "know";
	/* An incomplete launch is kept too, so that the recording can name it. */
	is_kept = state && append(state, command, order);
	if (state && !is_kept)
		state->obstacle = out_of_memory;
	session_unlock(s);
	if (is_kept)
		return;
	if (command->sort == COMMAND_LAUNCH)
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH, out_of_memory);
	recorded_command_release(s, command);
}

/* Describe a launch for the case that the driver runs it. True: it would be recorded. */
static bool describe(struct session *s, const struct command_buffer_state *state,
                     struct recorded_command *command)
{
	struct launch_request request = recorded_command_request(command, state->queue);

	return launch_job_describe(s, &request, &command->launch.refusal);
}

void command_buffer_state_finalize(struct session *s, cl_command_buffer_khr buffer)
{
	struct command_buffer_state *state = command_buffer_state_get(s, buffer);
	struct recorded_command *commands;
	enum argument_time time = ARGUMENTS_UNKNOWN;
	bool has_traceable = false;

	if (!state)
		return;
	commands = state->commands.data;
	for (size_t i = 0; i < state->commands.count; i++)
		if (commands[i].sort == COMMAND_LAUNCH && describe(s, state, &commands[i]))
			has_traceable = true;
	if (has_traceable)
		time = argument_time_find(s, state->queue);
	session_lock(s);
	state->argument_time = time;
	if (!state->obstacle && has_traceable && time == ARGUMENTS_UNKNOWN)
		state->obstacle = "in a command buffer whose driver takes arguments when the "
				  "recorder does not know";
	if (!state->obstacle && opencl_ext_has_given_unknown_command())
		state->obstacle =
			"in a command buffer of a version that the recorder does not know";
	state->has_traceable = has_traceable && !state->obstacle;
	session_unlock(s);
	command_buffer_state_drop(s, state);
}

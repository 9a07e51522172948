/* SPDX-License-Identifier: Apache-2.0 */
#include "command_buffer_state.h"

#include "opencl_session.h"
#include "recorder.h"

#include <stdlib.h>

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

/* The place of the command that has this sync point, or -1; the last, should there be two. */
static int64_t place_of(const struct command_buffer_state *state, cl_sync_point_khr sync_point)
{
	const struct recorded_command *commands = state->commands.data;

	for (size_t i = state->commands.count; i-- > 0;)
		if (commands[i].has_sync_point && commands[i].sync_point == sync_point)
			return (int64_t)i;
	return -1;
}

/* The places of what a command waits for. False: out of memory, or a sync point is unknown. */
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

/* Append a command; the session's lock must be held. False: nothing of it is kept. */
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
	/* A launch that is not as it should be is kept, too: to be named. */
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

/* What the recording says of a launch where the driver runs it. True: it would be recorded. */
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
	if (!state->obstacle && opencl_ext_gave_unknown_command())
		state->obstacle =
			"in a command buffer of a version that the recorder does not know";
	state->has_traceable = has_traceable && !state->obstacle;
	session_unlock(s);
	command_buffer_state_drop(s, state);
}

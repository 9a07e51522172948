/*
 * command_buffer_replay - the commands of a command buffer, enqueued one by one, so that its
 * launches are recorded like any others.
 *
 * A marker stands before them, which the driver judges with the application's queue and wait list;
 * commands that wait for no sync point wait for it. Another stands behind them: its event is the
 * application's. Where they run, what they wait for, what follows and what happens when something
 * fails is as with the driver's own command; times between begin and end are with what recording
 * costs. Should the driver refuse one of the commands three times over, its code is the
 * application's and the commands before it run, which a driver may do too.
 */
#ifndef COMMAND_BUFFER_REPLAY_H
#define COMMAND_BUFFER_REPLAY_H

#include "opencl.h"

#include <stdbool.h>

struct command_buffer_state;
struct session;

/* A call of clEnqueueCommandBufferKHR(). */
struct replay_request {
	cl_command_buffer_khr buffer;
	cl_command_queue queue; /* in which it is to run */
	cl_uint wait_count;
	const cl_event *wait_list;
	cl_event *event;
};

/*
 * Enqueue the commands of a final buffer that we understand. True: *rc is the application's. False:
 * nothing was enqueued that would be missed; the driver may run its own.
 */
bool command_buffer_replay(struct session *s, const struct command_buffer_state *state,
                           const struct replay_request *request, cl_int *rc);

#endif

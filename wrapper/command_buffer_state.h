/*
 * command_buffer_state - what we know of a cl_command_buffer_khr: the launches recorded into it.
 */
#ifndef COMMAND_BUFFER_STATE_H
#define COMMAND_BUFFER_STATE_H

#include "array.h"
#include "opencl.h"

#include <stdint.h>

/* Named by the session's map while the application holds the command buffer. */
struct command_buffer_state {
	uint32_t app_refs;      /* the application's own references */
	cl_command_queue queue; /* for commands that name none; borrowed */
	struct array
		launches; /* of struct launch_refusal: a line for each time they are enqueued */
};

/* Free it and its launches. NULL is allowed. */
void command_buffer_state_free(void *command_buffer_state);

#endif

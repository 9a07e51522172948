/*
 * command_buffer_state - what we know of a cl_command_buffer_khr: its commands as they were
 * recorded, and whether we understand them all.
 *
 * What is not understood is left to the driver, its launches are named: several queues, commands
 * that may be changed later, commands of calls that we do not know, kernels that we do not know.
 */
#ifndef COMMAND_BUFFER_STATE_H
#define COMMAND_BUFFER_STATE_H

#include "argument_time.h"
#include "array.h"
#include "opencl.h"
#include "recorded_command.h"

#include <stdbool.h>
#include <stdint.h>

struct session;

/* Named by the session's map while the application holds the command buffer; the session's lock
 * guards it, but the commands, which nobody changes once it is final. */
struct command_buffer_state {
	uint32_t refs;          /* the map and whoever enqueues it */
	uint32_t app_refs;      /* the application's own references */
	cl_command_queue queue; /* the first; borrowed */
	bool is_simultaneous;   /* may be enqueued while it is pending */
	bool has_traceable;     /* it is final and holds launches that would be recorded */
	enum argument_time argument_time; /* of a buffer that has them */
	const char *obstacle;  /* why we cannot issue the commands: "in a command buffer ..." */
	struct array commands; /* of struct recorded_command */
};

/* What the call that recorded a command was told of its order. */
struct command_order {
	cl_uint wait_count;
	const cl_sync_point_khr *wait_list;
	const cl_sync_point_khr *sync_point; /* the driver's answer; NULL: not asked for */
	bool is_changeable;                  /* it has properties or a handle */
};

/* Begin to know a command buffer; queue, is_simultaneous and obstacle are those of *like. Out of
 * memory: it stays unknown. */
void command_buffer_state_remember(struct session *s, cl_command_buffer_khr buffer,
                                   const struct command_buffer_state *like);

/* The state with a reference for the caller, or NULL. */
struct command_buffer_state *command_buffer_state_get(struct session *s,
                                                      cl_command_buffer_khr buffer);

/* Give a reference back; the last one frees. No lock may be held. */
void command_buffer_state_drop(struct session *s, struct command_buffer_state *state);

/*
 * Keep a command that the driver has taken, which is moved in; `rc` negative: it is not as it
 * should be, the buffer is not understood. No lock may be held.
 */
void command_buffer_state_add(struct session *s, cl_command_buffer_khr buffer,
                              struct recorded_command *command, int rc,
                              const struct command_order *order);

/* The driver has finalized it: see what the launches will come to. No lock may be held. */
void command_buffer_state_finalize(struct session *s, cl_command_buffer_khr buffer);

/* Free it and its commands, at the end of the session. NULL is allowed. */
void command_buffer_state_free(void *command_buffer_state);

#endif

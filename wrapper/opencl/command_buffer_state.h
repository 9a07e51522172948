/*
 * command_buffer_state - what the recorder knows of a cl_command_buffer_khr: its commands as they
 * were recorded, and whether it understands them all.
 *
 * The driver runs a buffer that is not understood, and the recording names its launches: a buffer
 * with several queues, commands that may be changed later, commands of unknown calls, or unknown
 * kernels.
 */
#ifndef COMMAND_BUFFER_STATE_H
#define COMMAND_BUFFER_STATE_H

#include "array.h"
#include "launch_capture.h"
#include "launch_job.h"
#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/*
 * argument_time - when a driver reads the arguments of a launch in a command buffer.
 *
 * The extension requires those of the time when the launch was recorded. Drivers of the extension's
 * first years take those that the kernel has when the buffer is enqueued. An experiment on a
 * separate queue, once for each engine, finds this out.
 */

enum argument_time { ARGUMENTS_UNKNOWN, ARGUMENTS_RECORDED, ARGUMENTS_ENQUEUED };

/*
 * recorded_command - a command of a command buffer, kept so that it can be issued alone.
 *
 * A launch keeps the kernel's state when it was recorded, with its arguments and the build of its
 * program. The objects that commands name are borrowed: the driver's command buffer retains them,
 * as the extension requires. The states of the kernel and of the buffers in its arguments are kept
 * even if the application releases them.
 *
 * Sync points are stored as indices of earlier commands. Only for buffers of one queue.
 */

enum command_sort {
	COMMAND_BARRIER,
	COMMAND_LAUNCH,
	COMMAND_COPY_BUFFER,
	COMMAND_COPY_RECT,
	COMMAND_COPY_TO_IMAGE,
	COMMAND_COPY_IMAGE,
	COMMAND_COPY_FROM_IMAGE,
	COMMAND_FILL_BUFFER,
	COMMAND_FILL_IMAGE,
};

#define COMMAND_PATTERN_BYTES 128 /* OpenCL's maximum */
/* A copy or a fill. For buffers the first number of a place or a region is in bytes. */
struct command_transfer {
	cl_mem from, to; /* from is NULL for a fill */
	size_t from_place[3], to_place[3], region[3];
	size_t from_pitches[2], to_pitches[2]; /* of rows, slices; bytes */
	size_t pattern_bytes;
	unsigned char pattern[COMMAND_PATTERN_BYTES];
};

/* Of launches. */
struct command_launch {
	cl_kernel kernel;          /* borrowed */
	struct kernel_state *then; /* NULL: not known: the driver has to run it */
	bool is_kernel_held;
	cl_uint work_dim;
	bool has_offset, has_local;
	size_t offset[3], global[3], local[3];
	struct array memory;           /* of struct kept_memory */
	struct launch_refusal refusal; /* what the recording says if the driver runs it */
};

struct recorded_command {
	enum command_sort sort;
	cl_sync_point_khr sync_point; /* valid if has_sync_point */
	bool has_sync_point;
	uint32_t *waits; /* indices of earlier commands; NULL: none */
	cl_uint wait_count;
	union {
		struct command_launch launch;
		struct command_transfer transfer;
	};
};

/*
 * Fill *command from a launch that is being recorded. Returns 0, or -1 when the kernel is not known
 * or has lost facts, or memory ran out. The caller releases *command in either case.
 */
int recorded_command_launch(struct session *s, struct recorded_command *command,
                            const struct launch_request *request);

/* Where to enqueue a command, and the events that it waits for: at least one. */
struct command_place {
	cl_command_queue queue;
	bool takes_arguments_now; /* launches take their kernel's present arguments */
	cl_uint wait_count;
	const cl_event *wait_list;
};

/*
 * Enqueue the command. The caller releases *event with hook_clReleaseEvent(). Returns the driver's
 * code.
 */
cl_int recorded_command_issue(const struct recorded_command *command,
                              const struct command_place *place, cl_event *event);

/* In the session's map while the application holds the command buffer. Guarded by the session's
 * lock, except for the commands, which do not change once the buffer is final. */
struct command_buffer_state {
	uint32_t refs;                    /* the map, and each call that enqueues it */
	uint32_t app_refs;                /* the application's own references */
	cl_command_queue queue;           /* the first one; borrowed */
	bool is_simultaneous;             /* may be enqueued while it is pending */
	bool has_traceable;               /* it is final and has launches that would be recorded */
	enum argument_time argument_time; /* of a buffer that has them */
	const char *obstacle;  /* why the recorder cannot enqueue the commands: "in a command buffer
	                          ..." */
	struct array commands; /* of struct recorded_command */
};

/* The order that was requested for a command when it was recorded. */
struct command_order {
	cl_uint wait_count;
	const cl_sync_point_khr *wait_list;
	const cl_sync_point_khr *sync_point; /* returned by the driver; NULL: not requested */
	bool is_changeable;                  /* it has properties or a handle */
};

/* Add a command buffer, with queue, is_simultaneous and obstacle of *like. Out of memory: it stays
 * unknown. */
void command_buffer_state_remember(struct session *s, cl_command_buffer_khr buffer,
                                   const struct command_buffer_state *like);

/* Returns the state with a reference for the caller, or NULL. */
struct command_buffer_state *command_buffer_state_get(struct session *s,
                                                      cl_command_buffer_khr buffer);

/* Drop a reference; the last one frees the state. No lock may be held. */
void command_buffer_state_drop(struct session *s, struct command_buffer_state *state);

/*
 * Keep a command that the driver has accepted; *command is moved. `rc` negative: it is incomplete,
 * so the buffer is not understood. No lock may be held.
 */
void command_buffer_state_add(struct session *s, cl_command_buffer_khr buffer,
                              struct recorded_command *command, int rc,
                              const struct command_order *order);

/* The driver has finalized the buffer: find out whether its launches would be recorded. No lock may
 * be held. */
void command_buffer_state_finalize(struct session *s, cl_command_buffer_khr buffer);

/* Free a state and its commands at the end of the session. NULL is allowed. */
void command_buffer_state_free(void *command_buffer_state);

#endif

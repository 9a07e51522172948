/*
 * command_buffer_state - what we know of a cl_command_buffer_khr: its commands as they were
 * recorded, and whether we understand them all.
 *
 * What is not understood is left to the driver, its launches are named: several queues, commands
 * that may be changed later, commands of calls that we do not know, kernels that we do not know.
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
 * argument_time - when a driver takes the arguments of a launch in a command buffer.
 *
 * They are to be those of the time when it was recorded. A driver of the extension's first years
 * takes those that the kernel has when the buffer is enqueued. It is found out by an experiment on
 * a queue of its own, once for each engine.
 */

enum argument_time { ARGUMENTS_UNKNOWN, ARGUMENTS_RECORDED, ARGUMENTS_ENQUEUED };

/*
 * recorded_command - a command of a command buffer, kept so that it can be issued alone.
 *
 * Launches keep the kernel as it was, with its arguments and the build of its program. The objects
 * that commands name are borrowed: the driver's command buffer retains them, as the extension asks
 * for. What is known of the kernel and of the buffers in its arguments is kept although the
 * application may have released them.
 *
 * Sync points are kept as places of earlier commands. Only for buffers of one queue.
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

#define COMMAND_PATTERN_BYTES 128 /* most that OpenCL allows */
/* Of copies and fills: of a buffer the first number of a place or of the region is bytes. */
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
	struct kernel_state *then; /* NULL: not known, the driver has to run it */
	bool is_kernel_held;
	cl_uint work_dim;
	bool has_offset, has_local;
	size_t offset[3], global[3], local[3];
	struct array memory;           /* of struct kept_memory */
	struct launch_refusal refusal; /* what the recording says where the driver runs it */
};

struct recorded_command {
	enum command_sort sort;
	cl_sync_point_khr sync_point; /* its own, if has_sync_point */
	bool has_sync_point;
	uint32_t *waits; /* places of commands before it; NULL: none */
	cl_uint wait_count;
	union {
		struct command_launch launch;
		struct command_transfer transfer;
	};
};

/*
 * Fill *command from a launch as it was recorded. 0, or -1: the kernel is not known, has facts that
 * were lost, or memory ran out. To be released in both cases.
 */
int recorded_command_launch(struct session *s, struct recorded_command *command,
                            const struct launch_request *request);

/* Where a command is to go, and which events it waits for: at least one. */
struct command_place {
	cl_command_queue queue;
	bool takes_arguments_now; /* launches have the arguments that their kernel has by now */
	cl_uint wait_count;
	const cl_event *wait_list;
};

/*
 * Issue it, with an event of its own that the caller releases with hook_clReleaseEvent(). Returns
 * the driver's code.
 */
cl_int recorded_command_issue(const struct recorded_command *command,
                              const struct command_place *place, cl_event *event);

/* Named by the session's map while the application holds the command buffer; the session's lock
 * guards it, but the commands, which nobody changes once it is final. */
struct command_buffer_state {
	uint32_t refs;          /* the map, and each call that enqueues it */
	uint32_t app_refs;      /* the application's own references */
	cl_command_queue queue; /* the first; borrowed */
	bool is_simultaneous;   /* may be enqueued while it is pending */
	bool has_traceable;     /* it is final and holds launches that would be recorded */
	enum argument_time argument_time; /* of a buffer that has them */
	const char *obstacle;  /* why we cannot issue the commands: "in a command buffer ..." */
	struct array commands; /* of struct recorded_command */
};

/* The order that the call which recorded a command asked for. */
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

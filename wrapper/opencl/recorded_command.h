/*
 * recorded_command - a command of a command buffer, kept so that it can be issued by itself.
 *
 * Launches keep the kernel as it was, with its arguments and the build of its program. The objects
 * that commands name are borrowed: the driver's command buffer retains them, as the extension asks
 * for. What is known of the kernel and of the buffers in its arguments is kept although the
 * application may have released them.
 *
 * Sync points are kept as places of earlier commands. Only for buffers of one queue.
 */
#ifndef RECORDED_COMMAND_H
#define RECORDED_COMMAND_H

#include "array.h"
#include "launch_job.h"
#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

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

/* A request for the launch as it was recorded, in this queue; it points into the command. */
struct launch_request recorded_command_request(const struct recorded_command *command,
                                               cl_command_queue queue);

/* Where a command is to go, and behind what: at least one event. */
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

/* Free what it owns. With the session, buffers of its arguments are let go; none at its end. */
void recorded_command_release(struct session *s, struct recorded_command *command);

#endif

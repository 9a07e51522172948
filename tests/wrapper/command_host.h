/*
 * command_host - an application on the mock driver that records a command buffer, enqueues it
 * behind an event and again, and says what it saw.
 *
 * `update` over the first buffer, a copy of it to the second, a barrier, `update` over the second;
 * the kernel's argument is another by then, and kernel, program and the first buffer are released
 * before the buffer is enqueued.
 */
#ifndef COMMAND_HOST_H
#define COMMAND_HOST_H

#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>

#define COMMAND_HOST_ITEMS    32
#define COMMAND_HOST_TURNS    ((size_t)2) /* times that the buffer is enqueued */
#define COMMAND_HOST_LAUNCHES (2 * COMMAND_HOST_TURNS)

/* How it differs from one run to another. */
struct command_plan {
	cl_command_queue_properties queue;
	bool is_simultaneous; /* enqueued again while it is pending */
	bool is_changeable;   /* a launch is recorded with a handle to change it by */
	bool asks_for_more;   /* for the address of a call that records a command unknown to us */
	bool changes_queue;   /* the second time it is enqueued in another queue like the first */
};

struct command_host {
	const struct opencl_real *cl; /* the calls as the application reaches them */
	struct command_plan plan;
	struct opencl_ext ext;
	char log[4096]; /* every call's name and answer */
	size_t length;
	int results[COMMAND_HOST_ITEMS];
	bool gave_up; /* a call of its own was the one to fail */
	cl_context context;
	cl_command_queue queue, other_queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem first, second;
	cl_command_buffer_khr buffer;
	cl_event gate, event;
};

void command_host_run(struct command_host *h, const struct opencl_real *cl,
                      const struct command_plan *plan);

#endif

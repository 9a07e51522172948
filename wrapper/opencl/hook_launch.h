/*
 * launch_refusal - launches that run as the application's own kernel: their lines in the recording.
 */
#ifndef HOOK_LAUNCH_H
#define HOOK_LAUNCH_H

#include "opencl.h"

#include <stdbool.h>

struct kernel_state;
struct launch_refusal;
struct launch_request;
struct session;

/*
 * launch_request - what an application asks for with a launch.
 *
 * Nothing in it is owned; it lives as long as the call.
 */

/* A call of clEnqueueNDRangeKernel() or clEnqueueTask(), as it came, or a launch of a command
 * buffer: its kernel may since have been given other arguments. */
struct launch_request {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_uint work_dim;
	const size_t *offset, *global, *local;
	cl_uint wait_count;
	const cl_event *wait_list;
	cl_event *event;
	bool is_task;
	const struct kernel_state *then; /* the kernel as it was when recorded; NULL: as it is */
};

/*
 * Have it run, recorded if it can be and is selected; else as the driver runs it, named in the
 * recording. Returns the driver's code; the event, if one is asked for, is the application's.
 */
cl_int launch_enqueue(const struct launch_request *request);

/* Tell the recording of a launch that the driver has taken, or will not run: its line and fate. */
void launch_refusal_record(struct session *s, struct launch_refusal *refusal);

#endif

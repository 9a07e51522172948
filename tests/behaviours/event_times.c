/* SPDX-License-Identifier: Apache-2.0 */
/* The times of what has run in a queue, one command behind the other. */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

static cl_event launch(cl_command_queue queue, cl_kernel kernel)
{
	const size_t items = ITEMS, group = 16;
	cl_event event = NULL;

	host_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, &event),
	           "clEnqueueNDRangeKernel");
	return event;
}

/* Whether the four times ascend, and go on from `*last`, the end of what was before. */
static void print_times(const char *name, cl_event event, cl_ulong *last)
{
	static const cl_profiling_info what[] = { CL_PROFILING_COMMAND_QUEUED,
		                                  CL_PROFILING_COMMAND_SUBMIT,
		                                  CL_PROFILING_COMMAND_START,
		                                  CL_PROFILING_COMMAND_END };
	cl_ulong times[4] = { 0 };

	for (int i = 0; i < 4; i++)
		host_check(
			clGetEventProfilingInfo(event, what[i], sizeof(times[i]), &times[i], NULL),
			"clGetEventProfilingInfo");
	printf("%s: ascend %d, behind the one before %d\n", name,
	       times[0] && times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3],
	       times[2] >= *last);
	*last = times[3];
}

/* Commands of one queue, one behind the other: 4 launches, 512 accesses. */
static void ordered(const struct host *h, cl_kernel kernel, cl_mem buffer)
{
	cl_event events[6];
	cl_ulong last = 0;
	cl_uint value;

	for (int i = 0; i < 4; i++)
		events[i] = launch(h->queue, kernel);
	host_check(clEnqueueReadBuffer(h->queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL,
	                               &events[4]),
	           "clEnqueueReadBuffer");
	host_check(clEnqueueMarkerWithWaitList(h->queue, 0, NULL, &events[5]),
	           "clEnqueueMarkerWithWaitList");
	host_check(clFinish(h->queue), "clFinish");
	for (int i = 0; i < 5; i++)
		print_times(i < 4 ? "launch" : "read", events[i], &last);
	for (int i = 0; i < 6; i++)
		clReleaseEvent(events[i]);
}

int main(void)
{
	struct host h;
	cl_command_queue plain;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;
	cl_event event;
	cl_ulong time;
	cl_int rc;

	host_open(&h);
	plain = h.queue;
	h.queue = clCreateCommandQueue(h.context, h.device, CL_QUEUE_PROFILING_ENABLE, &rc);
	host_check(rc, "clCreateCommandQueue");
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	buffer = host_buffer(&h, ITEMS, 1);
	host_set_mem(kernel, 0, buffer);
	ordered(&h, kernel, buffer);
	/* 128 accesses in a queue that takes no times. */
	event = launch(plain, kernel);
	host_check(clFinish(plain), "clFinish");
	host_print_status("no times", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END,
	                                                      sizeof(time), &time, NULL));
	clReleaseEvent(event);
	host_print(&h, "buffer", buffer, ITEMS);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(h.queue);
	h.queue = plain;
	host_close(&h);
	return 0;
}

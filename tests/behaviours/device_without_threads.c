/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On a device that runs a command in the call that enqueues it, and has nobody to run one later:
 * clFinish() waits for nothing there. (Nor does it run a launch behind a user event.)
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

/* Without a wait between the call and the question. */
static void launch(const struct host *h, cl_kernel kernel)
{
	static const size_t items = ITEMS, group = 16;
	cl_event event;
	cl_int status;

	host_check(
		clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, &group, 0, NULL, &event),
		"clEnqueueNDRangeKernel");
	host_check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
	                          NULL),
	           "clGetEventInfo");
	printf("%s\n", status == CL_COMPLETE ? "has run" : "has not run");
	clReleaseEvent(event);
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem values;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	values = host_buffer(&h, ITEMS, 5);
	host_set_mem(kernel, 0, values);
	host_launch(&h, kernel, ITEMS, 0);
	host_print(&h, "one", values, ITEMS);
	launch(&h, kernel);
	host_print(&h, "two", values, ITEMS);
	clReleaseKernel(kernel);
	clReleaseMemObject(values);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The program ends, with a status of its own, while a launch waits for an event that nobody sets.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

int main(void)
{
	const size_t items = ITEMS, group = 16;
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;
	cl_event gate, event;
	cl_int rc;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	buffer = host_buffer(&h, ITEMS, 1);
	host_set_mem(kernel, 0, buffer);
	gate = clCreateUserEvent(h.context, &rc);
	host_check(rc, "clCreateUserEvent");
	host_check(
		clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &items, &group, 1, &gate, &event),
		"clEnqueueNDRangeKernel");
	host_check(clFlush(h.queue), "clFlush");
	printf("leaving\n");
	return 3;
}

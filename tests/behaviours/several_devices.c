/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two devices of a context, one program built for both, a buffer that goes to and fro between
 * their queues by events, and another context with objects of its own.
 */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>

#define ITEMS 64
#define TURNS 6

static const char source[] = "kernel void add(global uint *values)\n"
			     "{\n"
			     "	values[get_global_id(0)] = values[get_global_id(0)] * 3 + 1;\n"
			     "}\n";

/* 6 launches of 64 work-items, each once the other device has done its part: 768 accesses. */
static void to_and_fro(struct host hosts[2], cl_kernel kernel, cl_mem buffer)
{
	cl_event last = NULL;

	host_set_mem(kernel, 0, buffer);
	for (int i = 0; i < TURNS; i++) {
		const size_t items = ITEMS, group = i % 2 ? 4 : 16;
		cl_event event;

		host_check(clEnqueueNDRangeKernel(hosts[i % 2].queue, kernel, 1, NULL, &items,
		                                  &group, last ? 1 : 0, last ? &last : NULL,
		                                  &event),
		           "clEnqueueNDRangeKernel");
		host_check(clFlush(hosts[i % 2].queue), "clFlush");
		if (last)
			clReleaseEvent(last);
		last = event;
	}
	host_check(clWaitForEvents(1, &last), "clWaitForEvents");
	clReleaseEvent(last);
}

int main(void)
{
	cl_device_id devices[2];
	cl_uint count = 0;
	struct host hosts[2], other;
	cl_program program, theirs;
	cl_kernel kernel, another;
	cl_mem buffer, far;
	cl_int rc;

	/* Where POCL has no second device it can be told to make one. */
	setenv("POCL_DEVICES", "pthread pthread", 1);
	host_open(&other);
	hosts[0] = hosts[1] = other;
	host_check(clGetDeviceIDs(other.platform, CL_DEVICE_TYPE_ALL, 2, devices, &count),
	           "clGetDeviceIDs");
	if (count < 2)
		host_skip("there is one device");
	hosts[0].context = hosts[1].context = clCreateContext(NULL, 2, devices, NULL, NULL, &rc);
	host_check(rc, "clCreateContext");
	for (int i = 0; i < 2; i++) {
		hosts[i].device = devices[i];
		hosts[i].queue = clCreateCommandQueue(hosts[i].context, devices[i], 0, &rc);
		host_check(rc, "clCreateCommandQueue");
	}
	program = clCreateProgramWithSource(hosts[0].context, 1, (const char *[]){ source }, NULL,
	                                    &rc);
	host_check(rc, "clCreateProgramWithSource");
	host_check(clBuildProgram(program, 2, devices, NULL, NULL, NULL), "clBuildProgram");
	kernel = host_kernel(program, "add");
	buffer = host_buffer(&hosts[0], ITEMS, 3);
	to_and_fro(hosts, kernel, buffer);
	host_print(&hosts[1], "shared", buffer, ITEMS);
	/* 128 accesses in the other context. */
	theirs = host_build(&other, source, NULL);
	another = host_kernel(theirs, "add");
	far = host_buffer(&other, ITEMS, 5);
	host_set_mem(another, 0, far);
	host_launch(&other, another, ITEMS, 0);
	host_print(&other, "other", far, ITEMS);
	host_print_status("foreign buffer", clSetKernelArg(kernel, 0, sizeof(far), &far));
	clReleaseMemObject(far);
	clReleaseMemObject(buffer);
	clReleaseKernel(another);
	clReleaseKernel(kernel);
	clReleaseProgram(theirs);
	clReleaseProgram(program);
	clReleaseCommandQueue(hosts[0].queue);
	clReleaseCommandQueue(hosts[1].queue);
	clReleaseContext(hosts[0].context);
	host_close(&other);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the objects' reference counts are: when they are new, while a launch waits, after it has
 * run, after a copy of a handle was retained, and when what they depend on was released first.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

static const struct host *host;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffer;

static void print_counts(const char *when)
{
	cl_uint context = 0, queue = 0, of_program = 0, of_kernel = 0, memory = 0;

	host_check(clGetContextInfo(host->context, CL_CONTEXT_REFERENCE_COUNT, sizeof(context),
	                            &context, NULL),
	           "clGetContextInfo");
	host_check(clGetCommandQueueInfo(host->queue, CL_QUEUE_REFERENCE_COUNT, sizeof(queue),
	                                 &queue, NULL),
	           "clGetCommandQueueInfo");
	host_check(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof(of_program),
	                            &of_program, NULL),
	           "clGetProgramInfo");
	host_check(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof(of_kernel), &of_kernel,
	                           NULL),
	           "clGetKernelInfo");
	host_check(
		clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof(memory), &memory, NULL),
		"clGetMemObjectInfo");
	printf("%s: context %u queue %u program %u kernel %u buffer %u\n", when, context, queue,
	       of_program, of_kernel, memory);
}

static void print_event(const char *when, cl_event event)
{
	cl_uint count = 0;

	host_check(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(count), &count, NULL),
	           "clGetEventInfo");
	printf("%s: event %u\n", when, count);
}

int main(void)
{
	const size_t items = ITEMS;
	struct host h;
	cl_event event;

	host_open(&h);
	host = &h;
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	buffer = host_buffer(&h, ITEMS, 1);
	print_counts("new");
	host_set_mem(kernel, 0, buffer);
	print_counts("set");
	for (int i = 0; i < 3; i++) { /* 3 * 128 accesses */
		host_check(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &items, NULL, 0, NULL,
		                                  &event),
		           "clEnqueueNDRangeKernel");
		host_check(clFinish(h.queue), "clFinish");
		print_event("ran", event);
		host_check(clRetainEvent(event), "clRetainEvent");
		print_event("retained", event);
		host_check(clReleaseEvent(event), "clReleaseEvent");
		host_check(clReleaseEvent(event), "clReleaseEvent");
		print_counts("ran");
	}
	clRetainContext(h.context);
	clRetainKernel(kernel);
	print_counts("retained");
	clReleaseContext(h.context);
	clReleaseKernel(kernel);
	host_print(&h, "buffer", buffer, ITEMS);
	print_counts("end");
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

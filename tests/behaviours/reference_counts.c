/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counts are what the program made them, before, between and after launches. */
#include "behaviour.h"

#include <stdio.h>

static cl_uint context_count(cl_context context)
{
	cl_uint count = 0;

	host_check(
		clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, NULL),
		"clGetContextInfo");
	return count;
}

static cl_uint queue_count(cl_command_queue queue)
{
	cl_uint count = 0;

	host_check(
		clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, NULL),
		"clGetCommandQueueInfo");
	return count;
}

static cl_uint program_count(cl_program program)
{
	cl_uint count = 0;

	host_check(
		clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof(count), &count, NULL),
		"clGetProgramInfo");
	return count;
}

static cl_uint kernel_count(cl_kernel kernel)
{
	cl_uint count = 0;

	host_check(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof(count), &count, NULL),
	           "clGetKernelInfo");
	return count;
}

static cl_uint mem_count(cl_mem mem)
{
	cl_uint count = 0;

	host_check(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL),
	           "clGetMemObjectInfo");
	return count;
}

static cl_uint event_count(cl_event event)
{
	cl_uint count = 0;

	host_check(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(count), &count, NULL),
	           "clGetEventInfo");
	return count;
}

static void show(const struct host *h, const char *when, cl_program program, cl_kernel kernel,
                 cl_mem mem)
{
	printf("%s: context %u program %u kernel %u buffer %u\n", when, context_count(h->context),
	       program_count(program), kernel_count(kernel), mem_count(mem));
}

/* The event is not released before the count is asked for. */
static void launch(const struct host *h, cl_kernel kernel)
{
	size_t items = 32;
	cl_event event;

	host_check(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event),
	           "clEnqueueNDRangeKernel");
	host_check(clRetainEvent(event), "clRetainEvent");
	host_check(clFinish(h->queue), "clFinish");
	printf("event: at least 2: %d\n", event_count(event) >= 2);
	host_check(clReleaseEvent(event), "clReleaseEvent");
	host_check(clReleaseEvent(event), "clReleaseEvent");
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&h, 32, 0);
	host_set_mem(kernel, 0, mem);
	show(&h, "at first", program, kernel, mem);
	printf("queue %u\n", queue_count(h.queue)); /* later, drivers keep its last command */
	launch(&h, kernel);
	show(&h, "after a launch", program, kernel, mem);
	clRetainContext(h.context);
	clRetainProgram(program);
	clRetainKernel(kernel);
	clRetainMemObject(mem);
	show(&h, "retained", program, kernel, mem);
	launch(&h, kernel);
	show(&h, "after another", program, kernel, mem);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseContext(h.context);
	show(&h, "released once", program, kernel, mem);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

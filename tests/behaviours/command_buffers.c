/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels, a fill and a copy recorded into a command buffer, which is enqueued again and again,
 * between launches of the same kernel that are not.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

/* What the program calls, all of it found at run time. */
static clCreateCommandBufferKHR_fn create;
static clFinalizeCommandBufferKHR_fn finalize;
static clRetainCommandBufferKHR_fn retain;
static clReleaseCommandBufferKHR_fn release;
static clEnqueueCommandBufferKHR_fn enqueue;
static clCommandNDRangeKernelKHR_fn command_kernel;
static clGetCommandBufferInfoKHR_fn get_info;
/* As they are up to version 0.9.4 of the extension, whichever the headers have. */
static cl_int(CL_API_CALL *command_copy)(cl_command_buffer_khr, cl_command_queue, cl_mem, cl_mem,
                                         size_t, size_t, size_t, cl_uint, const cl_sync_point_khr *,
                                         cl_sync_point_khr *, cl_mutable_command_khr *);
static cl_int(CL_API_CALL *command_fill)(cl_command_buffer_khr, cl_command_queue, cl_mem,
                                         const void *, size_t, size_t, size_t, cl_uint,
                                         const cl_sync_point_khr *, cl_sync_point_khr *,
                                         cl_mutable_command_khr *);

static void find_calls(const struct host *h)
{
#define FIND(to, name)                                                                             \
	*(void **)&(to) = clGetExtensionFunctionAddressForPlatform(h->platform, name);             \
	if (!(to))                                                                                 \
		host_skip("no " name);
	FIND(create, "clCreateCommandBufferKHR")
	FIND(finalize, "clFinalizeCommandBufferKHR")
	FIND(retain, "clRetainCommandBufferKHR")
	FIND(release, "clReleaseCommandBufferKHR")
	FIND(enqueue, "clEnqueueCommandBufferKHR")
	FIND(command_kernel, "clCommandNDRangeKernelKHR")
	FIND(command_copy, "clCommandCopyBufferKHR")
	FIND(command_fill, "clCommandFillBufferKHR")
	FIND(get_info, "clGetCommandBufferInfoKHR")
}

static void print_info(cl_command_buffer_khr commands)
{
	cl_uint count = 0, refs = 0;

	host_check(
		get_info(commands, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof(count), &count, NULL),
		"clGetCommandBufferInfoKHR");
	host_check(get_info(commands, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof(refs), &refs,
	                    NULL),
	           "clGetCommandBufferInfoKHR");
	printf("queues %u, references %u\n", count, refs);
}

/* Fill the second buffer, add 1 to the first, add it once more, copy half of it over. */
static cl_command_buffer_khr record(const struct host *h, cl_kernel kernel, cl_mem first,
                                    cl_mem second)
{
	const size_t items = ITEMS, group = 16;
	const cl_uint pattern = 77;
	cl_sync_point_khr filled, added, again;
	cl_command_buffer_khr commands;
	cl_int rc;

	commands = create(1, &h->queue, NULL, &rc);
	host_check(rc, "clCreateCommandBufferKHR");
	host_set_mem(kernel, 0, first);
	host_check(command_fill(commands, NULL, second, &pattern, sizeof(pattern), 0,
	                        ITEMS * sizeof(pattern), 0, NULL, &filled, NULL),
	           "clCommandFillBufferKHR");
	host_check(command_kernel(commands, NULL, NULL, kernel, 1, NULL, &items, &group, 1, &filled,
	                          &added, NULL),
	           "clCommandNDRangeKernelKHR");
	host_check(command_kernel(commands, NULL, NULL, kernel, 1, NULL, &items, NULL, 1, &added,
	                          &again, NULL),
	           "clCommandNDRangeKernelKHR");
	host_check(command_copy(commands, NULL, first, second, 0, 0, ITEMS / 2 * sizeof(pattern), 1,
	                        &again, NULL, NULL),
	           "clCommandCopyBufferKHR");
	host_check(finalize(commands), "clFinalizeCommandBufferKHR");
	return commands;
}

int main(void)
{
	struct host h;
	cl_command_buffer_khr commands;
	cl_program program;
	cl_kernel kernel;
	cl_mem first, second;

	host_open(&h);
	find_calls(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	first = host_buffer(&h, ITEMS, 1);
	second = host_buffer(&h, ITEMS, 1000);
	commands = record(&h, kernel, first, second);
	host_set_mem(kernel, 0, second);
	for (int turn = 0; turn < 3; turn++) {
		cl_event event;
		cl_command_type type = 0;

		host_launch(&h, kernel, ITEMS, 8); /* 128 accesses */
		host_check(enqueue(0, NULL, commands, 0, NULL, &event),
		           "clEnqueueCommandBufferKHR");
		host_check(clWaitForEvents(1, &event), "clWaitForEvents");
		host_check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
		           "clGetEventInfo");
		printf("type %x\n", type);
		host_print(&h, "first", first, ITEMS);
		host_print(&h, "second", second, ITEMS);
		clReleaseEvent(event);
	}
	print_info(commands);
	host_check(retain(commands), "clRetainCommandBufferKHR");
	print_info(commands);
	host_check(release(commands), "clReleaseCommandBufferKHR");
	host_check(release(commands), "clReleaseCommandBufferKHR");
	clReleaseMemObject(second);
	clReleaseMemObject(first);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

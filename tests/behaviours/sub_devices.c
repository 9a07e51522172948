/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device cut in parts: queues on sub-devices, in a context of the whole device and in one of the
 * parts, with programs built for the whole and for the parts.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

/* One launch of 64 work-items on a part: 128 accesses. */
static void launch_on(const struct host *h, cl_context context, cl_device_id part, const char *name)
{
	const struct host mine = { .platform = h->platform, .device = part, .context = context };
	struct host on = mine;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;
	cl_uint units = 0;
	cl_int rc;

	on.queue = clCreateCommandQueue(context, part, 0, &rc);
	host_check(rc, "clCreateCommandQueue");
	program = host_build(&on, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	buffer = host_buffer(&on, ITEMS, 7);
	host_set_mem(kernel, 0, buffer);
	host_launch(&on, kernel, ITEMS, 8);
	host_print(&on, name, buffer, ITEMS);
	host_check(clGetDeviceInfo(part, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL),
	           "clGetDeviceInfo");
	printf("units %u\n", units);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(on.queue);
}

/* Built for the whole device, run on a part: 128 accesses. */
static void launch_whole_on(const struct host *h, cl_device_id part)
{
	cl_program program = host_build(h, HOST_ADD_ONE, NULL);
	cl_kernel kernel = host_kernel(program, "add_one");
	cl_mem buffer = host_buffer(h, ITEMS, 9);
	struct host on = *h;
	cl_int rc;

	on.queue = clCreateCommandQueue(h->context, part, 0, &rc);
	host_print_status("queue", rc);
	if (rc == CL_SUCCESS) {
		const size_t items = ITEMS;

		host_set_mem(kernel, 0, buffer);
		host_print_status("launch", clEnqueueNDRangeKernel(on.queue, kernel, 1, NULL,
		                                                   &items, NULL, 0, NULL, NULL));
		host_print(&on, "whole", buffer, ITEMS);
		clReleaseCommandQueue(on.queue);
	}
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
}

int main(void)
{
	const cl_device_partition_property cut[] = { CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	cl_device_id parts[64];
	cl_uint count = 0, refs = 0;
	struct host h;
	cl_context context;
	cl_int rc;

	host_open(&h);
	rc = clCreateSubDevices(h.device, cut, 64, parts, &count);
	if (rc != CL_SUCCESS || count < 2)
		host_skip("the device cannot be cut in two");
	context = clCreateContext(NULL, 2, parts, NULL, NULL, &rc);
	host_check(rc, "clCreateContext");
	launch_on(&h, context, parts[0], "first");
	launch_on(&h, context, parts[1], "second");
	clReleaseContext(context);
	launch_whole_on(&h, parts[1]);
	host_check(clGetDeviceInfo(parts[0], CL_DEVICE_REFERENCE_COUNT, sizeof(refs), &refs, NULL),
	           "clGetDeviceInfo");
	printf("references %u\n", refs);
	for (cl_uint i = 0; i < count; i++)
		clReleaseDevice(parts[i]);
	host_close(&h);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device cut in parts: queues on sub-devices, in a context of the whole device, of the parts and
 * of both, with programs built for the whole and for the parts, together and one by one.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

static const char add_step[] = "#ifndef STEP\n"
			       "#define STEP 1\n"
			       "#endif\n"
			       "kernel void add_step(global uint *values)\n"
			       "{\n"
			       "	uint i = get_global_id(0);\n"
			       "	values[i] = values[i] * 10 + STEP;\n"
			       "}\n";

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

enum build { BUILD_PLAIN, BUILD_LIST, BUILD_EACH };

/* For all devices, for those of the list, or for each with an option of its own. */
static void build(cl_program program, enum build how, cl_uint count, const cl_device_id *devices)
{
	char option[32];

	if (how == BUILD_PLAIN)
		host_check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "clBuildProgram");
	if (how == BUILD_LIST)
		host_check(clBuildProgram(program, count, devices, NULL, NULL, NULL),
		           "clBuildProgram");
	for (cl_uint i = 0; how == BUILD_EACH && i < count; i++) {
		snprintf(option, sizeof(option), "-DSTEP=%u", i + 2);
		host_check(clBuildProgram(program, 1, &devices[i], option, NULL, NULL),
		           "clBuildProgram");
	}
}

/* One program in a context of these devices, launched on each, the last one first: 128 accesses a
 * launch. */
static void launch_on_all(const struct host *h, enum build how, cl_uint count,
                          const cl_device_id *devices)
{
	const char *text = add_step;
	struct host on = *h;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;
	cl_int rc;

	on.context = clCreateContext(NULL, count, devices, NULL, NULL, &rc);
	host_check(rc, "clCreateContext");
	program = clCreateProgramWithSource(on.context, 1, &text, NULL, &rc);
	host_check(rc, "clCreateProgramWithSource");
	build(program, how, count, devices);
	kernel = host_kernel(program, "add_step");
	buffer = host_buffer(&on, ITEMS, 1);
	host_set_mem(kernel, 0, buffer);
	for (cl_uint i = count; i-- > 0;) {
		on.queue = clCreateCommandQueue(on.context, devices[i], 0, &rc);
		host_check(rc, "clCreateCommandQueue");
		host_launch(&on, kernel, ITEMS, 8);
		host_print(&on, "one program", buffer, ITEMS);
		clReleaseCommandQueue(on.queue);
	}
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseContext(on.context);
}

int main(void)
{
	const cl_device_partition_property cut[] = { CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	cl_device_id parts[64], swapped[2], all[3];
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
	swapped[0] = all[0] = parts[1];
	swapped[1] = all[2] = parts[0];
	all[1] = h.device;
	for (int how = BUILD_PLAIN; how <= BUILD_EACH; how++) {
		launch_on_all(&h, (enum build)how, 2, parts);
		launch_on_all(&h, (enum build)how, 2, swapped);
		launch_on_all(&h, (enum build)how, 3, all);
	}
	host_check(clGetDeviceInfo(parts[0], CL_DEVICE_REFERENCE_COUNT, sizeof(refs), &refs, NULL),
	           "clGetDeviceInfo");
	printf("references %u\n", refs);
	for (cl_uint i = 0; i < count; i++)
		clReleaseDevice(parts[i]);
	host_close(&h);
	return 0;
}

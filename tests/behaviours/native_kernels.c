/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the host in a queue, between launches that they depend on and that depend on them.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

struct arguments {
	cl_uint *values;
	cl_uint count, factor;
};

static void CL_CALLBACK multiply(void *data)
{
	const struct arguments *a = data;

	for (cl_uint i = 0; i < a->count; i++)
		a->values[i] *= a->factor;
}

int main(void)
{
	struct host h;
	cl_device_exec_capabilities can = 0;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;

	host_open(&h);
	host_check(clGetDeviceInfo(h.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(can), &can,
	                           NULL),
	           "clGetDeviceInfo");
	if (!(can & CL_EXEC_NATIVE_KERNEL))
		host_skip("no native kernels");
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	buffer = host_buffer(&h, ITEMS, 1);
	host_set_mem(kernel, 0, buffer);
	for (cl_uint turn = 0; turn < 3; turn++) { /* 3 * 128 accesses */
		struct arguments a = { NULL, ITEMS, turn + 2 };
		const void *place = &a.values;
		cl_event event;
		cl_command_type type = 0;

		host_launch(&h, kernel, ITEMS, 16);
		host_check(clEnqueueNativeKernel(h.queue, multiply, &a, sizeof(a), 1, &buffer,
		                                 &place, 0, NULL, &event),
		           "clEnqueueNativeKernel");
		host_check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
		           "clGetEventInfo");
		printf("type %x\n", type);
		clReleaseEvent(event);
	}
	host_print(&h, "values", buffer, ITEMS);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

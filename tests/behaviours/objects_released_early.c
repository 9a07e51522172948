/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a launch needs is released before the launch may run: its program, kernel, buffer and
 * the event that it waits for. OpenCL keeps them until it is done. */
#include "behaviour.h"

#include <stdio.h>

int main(void)
{
	struct host h;
	size_t items = 64;
	cl_uint values[64];
	cl_program program;
	cl_kernel kernel;
	cl_event gate, done;
	cl_int status;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	host_check(clReleaseProgram(program), "clReleaseProgram");
	mem = clCreateBuffer(h.context, CL_MEM_READ_WRITE, sizeof(values), NULL, &status);
	host_check(status, "clCreateBuffer");
	gate = clCreateUserEvent(h.context, &status);
	host_check(status, "clCreateUserEvent");
	for (cl_uint i = 0; i < 64; i++)
		values[i] = 10 * i;
	host_check(clEnqueueWriteBuffer(h.queue, mem, CL_TRUE, 0, sizeof(values), values, 0, NULL,
	                                NULL),
	           "clEnqueueWriteBuffer");
	host_set_mem(kernel, 0, mem);
	host_check(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &items, NULL, 1, &gate, NULL),
	           "clEnqueueNDRangeKernel");
	host_check(clReleaseKernel(kernel), "clReleaseKernel");
	host_check(clEnqueueReadBuffer(h.queue, mem, CL_FALSE, 0, sizeof(values), values, 0, NULL,
	                               &done),
	           "clEnqueueReadBuffer");
	host_check(clReleaseMemObject(mem), "clReleaseMemObject");
	host_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	host_check(clReleaseEvent(gate), "clReleaseEvent");
	host_check(clFlush(h.queue), "clFlush");
	host_check(clWaitForEvents(1, &done), "clWaitForEvents");
	host_check(clReleaseEvent(done), "clReleaseEvent");
	printf("%u %u %u\n", values[0], values[1], values[63]);
	host_close(&h);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that access no memory, in a kernel whose only write half of the work-items make, the other
 * half in the next launch, and in one that has no access at all. */
#include "behaviour.h"

#include <stdio.h>

static const char source[] = "kernel void every_other(global uint *out, uint n)\n"
			     "{\n"
			     "	uint value = get_global_id(0);\n"
			     "	for (uint i = 0; i < n; i++)\n"
			     "		value = value * 3 + 1;\n"
			     "	if (value & 1)\n"
			     "		out[get_global_id(0)] = value;\n"
			     "}\n"
			     "kernel void idle(local uint *scratch, uint n)\n"
			     "{\n"
			     "	for (uint i = 0; i < n; i++)\n"
			     "		scratch[get_local_id(0)] = i;\n"
			     "}\n";

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel every_other, idle;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, source, NULL);
	every_other = host_kernel(program, "every_other");
	idle = host_kernel(program, "idle");
	mem = host_buffer(&h, 64, 0);
	host_set_mem(every_other, 0, mem);
	for (cl_uint n = 1; n < 5; n++) {
		host_set_uint(every_other, 1, n);
		host_launch(&h, every_other, 64, 16);
		host_print(&h, "values", mem, 64);
	}
	host_check(clSetKernelArg(idle, 0, 16 * sizeof(cl_uint), NULL), "clSetKernelArg");
	host_set_uint(idle, 1, 3);
	host_launch(&h, idle, 64, 16);
	host_print(&h, "values", mem, 64);
	clReleaseMemObject(mem);
	clReleaseKernel(every_other);
	clReleaseKernel(idle);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

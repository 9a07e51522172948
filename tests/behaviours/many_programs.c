/* SPDX-License-Identifier: Apache-2.0 */
/* 36 programs in one run, alive at once, whose kernels all have one name; a macro makes six
 * different ones of them. */
#include "behaviour.h"

#include <stdio.h>

enum { PROGRAMS = 36, ITEMS = 8 };

static const char source[] = "kernel void walk(global uint *values)\n"
			     "{\n"
			     "	for (uint i = 0; i < STEPS; i++)\n"
			     "		values[get_global_id(0)] += i + STEPS;\n"
			     "}\n";

int main(void)
{
	cl_program programs[PROGRAMS];
	cl_kernel kernels[PROGRAMS];
	struct host h;
	cl_mem mem;

	host_open(&h);
	mem = host_buffer(&h, ITEMS, 0);
	for (unsigned i = 0; i < PROGRAMS; i++) {
		char options[32];

		snprintf(options, sizeof(options), "-D STEPS=%u", i % 6);
		programs[i] = host_build(&h, source, options);
		kernels[i] = host_kernel(programs[i], "walk");
		host_set_mem(kernels[i], 0, mem);
	}
	for (unsigned i = 0; i < PROGRAMS; i++)
		host_launch(&h, kernels[PROGRAMS - 1 - i], ITEMS, ITEMS);
	host_print(&h, "values", mem, ITEMS);
	for (unsigned i = 0; i < PROGRAMS; i++) {
		clReleaseKernel(kernels[i]);
		clReleaseProgram(programs[i]);
	}
	clReleaseMemObject(mem);
	host_close(&h);
	return 0;
}

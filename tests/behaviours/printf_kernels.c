/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that print: every line once, in the order of the work-items of a group, of groups that
 * run one after the other, and of launches; what they change in place shows if one ran twice.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 4

static const char source[] =
	"kernel void tell(global uint *values, uint turn)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	for (uint k = 0; k < 12; k++)\n"
	"		values[i] = values[i] * 3 + k;\n"
	"	printf(\"turn %u item %u of %u: %08x %5.2f %s\\n\", turn, (uint)i,\n"
	"	       (uint)get_global_size(0), values[i], (float)i / 4, \"text\");\n"
	"}\n";

/* 5 launches of one group of 4 work-items: 12 times a read and a write, and a read to print: 500.
 */
int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem values;

	host_open(&h);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "tell");
	values = host_buffer(&h, ITEMS, 1);
	host_set_mem(kernel, 0, values);
	for (cl_uint turn = 0; turn < 5; turn++) {
		host_set_uint(kernel, 1, turn);
		host_launch(&h, kernel, ITEMS, ITEMS);
		host_check(clFinish(h.queue), "clFinish");
		fflush(stdout);
	}
	host_print(&h, "values", values, ITEMS);
	clReleaseMemObject(values);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

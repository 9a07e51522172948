/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of which the program says no local size, and whose results do not depend on it. */
#include "behaviour.h"

#include <stdio.h>

#define SIDE  64
#define ITEMS (SIDE * SIDE)

static const char source[] =
	"kernel void number(global uint *out)\n"
	"{\n"
	"	uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
	"	out[i] = i * 7 + 1;\n"
	"}\n";

static void launch(const struct host *h, cl_kernel kernel, cl_uint dimensions, size_t x, size_t y)
{
	const size_t global[2] = { x, y };
	cl_mem out = host_buffer(h, ITEMS, 0);

	host_set_mem(kernel, 0, out);
	host_check(clEnqueueNDRangeKernel(h->queue, kernel, dimensions, NULL, global, NULL, 0, NULL,
	                                  NULL),
	           "clEnqueueNDRangeKernel");
	host_print(h, "numbers", out, ITEMS);
	clReleaseMemObject(out);
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;

	host_open(&h);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "number");
	launch(&h, kernel, 2, SIDE, SIDE);
	launch(&h, kernel, 1, ITEMS, 1);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

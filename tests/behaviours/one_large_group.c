/* SPDX-License-Identifier: Apache-2.0 */
/* One work-item that makes 16,000,001 accesses, 16,000,000 of them at random addresses. */
#include "behaviour.h"

#include <stdio.h>

#define WORDS (1 << 20)
#define READS 16000000u

static const char source[] = "kernel void walk(global uint *a, uint n)\n"
			     "{\n"
			     "	uint sum = 0, x = 1;\n"
			     "	for (uint i = 0; i < n; i++) {\n"
			     "		x = x * 1664525u + 1013904223u;\n"
			     "		sum += a[x >> 12];\n"
			     "	}\n"
			     "	a[0] = sum;\n"
			     "}\n";

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;

	host_open(&h);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "walk");
	buffer = host_buffer(&h, WORDS, 3);
	host_set_mem(kernel, 0, buffer);
	host_set_uint(kernel, 1, READS);
	host_launch(&h, kernel, 1, 1);
	host_print(&h, "sum", buffer, 1);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

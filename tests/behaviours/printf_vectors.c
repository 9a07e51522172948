/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that print vectors: of 8 and 16 bytes, and narrower ones, with a string behind each,
 * which is another when the arguments before it are read at other places than they are in.
 */
#include "behaviour.h"

#include <stdio.h>

static const char source[] = "kernel void wide(global uint *values)\n"
			     "{\n"
			     "	uint v = values[0];\n"
			     "	printf(\"%v4hlu %s %v2hlu %s\\n\", (uint4)(v, 2, 3, 4), \"four\", "
			     "(uint2)(v, 2), \"two\");\n"
			     "}\n"
			     "kernel void narrow(global uint *values)\n"
			     "{\n"
			     "	uchar v = values[0];\n"
			     "	printf(\"%v4hhu %s\\n\", (uchar4)(v, 2, 3, 4), \"four\");\n"
			     "	printf(\"%v3hu %s\\n\", (ushort3)(v, 2, 3), \"three\");\n"
			     "}\n";

int main(void)
{
	static const char *const names[] = { "wide", "narrow" };
	struct host h;
	cl_program program;
	cl_mem values;

	host_open(&h);
	program = host_build(&h, source, NULL);
	values = host_buffer(&h, 1, 1);
	for (int i = 0; i < 2; i++) {
		cl_kernel kernel = host_kernel(program, names[i]);

		host_set_mem(kernel, 0, values);
		host_launch(&h, kernel, 1, 1);
		host_check(clFinish(h.queue), "clFinish");
		fflush(stdout);
		clReleaseKernel(kernel);
	}
	clReleaseMemObject(values);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

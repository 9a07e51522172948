/* SPDX-License-Identifier: Apache-2.0 */
/* When nothing can be instrumented, programs run as they are, and the recording says why. */
#include "behaviour.h"

int main(void)
{
	cl_program program;
	cl_kernel kernel;
	struct host h;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&h, 64, 1);
	host_set_mem(kernel, 0, mem);
	host_launch(&h, kernel, 64, 16);
	host_launch(&h, kernel, 64, 0);
	host_print(&h, "values", mem, 64);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin of opencl_of_a_plugin.c. */
#include "behaviour.h"

__attribute__((visibility("default"))) int plugin_run(void);

int plugin_run(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&h, 64, 7);
	host_set_mem(kernel, 0, mem);
	host_launch(&h, kernel, 64, 16);
	host_print(&h, "values", mem, 64);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

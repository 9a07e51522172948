/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL is called by an atexit() handler that runs before any of the driver's: the last launch is
 * made there. */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>

static struct host host;
static cl_program program;
static cl_kernel kernel;
static cl_mem mem;

static void at_exit(void)
{
	host_launch(&host, kernel, 16, 4);
	host_print(&host, "at exit", mem, 16);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&host);
}

int main(void)
{
	host_open(&host);
	program = host_build(&host, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&host, 16, 0);
	host_set_mem(kernel, 0, mem);
	host_launch(&host, kernel, 16, 4);
	host_print(&host, "main", mem, 16);
	if (atexit(at_exit))
		return 1;
	return 3;
}

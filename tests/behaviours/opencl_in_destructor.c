/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL is called by a destructor, after every handler of atexit(), as static objects of C++
 * programs do; the last launch is made there. */
#include "behaviour.h"

#include <stdio.h>

static struct host host;
static cl_program program;
static cl_kernel kernel;
static cl_mem mem;

__attribute__((destructor)) static void last_words(void)
{
	if (!kernel)
		return;
	host_launch(&host, kernel, 16, 4);
	host_print(&host, "destructor", mem, 16);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&host);
	fflush(stdout);
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
	return 3;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A daemon's habits: another directory and umask before OpenCL is used, standard input closed. */
#include "behaviour.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	char where[16] = "";
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;

	if (chdir("/"))
		return 1;
	umask(0777);
	close(0);
	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&h, 16, 0);
	host_set_mem(kernel, 0, mem);
	host_launch(&h, kernel, 16, 8);
	host_print(&h, "values", mem, 16);
	printf("in %s, umask %o\n", getcwd(where, sizeof(where)) ? where : "?",
	       (unsigned)umask(022));
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

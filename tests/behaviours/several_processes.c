/* SPDX-License-Identifier: Apache-2.0 */
/* A program that starts itself twice, one after the other, and uses OpenCL before, between and
 * after: each process is recorded by itself. */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_opencl(const char *name, cl_uint launches)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&h, 16, 0);
	host_set_mem(kernel, 0, mem);
	for (cl_uint i = 0; i < launches; i++)
		host_launch(&h, kernel, 16, 8);
	host_print(&h, name, mem, 16);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
}

static void run_child(char *self, char *number)
{
	char *arguments[] = { self, number, NULL };
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		execv("/proc/self/exe", arguments);
		_exit(99);
	}
	if (child > 0)
		waitpid(child, &status, 0);
	printf("the child ended with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main(int argc, char **argv)
{
	char two[] = "2", three[] = "3";

	if (argc > 1) {
		use_opencl("child", (cl_uint)strtoul(argv[1], NULL, 10));
		return 10 + (int)strtol(argv[1], NULL, 10);
	}
	use_opencl("parent", 1);
	run_child(argv[0], two);
	use_opencl("parent again", 1);
	run_child(argv[0], three);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A process forks before and after it used OpenCL. The first child uses OpenCL itself, the second
 * only computes and ends: neither disturbs the parent or its recording. */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_opencl(struct host *h, const char *name)
{
	cl_program program = host_build(h, HOST_ADD_ONE, NULL);
	cl_kernel kernel = host_kernel(program, "add_one");
	cl_mem mem = host_buffer(h, 16, 0);

	host_set_mem(kernel, 0, mem);
	host_launch(h, kernel, 16, 8);
	host_print(h, name, mem, 16);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
}

static void await(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	printf("the child ended with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main(void)
{
	struct host h;
	pid_t child = fork();

	if (child == 0) {
		host_open(&h);
		use_opencl(&h, "first child");
		host_close(&h);
		return 5;
	}
	await(child);
	host_open(&h);
	use_opencl(&h, "parent");
	fflush(stdout);
	child = fork();
	if (child == 0) {
		printf("second child\n");
		fflush(stdout);
		_exit(6);
	}
	await(child);
	use_opencl(&h, "parent again");
	host_close(&h);
	return 0;
}

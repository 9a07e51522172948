/* SPDX-License-Identifier: Apache-2.0 */
/* A process forks after it used OpenCL, and the child uses OpenCL itself, from the beginning, while
 * the parent waits; then the parent goes on. */
#include "behaviour.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void add(struct host *h, const char *name)
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

int main(void)
{
	struct host parent, own;
	int status = -1;
	pid_t child;

	host_open(&parent);
	add(&parent, "parent");
	fflush(stdout);
	child = fork();
	if (child == 0) {
		host_open(&own);
		add(&own, "child");
		host_close(&own);
		return 5;
	}
	waitpid(child, &status, 0);
	printf("the child ended with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	add(&parent, "parent again");
	host_close(&parent);
	return 0;
}

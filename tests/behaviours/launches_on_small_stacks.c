/* SPDX-License-Identifier: Apache-2.0 */
/* A thread with a stack of 48 KiB launches, reads and waits. */
#include "behaviour.h"

#include <pthread.h>
#include <stdio.h>

static struct host host;
static cl_kernel kernel;
static cl_mem mem;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++)
		host_launch(&host, kernel, 64, 16);
	host_check(clFinish(host.queue), "clFinish");
	return NULL;
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	cl_program program;

	host_open(&host);
	program = host_build(&host, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&host, 64, 0);
	host_set_mem(kernel, 0, mem);
	/* The first launch may compile, for which no small stack is enough. */
	host_launch(&host, kernel, 64, 16);
	host_print(&host, "first", mem, 64);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t)48 << 10);
	if (pthread_create(&thread, &attributes, work, NULL))
		return 1;
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	host_print(&host, "values", mem, 64);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&host);
	return 0;
}

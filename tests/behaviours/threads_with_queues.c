/* SPDX-License-Identifier: Apache-2.0 */
/* Eight threads, each with a program, kernel, buffer and out-of-order queue of its own in one
 * context, launch at once; a ninth context lives beside them. */
#include "behaviour.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, LAUNCHES = 10, ITEMS = 64 };

struct part {
	struct host host; /* the context is everybody's */
	cl_uint number;
	cl_mem mem;
	pthread_t thread;
};

static void *work(void *argument)
{
	struct part *part = argument;
	struct host *h = &part->host;
	cl_program program = host_build(h, HOST_ADD_ONE, NULL);
	cl_kernel kernel = host_kernel(program, "add_one");
	const size_t items = ITEMS;
	cl_event last = NULL;

	host_set_mem(kernel, 0, part->mem);
	for (int i = 0; i < LAUNCHES; i++) {
		cl_event next;

		host_check(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, NULL,
		                                  last != NULL, last ? &last : NULL, &next),
		           "clEnqueueNDRangeKernel");
		if (last)
			clReleaseEvent(last);
		last = next;
	}
	host_check(clWaitForEvents(1, &last), "clWaitForEvents");
	clReleaseEvent(last);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	return NULL;
}

static void start(struct part *part, const struct host *h, cl_uint number)
{
	cl_int status;

	*part = (struct part){ .host = *h, .number = number };
	part->host.queue = clCreateCommandQueue(h->context, h->device,
	                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
	if (status == CL_INVALID_QUEUE_PROPERTIES)
		part->host.queue = clCreateCommandQueue(h->context, h->device, 0, &status);
	host_check(status, "clCreateCommandQueue");
	part->mem = host_buffer(h, ITEMS, 1000 * number);
	if (pthread_create(&part->thread, NULL, work, part))
		host_check(CL_OUT_OF_HOST_MEMORY, "pthread_create");
}

int main(void)
{
	struct part parts[THREADS];
	struct host h, other;
	char name[32];

	host_open(&h);
	host_open(&other);
	for (cl_uint i = 0; i < THREADS; i++)
		start(&parts[i], &h, i);
	for (cl_uint i = 0; i < THREADS; i++) {
		pthread_join(parts[i].thread, NULL);
		snprintf(name, sizeof(name), "thread %u", i);
		host_print(&parts[i].host, name, parts[i].mem, ITEMS);
		clReleaseMemObject(parts[i].mem);
		clReleaseCommandQueue(parts[i].host.queue);
	}
	host_close(&other);
	host_close(&h);
	return 0;
}

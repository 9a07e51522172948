/* SPDX-License-Identifier: Apache-2.0 */
/* The first word of an OpenCL object is its driver's table of calls: a loader and extensions need
 * the driver's own objects, so nothing may put others in their place. */
#include "behaviour.h"

#include <stdio.h>
#include <string.h>

static const struct host *host;

static void show(const char *name, const void *object)
{
	const void *table, *tables_of_platform;

	memcpy(&tables_of_platform, host->platform, sizeof(tables_of_platform));
	memcpy(&table, object, sizeof(table));
	printf("%s: %s\n", name, table == tables_of_platform ? "the driver's" : "not the driver's");
}

/* What a parent's query answers must be the object that made the child. */
static void show_parents(const struct host *h, cl_program program, cl_kernel kernel, cl_mem mem)
{
	cl_program its_program = NULL;
	cl_context its_context = NULL;

	host_check(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program),
	                           (void *)&its_program, NULL),
	           "clGetKernelInfo");
	host_check(clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof(cl_context), (void *)&its_context,
	                              NULL),
	           "clGetMemObjectInfo");
	printf("parents: %d %d\n", its_program == program, its_context == h->context);
}

int main(void)
{
	struct host h;
	size_t items = 64;
	cl_event event = NULL;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;

	host_open(&h);
	host = &h;
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&h, 64, 1);
	host_set_mem(kernel, 0, mem);
	host_check(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event),
	           "clEnqueueNDRangeKernel");
	show("device", h.device);
	show("context", h.context);
	show("queue", h.queue);
	show("program", program);
	show("kernel", kernel);
	show("buffer", mem);
	show("event", event);
	show_parents(&h, program, kernel, mem);
	host_print(&h, "values", mem, 64);
	clReleaseEvent(event);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

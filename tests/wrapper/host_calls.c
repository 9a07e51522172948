/* SPDX-License-Identifier: Apache-2.0 */
#include "host_calls.h"

#include <stdio.h>
#include <stdlib.h>

void check(cl_int rc, const char *what)
{
	if (rc == CL_SUCCESS)
		return;
	printf("%s failed: %d\n", what, rc);
	exit(3);
}

cl_mem make_buffer(const struct host *h, size_t ints, int first)
{
	int *init = malloc(ints * sizeof(*init));
	cl_int rc;
	cl_mem mem;

	for (size_t i = 0; i < ints; i++)
		init[i] = first + (int)(i * 7 % 31);
	mem = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
	                     ints * sizeof(*init), init, &rc);
	check(rc, "clCreateBuffer");
	free(init);
	return mem;
}

unsigned hash_buffer(cl_command_queue queue, cl_mem mem, size_t ints)
{
	int *data = malloc(ints * sizeof(*data));
	unsigned hash = 2166136261u;

	check(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, ints * sizeof(*data), data, 0, NULL,
	                          NULL),
	      "clEnqueueReadBuffer");
	for (size_t i = 0; i < ints; i++)
		hash = (hash ^ (unsigned)data[i]) * 16777619u;
	free(data);
	return hash;
}

cl_kernel make_kernel(cl_program program, const char *name)
{
	cl_int rc;
	cl_kernel kernel = clCreateKernel(program, name, &rc);

	check(rc, name);
	return kernel;
}

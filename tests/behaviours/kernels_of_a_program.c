/* SPDX-License-Identifier: Apache-2.0 */
/* All kernels of a program at once, a clone with the arguments of its original, the program
 * released before any of them runs. */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 16

static const char text[] =
	"kernel void once(global uint *v) { v[get_global_id(0)] += 1; }\n"
	"kernel void twice(global uint *v) { v[get_global_id(0)] *= 2; }\n"
	"kernel void plus(global uint *v, uint n) { v[get_global_id(0)] += n; }\n";

struct named {
	char name[32];
	cl_kernel kernel;
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* Each driver has an order of its own. */
static void read_names(struct named *all, const cl_kernel *kernels, cl_uint count)
{
	for (cl_uint i = 0; i < count; i++) {
		all[i].kernel = kernels[i];
		host_check(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof(all[i].name),
		                           all[i].name, NULL),
		           "clGetKernelInfo");
	}
	qsort(all, count, sizeof(*all), compare);
}

/* "once" runs with the values that the original had when it was cloned, if there are clones. */
static void run_clone(const struct host *h, cl_kernel original, cl_mem other)
{
	cl_int rc = CL_INVALID_OPERATION;
	cl_kernel clone = host_has_version(h, 2, 1) ? clCloneKernel(original, &rc) : NULL;

	host_set_mem(original, 0, other);
	host_launch(h, clone ? clone : original, ITEMS, 0);
	if (clone)
		clReleaseKernel(clone);
}

int main(void)
{
	cl_kernel kernels[8] = { NULL };
	struct named all[8] = { { "", NULL } };
	cl_uint count = 0;
	cl_program program;
	struct host h;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, text, NULL);
	host_check(clCreateKernelsInProgram(program, 0, NULL, &count), "clCreateKernelsInProgram");
	printf("%u kernels\n", count);
	host_print_status("too few places", clCreateKernelsInProgram(program, 1, kernels, NULL));
	host_check(clCreateKernelsInProgram(program, 8, kernels, NULL), "clCreateKernelsInProgram");
	clReleaseProgram(program);
	read_names(all, kernels, count);
	mem = host_buffer(&h, ITEMS, 1);
	for (cl_uint i = 0; i < count; i++) {
		puts(all[i].name);
		host_set_mem(all[i].kernel, 0, mem);
	}
	run_clone(&h, all[0].kernel, mem);
	host_set_uint(all[1].kernel, 1, 40);
	host_launch(&h, all[1].kernel, ITEMS, 0);
	host_launch(&h, all[2].kernel, ITEMS, 0);
	host_print(&h, "values", mem, ITEMS);
	for (cl_uint i = 0; i < count; i++)
		clReleaseKernel(all[i].kernel);
	clReleaseMemObject(mem);
	host_close(&h);
	return 0;
}

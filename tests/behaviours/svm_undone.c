/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared virtual memory that kernels change in place, so that a launch that ran twice would be
 * seen; the work-items make very different numbers of accesses.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS ((size_t)256)

static const char source[] =
	"kernel void fold(global uint *values, global uint *more, global const uint *index)\n"
	"{\n"
	"	uint i = get_global_id(0);\n"
	"	for (uint k = 0; k < i % 16; k++) {\n"
	"		values[i] = values[i] * 3 + index[(i * 7 + values[i]) % 256];\n"
	"		more[i] ^= values[i];\n"
	"	}\n"
	"}\n";

static cl_uint *allocate(const struct host *h, size_t count)
{
	cl_uint *memory = clSVMAlloc(h->context, CL_MEM_READ_WRITE, count * sizeof(*memory), 0);

	if (!memory)
		host_skip("no SVM");
	host_check(clEnqueueSVMMap(h->queue, CL_TRUE, CL_MAP_WRITE, memory, count * sizeof(*memory),
	                           0, NULL, NULL),
	           "clEnqueueSVMMap");
	for (size_t i = 0; i < count; i++)
		memory[i] = (cl_uint)i;
	host_check(clEnqueueSVMUnmap(h->queue, memory, 0, NULL, NULL), "clEnqueueSVMUnmap");
	return memory;
}

static void print(const struct host *h, const char *name, cl_uint *memory, size_t count)
{
	cl_uint hash = 0;

	host_check(clEnqueueSVMMap(h->queue, CL_TRUE, CL_MAP_READ, memory, count * sizeof(*memory),
	                           0, NULL, NULL),
	           "clEnqueueSVMMap");
	for (size_t i = 0; i < count; i++)
		hash = hash * 31 + memory[i];
	printf("%s: %u\n", name, hash);
	host_check(clEnqueueSVMUnmap(h->queue, memory, 0, NULL, NULL), "clEnqueueSVMUnmap");
	host_check(clFinish(h->queue), "clFinish");
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_uint *values, *index;
	cl_mem more;

	host_open(&h);
	values = allocate(&h, 2 * ITEMS);
	index = allocate(&h, ITEMS);
	more = host_buffer(&h, ITEMS, 9);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "fold");
	host_set_mem(kernel, 1, more);
	host_check(clSetKernelArgSVMPointer(kernel, 2, index), "clSetKernelArgSVMPointer");
	/*
	 * Each of 3 launches: 16 times 0 + 1 + ... + 15 = 120 iterations of 7 accesses: the value
	 * twice (it is stored, so its new value is loaded again, below), the index, a store, the
	 * new value, and `more` is loaded and stored. 3 * 16 * 120 * 7 = 40320.
	 */
	for (int turn = 0; turn < 3; turn++) {
		host_check(clSetKernelArgSVMPointer(kernel, 0, values + (size_t)turn * (ITEMS / 2)),
		           "clSetKernelArgSVMPointer");
		host_launch(&h, kernel, ITEMS, 16);
		print(&h, "values", values, 2 * ITEMS);
	}
	host_print(&h, "more", more, ITEMS);
	clReleaseMemObject(more);
	clSVMFree(h.context, values);
	clSVMFree(h.context, index);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers over the program's own memory, and buffers of which parts are mapped while kernels run on
 * other parts: what the program writes meanwhile stays.
 */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 256
#define BYTES (ITEMS * sizeof(cl_uint))

static const char source[] = "kernel void fold(global uint *values, global const uint *index)\n"
			     "{\n"
			     "	uint i = get_global_id(0);\n"
			     "	for (uint k = 0; k < i % 16; k++)\n"
			     "		values[i] = values[i] * 3 + index[(i * 7 + k) % 256];\n"
			     "}\n";

static cl_uint hash(const cl_uint *values, size_t count)
{
	cl_uint sum = 0;

	for (size_t i = 0; i < count; i++)
		sum = sum * 31 + values[i];
	return sum;
}

/*
 * 256 work-items make 16 * 120 iterations of 3 accesses: 5760. Twice, with a look at the memory and
 * a change in it between.
 */
static void own_memory(const struct host *h, cl_kernel kernel, cl_mem index)
{
	cl_uint *memory = aligned_alloc(4096, 4096);
	cl_mem buffer;
	cl_int rc;

	for (cl_uint i = 0; i < ITEMS; i++)
		memory[i] = i;
	buffer = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES, memory,
	                        &rc);
	host_check(rc, "clCreateBuffer");
	host_set_mem(kernel, 0, buffer);
	host_set_mem(kernel, 1, index);
	for (int turn = 0; turn < 2; turn++) {
		cl_uint *mapped;

		host_launch(h, kernel, ITEMS, 16);
		mapped = clEnqueueMapBuffer(h->queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
		                            0, BYTES, 0, NULL, NULL, &rc);
		host_check(rc, "clEnqueueMapBuffer");
		printf("own memory %d: %u\n", mapped == memory, hash(memory, ITEMS));
		mapped[3] += 1000;
		host_check(clEnqueueUnmapMemObject(h->queue, buffer, mapped, 0, NULL, NULL),
		           "clEnqueueUnmapMemObject");
	}
	host_print(h, "own memory", buffer, ITEMS);
	clReleaseMemObject(buffer);
	free(memory);
}

/*
 * The kernel works on the second half of a buffer, a part of it, while the program writes to the
 * first half, which is mapped, and reads what the kernel reads. 5760 accesses a turn, 4 turns.
 */
static void parts(const struct host *h, cl_kernel kernel, cl_mem index)
{
	cl_mem whole = host_buffer(h, 2 * (size_t)ITEMS, 5), half;
	const cl_buffer_region region = { BYTES, BYTES };
	cl_uint *mapped, *read;
	cl_int rc;

	half = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
	                         &rc);
	host_check(rc, "clCreateSubBuffer");
	host_set_mem(kernel, 0, half);
	host_set_mem(kernel, 1, index);
	mapped = clEnqueueMapBuffer(h->queue, whole, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL,
	                            &rc);
	host_check(rc, "clEnqueueMapBuffer");
	read = clEnqueueMapBuffer(h->queue, index, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL,
	                          &rc);
	host_check(rc, "clEnqueueMapBuffer");
	for (cl_uint turn = 0; turn < 4; turn++) {
		host_launch(h, kernel, ITEMS, 16);
		host_check(clFlush(h->queue), "clFlush");
		for (cl_uint i = 0; i < ITEMS; i++) /* while the kernel runs */
			mapped[i] = mapped[i] * 5 + read[i] + turn;
	}
	host_check(clEnqueueUnmapMemObject(h->queue, index, read, 0, NULL, NULL), "unmap");
	host_check(clEnqueueUnmapMemObject(h->queue, whole, mapped, 0, NULL, NULL), "unmap");
	host_print(h, "parts", whole, 2 * (size_t)ITEMS);
	clReleaseMemObject(half);
	clReleaseMemObject(whole);
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem index;

	host_open(&h);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "fold");
	index = host_buffer(&h, ITEMS, 3);
	own_memory(&h, kernel, index);
	parts(&h, kernel, index);
	clReleaseMemObject(index);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

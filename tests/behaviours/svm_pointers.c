/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared virtual memory: whole allocations, pointers into their middle, pointers found in memory,
 * freed by the host and by a queue, and given out again at the same place.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

struct node {
	cl_uint *values;
};

static const char source[] = "kernel void fold(global uint *values, global const uint *from)\n"
			     "{\n"
			     "	size_t i = get_global_id(0);\n"
			     "	for (uint k = 0; k < 8; k++)\n"
			     "		values[i] = values[i] * 3 + from[i];\n"
			     "}\n"
			     "struct node { global uint *values; };\n"
			     "kernel void follow(global struct node *nodes)\n"
			     "{\n"
			     "	nodes[get_global_id(0) / 32].values[get_global_id(0) % 32] += 5;\n"
			     "}\n";

static cl_uint *allocate(const struct host *h, cl_svm_mem_flags flags, cl_uint first)
{
	cl_uint *memory =
		clSVMAlloc(h->context, flags | CL_MEM_READ_WRITE, ITEMS * sizeof(*memory), 0);

	if (!memory)
		host_skip("no SVM");
	host_check(clEnqueueSVMMap(h->queue, CL_TRUE, CL_MAP_WRITE, memory, ITEMS * sizeof(*memory),
	                           0, NULL, NULL),
	           "clEnqueueSVMMap");
	for (cl_uint i = 0; i < ITEMS; i++)
		memory[i] = first + i;
	host_check(clEnqueueSVMUnmap(h->queue, memory, 0, NULL, NULL), "clEnqueueSVMUnmap");
	return memory;
}

static void print(const struct host *h, const char *name, cl_uint *memory)
{
	cl_uint hash = 0;

	host_check(clEnqueueSVMMap(h->queue, CL_TRUE, CL_MAP_READ, memory, ITEMS * sizeof(*memory),
	                           0, NULL, NULL),
	           "clEnqueueSVMMap");
	for (cl_uint i = 0; i < ITEMS; i++)
		hash = hash * 31 + memory[i];
	printf("%s: %u %u %u\n", name, memory[0], memory[ITEMS - 1], hash);
	host_check(clEnqueueSVMUnmap(h->queue, memory, 0, NULL, NULL), "clEnqueueSVMUnmap");
	host_check(clFinish(h->queue), "clFinish");
}

static void set(cl_kernel kernel, cl_uint index, const void *pointer)
{
	host_check(clSetKernelArgSVMPointer(kernel, index, pointer), "clSetKernelArgSVMPointer");
}

/* 32 work-items in groups of 8, each 8 times 2 reads and a write: 768 accesses. */
static void fold(const struct host *h, cl_kernel kernel, cl_uint *values, const cl_uint *from)
{
	set(kernel, 0, values);
	set(kernel, 1, from);
	host_launch(h, kernel, 32, 8);
}

static void CL_CALLBACK free_one(cl_command_queue queue, cl_uint count, void *pointers[],
                                 void *context)
{
	for (cl_uint i = 0; i < count; i++)
		clSVMFree(context, pointers[i]);
}

/* 64 work-items: the pointer is read, a value is read and written: 192 accesses. */
static void follow(const struct host *h, cl_program program, cl_uint *a, cl_uint *b)
{
	cl_kernel kernel = host_kernel(program, "follow");
	struct node *nodes = clSVMAlloc(h->context, CL_MEM_READ_WRITE, 2 * sizeof(struct node), 0);
	void *hidden[2] = { a, b };

	host_check(clEnqueueSVMMap(h->queue, CL_TRUE, CL_MAP_WRITE, nodes, 2 * sizeof(*nodes), 0,
	                           NULL, NULL),
	           "clEnqueueSVMMap");
	nodes[0].values = a + 16;
	nodes[1].values = b;
	host_check(clEnqueueSVMUnmap(h->queue, nodes, 0, NULL, NULL), "clEnqueueSVMUnmap");
	host_check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(hidden),
	                               (const void *)hidden),
	           "clSetKernelExecInfo");
	set(kernel, 0, nodes);
	host_launch(h, kernel, ITEMS, 8);
	host_check(clEnqueueSVMFree(h->queue, 1, (void **)&nodes, NULL, NULL, 0, NULL, NULL),
	           "clEnqueueSVMFree");
	host_check(clFinish(h->queue), "clFinish");
	clReleaseKernel(kernel);
}

/* Memory that OpenCL knows nothing of, where the device takes it. */
static void system_memory(const struct host *h, cl_kernel kernel, const cl_uint *from)
{
	static cl_uint memory[ITEMS];
	cl_int rc = clSetKernelArgSVMPointer(kernel, 0, memory + 8);

	host_print_status("system memory", rc);
	if (rc != CL_SUCCESS)
		return;
	fold(h, kernel, memory + 8, from);
	host_check(clFinish(h->queue), "clFinish");
	printf("system memory: %u %u %u\n", memory[7], memory[8], memory[39]);
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_uint *a, *b;

	host_open(&h);
	a = allocate(&h, 0, 1);
	b = allocate(&h, CL_MEM_SVM_FINE_GRAIN_BUFFER, 1000);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "fold");
	fold(&h, kernel, a, b);
	fold(&h, kernel, a + 32, b + 7); /* two middles */
	fold(&h, kernel, b + 32, a);     /* fine grain, written */
	print(&h, "coarse", a);
	print(&h, "fine", b);
	follow(&h, program, a, b);
	print(&h, "followed", a);
	print(&h, "and", b);
	host_check(clEnqueueSVMFree(h.queue, 1, (void **)&b, free_one, h.context, 0, NULL, NULL),
	           "clEnqueueSVMFree");
	host_check(clFinish(h.queue), "clFinish");
	/* Again and again: the same place, another allocation. */
	for (cl_uint turn = 0; turn < 3; turn++) {
		b = allocate(&h, 0, turn);
		fold(&h, kernel, b, a);
		print(&h, "again", b);
		clSVMFree(h.context, b);
	}
	system_memory(&h, kernel, a);
	clSVMFree(h.context, a);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}

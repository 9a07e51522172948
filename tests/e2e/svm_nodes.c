/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svm_nodes: out[i] = *nodes[i].value + nodes[i].more, where nodes and values are shared virtual
 * memory and node i points to value N - 1 - i, counted from the end. Exits 77 without such memory.
 */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 32 };

static const char source[] = "struct node { __global int *value; int more; };\n"
			     "__kernel void add(__global struct node *nodes, __global int *out)\n"
			     "{\n"
			     "	size_t i = get_global_id(0);\n"
			     "	out[i] = *nodes[i].value + nodes[i].more;\n"
			     "}\n";

struct node {
	int *value;
	int more;
};

static cl_kernel create_kernel(cl_context context, cl_device_id device)
{
	const char *text = source;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	cl_kernel kernel = NULL;

	if (program && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS)
		kernel = clCreateKernel(program, "add", NULL);
	if (program)
		clReleaseProgram(program);
	return kernel;
}

static void fill(struct node *nodes, int *values)
{
	for (int i = 0; i < N; i++) {
		values[i] = 3 * i;
		nodes[i].value = &values[N - 1 - i];
		nodes[i].more = 100 * i;
	}
}

/* 0 when every result is right. */
static int run(cl_command_queue queue, cl_kernel kernel, cl_mem out, struct node *nodes,
               int *values)
{
	void *hidden[] = { values };
	const size_t size = N;
	int results[N], wrong = 0;

	fill(nodes, values);
	if (clSetKernelArgSVMPointer(kernel, 0, nodes) ||
	    clSetKernelArg(kernel, 1, sizeof(out), &out) ||
	    clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(hidden), hidden) ||
	    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) ||
	    clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(results), results, 0, NULL, NULL))
		return 1;
	for (int i = 0; i < N; i++)
		wrong += results[i] != 3 * (N - 1 - i) + 100 * i;
	return wrong;
}

int main(void)
{
	cl_device_svm_capabilities svm = 0;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_kernel kernel;
	struct node *nodes;
	int *values, wrong = 1;
	cl_mem out;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ||
	    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, NULL) || !svm)
		return 77;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
	values = clSVMAlloc(context, CL_MEM_READ_WRITE, N * sizeof(*values), 0);
	nodes = clSVMAlloc(context, CL_MEM_READ_WRITE, N * sizeof(*nodes), 0);
	out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, N * sizeof(int), NULL, NULL);
	kernel = create_kernel(context, device);
	if (queue && values && nodes && out && kernel)
		wrong = run(queue, kernel, out, nodes, values);
	puts(wrong ? "wrong" : "right");
	return wrong != 0;
}

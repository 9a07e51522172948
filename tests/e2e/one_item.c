/* SPDX-License-Identifier: Apache-2.0 */
/*
 * one_item ITEMS STEPS: a kernel of one work-group whose work-items read anywhere, STEPS times each
 * in turn, one half of them four times as often. Prints its result, and on the error output the KB
 * that the launch added to the peak of resident memory, after a short one of the same kernel; -1
 * where that cannot be measured.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "peak_memory.h"

#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 1 << 16 };

static const char source[] =
	"__kernel void walk(__global const uint *in, __global uint *out, uint steps)\n"
	"{\n"
	"	uint i = get_local_id(0), x = i, sum = 0;\n"
	"	for (uint s = 0; s < steps * (i % 2 * 3 + 1); s++) {\n"
	"		x = x * 1664525u + 1013904223u;\n"
	"		sum += in[x >> 16];\n"
	"	}\n"
	"	out[i] += sum;\n"
	"}\n";

struct scene {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem in, out;
	size_t items;
};

static void check(cl_int code)
{
	if (code != CL_SUCCESS) {
		fprintf(stderr, "one_item: an OpenCL call fails: %d\n", code);
		exit(1);
	}
}

static void set_up(struct scene *s)
{
	static cl_uint values[VALUES];
	const char *text = source;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_program program;
	cl_int code;

	for (cl_uint i = 0; i < VALUES; i++)
		values[i] = i * i;
	check(clGetPlatformIDs(1, &platform, NULL));
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	check(code);
	s->queue = clCreateCommandQueue(context, device, 0, &code);
	check(code);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
	check(code);
	check(clBuildProgram(program, 1, &device, "", NULL, NULL));
	s->kernel = clCreateKernel(program, "walk", &code);
	check(code);
	s->in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(values),
	                       values, &code);
	check(code);
	s->out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
	                        s->items * sizeof(cl_uint), values, &code);
	check(code);
}

static void launch(const struct scene *s, cl_uint steps)
{
	check(clSetKernelArg(s->kernel, 0, sizeof(s->in), (const void *)&s->in));
	check(clSetKernelArg(s->kernel, 1, sizeof(s->out), (const void *)&s->out));
	check(clSetKernelArg(s->kernel, 2, sizeof(steps), &steps));
	check(clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &s->items, &s->items, 0, NULL,
	                             NULL));
	check(clFinish(s->queue));
}

int main(int argc, char **argv)
{
	struct scene s = { .items = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 };
	cl_uint steps = argc > 2 ? (cl_uint)strtoul(argv[2], NULL, 10) : 1000, sum = 0, *out;
	bool is_measured;
	long before, peak;

	set_up(&s);
	launch(&s, 100);
	is_measured = peak_memory_is_measured() && peak_memory_begin();
	before = peak_memory_now_kb();
	launch(&s, steps);
	peak = peak_memory_kb();
	out = calloc(s.items, sizeof(*out));
	check(clEnqueueReadBuffer(s.queue, s.out, CL_TRUE, 0, s.items * sizeof(*out), out, 0, NULL,
	                          NULL));
	for (size_t i = 0; i < s.items; i++)
		sum = sum * 31 + out[i];
	printf("%u\n", sum);
	fprintf(stderr, "%ld\n", is_measured ? peak - before : -1);
	free(out);
	return 0;
}

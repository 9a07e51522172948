/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_programs FILE OPTIONS [FILE OPTIONS]...: programs of one process, each built of a file with
 * its options, and its kernel k(__global char *out, uint bytes) run by one work-item. Prints what
 * each wrote, a string, or that it does not build.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT_BYTES  (1u << 18)
#define MOST_BYTES (1 << 22)

struct host {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_mem out;
	char *text; /* MOST_BYTES */
};

static void check(cl_int rc, const char *what)
{
	if (rc == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, rc);
	exit(1);
}

static void open_host(struct host *h)
{
	cl_platform_id platform;
	cl_int rc;

	h->text = calloc(MOST_BYTES, 1);
	check(h->text ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "calloc");
	check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL), "clGetDeviceIDs");
	h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &rc);
	check(rc, "clCreateContext");
	h->queue = clCreateCommandQueue(h->context, h->device, 0, &rc);
	check(rc, "clCreateCommandQueue");
	h->out = clCreateBuffer(h->context, CL_MEM_READ_WRITE, OUT_BYTES, NULL, &rc);
	check(rc, "clCreateBuffer");
}

static void read_file(struct host *h, const char *path)
{
	FILE *stream = fopen(path, "rb");
	size_t length = 0;

	if (stream) {
		length = fread(h->text, 1, MOST_BYTES - 1, stream);
		fclose(stream);
	} else {
		perror(path);
	}
	h->text[length] = '\0';
}

static void run(struct host *h, cl_program program)
{
	const size_t one = 1;
	const cl_uint bytes = OUT_BYTES;
	cl_int rc;
	cl_kernel kernel = clCreateKernel(program, "k", &rc);

	check(rc, "clCreateKernel");
	memset(h->text, 0, OUT_BYTES);
	check(clEnqueueWriteBuffer(h->queue, h->out, CL_TRUE, 0, OUT_BYTES, h->text, 0, NULL, NULL),
	      "clEnqueueWriteBuffer");
	check(clSetKernelArg(kernel, 0, sizeof(cl_mem), (const void *)&h->out), "clSetKernelArg");
	check(clSetKernelArg(kernel, 1, sizeof(bytes), &bytes), "clSetKernelArg");
	check(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
	      "clEnqueueNDRangeKernel");
	check(clEnqueueReadBuffer(h->queue, h->out, CL_TRUE, 0, OUT_BYTES - 1, h->text, 0, NULL,
	                          NULL),
	      "clEnqueueReadBuffer");
	printf("%s\n", h->text);
	clReleaseKernel(kernel);
}

int main(int argc, char **argv)
{
	struct host h;

	open_host(&h);
	for (int i = 1; i + 1 < argc; i += 2) {
		const char *text = h.text;
		cl_program program;
		cl_int rc;

		printf("%s '%s':\n", argv[i], argv[i + 1]);
		fflush(stdout);
		read_file(&h, argv[i]);
		program = clCreateProgramWithSource(h.context, 1, &text, NULL, &rc);
		check(rc, "clCreateProgramWithSource");
		rc = clBuildProgram(program, 1, &h.device, argv[i + 1], NULL, NULL);
		if (rc == CL_SUCCESS)
			run(&h, program);
		else
			printf("does not build: %d\n", rc);
		clReleaseProgram(program);
	}
	clReleaseMemObject(h.out);
	clReleaseCommandQueue(h.queue);
	clReleaseContext(h.context);
	free(h.text);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * binary_host TEXT BINARY: a program that keeps the binary of its kernel: built from the text when
 * there is none, else made of it. binary_host -x BITCODE: made of SPIR. Prints what the kernel
 * gave.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS      32
#define MOST_BYTES (1 << 22)

struct file {
	char *bytes;
	size_t length;
};

static struct file read_file(const char *path)
{
	struct file f = { malloc(MOST_BYTES), 0 };
	FILE *stream = fopen(path, "rb");

	if (stream && f.bytes) {
		f.length = fread(f.bytes, 1, MOST_BYTES - 1, stream);
		f.bytes[f.length] = '\0';
	}
	if (stream)
		fclose(stream);
	return f;
}

static void check(cl_int rc, const char *what)
{
	if (rc == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, rc);
	exit(1);
}

static cl_program from_text(cl_context context, const char *path)
{
	struct file text = read_file(path);
	const char *string = text.bytes;
	cl_int rc;
	cl_program program = clCreateProgramWithSource(context, 1, &string, &text.length, &rc);

	check(rc, "clCreateProgramWithSource");
	check(clBuildProgram(program, 0, NULL, "-w", NULL, NULL), "clBuildProgram");
	free(text.bytes);
	return program;
}

static void keep_binary(cl_program program, const char *path)
{
	unsigned char *binary = malloc(MOST_BYTES);
	size_t length = 0;
	FILE *stream = fopen(path, "wb");

	check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(length), &length, NULL),
	      "CL_PROGRAM_BINARY_SIZES");
	check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), (void *)&binary, NULL),
	      "CL_PROGRAM_BINARIES");
	if (stream && length <= MOST_BYTES)
		fwrite(binary, 1, length, stream);
	if (stream)
		fclose(stream);
	free(binary);
}

static cl_program from_binary(cl_context context, cl_device_id device, const struct file *f,
                              const char *options)
{
	const unsigned char *bytes = (const unsigned char *)f->bytes;
	cl_int rc, status;
	cl_program program =
		clCreateProgramWithBinary(context, 1, &device, &f->length, &bytes, &status, &rc);

	check(rc, "clCreateProgramWithBinary");
	check(clBuildProgram(program, 0, NULL, options, NULL, NULL), "clBuildProgram");
	return program;
}

/* The kernel over values 0, 1...; prints the last of them. */
static void run(cl_context context, cl_device_id device, cl_program program)
{
	cl_int values[ITEMS], rc;
	size_t items = ITEMS;
	cl_command_queue queue = clCreateCommandQueue(context, device, 0, &rc);
	cl_kernel kernel = clCreateKernel(program, "k", &rc);
	cl_mem mem;

	check(rc, "clCreateKernel");
	for (int i = 0; i < ITEMS; i++)
		values[i] = i;
	mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &rc);
	check(clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem), "clSetKernelArg");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
	      "clEnqueueNDRangeKernel");
	check(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL),
	      "clEnqueueReadBuffer");
	printf("%d\n", values[ITEMS - 1]);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
}

int main(int argc, char **argv)
{
	int is_spir = argc == 3 && !strcmp(argv[1], "-x");
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_program program;
	struct file binary;
	cl_int rc;

	if (argc != 3)
		return 2;
	check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	check(rc, "clCreateContext");
	binary = read_file(argv[2]);
	printf(binary.length ? "kept " : "built ");
	if (binary.length) {
		program = from_binary(context, device, &binary,
		                      is_spir ? "-x spir -spir-std=1.2" : "");
	} else {
		program = from_text(context, argv[1]);
		keep_binary(program, argv[2]);
	}
	run(context, device, program);
	clReleaseProgram(program);
	clReleaseContext(context);
	free(binary.bytes);
	return 0;
}

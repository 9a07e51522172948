/* SPDX-License-Identifier: Apache-2.0 */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void host_check(cl_int status, const char *call)
{
	if (status == CL_SUCCESS)
		return;
	fflush(stdout);
	fprintf(stderr, "%s: error %d\n", call, status);
	exit(1);
}

void host_skip(const char *why)
{
	fprintf(stderr, "skipped: %s\n", why);
	exit(77);
}

void host_print_status(const char *name, cl_int status)
{
	printf("%s: %d\n", name, status);
}

void host_open(struct host *h)
{
	cl_int status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	host_check(clGetPlatformIDs(1, &h->platform, NULL), "clGetPlatformIDs");
	host_check(clGetDeviceIDs(h->platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL),
	           "clGetDeviceIDs");
	h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &status);
	host_check(status, "clCreateContext");
	h->queue = clCreateCommandQueue(h->context, h->device, 0, &status);
	host_check(status, "clCreateCommandQueue");
}

void host_close(struct host *h)
{
	host_check(clReleaseCommandQueue(h->queue), "clReleaseCommandQueue");
	host_check(clReleaseContext(h->context), "clReleaseContext");
}

bool host_has_version(const struct host *h, unsigned major, unsigned minor)
{
	char text[256] = "", *end = text;
	unsigned long has_major, has_minor;

	host_check(clGetDeviceInfo(h->device, CL_DEVICE_VERSION, sizeof(text), text, NULL),
	           "clGetDeviceInfo");
	if (strncmp(text, "OpenCL ", 7) != 0)
		return false;
	has_major = strtoul(text + 7, &end, 10);
	has_minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	return has_major > major || (has_major == major && has_minor >= minor);
}

bool host_has_extension(const struct host *h, const char *name)
{
	char text[8192] = " ", word[128];
	size_t bytes = 0;

	host_check(clGetDeviceInfo(h->device, CL_DEVICE_EXTENSIONS, sizeof(text) - 2, text + 1,
	                           &bytes),
	           "clGetDeviceInfo");
	text[strlen(text) + 1] = '\0';
	text[strlen(text)] = ' ';
	snprintf(word, sizeof(word), " %s ", name);
	return strstr(text, word) != NULL;
}

static void print_log(const struct host *h, cl_program program)
{
	char log[4096] = "";

	if (clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log,
	                          NULL) == CL_SUCCESS)
		fprintf(stderr, "%s\n", log);
}

cl_program host_build(const struct host *h, const char *source, const char *options)
{
	cl_int status;
	cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &status);

	host_check(status, "clCreateProgramWithSource");
	status = clBuildProgram(program, 1, &h->device, options, NULL, NULL);
	if (status == CL_BUILD_PROGRAM_FAILURE)
		print_log(h, program);
	host_check(status, "clBuildProgram");
	return program;
}

cl_kernel host_kernel(cl_program program, const char *name)
{
	cl_int status;
	cl_kernel kernel = clCreateKernel(program, name, &status);

	host_check(status, "clCreateKernel");
	return kernel;
}

static cl_uint *values_alloc(size_t count)
{
	cl_uint *values = calloc(count ? count : 1, sizeof(*values));

	if (!values)
		host_check(CL_OUT_OF_HOST_MEMORY, "calloc");
	return values;
}

cl_mem host_buffer(const struct host *h, size_t count, cl_uint first)
{
	cl_uint *values = values_alloc(count);
	cl_mem buffer;
	cl_int status;

	for (size_t i = 0; i < count; i++)
		values[i] = first + (cl_uint)i;
	buffer = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
	                        count * sizeof(*values), values, &status);
	host_check(status, "clCreateBuffer");
	free(values);
	return buffer;
}

void host_set_mem(cl_kernel kernel, cl_uint index, cl_mem buffer)
{
	host_check(clSetKernelArg(kernel, index, sizeof(cl_mem), (const void *)&buffer),
	           "clSetKernelArg");
}

void host_set_uint(cl_kernel kernel, cl_uint index, cl_uint value)
{
	host_check(clSetKernelArg(kernel, index, sizeof(value), &value), "clSetKernelArg");
}

void host_launch(const struct host *h, cl_kernel kernel, size_t items, size_t group)
{
	host_check(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, group ? &group : NULL,
	                                  0, NULL, NULL),
	           "clEnqueueNDRangeKernel");
}

void host_print(const struct host *h, const char *name, cl_mem buffer, size_t count)
{
	cl_uint *values = values_alloc(count), hash = 2166136261u;

	host_check(clFinish(h->queue), "clFinish");
	host_check(clEnqueueReadBuffer(h->queue, buffer, CL_TRUE, 0, count * sizeof(*values),
	                               values, 0, NULL, NULL),
	           "clEnqueueReadBuffer");
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ values[i]) * 16777619u;
	printf("%s: %u %u %08x\n", name, values[0], values[count ? count - 1 : 0], hash);
	free(values);
}

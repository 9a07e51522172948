/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_device.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cl_device_init(struct cl_device *d)
{
	cl_platform_id platform;
	cl_uint count = 0;
	cl_int code;

	memset(d, 0, sizeof(*d));
	if (clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || !count)
		return false;
	if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d->id, &count) != CL_SUCCESS)
		return false;
	d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &code);
	if (code != CL_SUCCESS)
		return false;
	d->queue = clCreateCommandQueue(d->context, d->id, 0, &code);
	return code == CL_SUCCESS;
}

void cl_device_release(struct cl_device *d)
{
	if (d->queue)
		clReleaseCommandQueue(d->queue);
	if (d->context)
		clReleaseContext(d->context);
	memset(d, 0, sizeof(*d));
}

bool cl_device_is_named(const struct cl_device *d, const char *part)
{
	char name[256] = "";

	assert_int_equal(clGetDeviceInfo(d->id, CL_DEVICE_NAME, sizeof(name), name, NULL),
	                 CL_SUCCESS);
	return strstr(name, part);
}

bool cl_device_has_version(const struct cl_device *d, const char *begin)
{
	char version[256] = "";

	assert_int_equal(clGetDeviceInfo(d->id, CL_DEVICE_VERSION, sizeof(version), version, NULL),
	                 CL_SUCCESS);
	return !strncmp(version, begin, strlen(begin));
}

static cl_program build(const struct cl_device *d, cl_program program, const char *options)
{
	char log[16384] = "", all[1024];

	/* Oclgrind loses the mask of `v & 3` when its optimiser has made an integer of two bits of
	 * it. */
	snprintf(all, sizeof(all), "%s %s", options ? options : "",
	         cl_device_is_named(d, "Oclgrind") ? "-cl-opt-disable" : "");
	if (clBuildProgram(program, 1, &d->id, all, NULL, NULL) == CL_SUCCESS)
		return program;
	clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
	fprintf(stderr, "build log: %s\n", log);
	fail_msg("clBuildProgram failed");
	return NULL;
}

cl_program cl_device_build_source(const struct cl_device *d, const char *text, const char *options)
{
	cl_int code;
	cl_program program = clCreateProgramWithSource(d->context, 1, &text, NULL, &code);

	assert_int_equal(code, CL_SUCCESS);
	return build(d, program, options);
}

cl_mem cl_device_buffer(const struct cl_device *d, const void *from, size_t bytes)
{
	void *zeros = from ? NULL : calloc(1, bytes);
	cl_int code;
	cl_mem buffer;

	assert_true(from || zeros);
	buffer = clCreateBuffer(d->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
	assert_int_equal(code, CL_SUCCESS);
	code = clEnqueueWriteBuffer(d->queue, buffer, CL_TRUE, 0, bytes, from ? from : zeros, 0,
	                            NULL, NULL);
	assert_int_equal(code, CL_SUCCESS);
	free(zeros);
	return buffer;
}

void cl_device_read(const struct cl_device *d, cl_mem buffer, void *to, size_t bytes)
{
	assert_int_equal(
		clEnqueueReadBuffer(d->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
		CL_SUCCESS);
}

void cl_device_launch(const struct cl_device *d, cl_kernel kernel, const size_t offset[2],
                      const size_t global[2], const size_t local[2])
{
	assert_int_equal(
		clEnqueueNDRangeKernel(d->queue, kernel, 2, offset, global, local, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(d->queue), CL_SUCCESS);
}

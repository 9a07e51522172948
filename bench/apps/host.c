/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__attribute__((format(printf, 2, 0))) static void complain(const struct host *host, const char *fmt,
                                                           va_list ap)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", host->spec->name);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

_Noreturn void host_fail(const struct host *host, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(host, fmt, ap);
	va_end(ap);
	exit(1);
}

_Noreturn void host_usage(const struct host *host, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(host, fmt, ap);
	va_end(ap);
	exit(2);
}

void host_check(const struct host *host, cl_int status, const char *call)
{
	if (status != CL_SUCCESS)
		host_fail(host, "%s failed with status %d", call, (int)status);
}

void host_must_divide(const struct host *host, unsigned d, size_t items)
{
	if (items % host->group[d] != 0)
		host_usage(host,
		           "a group of %zu does not divide the %zu work-items of dimension %u",
		           host->group[d], items, d);
}

size_t host_cover(const struct host *host, unsigned d, size_t items)
{
	return (items + host->group[d] - 1) / host->group[d] * host->group[d];
}

void *host_alloc(const struct host *host, size_t count, size_t item_bytes)
{
	void *p = calloc(count ? count : 1, item_bytes);

	if (!p)
		host_fail(host, "no memory for %zu items of %zu bytes", count, item_bytes);
	return p;
}

uint64_t host_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void host_fill(float *values, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++)
		values[i] = (float)(host_random(&seed) >> 40) / (float)(1 << 24);
}

cl_mem host_buffer(const struct host *host, cl_mem_flags flags, size_t bytes, const void *data)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(host->context, flags, bytes, NULL, &status);

	host_check(host, status, "clCreateBuffer");
	if (data)
		host_write(host, buffer, data, bytes);
	return buffer;
}

void host_write(const struct host *host, cl_mem buffer, const void *data, size_t bytes)
{
	host_check(
		host,
		clEnqueueWriteBuffer(host->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
		"clEnqueueWriteBuffer");
}

void host_read(const struct host *host, cl_mem buffer, void *data, size_t bytes)
{
	host_check(host,
	           clEnqueueReadBuffer(host->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
	           "clEnqueueReadBuffer");
}

cl_kernel host_kernel(const struct host *host, const char *name)
{
	cl_int status;
	cl_kernel kernel = clCreateKernel(host->program, name, &status);

	host_check(host, status, "clCreateKernel");
	return kernel;
}

void host_set_mem(const struct host *host, cl_kernel kernel, cl_uint index, cl_mem value)
{
	host_check(host, clSetKernelArg(kernel, index, sizeof(cl_mem), &value), "clSetKernelArg");
}

void host_set_uint(const struct host *host, cl_kernel kernel, cl_uint index, cl_uint value)
{
	host_check(host, clSetKernelArg(kernel, index, sizeof(value), &value), "clSetKernelArg");
}

void host_set_float(const struct host *host, cl_kernel kernel, cl_uint index, cl_float value)
{
	host_check(host, clSetKernelArg(kernel, index, sizeof(value), &value), "clSetKernelArg");
}

void host_set_local(const struct host *host, cl_kernel kernel, cl_uint index, size_t bytes)
{
	host_check(host, clSetKernelArg(kernel, index, bytes, NULL), "clSetKernelArg");
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* How long the device says that a finished command ran. */
static double ran_ms(const struct host *host, cl_event event)
{
	cl_ulong start = 0, end = 0;

	host_check(host,
	           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start,
	                                   NULL),
	           "clGetEventProfilingInfo");
	host_check(
		host,
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
		"clGetEventProfilingInfo");
	return (double)(end - start) / 1e6;
}

void host_launch(struct host *host, cl_kernel kernel, const size_t *global)
{
	double start = now_ms();
	cl_event event;

	host_check(host,
	           clEnqueueNDRangeKernel(host->queue, kernel, host->spec->dimensions, NULL, global,
	                                  host->group, 0, NULL, &event),
	           "clEnqueueNDRangeKernel");
	host_check(host, clFinish(host->queue), "clFinish");
	host->lap_ms += now_ms() - start;
	host->device_lap_ms += ran_ms(host, event);
	clReleaseEvent(event);
}

void host_lap(struct host *host)
{
	if (host->kernel_ms < 0 || host->lap_ms < host->kernel_ms)
		host->kernel_ms = host->lap_ms;
	if (host->device_ms < 0 || host->device_lap_ms < host->device_ms)
		host->device_ms = host->device_lap_ms;
	host->lap_ms = 0;
	host->device_lap_ms = 0;
}

void host_set_checksum(struct host *host, const void *data, size_t bytes)
{
	const unsigned char *p = data;

	host->checksum = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < bytes; i++)
		host->checksum = (host->checksum ^ p[i]) * UINT64_C(0x100000001b3);
}

void host_check_floats(const struct host *host, const float *got, const double *want, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double error = fabs((double)got[i] - want[i]);

		/* Written so that a NaN is wrong. */
		if (!(error <= 1e-4 * fmax(1.0, fabs(want[i]))))
			host_fail(host, "wrong result: element %zu is %g, expected %g", i,
			          (double)got[i], want[i]);
	}
}

void host_check_words(const struct host *host, const cl_uint *got, const cl_uint *want,
                      size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (got[i] != want[i])
			host_fail(host,
			          "wrong result: element %zu is %" PRIu32 ", expected %" PRIu32, i,
			          (uint32_t)got[i], (uint32_t)want[i]);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void complain(const struct app *app, const char *fmt, va_list ap)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", app->spec->name);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

_Noreturn void app_fail(const struct app *app, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(app, fmt, ap);
	va_end(ap);
	exit(1);
}

_Noreturn void app_usage(const struct app *app, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(app, fmt, ap);
	va_end(ap);
	exit(2);
}

void app_check(const struct app *app, cl_int status, const char *call)
{
	if (status != CL_SUCCESS)
		app_fail(app, "%s failed with status %d", call, (int)status);
}

void app_must_divide(const struct app *app, unsigned d, size_t items)
{
	if (items % app->group[d] != 0)
		app_usage(app, "a group of %zu does not divide the %zu work-items of dimension %u",
		          app->group[d], items, d);
}

void *app_alloc(const struct app *app, size_t count, size_t item_bytes)
{
	void *p = calloc(count ? count : 1, item_bytes);

	if (!p)
		app_fail(app, "no memory for %zu items of %zu bytes", count, item_bytes);
	return p;
}

uint64_t app_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void app_fill(float *values, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++)
		values[i] = (float)(app_random(&seed) >> 40) / (float)(1 << 24);
}

cl_mem app_buffer(const struct app *app, cl_mem_flags flags, size_t bytes, const void *data)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(app->context, flags, bytes, NULL, &status);

	app_check(app, status, "clCreateBuffer");
	if (data)
		app_write(app, buffer, data, bytes);
	return buffer;
}

void app_write(const struct app *app, cl_mem buffer, const void *data, size_t bytes)
{
	app_check(app,
	          clEnqueueWriteBuffer(app->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
	          "clEnqueueWriteBuffer");
}

void app_read(const struct app *app, cl_mem buffer, void *data, size_t bytes)
{
	app_check(app,
	          clEnqueueReadBuffer(app->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
	          "clEnqueueReadBuffer");
}

cl_kernel app_kernel(const struct app *app, const char *name)
{
	cl_int status;
	cl_kernel kernel = clCreateKernel(app->program, name, &status);

	app_check(app, status, "clCreateKernel");
	return kernel;
}

void app_set_mem(const struct app *app, cl_kernel kernel, cl_uint index, cl_mem value)
{
	app_check(app, clSetKernelArg(kernel, index, sizeof(cl_mem), &value), "clSetKernelArg");
}

void app_set_uint(const struct app *app, cl_kernel kernel, cl_uint index, cl_uint value)
{
	app_check(app, clSetKernelArg(kernel, index, sizeof(value), &value), "clSetKernelArg");
}

void app_set_float(const struct app *app, cl_kernel kernel, cl_uint index, cl_float value)
{
	app_check(app, clSetKernelArg(kernel, index, sizeof(value), &value), "clSetKernelArg");
}

void app_set_local(const struct app *app, cl_kernel kernel, cl_uint index, size_t bytes)
{
	app_check(app, clSetKernelArg(kernel, index, bytes, NULL), "clSetKernelArg");
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

void app_launch(struct app *app, cl_kernel kernel, const size_t *global)
{
	double start = now_ms();

	app_check(app,
	          clEnqueueNDRangeKernel(app->queue, kernel, app->spec->dimensions, NULL, global,
	                                 app->group, 0, NULL, NULL),
	          "clEnqueueNDRangeKernel");
	app_check(app, clFinish(app->queue), "clFinish");
	app->lap_ms += now_ms() - start;
}

void app_lap(struct app *app)
{
	if (app->kernel_ms < 0 || app->lap_ms < app->kernel_ms)
		app->kernel_ms = app->lap_ms;
	app->lap_ms = 0;
}

void app_set_checksum(struct app *app, const void *data, size_t bytes)
{
	const unsigned char *p = data;

	app->checksum = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < bytes; i++)
		app->checksum = (app->checksum ^ p[i]) * UINT64_C(0x100000001b3);
}

void app_check_floats(const struct app *app, const float *got, const double *want, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double error = fabs((double)got[i] - want[i]);

		/* Written so that a NaN is wrong. */
		if (!(error <= 1e-4 * fmax(1.0, fabs(want[i]))))
			app_fail(app, "wrong result: element %zu is %g, expected %g", i,
			         (double)got[i], want[i]);
	}
}

void app_check_words(const struct app *app, const cl_uint *got, const cl_uint *want, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (got[i] != want[i])
			app_fail(app, "wrong result: element %zu is %" PRIu32 ", expected %" PRIu32,
			         i, (uint32_t)got[i], (uint32_t)want[i]);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 2, NORTH = 0, SOUTH, WEST, EAST, COEFFICIENT, PLANES };
static const float quarter_lambda = 0.125f; /* of lambda 0.5 */

/* Speckle that is left at a step: Yu and Acton's q0(t) = q0 exp(-rho t), squared. */
static float q0_squared(unsigned step)
{
	return (float)(0.25 * exp(-0.1 * step));
}

/* The differences of one pixel and its coefficient, in out[plane][at]. */
static void pixel_on_host(const double *image, double *const *out, size_t n, size_t at, double q0)
{
	size_t x = at % n, y = at / n;
	double here = image[at], sum = 0, squares = 0;

	out[NORTH][at] = image[y == 0 ? at : at - n] - here;
	out[SOUTH][at] = image[y == n - 1 ? at : at + n] - here;
	out[WEST][at] = image[x == 0 ? at : at - 1] - here;
	out[EAST][at] = image[x == n - 1 ? at : at + 1] - here;
	for (unsigned d = NORTH; d <= EAST; d++) {
		sum += out[d][at] / here;
		squares += out[d][at] * out[d][at] / (here * here);
	}
	double scale = 1 + 0.25 * sum;
	double q = (0.5 * squares - 0.0625 * sum * sum) / (scale * scale);

	out[COEFFICIENT][at] = fmin(1, fmax(0, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
}

static void step_on_host(double *image, double *const *planes, size_t n, double q0)
{
	const double *c = planes[COEFFICIENT];

	for (size_t at = 0; at < n * n; at++)
		pixel_on_host(image, planes, n, at, q0);
	for (size_t at = 0; at < n * n; at++) {
		double south = c[at / n == n - 1 ? at : at + n];
		double east = c[at % n == n - 1 ? at : at + 1];

		image[at] += (double)quarter_lambda *
		             (c[at] * planes[NORTH][at] + south * planes[SOUTH][at] +
		              c[at] * planes[WEST][at] + east * planes[EAST][at]);
	}
}

static void check(const struct host *host, const float *start, const float *got)
{
	size_t n = host->size;
	double *want = host_alloc(host, n * n, sizeof(*want));
	double *planes[PLANES];

	for (size_t at = 0; at < n * n; at++)
		want[at] = (double)start[at];
	for (unsigned p = 0; p < PLANES; p++)
		planes[p] = host_alloc(host, n * n, sizeof(*planes[p]));
	for (unsigned step = 0; step < STEPS; step++)
		step_on_host(want, planes, n, (double)q0_squared(step));
	host_check_floats(host, got, want, n * n);
	for (unsigned p = 0; p < PLANES; p++)
		free(planes[p]);
	free(want);
}

static void diffuse(struct host *host, cl_kernel coefficient, cl_kernel update)
{
	const size_t items[] = { host->size, host->size };

	for (unsigned step = 0; step < STEPS; step++) {
		host_set_float(host, coefficient, 7, q0_squared(step));
		host_launch(host, coefficient, items);
		host_launch(host, update, items);
	}
	host_lap(host);
}

static void run(struct host *host)
{
	size_t n = host->size, bytes = n * n * sizeof(float);

	host_must_divide(host, 0, n);
	host_must_divide(host, 1, n);
	float *start = host_alloc(host, n * n, sizeof(*start));
	float *got = host_alloc(host, n * n, sizeof(*got));

	host_fill(start, n * n, 1);
	for (size_t at = 0; at < n * n; at++)
		start[at] = expf(start[at]); /* in [1, e), as the method takes exponents */
	cl_mem image = host_buffer(host, CL_MEM_READ_WRITE, bytes, NULL);
	cl_mem planes[PLANES];
	cl_kernel coefficient = host_kernel(host, "srad_coefficient");
	cl_kernel update = host_kernel(host, "srad_update");

	host_set_mem(host, coefficient, 0, image);
	host_set_mem(host, update, 0, image);
	for (unsigned p = 0; p < PLANES; p++) {
		planes[p] = host_buffer(host, CL_MEM_READ_WRITE, bytes, NULL);
		host_set_mem(host, coefficient, 1 + p, planes[p]);
		host_set_mem(host, update, 1 + p, planes[p]);
	}
	host_set_uint(host, coefficient, 6, (cl_uint)n);
	host_set_uint(host, update, 6, (cl_uint)n);
	host_set_float(host, update, 7, quarter_lambda);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_write(host, image, start, bytes);
		diffuse(host, coefficient, update);
	}
	host_read(host, image, got, bytes);
	check(host, start, got);
	host_set_checksum(host, got, bytes);

	clReleaseKernel(coefficient);
	clReleaseKernel(update);
	clReleaseMemObject(image);
	for (unsigned p = 0; p < PLANES; p++)
		clReleaseMemObject(planes[p]);
	free(start);
	free(got);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
		.name = "srad",
		.summary = "Two steps of speckle-reducing anisotropic diffusion, one work-item a "
			   "pixel, "
			   "two launches a step.",
		.size_text = "rows and columns of the image",
		.size = 256,
		.size_min = 1,
		.size_max = 4096,
		.dimensions = 2,
		.group = { 16, 16, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

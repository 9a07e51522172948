/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <stdlib.h>
#include <string.h>

static const float weight_self = 1.0f / 6.0f, weight_neighbour = 1.0f / 36.0f;

static void check(const struct app *app, const float *in, const float *out)
{
	size_t nx = app->size, plane = nx * nx, nz = nx / 4;
	double *want = app_alloc(app, plane * nz, sizeof(*want));

	for (size_t at = 0; at < plane * nz; at++)
		want[at] = (double)in[at];
	for (size_t k = 1; k < nz - 1; k++)
		for (size_t j = 1; j < nx - 1; j++)
			for (size_t i = 1; i < nx - 1; i++) {
				size_t at = i + nx * j + plane * k;
				double sum = (double)in[at + plane] + (double)in[at - plane] +
				             (double)in[at + nx] + (double)in[at - nx] +
				             (double)in[at + 1] + (double)in[at - 1];

				want[at] = (double)weight_neighbour * sum -
				           (double)weight_self * (double)in[at];
			}
	app_check_floats(app, out, want, plane * nz);
	free(want);
}

static void run(struct app *app)
{
	size_t nx = app->size, nz = nx / 4, count = nx * nx * nz, bytes = count * sizeof(float);
	size_t rows_x = (nx - 2 + app->group[0] - 1) / app->group[0] * app->group[0];

	if (nx % 4 != 0)
		app_usage(app, "--size: %zu is not a multiple of 4", nx);
	app_must_divide(app, 1, nx - 2);
	app_must_divide(app, 2, nz - 2);
	float *in = app_alloc(app, count, sizeof(*in));
	float *out = app_alloc(app, count, sizeof(*out));

	app_fill(in, count, 1);
	cl_mem device_in = app_buffer(app, CL_MEM_READ_ONLY, bytes, in);
	cl_mem device_out = app_buffer(app, CL_MEM_READ_WRITE, bytes, in); /* the border stays */
	cl_kernel kernel = app_kernel(app, "stencil");

	app_set_float(app, kernel, 0, weight_self);
	app_set_float(app, kernel, 1, weight_neighbour);
	app_set_mem(app, kernel, 2, device_in);
	app_set_mem(app, kernel, 3, device_out);
	app_set_uint(app, kernel, 4, (cl_uint)nx);
	app_set_uint(app, kernel, 5, (cl_uint)nx);
	app_set_uint(app, kernel, 6, (cl_uint)nz);
	for (unsigned r = 0; r < app->repeat; r++) {
		app_launch(app, kernel, (const size_t[]){ rows_x, nx - 2, nz - 2 });
		app_lap(app);
	}
	app_read(app, device_out, out, bytes);
	check(app, in, out);
	app_set_checksum(app, out, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(device_in);
	clReleaseMemObject(device_out);
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	static const struct app_spec spec = {
		.name = "stencil",
		.summary =
			"One step of a 7-point stencil in three dimensions, one work-item a value.",
		.size_text = "data of N x N x N/4 values, N a multiple of 4",
		.size = 128,
		.size_min = 12,
		.size_max = 1024,
		.dimensions = 3,
		.group = { 64, 1, 1 },
		.run = run,
	};

	return app_main(argc, argv, &spec);
}

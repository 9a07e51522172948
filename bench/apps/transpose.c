/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <stdlib.h>

static void check(const struct app *app, const float *in, const float *out)
{
	size_t n = app->size;

	for (size_t row = 0; row < n; row++)
		for (size_t column = 0; column < n; column++)
			if (out[column * n + row] != in[row * n + column])
				app_fail(app, "wrong result: row %zu of column %zu is not moved",
				         row, column);
}

static void run(struct app *app)
{
	size_t n = app->size, bytes = n * n * sizeof(float);
	float *in = app_alloc(app, n * n, sizeof(*in));
	float *out = app_alloc(app, n * n, sizeof(*out));

	app_must_divide(app, 0, n);
	app_must_divide(app, 1, n);
	app_fill(in, n * n, 1);
	cl_mem device_out = app_buffer(app, CL_MEM_WRITE_ONLY, bytes, NULL);
	cl_mem device_in = app_buffer(app, CL_MEM_READ_ONLY, bytes, in);
	cl_kernel kernel = app_kernel(app, "transpose");

	app_set_mem(app, kernel, 0, device_out);
	app_set_mem(app, kernel, 1, device_in);
	app_set_uint(app, kernel, 2, (cl_uint)n);
	app_set_uint(app, kernel, 3, (cl_uint)n);
	for (unsigned r = 0; r < app->repeat; r++) {
		app_launch(app, kernel, (const size_t[]){ n, n });
		app_lap(app);
	}
	app_read(app, device_out, out, bytes);
	check(app, in, out);
	app_set_checksum(app, out, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(device_out);
	clReleaseMemObject(device_in);
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	static const struct app_spec spec = {
		.name = "transpose",
		.summary = "Transpose a square matrix of floats, one work-item an element.",
		.size_text = "rows and columns",
		.size = 512,
		.size_min = 1,
		.size_max = 16384,
		.dimensions = 2,
		.group = { 16, 16, 1 },
		.run = run,
	};

	return app_main(argc, argv, &spec);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <stdlib.h>

static void check(const struct app *app, const float *a, const float *b, const float *c)
{
	size_t n = app->size;
	double *want = app_alloc(app, n * n, sizeof(*want));

	for (size_t row = 0; row < n; row++)
		for (size_t k = 0; k < n; k++)
			for (size_t column = 0; column < n; column++)
				want[row * n + column] +=
					(double)a[row * n + k] * (double)b[k * n + column];
	app_check_floats(app, c, want, n * n);
	free(want);
}

static void run(struct app *app)
{
	size_t n = app->size, bytes = n * n * sizeof(float);
	float *a = app_alloc(app, n * n, sizeof(*a));
	float *b = app_alloc(app, n * n, sizeof(*b));
	float *c = app_alloc(app, n * n, sizeof(*c));

	app_must_divide(app, 0, n);
	app_must_divide(app, 1, n);
	app_fill(a, n * n, 1);
	app_fill(b, n * n, 2);
	cl_mem device_a = app_buffer(app, CL_MEM_READ_ONLY, bytes, a);
	cl_mem device_b = app_buffer(app, CL_MEM_READ_ONLY, bytes, b);
	cl_mem device_c = app_buffer(app, CL_MEM_WRITE_ONLY, bytes, NULL);
	cl_kernel kernel = app_kernel(app, "matmul");

	app_set_mem(app, kernel, 0, device_a);
	app_set_mem(app, kernel, 1, device_b);
	app_set_mem(app, kernel, 2, device_c);
	app_set_uint(app, kernel, 3, (cl_uint)n);
	app_set_uint(app, kernel, 4, (cl_uint)n);
	for (unsigned r = 0; r < app->repeat; r++) {
		app_launch(app, kernel, (const size_t[]){ n, n });
		app_lap(app);
	}
	app_read(app, device_c, c, bytes);
	check(app, a, b, c);
	app_set_checksum(app, c, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(device_a);
	clReleaseMemObject(device_b);
	clReleaseMemObject(device_c);
	free(a);
	free(b);
	free(c);
}

int main(int argc, char **argv)
{
	static const struct app_spec spec = {
		.name = "matmul",
		.summary = "Multiply two square matrices of floats, one work-item an element.",
		.size_text = "rows and columns",
		.size = 256,
		.size_min = 1,
		.size_max = 4096,
		.dimensions = 2,
		.group = { 16, 16, 1 },
		.run = run,
	};

	return app_main(argc, argv, &spec);
}

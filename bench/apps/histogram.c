/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <stdlib.h>

enum { BINS = 256 };

static void run(struct app *app)
{
	size_t count = app->size, bytes = count * sizeof(cl_uint);
	static const cl_uint zeroes[BINS];
	cl_uint want[BINS] = { 0 }, got[BINS];
	uint64_t seed = 1;

	app_must_divide(app, 0, count);
	cl_uint *values = app_alloc(app, count, sizeof(*values));

	for (size_t i = 0; i < count; i++) {
		/* The lesser of two draws: low bins are asked for more often. */
		cl_uint a = (cl_uint)app_random(&seed) % BINS,
			b = (cl_uint)app_random(&seed) % BINS;

		values[i] = a < b ? a : b;
		want[values[i]]++;
	}
	cl_mem device_values = app_buffer(app, CL_MEM_READ_ONLY, bytes, values);
	cl_mem bins = app_buffer(app, CL_MEM_READ_WRITE, sizeof(got), zeroes);
	cl_kernel kernel = app_kernel(app, "histogram");

	app_set_mem(app, kernel, 0, device_values);
	app_set_mem(app, kernel, 1, bins);
	for (unsigned r = 0; r < app->repeat; r++) {
		app_write(app, bins, zeroes, sizeof(zeroes));
		app_launch(app, kernel, &count);
		app_lap(app);
	}
	app_read(app, bins, got, sizeof(got));
	app_check_words(app, got, want, BINS);
	app_set_checksum(app, got, sizeof(got));

	clReleaseKernel(kernel);
	clReleaseMemObject(device_values);
	clReleaseMemObject(bins);
	free(values);
}

int main(int argc, char **argv)
{
	static const struct app_spec spec = {
		.name = "histogram",
		.summary = "Count values in 256 bins with atomics, one work-item a value.",
		.size_text = "values",
		.size = 262144,
		.size_min = 1,
		.size_max = 1 << 26,
		.dimensions = 1,
		.group = { 64, 1, 1 },
		.run = run,
	};

	return app_main(argc, argv, &spec);
}

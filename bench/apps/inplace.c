/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <stdlib.h>

static void run(struct app *app)
{
	size_t count = app->size, bytes = count * sizeof(cl_uint);
	uint64_t seed = 1;

	app_must_divide(app, 0, count);
	cl_uint *want = app_alloc(app, count, sizeof(*want));
	cl_uint *got = app_alloc(app, count, sizeof(*got));

	for (size_t i = 0; i < count; i++)
		want[i] = (cl_uint)app_random(&seed);
	cl_mem values = app_buffer(app, CL_MEM_READ_WRITE, bytes, want);
	cl_kernel kernel = app_kernel(app, "inplace");

	app_set_mem(app, kernel, 0, values);
	for (unsigned r = 0; r < app->repeat; r++) {
		app_launch(app, kernel, &count);
		app_lap(app);
		for (size_t i = 0; i < count; i++)
			want[i] = want[i] * 3u + (cl_uint)i;
	}
	app_read(app, values, got, bytes);
	app_check_words(app, got, want, count);
	app_set_checksum(app, got, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(values);
	free(want);
	free(got);
}

int main(int argc, char **argv)
{
	static const struct app_spec spec = {
		.name = "inplace",
		.summary = "Update values in place, once a repetition; a second run of the kernel "
			   "shows as a wrong result.",
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

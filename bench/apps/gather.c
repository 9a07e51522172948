/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <stdlib.h>

enum { ROUNDS = 8 };

static void check(const struct app *app, const cl_uint *index, const cl_uint *in,
                  const cl_uint *out)
{
	cl_uint *want = app_alloc(app, app->size, sizeof(*want));

	for (size_t i = 0; i < app->size; i++) {
		size_t at = i;

		for (unsigned step = 0; step < ROUNDS; step++) {
			at = index[at];
			want[i] += in[at];
		}
	}
	app_check_words(app, out, want, app->size);
	free(want);
}

static void run(struct app *app)
{
	size_t count = app->size, bytes = count * sizeof(cl_uint);
	uint64_t seed = 1;

	app_must_divide(app, 0, count);
	cl_uint *index = app_alloc(app, count, sizeof(*index));
	cl_uint *in = app_alloc(app, count, sizeof(*in));
	cl_uint *out = app_alloc(app, count, sizeof(*out));

	for (size_t i = 0; i < count; i++) {
		index[i] = (cl_uint)(app_random(&seed) % count);
		in[i] = (cl_uint)app_random(&seed);
	}
	cl_mem device_index = app_buffer(app, CL_MEM_READ_ONLY, bytes, index);
	cl_mem device_in = app_buffer(app, CL_MEM_READ_ONLY, bytes, in);
	cl_mem device_out = app_buffer(app, CL_MEM_WRITE_ONLY, bytes, NULL);
	cl_kernel kernel = app_kernel(app, "gather");

	app_set_mem(app, kernel, 0, device_index);
	app_set_mem(app, kernel, 1, device_in);
	app_set_mem(app, kernel, 2, device_out);
	for (unsigned r = 0; r < app->repeat; r++) {
		app_launch(app, kernel, &count);
		app_lap(app);
	}
	app_read(app, device_out, out, bytes);
	check(app, index, in, out);
	app_set_checksum(app, out, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(device_index);
	clReleaseMemObject(device_in);
	clReleaseMemObject(device_out);
	free(index);
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	static const struct app_spec spec = {
		.name = "gather",
		.summary = "Read values through a random index, eight steps a work-item.",
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

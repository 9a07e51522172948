/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <stdlib.h>

/* Launch until one value is left; returns the buffer that holds it: first[0] or first[1]. */
static cl_mem reduce_all(struct app *app, cl_kernel kernel, cl_mem in, const cl_mem *steps)
{
	size_t count = app->size;
	unsigned step = 0;

	do {
		size_t groups = (count + app->group[0] - 1) / app->group[0];
		size_t items = groups * app->group[0];

		app_set_mem(app, kernel, 0, in);
		app_set_mem(app, kernel, 1, steps[step % 2]);
		app_set_uint(app, kernel, 3, (cl_uint)count);
		app_launch(app, kernel, &items);
		in = steps[step++ % 2];
		count = groups;
	} while (count > 1);
	return in;
}

static void run(struct app *app)
{
	size_t count = app->size, bytes = count * sizeof(float);
	float sum = 0;
	double want = 0;

	if (app->group[0] < 2 || (app->group[0] & (app->group[0] - 1)) != 0)
		app_usage(app, "--group: %zu is not a power of two above 1", app->group[0]);
	float *in = app_alloc(app, count, sizeof(*in));

	app_fill(in, count, 1);
	for (size_t i = 0; i < count; i++)
		want += (double)in[i];
	cl_mem device_in = app_buffer(app, CL_MEM_READ_ONLY, bytes, in);
	cl_mem steps[2] = { app_buffer(app, CL_MEM_READ_WRITE, bytes, NULL),
		            app_buffer(app, CL_MEM_READ_WRITE, bytes, NULL) };
	cl_kernel kernel = app_kernel(app, "reduce");

	app_set_local(app, kernel, 2, app->group[0] * sizeof(float));
	for (unsigned r = 0; r < app->repeat; r++) {
		cl_mem out = reduce_all(app, kernel, device_in, steps);

		app_lap(app);
		app_read(app, out, &sum, sizeof(sum));
	}
	app_check_floats(app, &sum, &want, 1);
	app_set_checksum(app, &sum, sizeof(sum));

	clReleaseKernel(kernel);
	clReleaseMemObject(device_in);
	clReleaseMemObject(steps[0]);
	clReleaseMemObject(steps[1]);
	free(in);
}

int main(int argc, char **argv)
{
	static const struct app_spec spec = {
		.name = "reduce",
		.summary = "Sum floats by a tree in local memory with barriers, launch by launch "
			   "until one is left.",
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

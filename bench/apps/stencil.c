/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

static const float weight_self = 1.0f / 6.0f, weight_neighbour = 1.0f / 36.0f;

static void check(const struct host *host, const float *in, const float *out)
{
	size_t nx = host->size, plane = nx * nx, nz = nx / 4;
	double *want = host_alloc(host, plane * nz, sizeof(*want));

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
	host_check_floats(host, out, want, plane * nz);
	free(want);
}

static void run(struct host *host)
{
	size_t nx = host->size, nz = nx / 4, count = nx * nx * nz, bytes = count * sizeof(float);
	size_t rows_x = (nx - 2 + host->group[0] - 1) / host->group[0] * host->group[0];

	if (nx % 4 != 0)
		host_usage(host, "--size: %zu is not a multiple of 4", nx);
	host_must_divide(host, 1, nx - 2);
	host_must_divide(host, 2, nz - 2);
	float *in = host_alloc(host, count, sizeof(*in));
	float *out = host_alloc(host, count, sizeof(*out));

	host_fill(in, count, 1);
	cl_mem device_in = host_buffer(host, CL_MEM_READ_ONLY, bytes, in);
	cl_mem device_out = host_buffer(host, CL_MEM_READ_WRITE, bytes, in); /* the border stays */
	cl_kernel kernel = host_kernel(host, "stencil");

	host_set_float(host, kernel, 0, weight_self);
	host_set_float(host, kernel, 1, weight_neighbour);
	host_set_mem(host, kernel, 2, device_in);
	host_set_mem(host, kernel, 3, device_out);
	host_set_uint(host, kernel, 4, (cl_uint)nx);
	host_set_uint(host, kernel, 5, (cl_uint)nx);
	host_set_uint(host, kernel, 6, (cl_uint)nz);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, (const size_t[]){ rows_x, nx - 2, nz - 2 });
		host_lap(host);
	}
	host_read(host, device_out, out, bytes);
	check(host, in, out);
	host_set_checksum(host, out, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(device_in);
	clReleaseMemObject(device_out);
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
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

	return host_main(argc, argv, &spec);
}

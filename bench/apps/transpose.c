/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

static void check(const struct host *host, const float *in, const float *out)
{
	size_t n = host->size;

	for (size_t row = 0; row < n; row++)
		for (size_t column = 0; column < n; column++)
			if (out[column * n + row] != in[row * n + column])
				host_fail(host, "wrong result: row %zu of column %zu is not moved",
				          row, column);
}

static void run(struct host *host)
{
	size_t n = host->size, bytes = n * n * sizeof(float);
	float *in = host_alloc(host, n * n, sizeof(*in));
	float *out = host_alloc(host, n * n, sizeof(*out));

	host_must_divide(host, 0, n);
	host_must_divide(host, 1, n);
	host_fill(in, n * n, 1);
	cl_mem device_out = host_buffer(host, CL_MEM_WRITE_ONLY, bytes, NULL);
	cl_mem device_in = host_buffer(host, CL_MEM_READ_ONLY, bytes, in);
	cl_kernel kernel = host_kernel(host, "transpose");

	host_set_mem(host, kernel, 0, device_out);
	host_set_mem(host, kernel, 1, device_in);
	host_set_uint(host, kernel, 2, (cl_uint)n);
	host_set_uint(host, kernel, 3, (cl_uint)n);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, (const size_t[]){ n, n });
		host_lap(host);
	}
	host_read(host, device_out, out, bytes);
	check(host, in, out);
	host_set_checksum(host, out, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(device_out);
	clReleaseMemObject(device_in);
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
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

	return host_main(argc, argv, &spec);
}

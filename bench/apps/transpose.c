/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

/* With TILE, groups of TILE x h work-items move a tile each, a work-item TILE / h elements of a
 * column; without, each work-item moves one element. */
#ifdef TILE
#define SUMMARY "Transpose a square matrix of floats, a group a tile in local memory."
enum { GROUP_X = TILE, GROUP_Y = 8 };
#else
#define APP_NAME "transpose"
#define SUMMARY  "Transpose a square matrix of floats, one work-item an element."
enum { GROUP_X = 16, GROUP_Y = 16 };
#endif

static void check(const struct host *host, const float *in, const float *out)
{
	size_t n = host->size;

	for (size_t row = 0; row < n; row++)
		for (size_t column = 0; column < n; column++)
			if (out[column * n + row] != in[row * n + column])
				host_fail(host, "wrong result: row %zu of column %zu is not moved",
				          row, column);
}

/* How many rows of work-items move a matrix of n rows. */
static size_t rows_of_items(const struct host *host, size_t n)
{
#ifdef TILE
	if (host->group[0] != TILE || TILE % host->group[1])
		host_usage(host, "--group: %zux%zu is not %d and a divisor of it", host->group[0],
		           host->group[1], TILE);
	if (n % TILE)
		host_usage(host, "--size: %zu is no multiple of %d", n, TILE);
	return n / TILE * host->group[1];
#else
	host_must_divide(host, 0, n);
	host_must_divide(host, 1, n);
	return n;
#endif
}

static void run(struct host *host)
{
	size_t n = host->size, rows = rows_of_items(host, n), bytes = n * n * sizeof(float);
	float *in = host_alloc(host, n * n, sizeof(*in));
	float *out = host_alloc(host, n * n, sizeof(*out));

	host_fill(in, n * n, 1);
	cl_mem device_out = host_buffer(host, CL_MEM_WRITE_ONLY, bytes, NULL);
	cl_mem device_in = host_buffer(host, CL_MEM_READ_ONLY, bytes, in);
	cl_kernel kernel = host_kernel(host, "transpose");

	host_set_mem(host, kernel, 0, device_out);
	host_set_mem(host, kernel, 1, device_in);
	host_set_uint(host, kernel, 2, (cl_uint)n);
	host_set_uint(host, kernel, 3, (cl_uint)n);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, (const size_t[]){ n, rows });
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
		.name = APP_NAME,
		.summary = SUMMARY,
		.size_text = "rows and columns",
		.size = 512,
		.size_min = 1,
		.size_max = 16384,
		.dimensions = 2,
		.group = { GROUP_X, GROUP_Y, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

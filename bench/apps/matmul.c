/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

/* With TILE a group, of TILE x TILE work-items, goes through local memory tile by tile. */
#ifdef TILE
#define SUMMARY "Multiply two square matrices of floats by tiles in local memory."
#else
#define APP_NAME "matmul"
#define SUMMARY  "Multiply two square matrices of floats, one work-item an element."
#define TILE     1
#endif

static void check(const struct host *host, const float *a, const float *b, const float *c)
{
	size_t n = host->size;
	double *want = host_alloc(host, n * n, sizeof(*want));

	for (size_t row = 0; row < n; row++)
		for (size_t k = 0; k < n; k++)
			for (size_t column = 0; column < n; column++)
				want[row * n + column] +=
					(double)a[row * n + k] * (double)b[k * n + column];
	host_check_floats(host, c, want, n * n);
	free(want);
}

static void run(struct host *host)
{
	size_t n = host->size, bytes = n * n * sizeof(float);
	float *a = host_alloc(host, n * n, sizeof(*a));
	float *b = host_alloc(host, n * n, sizeof(*b));
	float *c = host_alloc(host, n * n, sizeof(*c));

	host_must_divide(host, 0, n);
	host_must_divide(host, 1, n);
	if (TILE > 1 && (host->group[0] != TILE || host->group[1] != TILE))
		host_usage(host, "--group: %zux%zu is not the tile's %dx%d", host->group[0],
		           host->group[1], TILE, TILE);
	host_fill(a, n * n, 1);
	host_fill(b, n * n, 2);
	cl_mem device_a = host_buffer(host, CL_MEM_READ_ONLY, bytes, a);
	cl_mem device_b = host_buffer(host, CL_MEM_READ_ONLY, bytes, b);
	cl_mem device_c = host_buffer(host, CL_MEM_WRITE_ONLY, bytes, NULL);
	cl_kernel kernel = host_kernel(host, "matmul");

	host_set_mem(host, kernel, 0, device_a);
	host_set_mem(host, kernel, 1, device_b);
	host_set_mem(host, kernel, 2, device_c);
	host_set_uint(host, kernel, 3, (cl_uint)n);
	host_set_uint(host, kernel, 4, (cl_uint)n);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, (const size_t[]){ n, n });
		host_lap(host);
	}
	host_read(host, device_c, c, bytes);
	check(host, a, b, c);
	host_set_checksum(host, c, bytes);

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
	static const struct host_spec spec = {
		.name = APP_NAME,
		.summary = SUMMARY,
		.size_text = "rows and columns",
		.size = 256,
		.size_min = 1,
		.size_max = 4096,
		.dimensions = 2,
		.group = { 16, 16, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

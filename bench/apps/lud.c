/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

enum { TILE = 16, GROUP = TILE * TILE }; /* as in lud.cl */

static void check(const struct host *host, const float *a, const float *got)
{
	size_t n = host->size;
	double *want = host_alloc(host, n * n, sizeof(*want));

	for (size_t i = 0; i < n * n; i++)
		want[i] = (double)a[i];
	for (size_t step = 0; step < n; step++)
		for (size_t row = step + 1; row < n; row++) {
			double times = want[row * n + step] / want[step * n + step];

			want[row * n + step] = times;
			for (size_t column = step + 1; column < n; column++)
				want[row * n + column] -= times * want[step * n + column];
		}
	host_check_floats(host, got, want, n * n);
	free(want);
}

static void decompose(struct host *host, cl_kernel diagonal, cl_kernel edges, cl_kernel inner)
{
	size_t n = host->size;

	for (size_t at = 0; at < n; at += TILE) {
		size_t tiles = n / TILE - 1 - at / TILE;

		host_set_uint(host, diagonal, 2, (cl_uint)at);
		host_launch(host, diagonal, (const size_t[]){ GROUP });
		if (tiles == 0)
			break;
		host_set_uint(host, edges, 2, (cl_uint)at);
		host_launch(host, edges, (const size_t[]){ 2 * tiles * GROUP });
		host_set_uint(host, inner, 2, (cl_uint)at);
		host_set_uint(host, inner, 3, (cl_uint)tiles);
		host_launch(host, inner, (const size_t[]){ tiles * tiles * GROUP });
	}
	host_lap(host);
}

static cl_kernel kernel_of(const struct host *host, const char *name, cl_mem matrix)
{
	cl_kernel kernel = host_kernel(host, name);

	host_set_mem(host, kernel, 0, matrix);
	host_set_uint(host, kernel, 1, (cl_uint)host->size);
	return kernel;
}

static void run(struct host *host)
{
	size_t n = host->size, bytes = n * n * sizeof(float);

	if (n % TILE != 0)
		host_usage(host, "--size: %zu is not a multiple of %d", n, (int)TILE);
	if (host->group[0] != GROUP)
		host_usage(host, "--group: a group has %d work-items here", (int)GROUP);
	float *a = host_alloc(host, n * n, sizeof(*a));
	float *got = host_alloc(host, n * n, sizeof(*got));

	host_fill(a, n * n, 1);
	for (size_t row = 0; row < n; row++)
		a[row * n + row] += (float)n; /* so that no pivot is small */
	cl_mem matrix = host_buffer(host, CL_MEM_READ_WRITE, bytes, NULL);
	cl_kernel diagonal = kernel_of(host, "lud_diagonal", matrix);
	cl_kernel edges = kernel_of(host, "lud_edges", matrix);
	cl_kernel inner = kernel_of(host, "lud_inner", matrix);

	for (unsigned r = 0; r < host->repeat; r++) {
		host_write(host, matrix, a, bytes);
		decompose(host, diagonal, edges, inner);
	}
	host_read(host, matrix, got, bytes);
	check(host, a, got);
	host_set_checksum(host, got, bytes);

	clReleaseKernel(diagonal);
	clReleaseKernel(edges);
	clReleaseKernel(inner);
	clReleaseMemObject(matrix);
	free(a);
	free(got);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
		.name = "lud",
		.summary =
			"LU decomposition of a matrix by tiles of 16 x 16 in local memory, three "
			"launches a tile.",
		.size_text = "rows and columns, a multiple of 16",
		.size = 256,
		.size_min = TILE,
		.size_max = 4096,
		.dimensions = 1,
		.group = { GROUP, 1, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

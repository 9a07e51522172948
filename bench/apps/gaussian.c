/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

struct system {
	size_t size;
	float *a, *b;
};

static void system_init(struct system *s, const struct host *host)
{
	size_t n = host->size;

	s->size = n;
	s->a = host_alloc(host, n * n, sizeof(*s->a));
	s->b = host_alloc(host, n, sizeof(*s->b));
	host_fill(s->a, n * n, 1);
	host_fill(s->b, n, 2);
	for (size_t row = 0; row < n; row++)
		s->a[row * n + row] += (float)n; /* so that no pivot is small */
}

static void check(const struct host *host, const struct system *s, const float *a, const float *b)
{
	size_t n = s->size;
	double *want = host_alloc(host, n * n, sizeof(*want));
	double *want_b = host_alloc(host, n, sizeof(*want_b));

	for (size_t i = 0; i < n * n; i++)
		want[i] = (double)s->a[i];
	for (size_t row = 0; row < n; row++)
		want_b[row] = (double)s->b[row];
	for (size_t step = 0; step < n; step++)
		for (size_t row = step + 1; row < n; row++) {
			double times = want[row * n + step] / want[step * n + step];

			for (size_t column = step; column < n; column++)
				want[row * n + column] -= times * want[step * n + column];
			want_b[row] -= times * want_b[step];
		}
	host_check_floats(host, a, want, n * n);
	host_check_floats(host, b, want_b, n);
	free(want);
	free(want_b);
}

static void eliminate(struct host *host, cl_kernel factors, cl_kernel rows)
{
	size_t n = host->size;

	for (size_t step = 0; step + 1 < n; step++) {
		size_t below = n - 1 - step;
		size_t items = host_cover(host, 0, below);
		size_t elements = host_cover(host, 0, below * (n - step));

		host_set_uint(host, factors, 3, (cl_uint)step);
		host_launch(host, factors, &items);
		host_set_uint(host, rows, 4, (cl_uint)step);
		host_launch(host, rows, &elements);
	}
	host_lap(host);
}

static void run(struct host *host)
{
	struct system s;

	system_init(&s, host);
	size_t n = s.size, bytes = n * n * sizeof(float);
	float *a = host_alloc(host, n * n + n, sizeof(*a));
	float *b = a + n * n;
	cl_mem device_a = host_buffer(host, CL_MEM_READ_WRITE, bytes, NULL);
	cl_mem device_b = host_buffer(host, CL_MEM_READ_WRITE, n * sizeof(float), NULL);
	cl_mem device_factor = host_buffer(host, CL_MEM_READ_WRITE, bytes, NULL);
	cl_kernel factors = host_kernel(host, "gaussian_factors");
	cl_kernel rows = host_kernel(host, "gaussian_rows");

	host_set_mem(host, factors, 0, device_a);
	host_set_mem(host, factors, 1, device_factor);
	host_set_uint(host, factors, 2, (cl_uint)n);
	host_set_mem(host, rows, 0, device_a);
	host_set_mem(host, rows, 1, device_b);
	host_set_mem(host, rows, 2, device_factor);
	host_set_uint(host, rows, 3, (cl_uint)n);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_write(host, device_a, s.a, bytes);
		host_write(host, device_b, s.b, n * sizeof(float));
		eliminate(host, factors, rows);
	}
	host_read(host, device_a, a, bytes);
	host_read(host, device_b, b, n * sizeof(float));
	check(host, &s, a, b);
	host_set_checksum(host, a, bytes + n * sizeof(float));

	clReleaseKernel(factors);
	clReleaseKernel(rows);
	clReleaseMemObject(device_a);
	clReleaseMemObject(device_b);
	clReleaseMemObject(device_factor);
	free(s.a);
	free(s.b);
	free(a);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
		.name = "gaussian",
		.summary =
			"Gaussian elimination of a system of equations, two launches a column, one "
			"work-item an element, neighbours a row apart.",
		.size_text = "equations",
		.size = 96,
		.size_min = 2,
		.size_max = 4096,
		.dimensions = 1,
		.group = { 256, 1, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

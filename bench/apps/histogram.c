/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

enum { BINS = 256 };

static void run(struct host *host)
{
	size_t count = host->size, bytes = count * sizeof(cl_uint);
	static const cl_uint zeroes[BINS];
	cl_uint want[BINS] = { 0 }, got[BINS];
	uint64_t seed = 1;

	host_must_divide(host, 0, count);
	cl_uint *values = host_alloc(host, count, sizeof(*values));

	for (size_t i = 0; i < count; i++) {
		/* The lesser of two draws: low bins are asked for more often. */
		cl_uint a = (cl_uint)host_random(&seed) % BINS,
			b = (cl_uint)host_random(&seed) % BINS;

		values[i] = a < b ? a : b;
		want[values[i]]++;
	}
	cl_mem device_values = host_buffer(host, CL_MEM_READ_ONLY, bytes, values);
	cl_mem bins = host_buffer(host, CL_MEM_READ_WRITE, sizeof(got), zeroes);
	cl_kernel kernel = host_kernel(host, "histogram");

	host_set_mem(host, kernel, 0, device_values);
	host_set_mem(host, kernel, 1, bins);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_write(host, bins, zeroes, sizeof(zeroes));
		host_launch(host, kernel, &count);
		host_lap(host);
	}
	host_read(host, bins, got, sizeof(got));
	host_check_words(host, got, want, BINS);
	host_set_checksum(host, got, sizeof(got));

	clReleaseKernel(kernel);
	clReleaseMemObject(device_values);
	clReleaseMemObject(bins);
	free(values);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
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

	return host_main(argc, argv, &spec);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

static void run(struct host *host)
{
	size_t count = host->size, bytes = count * sizeof(cl_uint);
	uint64_t seed = 1;

	host_must_divide(host, 0, count);
	cl_uint *want = host_alloc(host, count, sizeof(*want));
	cl_uint *got = host_alloc(host, count, sizeof(*got));

	for (size_t i = 0; i < count; i++)
		want[i] = (cl_uint)host_random(&seed);
	cl_mem values = host_buffer(host, CL_MEM_READ_WRITE, bytes, want);
	cl_kernel kernel = host_kernel(host, "inplace");

	host_set_mem(host, kernel, 0, values);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, &count);
		host_lap(host);
		for (size_t i = 0; i < count; i++)
			want[i] = want[i] * 3u + (cl_uint)i;
	}
	host_read(host, values, got, bytes);
	host_check_words(host, got, want, count);
	host_set_checksum(host, got, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(values);
	free(want);
	free(got);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
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

	return host_main(argc, argv, &spec);
}

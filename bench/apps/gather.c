/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

enum { ROUNDS = 8 };

static void check(const struct host *host, const cl_uint *index, const cl_uint *in,
                  const cl_uint *out)
{
	cl_uint *want = host_alloc(host, host->size, sizeof(*want));

	for (size_t i = 0; i < host->size; i++) {
		size_t at = i;

		for (unsigned step = 0; step < ROUNDS; step++) {
			at = index[at];
			want[i] += in[at];
		}
	}
	host_check_words(host, out, want, host->size);
	free(want);
}

static void run(struct host *host)
{
	size_t count = host->size, bytes = count * sizeof(cl_uint);
	uint64_t seed = 1;

	host_must_divide(host, 0, count);
	cl_uint *index = host_alloc(host, count, sizeof(*index));
	cl_uint *in = host_alloc(host, count, sizeof(*in));
	cl_uint *out = host_alloc(host, count, sizeof(*out));

	for (size_t i = 0; i < count; i++) {
		index[i] = (cl_uint)(host_random(&seed) % count);
		in[i] = (cl_uint)host_random(&seed);
	}
	cl_mem device_index = host_buffer(host, CL_MEM_READ_ONLY, bytes, index);
	cl_mem device_in = host_buffer(host, CL_MEM_READ_ONLY, bytes, in);
	cl_mem device_out = host_buffer(host, CL_MEM_WRITE_ONLY, bytes, NULL);
	cl_kernel kernel = host_kernel(host, "gather");

	host_set_mem(host, kernel, 0, device_index);
	host_set_mem(host, kernel, 1, device_in);
	host_set_mem(host, kernel, 2, device_out);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, &count);
		host_lap(host);
	}
	host_read(host, device_out, out, bytes);
	check(host, index, in, out);
	host_set_checksum(host, out, bytes);

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
	static const struct host_spec spec = {
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

	return host_main(argc, argv, &spec);
}

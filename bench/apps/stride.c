/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

enum { STEPS = 8, APART = 32 }; /* words */

static void check(const struct host *host, const cl_uint *in, const cl_uint *out)
{
	cl_uint *want = host_alloc(host, host->size, sizeof(*want));

	for (size_t i = 0; i < host->size; i++)
		for (size_t step = 0; step < STEPS; step++)
			want[i] += in[(step * host->size + i) * APART];
	host_check_words(host, out, want, host->size);
	free(want);
}

static void run(struct host *host)
{
	size_t items = host->size, words = items * STEPS * APART;
	uint64_t seed = 1;

	host_must_divide(host, 0, items);
	cl_uint *in = host_alloc(host, words, sizeof(*in));
	cl_uint *out = host_alloc(host, items, sizeof(*out));

	for (size_t i = 0; i < words; i++)
		in[i] = (cl_uint)host_random(&seed);
	cl_mem device_in = host_buffer(host, CL_MEM_READ_ONLY, words * sizeof(cl_uint), in);
	cl_mem device_out = host_buffer(host, CL_MEM_WRITE_ONLY, items * sizeof(cl_uint), NULL);
	cl_kernel kernel = host_kernel(host, "stride");

	host_set_mem(host, kernel, 0, device_in);
	host_set_mem(host, kernel, 1, device_out);
	host_set_uint(host, kernel, 2, STEPS);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, &items);
		host_lap(host);
	}
	host_read(host, device_out, out, items * sizeof(cl_uint));
	check(host, in, out);
	host_set_checksum(host, out, items * sizeof(cl_uint));

	clReleaseKernel(kernel);
	clReleaseMemObject(device_in);
	clReleaseMemObject(device_out);
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
		.name = "stride",
		.summary = "Read one word of each 128 bytes, eight a work-item, none twice.",
		.size_text = "work-items",
		.size = 16384,
		.size_min = 1,
		.size_max = 1 << 20,
		.dimensions = 1,
		.group = { 256, 1, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

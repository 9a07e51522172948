/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

/* Launch until one value is left; returns the buffer that holds it: first[0] or first[1]. */
static cl_mem reduce_all(struct host *host, cl_kernel kernel, cl_mem in, const cl_mem *steps)
{
	size_t count = host->size;
	unsigned step = 0;

	do {
		size_t groups = (count + host->group[0] - 1) / host->group[0];
		size_t items = groups * host->group[0];

		host_set_mem(host, kernel, 0, in);
		host_set_mem(host, kernel, 1, steps[step % 2]);
		host_set_uint(host, kernel, 3, (cl_uint)count);
		host_launch(host, kernel, &items);
		in = steps[step++ % 2];
		count = groups;
	} while (count > 1);
	return in;
}

static void run(struct host *host)
{
	size_t count = host->size, bytes = count * sizeof(float);
	float sum = 0;
	double want = 0;

	if (host->group[0] < 2 || (host->group[0] & (host->group[0] - 1)) != 0)
		host_usage(host, "--group: %zu is not a power of two above 1", host->group[0]);
	float *in = host_alloc(host, count, sizeof(*in));

	host_fill(in, count, 1);
	for (size_t i = 0; i < count; i++)
		want += (double)in[i];
	cl_mem device_in = host_buffer(host, CL_MEM_READ_ONLY, bytes, in);
	cl_mem steps[2] = { host_buffer(host, CL_MEM_READ_WRITE, bytes, NULL),
		            host_buffer(host, CL_MEM_READ_WRITE, bytes, NULL) };
	cl_kernel kernel = host_kernel(host, "reduce");

	host_set_local(host, kernel, 2, host->group[0] * sizeof(float));
	for (unsigned r = 0; r < host->repeat; r++) {
		cl_mem out = reduce_all(host, kernel, device_in, steps);

		host_lap(host);
		host_read(host, out, &sum, sizeof(sum));
	}
	host_check_floats(host, &sum, &want, 1);
	host_set_checksum(host, &sum, sizeof(sum));

	clReleaseKernel(kernel);
	clReleaseMemObject(device_in);
	clReleaseMemObject(steps[0]);
	clReleaseMemObject(steps[1]);
	free(in);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
		.name = "reduce",
		.summary = "Sum floats by a tree in local memory with barriers, launch by launch "
			   "until one is left.",
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

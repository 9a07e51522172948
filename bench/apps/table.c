/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

enum { STEPS = 256, LANES = 32, ROWS = 96, WORDS = ROWS * LANES }; /* the table has 12 KB */

static void check(const struct host *host, const cl_uint *stream, const cl_uint *table,
                  const cl_uint *out)
{
	cl_uint *want = host_alloc(host, host->size, sizeof(*want));

	for (size_t i = 0; i < host->size; i++)
		for (size_t step = 0, warp = i / LANES; step < STEPS; step++) {
			size_t row = (warp * 12 + warp / 8 * 5 + step) % ROWS;

			want[i] += stream[step * host->size + i] * table[row * LANES + i % LANES];
		}
	host_check_words(host, out, want, host->size);
	free(want);
}

static void run(struct host *host)
{
	size_t items = host->size, bytes = items * sizeof(cl_uint);
	uint64_t seed = 1;

	host_must_divide(host, 0, items);
	cl_uint *stream = host_alloc(host, items * STEPS, sizeof(*stream));
	cl_uint *table = host_alloc(host, WORDS, sizeof(*table));
	cl_uint *out = host_alloc(host, items, sizeof(*out));

	for (size_t i = 0; i < items * STEPS; i++)
		stream[i] = (cl_uint)host_random(&seed);
	for (size_t i = 0; i < WORDS; i++)
		table[i] = (cl_uint)host_random(&seed);
	cl_mem device_stream = host_buffer(host, CL_MEM_READ_ONLY, bytes * STEPS, stream);
	cl_mem device_table = host_buffer(host, CL_MEM_READ_ONLY, WORDS * sizeof(cl_uint), table);
	cl_mem device_out = host_buffer(host, CL_MEM_WRITE_ONLY, bytes, NULL);
	cl_kernel kernel = host_kernel(host, "table");

	host_set_mem(host, kernel, 0, device_stream);
	host_set_mem(host, kernel, 1, device_table);
	host_set_mem(host, kernel, 2, device_out);
	host_set_uint(host, kernel, 3, STEPS);
	host_set_uint(host, kernel, 4, ROWS);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, &items);
		host_lap(host);
	}
	host_read(host, device_out, out, bytes);
	check(host, stream, table, out);
	host_set_checksum(host, out, bytes);

	clReleaseKernel(kernel);
	clReleaseMemObject(device_stream);
	clReleaseMemObject(device_table);
	clReleaseMemObject(device_out);
	free(stream);
	free(table);
	free(out);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
		.name = "table",
		.summary = "Weigh 256 words of a stream with a table of 12 KB: the stream is read "
			   "once, "
			   "the table over and over.",
		.size_text = "work-items",
		.size = 8192,
		.size_min = 1,
		.size_max = 1 << 20,
		.dimensions = 1,
		.group = { 256, 1, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

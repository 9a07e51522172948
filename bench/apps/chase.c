/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

/* One element lies in each line; the chain goes through all of them, and that ROUNDS times. */
enum { LINE_WORDS = 32, ROUNDS = 8 };

/* Link all lines to one cycle in random order (Sattolo 1986): next[line] is where to go on. */
static void link_lines(cl_uint *next, size_t lines)
{
	uint64_t seed = 1;

	for (size_t i = 0; i < lines; i++)
		next[i * LINE_WORDS] = (cl_uint)(i * LINE_WORDS);
	for (size_t i = lines - 1; i > 0; i--) {
		size_t j = (size_t)(host_random(&seed) % i);
		cl_uint kept = next[i * LINE_WORDS];

		next[i * LINE_WORDS] = next[j * LINE_WORDS];
		next[j * LINE_WORDS] = kept;
	}
}

/* After whole rounds each work-item is where it began, and not before. */
static void check(const struct host *host, const cl_uint *next, const cl_uint *last)
{
	size_t length = 0;
	cl_uint at = 0;

	do {
		at = next[at];
		length++;
	} while (at != 0 && length <= host->size);
	if (length != host->size)
		host_fail(host, "the chain closes after %zu of %zu lines", length, host->size);
	for (size_t i = 0; i < host->group[0]; i++)
		if (last[i] != 0)
			host_fail(host, "wrong result: work-item %zu ends at element %u", i,
			          (unsigned)last[i]);
}

static void run(struct host *host)
{
	size_t items = host->group[0], words = host->size * LINE_WORDS;
	cl_uint *next = host_alloc(host, words, sizeof(*next));
	cl_uint *last = host_alloc(host, items, sizeof(*last));

	link_lines(next, host->size);
	cl_mem device_next = host_buffer(host, CL_MEM_READ_ONLY, words * sizeof(*next), next);
	cl_mem device_last = host_buffer(host, CL_MEM_WRITE_ONLY, items * sizeof(*last), NULL);
	cl_kernel kernel = host_kernel(host, "chase");

	host_set_mem(host, kernel, 0, device_next);
	host_set_mem(host, kernel, 1, device_last);
	host_set_uint(host, kernel, 2, (cl_uint)(ROUNDS * host->size));
	for (unsigned r = 0; r < host->repeat; r++) {
		host_launch(host, kernel, &items);
		host_lap(host);
	}
	host_read(host, device_last, last, items * sizeof(*last));
	check(host, next, last);
	host_set_checksum(host, next, words * sizeof(*next));

	clReleaseKernel(kernel);
	clReleaseMemObject(device_next);
	clReleaseMemObject(device_last);
	free(next);
	free(last);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
		.name = "chase",
		.summary = "Follow a random cycle through all lines of a buffer eight times, each "
			   "work-item\nof one group alike: '--group 1' is one work-item, '--group "
			   "32' one warp.",
		.size_text = "lines of 128 bytes",
		.size = 1024,
		.size_min = 1,
		.size_max = 1 << 24,
		.dimensions = 1,
		.group = { 1, 1, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

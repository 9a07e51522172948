/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ITEMS      64
#define FLOOD_WAIT 1000 /* launches between two waits */

/* How the program waits, and whether its kernel's loop depends on data. */
static const struct way {
	const char *name;
	size_t wait;  /* launches between two waits */
	bool is_read; /* waits by reading a value */
	bool is_walk;
} ways[] = {
	{ "flood", FLOOD_WAIT, false, false },
	{ "finish", 1, false, false },
	{ "read", 1, true, false },
	{ "walk-flood", FLOOD_WAIT, false, true },
	{ "walk-finish", 1, false, true },
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void fill(cl_uint *values, cl_uint *lengths)
{
	uint64_t seed = 1;

	for (size_t i = 0; i < ITEMS; i++) {
		values[i] = (cl_uint)host_random(&seed);
		lengths[i] = (cl_uint)host_random(&seed) % 16;
	}
}

static void advance(cl_uint *values)
{
	for (cl_uint i = 0; i < ITEMS; i++)
		values[i] = values[i] * 3u + i;
}

static void walk(cl_uint *values, const cl_uint *lengths)
{
	for (size_t i = 0; i < ITEMS; i++)
		for (cl_uint n = lengths[i]; n > 0; n >>= 1)
			values[i] += lengths[(i + n) % ITEMS];
}

static void launch_all(struct host *host, cl_kernel kernel, cl_mem values, const struct way *way)
{
	const size_t items = ITEMS;

	for (size_t i = 1; i <= host->size; i++) {
		cl_uint value;

		host_check(host,
		           clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &items, host->group,
		                                  0, NULL, NULL),
		           "clEnqueueNDRangeKernel");
		if (i % way->wait && i != host->size)
			continue;
		if (way->is_read)
			host_read(host, values, &value, sizeof(value));
		else
			host_check(host, clFinish(host->queue), "clFinish");
	}
}

static void run(struct host *host)
{
	const struct way *way = &ways[host->input];
	cl_uint want[ITEMS], got[ITEMS], lengths[ITEMS];

	host_must_divide(host, 0, ITEMS);
	fill(want, lengths);

	cl_mem values = host_buffer(host, CL_MEM_READ_WRITE, sizeof(want), want);
	cl_mem steps = host_buffer(host, CL_MEM_READ_ONLY, sizeof(lengths), lengths);
	cl_kernel kernel = host_kernel(host, way->is_walk ? "walk" : "advance");

	host_set_mem(host, kernel, 0, values);
	if (way->is_walk)
		host_set_mem(host, kernel, 1, steps);
	for (unsigned r = 0; r < host->repeat; r++) {
		double start = now_ms();

		launch_all(host, kernel, values, way);
		host->lap_ms += now_ms() - start;
		host_lap(host);
		for (size_t i = 0; i < host->size; i++)
			way->is_walk ? walk(want, lengths) : advance(want);
	}
	host_read(host, values, got, sizeof(got));
	host_check_words(host, got, want, ITEMS);
	host_set_checksum(host, got, sizeof(got));

	clReleaseKernel(kernel);
	clReleaseMemObject(steps);
	clReleaseMemObject(values);
}

int main(int argc, char **argv)
{
	static const char *const inputs[] = { "flood",      "finish",      "read",
		                              "walk-flood", "walk-finish", NULL };
	static const struct host_spec spec = {
		.name = "many",
		.summary = "Launch a kernel of 64 work-items many times: what a launch costs. The "
			   "input says when the program waits (after 1000 launches, or each), and "
			   "walk takes a kernel with a loop over data.",
		.size_text = "launches",
		.size = 5000,
		.size_min = 1,
		.size_max = 1 << 24,
		.dimensions = 1,
		.group = { 64, 1, 1 },
		.inputs = inputs,
		.run = run,
	};

	return host_main(argc, argv, &spec);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The PTX door without a GPU: what it makes is read back as PTX and run by OpenCL. So the probes of
 * device code, its own header and its special registers, must leave just the events that the same
 * kernels leave as text, in every slice, and the same results.
 *
 * argv: warpline-instrument, ptx_round_trip.cu. Exits 77 when there is no device.
 */
#include "cl_device.h"
#include "err.h"
#include "event_list.h"
#include "instrumented.h"
#include "probe_buffer.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS_MAX 4
#define CHUNK_COUNT   512
#define CHUNK_WORDS   9

static struct {
	const char *instrumenter, *source;
	struct cl_device device;
} fixture;

struct launch {
	const char *kernel;
	size_t global[2], local[2];
	struct {
		const void *from;
		size_t bytes;
		bool is_buffer;
	} arguments[ARGUMENTS_MAX];
	size_t argument_count;
};

static const struct mode {
	const char *records, *layout; /* runs and grids are compared as they are */
} modes[] = { { "raw", "lane" }, { "affine", "item" } };

/* The tables of a program that was written to files, in the place of those that it has. */
static void take_tables(struct instrumented *p, const char *path)
{
	struct err err = { 0 };

	for (size_t i = 0; i < p->table_count; i++)
		kernel_table_release(&p->tables[i]);
	free(p->tables);
	assert_int_equal(kernel_tables_read(path, &p->tables, &p->table_count, &err), 0);
}

static void build_by_ptx(struct instrumented *p, const struct mode *m)
{
	char folder[] = "/tmp/round-trip-XXXXXX", ptx[64], table[64];
	const char *const probed[] = {
		fixture.instrumenter, "--source", fixture.source, "--door",  "ptx",
		"--records",          m->records, "--layout",     m->layout, NULL
	};
	const char *const plain[] = { fixture.instrumenter, "--source", ptx,
		                      "--records",          "none",     NULL };

	assert_non_null(mkdtemp(folder));
	snprintf(ptx, sizeof(ptx), "%s/probed.ptx", folder);
	snprintf(table, sizeof(table), "%s/table", folder);
	instrumented_write(probed, ptx, table);
	instrumented_init(p, &fixture.device, plain);
	take_tables(p, table);
	unlink(ptx);
	unlink(table);
	rmdir(folder);
}

static void build_by_text(struct instrumented *p, const struct mode *m)
{
	const char *const words[] = { fixture.instrumenter, "--source", fixture.source, "--records",
		                      m->records,           "--layout", m->layout,      NULL };

	instrumented_init(p, &fixture.device, words);
}

static const struct kernel_table *table_of(const struct instrumented *p, const char *kernel)
{
	for (size_t i = 0; i < p->table_count; i++)
		if (!strcmp(p->tables[i].name, kernel))
			return &p->tables[i];
	fail_msg("no table of %s", kernel);
	return NULL;
}

/* Launch one slice and take its events. */
static void take_slice(const struct launch *l, cl_kernel kernel, const struct kernel_table *t,
                       const struct box *box, struct event_list *found)
{
	struct probe_room room = { .chunk_count = CHUNK_COUNT, .chunk_words = CHUNK_WORDS };
	size_t bytes, offset[2], global[2];
	struct probe_header *header = probe_buffer_create(t, box, &room, &bytes);
	cl_mem buffer = cl_device_buffer(&fixture.device, header, bytes);

	for (size_t d = 0; d < 2; d++) {
		offset[d] = box->first[d] * box->local[d];
		global[d] = box->count[d] * box->local[d];
	}
	assert_int_equal(
		clSetKernelArg(kernel, (cl_uint)l->argument_count, sizeof(void *), &buffer),
		CL_SUCCESS);
	cl_device_launch(&fixture.device, kernel, offset, global, box->local);
	cl_device_read(&fixture.device, buffer, header, bytes);
	assert_int_equal(header->lost_records, 0);
	probe_buffer_decode(header, box, t, found);
	clReleaseMemObject(buffer);
	free(header);
}

static void set_arguments(const struct launch *l, cl_kernel kernel, cl_mem *buffers)
{
	for (size_t i = 0; i < l->argument_count; i++) {
		size_t bytes = l->arguments[i].bytes;
		const void *value = l->arguments[i].from;

		buffers[i] = NULL;
		if (l->arguments[i].is_buffer) {
			buffers[i] = cl_device_buffer(&fixture.device, value, bytes);
			value = &buffers[i];
			bytes = sizeof(cl_mem);
		}
		assert_int_equal(clSetKernelArg(kernel, (cl_uint)i, bytes, value), CL_SUCCESS);
	}
}

/* All slices, each `width` groups of a row or, where that is all of one, everything; result: what
 * the first argument holds. */
static void run(const struct launch *l, const struct instrumented *p, size_t width, void *result,
                struct event_list *found)
{
	size_t groups[2] = { l->global[0] / l->local[0], l->global[1] / l->local[1] };
	size_t height = width < groups[0] ? 1 : groups[1];
	cl_mem buffers[ARGUMENTS_MAX];
	cl_int code;
	cl_kernel kernel = clCreateKernel(p->program, l->kernel, &code);

	assert_int_equal(code, CL_SUCCESS);
	set_arguments(l, kernel, buffers);
	for (size_t y = 0; y < groups[1]; y += height)
		for (size_t x = 0; x < groups[0]; x += width) {
			struct box box = { .global = { l->global[0], l->global[1] },
				           .local = { l->local[0], l->local[1] },
				           .first = { x, y },
				           .count = { width < groups[0] - x ? width : groups[0] - x,
				                      height } };

			take_slice(l, kernel, table_of(p, l->kernel), &box, found);
		}
	cl_device_read(&fixture.device, buffers[0], result, l->arguments[0].bytes);
	for (size_t i = 0; i < l->argument_count; i++)
		if (buffers[i])
			clReleaseMemObject(buffers[i]);
	clReleaseKernel(kernel);
}

static void assert_same_sites(const struct kernel_table *a, const struct kernel_table *b)
{
	assert_int_equal(a->site_count, b->site_count);
	assert_int_equal(a->loop_count, b->loop_count);
	for (size_t i = 0; i < a->site_count; i++) {
		assert_int_equal(a->sites[i].kind, b->sites[i].kind);
		assert_int_equal(a->sites[i].bytes, b->sites[i].bytes);
		assert_int_equal(a->sites[i].space, b->sites[i].space);
		assert_int_equal(a->sites[i].loop, b->sites[i].loop);
		assert_int_equal(a->sites[i].argument, b->sites[i].argument);
		assert_int_equal(a->sites[i].place.line, b->sites[i].place.line);
		assert_int_equal(a->sites[i].place.column, b->sites[i].place.column);
	}
	for (size_t i = 0; i < a->loop_count; i++)
		assert_int_equal(a->loops[i].parent, b->loops[i].parent);
}

/* By both ways, in slices of `width` groups. At least `least` events there must be. */
static void check(const struct launch *l, const struct instrumented *text,
                  const struct instrumented *ptx, size_t width, size_t least)
{
	size_t groups = l->global[0] / l->local[0] * (l->global[1] / l->local[1]);
	size_t items = l->local[0] * l->local[1];
	void *results[] = { malloc(l->arguments[0].bytes), malloc(l->arguments[0].bytes) };
	struct event_list expected, found;

	event_list_init(&expected, groups, items);
	event_list_init(&found, groups, items);
	assert_same_sites(table_of(text, l->kernel), table_of(ptx, l->kernel));
	run(l, text, width, results[0], &expected);
	run(l, ptx, width, results[1], &found);
	assert_memory_equal(results[0], results[1], l->arguments[0].bytes);
	assert_true(event_list_total(&expected) >= least);
	event_list_assert_equal(&found, &expected);
	event_list_release(&expected);
	event_list_release(&found);
	free(results[0]);
	free(results[1]);
}

enum { N = 64, SIDE = 8, COLUMNS = 5, ROWS = 3 };

static void fill(int in[N], int index[N], float left[SIDE * SIDE], float right[SIDE * SIDE],
                 double table[16 * ROWS * COLUMNS])
{
	for (int i = 0; i < N; i++) {
		in[i] = i * i - 7;
		index[i] = i * 37 % N;
		left[i] = (float)(i % 9);
		right[i] = (float)(i % 7) - 2;
	}
	for (int i = 0; i < 16 * ROWS * COLUMNS; i++)
		table[i] = i % 11;
}

static void probed_ptx_that_is_read_back_leaves_the_same_events(void **state)
{
	int in[N], index[N], bins[8] = { 0 };
	float left[SIDE * SIDE], right[SIDE * SIDE];
	double table[16 * ROWS * COLUMNS];
	const int n = N - 3, side = SIDE, columns = COLUMNS, row_count = ROWS;
	const struct {
		struct launch launch;
		size_t least; /* events */
	} rows[] = {
		{ { .kernel = "gather",
		    .global = { N, 1 },
		    .local = { 16, 1 },
		    .arguments = { { NULL, sizeof(in), true },
		                   { in, sizeof(in), true },
		                   { index, sizeof(index), true },
		                   { &n, sizeof(n), false } },
		    .argument_count = 4 },
		  3 * (N - 3) },
		{ { .kernel = "multiply",
		    .global = { SIDE, SIDE },
		    .local = { 4, 4 },
		    .arguments = { { NULL, sizeof(left), true },
		                   { left, sizeof(left), true },
		                   { right, sizeof(right), true },
		                   { &side, sizeof(side), false } },
		    .argument_count = 4 },
		  SIDE * SIDE * 3 },
		{ { .kernel = "histogram",
		    .global = { 32, 1 },
		    .local = { 8, 1 },
		    .arguments = { { bins, sizeof(bins), true },
		                   { in, sizeof(in), true },
		                   { &n, sizeof(n), false } },
		    .argument_count = 3 },
		  2 * (N - 3) },
		{ { .kernel = "rows",
		    .global = { 16, 1 },
		    .local = { 4, 1 },
		    .arguments = { { NULL, 16 * sizeof(double), true },
		                   { table, sizeof(table), true },
		                   { &columns, sizeof(columns), false },
		                   { &row_count, sizeof(row_count), false } },
		    .argument_count = 4 },
		  16 },
	};

	fill(in, index, left, right, table);
	for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
		struct instrumented text, ptx;

		build_by_text(&text, &modes[m]);
		build_by_ptx(&ptx, &modes[m]);
		for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
			for (size_t width = 1; width <= 4; width += 3)
				check(&rows[r].launch, &text, &ptx, width, rows[r].least);
		instrumented_release(&text);
		instrumented_release(&ptx);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probed_ptx_that_is_read_back_leaves_the_same_events),
	};
	int failures;

	if (argc != 3) {
		fprintf(stderr, "usage: %s INSTRUMENTER KERNELS\n", argv[0]);
		return 2;
	}
	fixture.instrumenter = argv[1];
	fixture.source = argv[2];
	if (!cl_device_init(&fixture.device)) {
		fprintf(stderr, "no OpenCL device\n");
		return 77;
	}
	failures = cmocka_run_group_tests(tests, NULL, NULL);
	cl_device_release(&fixture.device);
	return failures;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instrumented kernels on a real device: the events in the buffer are those worked out here from
 * the text of device_kernels.cl, and the results are those of the kernels as they were.
 *
 * argv: warpline-instrument, device_kernels.cl. Exits 77 when there is no device.
 */
#include "cl_device.h"
#include "err.h"
#include "event_list.h"
#include "file.h"
#include "str.h"
#include "subprocess.h"
#include "word_list.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS_MAX 4
#define CHUNK_EVENTS  7
#define CHUNKS_OFFSET 256

static struct {
	const char *instrumenter, *source;
	struct cl_device device;
	cl_program plain, probed;
	struct kernel_table *tables;
	size_t table_count;
} fixture;

/* One launch: a kernel, its shape and its arguments. */
struct launch {
	const char *kernel;
	size_t global[2], local[2];
	struct launch_argument {
		const void *from; /* NULL with bytes: local memory */
		size_t bytes;
		bool is_buffer;
	} arguments[ARGUMENTS_MAX];
	size_t argument_count;
};

/* A probe buffer of so many chunks of so many events. */
static size_t buffer_bytes(size_t chunk_count, size_t chunk_events)
{
	return CHUNKS_OFFSET + chunk_count * (1 + chunk_events) * sizeof(struct event);
}

static size_t group_count(const struct launch *l)
{
	return l->global[0] / l->local[0] * (l->global[1] / l->local[1]);
}

static const struct kernel_table *table_of(const char *kernel)
{
	for (size_t i = 0; i < fixture.table_count; i++)
		if (!strcmp(fixture.tables[i].name, kernel))
			return &fixture.tables[i];
	fail_msg("no table for kernel %s", kernel);
	return NULL;
}

static void instrument(const char *bitcode, const char *table)
{
	const char *const words[] = { fixture.instrumenter,
		                      "--source",
		                      fixture.source,
		                      "--output",
		                      bitcode,
		                      "--table",
		                      table,
		                      "--extensions",
		                      "cl_khr_global_int32_base_atomics" };
	struct word_list argv;
	struct str none, out;
	struct err err = { 0 };
	int status = -1;

	word_list_init(&argv);
	str_init(&none, 1);
	str_init(&out, 1 << 20);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(word_list_add(&argv, words[i], &err), 0);
	if (subprocess_run(word_list_argv(&argv, &err), &none, &out, &out, &status, &err) || status)
		fail_msg("%d %s %s", status, err.msg, out.text);
	word_list_release(&argv);
	str_release(&out);
}

static int set_up(void **state)
{
	char directory[] = "/tmp/probes-XXXXXX", bitcode[64], table[64];
	struct str text;
	struct err err = { 0 };

	assert_non_null(mkdtemp(directory));
	snprintf(bitcode, sizeof(bitcode), "%s/out.bc", directory);
	snprintf(table, sizeof(table), "%s/out.json", directory);
	instrument(bitcode, table);
	assert_int_equal(kernel_tables_read(table, &fixture.tables, &fixture.table_count, &err), 0);
	str_init(&text, 1 << 24);
	assert_int_equal(file_read(bitcode, &text, &err), 0);
	fixture.probed = cl_device_build_binary(&fixture.device, text.text, text.length);
	str_release(&text);
	assert_int_equal(file_read(fixture.source, &text, &err), 0);
	fixture.plain = cl_device_build_source(&fixture.device, text.text);
	str_release(&text);
	unlink(bitcode);
	unlink(table);
	rmdir(directory);
	return 0;
}

static int tear_down(void **state)
{
	for (size_t i = 0; i < fixture.table_count; i++)
		kernel_table_release(&fixture.tables[i]);
	free(fixture.tables);
	clReleaseProgram(fixture.plain);
	clReleaseProgram(fixture.probed);
	return 0;
}

static void set_arguments(cl_kernel kernel, const struct launch *l, cl_mem *buffers)
{
	for (size_t i = 0; i < l->argument_count; i++) {
		const struct launch_argument *a = &l->arguments[i];
		cl_int code;

		buffers[i] =
			a->is_buffer ? cl_device_buffer(&fixture.device, a->from, a->bytes) : NULL;
		if (a->is_buffer)
			code = clSetKernelArg(kernel, (cl_uint)i, sizeof(void *), &buffers[i]);
		else
			code = clSetKernelArg(kernel, (cl_uint)i, a->bytes, a->from);
		assert_int_equal(code, CL_SUCCESS);
	}
}

/* Run the kernel as it was; results[i] gets the contents of buffer i, freed by the caller. */
static void take_results(const struct launch *l, cl_mem *buffers, void **results)
{
	for (size_t i = 0; i < l->argument_count; i++) {
		results[i] = NULL;
		if (!buffers[i])
			continue;
		results[i] = malloc(l->arguments[i].bytes);
		assert_non_null(results[i]);
		cl_device_read(&fixture.device, buffers[i], results[i], l->arguments[i].bytes);
		clReleaseMemObject(buffers[i]);
	}
}

static void run_plain(const struct launch *l, void **results)
{
	cl_mem buffers[ARGUMENTS_MAX];
	cl_int code;
	cl_kernel kernel = clCreateKernel(fixture.plain, l->kernel, &code);

	assert_int_equal(code, CL_SUCCESS);
	set_arguments(kernel, l, buffers);
	cl_device_launch(&fixture.device, kernel, l->global, l->local);
	take_results(l, buffers, results);
	clReleaseKernel(kernel);
}

static struct probe_header header_of(const struct launch *l, uint32_t chunk_count,
                                     uint32_t chunk_events)
{
	return (struct probe_header){ .abi_version = PROBE_ABI_VERSION,
		                      .chunk_count = chunk_count,
		                      .chunk_events = chunk_events,
		                      .chunks_offset = CHUNKS_OFFSET,
		                      .argument_count = (uint32_t)l->argument_count };
}

/* One slice: write `header`, launch, and leave what the probes wrote in `copy`. */
static void run_slice(const struct launch *l, cl_kernel kernel, const struct probe_header *header,
                      char *copy)
{
	size_t bytes = buffer_bytes(header->chunk_count, header->chunk_events);
	cl_mem buffer;

	memset(copy, 0xa5, bytes);
	memcpy(copy, header, sizeof(*header));
	buffer = cl_device_buffer(&fixture.device, copy, bytes);
	assert_int_equal(
		clSetKernelArg(kernel, (cl_uint)l->argument_count, sizeof(void *), &buffer),
		CL_SUCCESS);
	cl_device_launch(&fixture.device, kernel, l->global, l->local);
	cl_device_read(&fixture.device, buffer, copy, bytes);
	clReleaseMemObject(buffer);
}

/* How a probed launch is run, and what was lost in all its slices. */
struct probing {
	size_t slice_groups;
	uint32_t chunk_count, chunk_events;
	uint64_t lost_events, lost_items;
};

static void run_probed(const struct launch *l, struct probing *how, void **results,
                       struct event_list *found)
{
	cl_mem buffers[ARGUMENTS_MAX];
	cl_int code;
	cl_kernel kernel = clCreateKernel(fixture.probed, l->kernel, &code);
	char *copy = malloc(buffer_bytes(how->chunk_count, how->chunk_events));

	assert_int_equal(code, CL_SUCCESS);
	assert_non_null(copy);
	set_arguments(kernel, l, buffers);
	for (size_t begin = 0; begin < group_count(l); begin += how->slice_groups) {
		struct probe_header header = header_of(l, how->chunk_count, how->chunk_events);
		const struct probe_header *after = (const void *)copy;

		header.slice_begin = begin;
		header.slice_end = begin + how->slice_groups;
		run_slice(l, kernel, &header, copy);
		event_list_decode(found, copy, table_of(l->kernel));
		how->lost_events += after->lost_low | (uint64_t)after->lost_high << 32;
		how->lost_items += after->lost_items;
	}
	take_results(l, buffers, results);
	free(copy);
	clReleaseKernel(kernel);
}

static void assert_same_results(const struct launch *l, void **plain, void **probed)
{
	for (size_t i = 0; i < l->argument_count; i++) {
		if (plain[i])
			assert_memory_equal(plain[i], probed[i], l->arguments[i].bytes);
		free(plain[i]);
		free(probed[i]);
	}
}

/* Run the launch plainly and probed, by whole and in slices of one group; all must agree. */
static void check_launch(const struct launch *l, const struct event_list *expected)
{
	const size_t slices[] = { group_count(l), 1, 3 };

	for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++) {
		struct probing how = { .slice_groups = slices[i],
			               .chunk_count = 4096,
			               .chunk_events = CHUNK_EVENTS };
		void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];
		struct event_list found;

		event_list_init(&found, group_count(l), l->local[0] * l->local[1]);
		run_plain(l, plain);
		run_probed(l, &how, probed, &found);
		assert_same_results(l, plain, probed);
		assert_int_equal(how.lost_events, 0);
		assert_int_equal(how.lost_items, 0);
		event_list_assert_equal(&found, expected);
		event_list_release(&found);
	}
}

/* The matrix product of 8x8 with groups of 4x4. Argument 3 is the 8. */
#define N ((size_t)8)

static struct launch matmul_launch(const float *a, const float *b, const int *n)
{
	return (struct launch){ .kernel = "matmul",
		                .global = { N, N },
		                .local = { 4, 4 },
		                .arguments = { { a, N * N * sizeof(float), true },
		                               { b, N * N * sizeof(float), true },
		                               { NULL, N * N * sizeof(float), true },
		                               { n, sizeof(*n), false } },
		                .argument_count = 4 };
}

/* Sites in order: the loads of a and b in the loop, then the store of c. */
static void matmul_expect(struct event_list *expected)
{
	event_list_init(expected, 4, 16);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			struct item_events *to =
				event_list_item(expected, j / 4 + i / 4 * 2, j % 4 + i % 4 * 4);

			for (size_t k = 0; k < N; k++) {
				event_list_access(to, 0, k, 0, 4 * (i * N + k));
				event_list_access(to, 1, k, 1, 4 * (k * N + j));
			}
			event_list_access(to, 2, 0, 2, 4 * (i * N + j));
		}
}

static void fill(float *a, float *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		a[i] = 0.1f + (float)i / 7.0f;
		b[i] = 1.0f / (3.0f + (float)i);
	}
}

static void matrix_product_is_recorded_exactly(void **state)
{
	float a[N * N], b[N * N];
	const int n = (int)N;
	struct launch launch = matmul_launch(a, b, &n);
	struct event_list expected;

	fill(a, b, N * N);
	matmul_expect(&expected);
	check_launch(&launch, &expected);
	event_list_release(&expected);
}

/*
 * Sites: length[id] in the loop's condition, in[] before and in the inner loop, out[id] after it.
 * The outer loop is 0, the inner 1. An iteration that `continue`s still counts.
 */
static void trip_counts_from_data_are_recorded_exactly(void **state)
{
	const int length[8] = { 0, 1, 2, 3, 4, 5, 6, 2 };
	const int in[16] = { 5, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
	struct launch launch = { .kernel = "nested",
		                 .global = { 8, 1 },
		                 .local = { 2, 1 },
		                 .arguments = { { length, sizeof(length), true },
		                                { in, sizeof(in), true },
		                                { NULL, sizeof(length), true } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, 4, 2);
	for (size_t id = 0; id < 8; id++) {
		struct item_events *to = event_list_item(&e, id / 2, id % 2);

		for (size_t i = 0;; i++) {
			event_list_access(to, 0, i, 0, 4 * id);
			if ((int)i >= length[id])
				break;
			if (i == 1)
				continue;
			event_list_access(to, 1, i, 1, 4 * (i + 8));
			event_list_enter(to, 1, i);
			for (size_t j = 0; j <= i && j < 3; j++)
				event_list_access(to, 2, j, 1, 4 * (i + j));
			event_list_access(to, 3, i, 2, 4 * id);
		}
	}
	check_launch(&launch, &e);
	event_list_release(&e);
}

/* Groups of 8: three steps, so three barriers; item 0 alone stores. Local memory is no event. */
static void barriers_keep_their_place(void **state)
{
	int in[32];
	struct launch launch = { .kernel = "reduce",
		                 .global = { 32, 1 },
		                 .local = { 8, 1 },
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, 4 * sizeof(int), true },
		                                { NULL, 8 * sizeof(int), false } },
		                 .argument_count = 3 };
	struct event_list e;

	event_list_init(&e, 4, 8);
	for (size_t id = 0; id < 32; id++) {
		struct item_events *to = event_list_item(&e, id / 8, id % 8);

		in[id] = (int)(id * id) - 40;
		event_list_access(to, 0, 0, 0, 4 * id);
		for (uint32_t step = 0; step < 3; step++)
			event_list_sync(to, 1, step);
		if (id % 8 == 0)
			event_list_access(to, 2, 0, 1, 4 * (id / 8));
	}
	check_launch(&launch, &e);
	event_list_release(&e);
}

/*
 * Sites in the order of the text; the function's load is inlined between the two accesses of
 * p[id].second: value first, then the load and store of +=.
 */
static void every_kind_of_access_is_recorded(void **state)
{
	int v[16], p[8], count[2] = { 0, 0 };
	const int w[4] = { 11, 13, 17, 19 };
	struct launch launch = { .kernel = "kinds",
		                 .global = { 4, 1 },
		                 .local = { 2, 1 },
		                 .arguments = { { v, sizeof(v), true },
		                                { p, sizeof(p), true },
		                                { count, sizeof(count), true },
		                                { w, sizeof(w), true } },
		                 .argument_count = 4 };
	struct event_list e;

	for (int i = 0; i < 16; i++)
		v[i] = i * 3;
	for (int i = 0; i < 8; i++)
		p[i] = 100 - i;
	event_list_init(&e, 2, 2);
	for (size_t id = 0; id < 4; id++) {
		struct item_events *to = event_list_item(&e, id / 2, id % 2);

		event_list_access(to, 0, 0, 0, 16 * id);
		event_list_access(to, 1, 0, 1, 8 * id);
		event_list_access(to, 2, 0, 0, 16 * id);
		if (id != 0)
			event_list_access(to, 3, 0, 3, 4 * id);
		event_list_access(to, 4, 0, 1, 8 * id + 4);
		event_list_access(to, 5, 0, 1, 8 * id + 4);
		event_list_access(to, 6, 0, 2, 0);
		event_list_access(to, 7, 0, 2, 4);
	}
	check_launch(&launch, &e);
	event_list_release(&e);
}

/* Sites: the store, the fence of global memory, the load and store of *=, that of local memory. */
static void what_devices_lack_is_put_differently(void **state)
{
	float in[16], unused[16];
	struct launch launch = { .kernel = "absent",
		                 .global = { 16, 1 },
		                 .local = { 4, 1 },
		                 .arguments = { { in, sizeof(in), true },
		                                { NULL, sizeof(in), true },
		                                { NULL, 4 * sizeof(float), false } },
		                 .argument_count = 3 };
	struct event_list e;

	fill(in, unused, 16);
	event_list_init(&e, 4, 4);
	for (size_t id = 0; id < 16; id++) {
		struct item_events *to = event_list_item(&e, id / 4, id % 4);

		event_list_access(to, 0, 0, 1, 4 * id);
		event_list_sync(to, 1, 0);
		event_list_access(to, 2, 0, 1, 4 * id);
		event_list_access(to, 3, 0, 1, 4 * id);
		event_list_sync(to, 4, 0);
	}
	check_launch(&launch, &e);
	event_list_release(&e);
}

static void rounding_is_that_of_the_plain_kernel(void **state)
{
	enum { COUNT = 256 };
	float a[COUNT + 1], b[COUNT + 1];
	struct launch launch = { .kernel = "rounding",
		                 .global = { COUNT, 1 },
		                 .local = { 16, 1 },
		                 .arguments = { { a, sizeof(a), true },
		                                { b, sizeof(b), true },
		                                { NULL, sizeof(a), true } },
		                 .argument_count = 3 };
	struct event_list found;
	struct probing how = { .slice_groups = 16, .chunk_count = 1024, .chunk_events = 16 };
	void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];

	fill(a, b, COUNT + 1);
	event_list_init(&found, 16, 16);
	run_plain(&launch, plain);
	run_probed(&launch, &how, probed, &found);
	assert_same_results(&launch, plain, probed);
	event_list_release(&found);
}

/*
 * 64 work-items of 17 events each; each needs 3 chunks of 7. With 20 chunks everything else is
 * lost and counted: what was kept and what was lost make 64 * 17.
 */
static void what_finds_no_room_is_counted(void **state)
{
	float a[N * N], b[N * N];
	const int n = (int)N;
	struct launch launch = matmul_launch(a, b, &n);
	struct probing how = { .slice_groups = 4, .chunk_count = 20, .chunk_events = CHUNK_EVENTS };
	void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];
	struct event_list found;

	fill(a, b, N * N);
	event_list_init(&found, 4, 16);
	run_plain(&launch, plain);
	run_probed(&launch, &how, probed, &found);
	assert_same_results(&launch, plain, probed);
	assert_int_equal(event_list_total(&found) + how.lost_events, (size_t)64 * 17);
	/* Each chunk holds at most 7; at most 20 / 3 work-items got all they need. */
	assert_true(event_list_total(&found) <= (size_t)20 * CHUNK_EVENTS);
	assert_true(how.lost_items >= 64 - 20 / 3 && how.lost_items <= 64);
	event_list_release(&found);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matrix_product_is_recorded_exactly),
		cmocka_unit_test(trip_counts_from_data_are_recorded_exactly),
		cmocka_unit_test(barriers_keep_their_place),
		cmocka_unit_test(every_kind_of_access_is_recorded),
		cmocka_unit_test(what_devices_lack_is_put_differently),
		cmocka_unit_test(rounding_is_that_of_the_plain_kernel),
		cmocka_unit_test(what_finds_no_room_is_counted),
	};
	int failures;

	if (argc != 3) {
		fprintf(stderr, "usage: test_probes_on_device INSTRUMENTER KERNELS\n");
		return 2;
	}
	fixture.instrumenter = argv[1];
	fixture.source = argv[2];
	if (!cl_device_init(&fixture.device)) {
		fprintf(stderr, "no OpenCL device\n");
		return 77;
	}
	failures = cmocka_run_group_tests(tests, set_up, tear_down);
	cl_device_release(&fixture.device);
	return failures;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "probed_launch.h"

#include "cl_device.h"
#include "err.h"
#include "file.h"
#include "str.h"
#include "subprocess.h"
#include "word_list.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_EVENTS  7
#define CHUNKS_OFFSET 256

static struct {
	const char *instrumenter, *source;
	struct cl_device device;
	cl_program plain, probed;
	struct kernel_table *tables;
	size_t table_count;
} fixture;

/* A probe buffer of so many chunks of so many events. */
static size_t buffer_bytes(size_t chunk_count, size_t chunk_events)
{
	return CHUNKS_OFFSET + chunk_count * (1 + chunk_events) * sizeof(struct event);
}

size_t probed_launch_groups(const struct launch *l)
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

int probed_launch_set_up(void **state)
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

int probed_launch_tear_down(void **state)
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

/* results[i] gets the contents of buffer i, freed by the caller, and the buffers go. */
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

void probed_launch_plain(const struct launch *l, void **results)
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

void probed_launch_run(const struct launch *l, struct probing *how, void **results,
                       struct event_list *found)
{
	cl_mem buffers[ARGUMENTS_MAX];
	cl_int code;
	cl_kernel kernel = clCreateKernel(fixture.probed, l->kernel, &code);
	char *copy = malloc(buffer_bytes(how->chunk_count, how->chunk_events));

	assert_int_equal(code, CL_SUCCESS);
	assert_non_null(copy);
	set_arguments(kernel, l, buffers);
	for (size_t begin = 0; begin < probed_launch_groups(l); begin += how->slice_groups) {
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

void probed_launch_assert_same(const struct launch *l, void **plain, void **probed)
{
	for (size_t i = 0; i < l->argument_count; i++) {
		if (plain[i])
			assert_memory_equal(plain[i], probed[i], l->arguments[i].bytes);
		free(plain[i]);
		free(probed[i]);
	}
}

void probed_launch_check(const struct launch *l, const struct event_list *expected)
{
	const size_t slices[] = { probed_launch_groups(l), 1, 3 };

	for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++) {
		struct probing how = { .slice_groups = slices[i],
			               .chunk_count = 4096,
			               .chunk_events = CHUNK_EVENTS };
		void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];
		struct event_list found;

		event_list_init(&found, probed_launch_groups(l), l->local[0] * l->local[1]);
		probed_launch_plain(l, plain);
		probed_launch_run(l, &how, probed, &found);
		probed_launch_assert_same(l, plain, probed);
		assert_int_equal(how.lost_events, 0);
		assert_int_equal(how.lost_items, 0);
		event_list_assert_equal(&found, expected);
		event_list_release(&found);
	}
}

bool probed_launch_open(const char *instrumenter, const char *source)
{
	fixture.instrumenter = instrumenter;
	fixture.source = source;
	return cl_device_init(&fixture.device);
}

void probed_launch_close(void)
{
	cl_device_release(&fixture.device);
}

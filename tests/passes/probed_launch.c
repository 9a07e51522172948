/* SPDX-License-Identifier: Apache-2.0 */
#include "probed_launch.h"

#include "err.h"
#include "file.h"
#include "instrumented.h"
#include "probe_buffer.h"
#include "str.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_WORDS 9

static const char extensions[] = "cl_khr_global_int32_base_atomics cl_khr_int64_base_atomics "
				 "cl_khr_int64_extended_atomics cl_khr_fp64";

/* Options of each form. */
static const char *const form_options[FORM_LIMIT][4] = {
	[FORM_ITEM] = { "--records", "raw", "--layout", "item" },
	[FORM_LANE] = { "--records", "raw", "--layout", "lane" },
	[FORM_NARROW] = { "--records", "raw", "--wide-addresses", "0" },
	[FORM_APART] = { "--records", "raw", "--mixes-items", "1" },
	[FORM_COUNT] = { "--records", "count", "--layout", "item" },
};

static struct {
	const char *instrumenter, *source;
	const char *options, *spaces;
	struct cl_device device;
	bool is_wide; /* its addresses have more than 48 bits */
	cl_program plain;
	cl_ulong local_bytes; /* local memory of the plain kernel that ran last */
	struct instrumented probed[FORM_LIMIT];
} fixture;

size_t probed_launch_groups(const struct launch *l)
{
	return l->global[0] / l->local[0] * (l->global[1] / l->local[1]);
}

const struct kernel_table *probed_launch_table(enum form form, const char *kernel)
{
	const struct instrumented *p = &fixture.probed[form];

	for (size_t i = 0; i < p->table_count; i++)
		if (!strcmp(p->tables[i].name, kernel))
			return &p->tables[i];
	fail_msg("no table for kernel %s", kernel);
	return NULL;
}

static void set_up_form(enum form form)
{
	const char *const words[] = { fixture.instrumenter,
		                      "--source",
		                      fixture.source,
		                      "--extensions",
		                      extensions,
		                      "--cl-version",
		                      *fixture.options ? "3.0" : "1.2",
		                      "--options",
		                      fixture.options,
		                      "--spaces",
		                      fixture.spaces,
		                      form_options[form][0],
		                      form_options[form][1],
		                      form_options[form][2],
		                      form_options[form][3],
		                      NULL };

	instrumented_init(&fixture.probed[form], &fixture.device, words);
}

/* CUDA is no source for the device: it runs as the text door makes it. */
static void read_cuda(struct str *text)
{
	const char *const words[] = { fixture.instrumenter, "--source", fixture.source,
		                      "--records",          "none",     NULL };

	instrumented_text(words, text);
}

static int set_up(void **state)
{
	const char *dot = strrchr(fixture.source, '.');
	struct str text;
	struct err err = { 0 };

	for (int form = 0; form < FORM_LIMIT; form++)
		set_up_form((enum form)form);
	str_init(&text, 1 << 24);
	if (dot && !strcmp(dot, ".cu"))
		read_cuda(&text);
	else
		assert_int_equal(file_read(fixture.source, &text, &err), 0);
	fixture.plain = cl_device_build_source(&fixture.device, text.text, fixture.options);
	str_release(&text);
	return 0;
}

static int tear_down(void **state)
{
	for (int form = 0; form < FORM_LIMIT; form++)
		instrumented_release(&fixture.probed[form]);
	clReleaseProgram(fixture.plain);
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

static cl_ulong local_bytes(cl_kernel kernel)
{
	cl_ulong bytes = 0;

	assert_int_equal(clGetKernelWorkGroupInfo(kernel, fixture.device.id,
	                                          CL_KERNEL_LOCAL_MEM_SIZE, sizeof(bytes), &bytes,
	                                          NULL),
	                 CL_SUCCESS);
	return bytes;
}

void probed_launch_plain(const struct launch *l, void **results)
{
	cl_mem buffers[ARGUMENTS_MAX];
	cl_int code;
	cl_kernel kernel = clCreateKernel(fixture.plain, l->kernel, &code);

	assert_int_equal(code, CL_SUCCESS);
	set_arguments(kernel, l, buffers);
	fixture.local_bytes = local_bytes(kernel);
	cl_device_launch(&fixture.device, kernel, l->offset, l->global, l->local);
	take_results(l, buffers, results);
	clReleaseKernel(kernel);
}

/* The box of at most so many groups that begins at group `begin`: rows, or a part of one. */
static struct box box_at(const struct launch *l, size_t begin, size_t most)
{
	size_t width = l->global[0] / l->local[0], height = l->global[1] / l->local[1];
	struct box b = { .count = { 1, 1 } };

	b.first[0] = begin % width;
	b.first[1] = begin / width;
	for (size_t d = 0; d < 2; d++) {
		b.global[d] = l->global[d];
		b.local[d] = l->local[d];
		b.offset[d] = l->offset[d];
	}
	if (b.first[0] == 0 && most >= width) {
		b.count[0] = width;
		while (b.count[1] < height - b.first[1] && (b.count[1] + 1) * width <= most)
			b.count[1]++;
	} else {
		b.count[0] = most < width - b.first[0] ? most : width - b.first[0];
	}
	return b;
}

/* One slice: write `header`, launch, and leave what the probes wrote there. */
static void run_slice(const struct launch *l, cl_kernel kernel, const struct box *box,
                      struct probe_header *header, size_t bytes)
{
	cl_mem buffer = cl_device_buffer(&fixture.device, header, bytes);
	size_t offset[2], global[2];

	for (size_t d = 0; d < 2; d++) {
		offset[d] = box->offset[d] + box->first[d] * box->local[d];
		global[d] = box->count[d] * box->local[d];
	}
	assert_int_equal(
		clSetKernelArg(kernel, (cl_uint)l->argument_count, sizeof(void *), &buffer),
		CL_SUCCESS);
	cl_device_launch(&fixture.device, kernel, offset, global, l->local);
	cl_device_read(&fixture.device, buffer, header, bytes);
	clReleaseMemObject(buffer);
}

/* Run one slice and take what it left. */
static void take_slice(const struct launch *l, cl_kernel kernel, const struct box *box,
                       struct probing *how, struct event_list *found)
{
	const struct kernel_table *table = probed_launch_table(how->form, l->kernel);
	struct probe_room room = { .chunk_count = how->chunk_count,
		                   .chunk_words = how->chunk_words,
		                   .place_words = how->place_words,
		                   .is_wide = fixture.is_wide,
		                   .selection = how->selection };
	size_t bytes;
	struct probe_header *header = probe_buffer_create(table, box, &room, &bytes);

	run_slice(l, kernel, box, header, bytes);
	if (how->counts)
		probe_buffer_count(header, box, table, how->counts);
	else
		probe_buffer_decode(header, box, table, found);
	how->lost_events += header->lost_low | (uint64_t)header->lost_high << 32;
	how->lost_records += header->lost_records;
	free(header);
}

void probed_launch_run(const struct launch *l, struct probing *how, void **results,
                       struct event_list *found)
{
	cl_mem buffers[ARGUMENTS_MAX];
	cl_int code;
	cl_kernel kernel = clCreateKernel(fixture.probed[how->form].program, l->kernel, &code);
	size_t begin = 0;

	assert_int_equal(code, CL_SUCCESS);
	set_arguments(kernel, l, buffers);
	while (begin < probed_launch_groups(l)) {
		struct box box = box_at(l, begin, how->slice_groups);

		take_slice(l, kernel, &box, how, found);
		/* Probes take none of the program's. */
		assert_int_equal(local_bytes(kernel), fixture.local_bytes);
		begin += box.count[0] * box.count[1];
	}
	take_results(l, buffers, results);
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

static void check_form(const struct launch *l, enum form form, uint32_t place_words,
                       size_t slice_groups, const struct event_list *expected)
{
	struct probing how = { .form = form,
		               .place_words = place_words,
		               .slice_groups = slice_groups,
		               .chunk_count = 4096,
		               .chunk_words = CHUNK_WORDS };
	void *plain[ARGUMENTS_MAX], *probed[ARGUMENTS_MAX];
	struct event_list found;

	event_list_init(&found, probed_launch_groups(l), l->local[0] * l->local[1]);
	probed_launch_plain(l, plain);
	probed_launch_run(l, &how, probed, &found);
	probed_launch_assert_same(l, plain, probed);
	assert_int_equal(how.lost_events, 0);
	assert_int_equal(how.lost_records, 0);
	event_list_assert_equal(&found, expected);
	event_list_release(&found);
}

void probed_launch_check_form(const struct launch *l, enum form form,
                              const struct event_list *expected)
{
	const size_t slices[] = { probed_launch_groups(l), 1, 3 };
	const uint32_t places[] = { 0, 1, 5 };

	for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++)
		check_form(l, form, places[i], slices[i], expected);
}

void probed_launch_check(const struct launch *l, const struct event_list *expected)
{
	for (int form = 0; form < FORM_COUNT; form++)
		if (form != FORM_NARROW || !fixture.is_wide)
			probed_launch_check_form(l, (enum form)form, expected);
}

int probed_launch_main(int argc, char **argv, const char *spaces, const struct CMUnitTest *tests,
                       size_t count)
{
	int failures;

	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: %s INSTRUMENTER KERNELS [OPTIONS]\n", argv[0]);
		return 2;
	}
	fixture.instrumenter = argv[1];
	fixture.source = argv[2];
	fixture.options = argc == 4 ? argv[3] : "";
	fixture.spaces = spaces;
	if (!cl_device_init(&fixture.device)) {
		fprintf(stderr, "no OpenCL device\n");
		return 77;
	}
	if (*fixture.options && !cl_device_has_version(&fixture.device, "OpenCL 3.")) {
		fprintf(stderr, "no OpenCL device for %s\n", fixture.options);
		cl_device_release(&fixture.device);
		return 77;
	}
	fixture.is_wide = cl_device_is_named(&fixture.device, "Oclgrind");
	failures = _cmocka_run_group_tests("probed launches", tests, count, set_up, tear_down);
	cl_device_release(&fixture.device);
	return failures;
}

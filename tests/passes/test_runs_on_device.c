/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What leaves loops as runs and grids is what leaves them access by access: kernels of files, and
 * random nests of loops, recorded both ways on a device, and written out.
 *
 * argv: warpline-instrument, files of kernels. Exits 77 when there is no device.
 */
#include "array.h"
#include "err.h"
#include "event.h"
#include "file.h"
#include "instrumented.h"
#include "plain_accesses.h"
#include "probe_abi.h"
#include "random_nest.h"
#include "str.h"
#include "word_decoder.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEMS       16
#define GROUP_ITEMS 4
#define A_COUNT     (1 << 18)
#define B_COUNT     64
#define CHUNK_WORDS 16
#define CHUNK_COUNT 4096
#define PLACE_WORDS 3
#define RECORDS     512 /* places and then chunks, or slots */
#define SEEDS       3
#define SEED        20251121u

#define EXTENSIONS "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics"

static struct {
	const char *instrumenter;
	char **files;
	int file_count;
	struct cl_device device;
} fixture;

/* One kernel's recording: its words, and what it wrote. */
struct recording {
	unsigned char *buffer;
	int *a;
	uint64_t address; /* of argument a: buffers lie elsewhere in each launch */
};

/* Those of chunks, behind places and the words that stay free. */
static size_t chunks_offset(void)
{
	return (RECORDS + (ITEMS * PLACE_WORDS + GROUP_ITEMS) * sizeof(uint64_t) + 255) / 256 * 256;
}

static size_t buffer_bytes(void)
{
	return chunks_offset() +
	       CHUNK_COUNT * (sizeof(struct probe_chunk) + CHUNK_WORDS * sizeof(uint64_t));
}

static void instrument(struct instrumented *p, const char *source, const char *records)
{
	const char *const words[] = { fixture.instrumenter, "--source", source,
		                      "--records",          records,    "--extensions",
		                      EXTENSIONS,           NULL };

	instrumented_init(p, &fixture.device, words);
}

/* Words of a slot, whatever the addresses. */
static uint32_t slot_words(const struct kernel_table *t)
{
	return t->item_words * PROBE_WIDE_FACTOR;
}

/* A header for the whole launch: with slots if the kernel is made for them, else with chunks. */
static void begin_buffer(unsigned char *buffer, const struct kernel_table *t)
{
	struct probe_header header = { .abi_version = PROBE_ABI_VERSION,
		                       .chunk_count = CHUNK_COUNT,
		                       .chunk_words = CHUNK_WORDS,
		                       .group_count = { ITEMS / GROUP_ITEMS, 1, 1 },
		                       .global_size = { ITEMS, 1, 1 },
		                       .place_words = PLACE_WORDS,
		                       .chunks_offset = chunks_offset(),
		                       .group_items = GROUP_ITEMS,
		                       .argument_count = (uint32_t)t->argument_count };

	if (t->item_words) {
		header.chunk_count = 0;
		header.place_words = slot_words(t);
	}
	memset(buffer, 0xa5, buffer_bytes());
	memcpy(buffer, &header, sizeof(header));
}

/* The middle of the buffer, so that indices may be negative. */
static cl_mem middle_of(cl_mem whole)
{
	cl_buffer_region region = { .origin = A_COUNT / 2 * sizeof(int),
		                    .size = A_COUNT / 2 * sizeof(int) };
	cl_int code;
	cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);

	assert_int_equal(code, CL_SUCCESS);
	return part;
}

static void launch(const struct instrumented *f, const struct kernel_table *t, struct recording *r)
{
	const size_t global[2] = { ITEMS, 1 }, local[2] = { GROUP_ITEMS, 1 };
	const int n = 5, m = 3;
	int b_values[B_COUNT];
	cl_mem a, part, b, probe;
	cl_int code;
	cl_kernel kernel = clCreateKernel(f->program, t->name, &code);

	assert_int_equal(code, CL_SUCCESS);
	for (int i = 0; i < B_COUNT; i++)
		b_values[i] = (i * i / 3 + 5 * i) % 8;
	a = cl_device_buffer(&fixture.device, NULL, A_COUNT * sizeof(int));
	part = middle_of(a);
	b = cl_device_buffer(&fixture.device, b_values, sizeof(b_values));
	begin_buffer(r->buffer, t);
	probe = cl_device_buffer(&fixture.device, r->buffer, buffer_bytes());
	code = clSetKernelArg(kernel, 0, sizeof(part), &part);
	code |= clSetKernelArg(kernel, 1, sizeof(b), &b);
	code |= clSetKernelArg(kernel, 2, sizeof(n), &n);
	code |= clSetKernelArg(kernel, 3, sizeof(m), &m);
	code |= clSetKernelArg(kernel, 4, sizeof(probe), &probe);
	assert_int_equal(code, CL_SUCCESS);
	cl_device_launch(&fixture.device, kernel, NULL, global, local);
	cl_device_read(&fixture.device, probe, r->buffer, buffer_bytes());
	cl_device_read(&fixture.device, a, r->a, A_COUNT * sizeof(int));
	clReleaseMemObject(part);
	clReleaseMemObject(a);
	clReleaseMemObject(b);
	clReleaseMemObject(probe);
	clReleaseKernel(kernel);
}

static void recording_init(struct recording *r, const struct instrumented *f,
                           const struct kernel_table *t)
{
	r->buffer = malloc(buffer_bytes());
	r->a = malloc(A_COUNT * sizeof(int));
	assert_non_null(r->buffer);
	assert_non_null(r->a);
	launch(f, t, r);
}

static void recording_release(struct recording *r)
{
	free(r->buffer);
	free(r->a);
}

/* Addresses relative to the arguments of their sites. */
static void make_relative(struct event *events, size_t count, const struct recording *r,
                          const struct kernel_table *t)
{
	const uint64_t *arguments = (const void *)(r->buffer + PROBE_ARGUMENTS_OFFSET);

	for (size_t i = 0; i < count; i++) {
		uint32_t kind = events[i].point & EVENT_KIND_MASK;

		if (kind == EVENT_SITE || kind == EVENT_RUN || kind == EVENT_GRID)
			events[i].value -=
				arguments[t->sites[events[i].point & EVENT_ID_MASK].argument];
	}
}

/* The words of one work-item's chunks, in their order. */
static void decode_chunks(const struct recording *r, uint32_t number, struct word_decoder *decoder,
                          struct array *events)
{
	const struct probe_header *header = (const void *)r->buffer;
	const size_t chunk_bytes = sizeof(struct probe_chunk) + CHUNK_WORDS * sizeof(uint64_t);
	struct err err = { 0 };
	uint32_t order = 0;

	for (uint32_t i = 0; i < header->next_chunk; i++) {
		const struct probe_chunk *c =
			(const void *)(r->buffer + chunks_offset() + i * chunk_bytes);

		if (c->group != number / GROUP_ITEMS || c->item != number % GROUP_ITEMS)
			continue;
		assert_int_equal(c->order, order++);
		if (word_decoder_add(
			    decoder,
			    &(struct word_span){ (const void *)(c + 1), CHUNK_WORDS, 1, false },
			    events, &err))
			fail_msg("%s", err.msg);
	}
}

/* The packed events of one work-item. */
static void decode_item(const struct recording *r, const struct kernel_table *t, uint32_t number,
                        struct array *events)
{
	const struct probe_header *header = (const void *)r->buffer;
	size_t group = number / GROUP_ITEMS;
	const struct word_span place = { (const uint64_t *)(const void *)(r->buffer + RECORDS) +
		                                 group * GROUP_ITEMS * header->place_words +
		                                 number % GROUP_ITEMS,
		                         header->place_words, GROUP_ITEMS, t->item_words > 0 };
	struct word_decoder *decoder;
	struct err err = { 0 };

	assert_int_equal(header->lost_records, 0);
	assert_int_equal(word_decoder_create(&decoder, t, &err), 0);
	word_decoder_differences(
		decoder, (const uint64_t *)(const void *)(r->buffer + PROBE_ARGUMENTS_OFFSET) +
				 t->argument_count);
	word_decoder_begin(decoder);
	if (word_decoder_add(decoder, &place, events, &err))
		fail_msg("%s", err.msg);
	if (!t->item_words)
		decode_chunks(r, number, decoder, events);
	word_decoder_free(decoder);
	make_relative(events->data, events->count, r, t);
}

static size_t count_packed(const struct array *events)
{
	const struct event *e = events->data;
	size_t count = 0;

	for (size_t i = 0; i < events->count; i++)
		count += (e[i].point & EVENT_KIND_MASK) == EVENT_RUN ||
		         (e[i].point & EVENT_KIND_MASK) == EVENT_GRID;
	return count;
}

/* One work-item both ways; returns how many runs and grids there were. */
static size_t compare_item(const struct recording *raw, const struct recording *affine,
                           const struct kernel_table *const t[2], uint32_t item)
{
	struct plain_accesses expected, found;
	struct array plain, packed;
	size_t count;

	array_init(&plain, sizeof(struct event), SIZE_MAX, "events");
	array_init(&packed, sizeof(struct event), SIZE_MAX, "events");
	decode_item(raw, t[0], item, &plain);
	decode_item(affine, t[1], item, &packed);
	assert_int_equal(count_packed(&plain), 0);
	count = count_packed(&packed);
	plain_accesses_init(&expected, plain.data, plain.count, t[0]);
	plain_accesses_init(&found, packed.data, packed.count, t[1]);
	plain_accesses_assert_equal(&found, &expected);
	plain_accesses_release(&expected);
	plain_accesses_release(&found);
	array_release(&plain);
	array_release(&packed);
	return count;
}

/* Returns how many runs and grids the kernel made. */
static size_t compare_kernel(const struct instrumented *raw, const struct instrumented *affine,
                             size_t number)
{
	const struct kernel_table *const t[2] = { &raw->tables[number], &affine->tables[number] };
	struct recording plain, packed;
	size_t count = 0;

	print_message("           %s\n", t[0]->name);
	recording_init(&plain, raw, t[0]);
	recording_init(&packed, affine, t[1]);
	assert_memory_equal(plain.a, packed.a, A_COUNT * sizeof(int));
	for (uint32_t i = 0; i < ITEMS; i++)
		count += compare_item(&plain, &packed, t, i);
	recording_release(&plain);
	recording_release(&packed);
	return count;
}

static void compare_file(const char *source, bool has_runs_everywhere)
{
	struct instrumented raw, affine;
	size_t count, total = 0;

	instrument(&raw, source, "raw");
	instrument(&affine, source, "affine");
	assert_int_equal(raw.table_count, affine.table_count);
	for (size_t i = 0; i < raw.table_count; i++) {
		count = compare_kernel(&raw, &affine, i);
		total += count;
		if (has_runs_everywhere)
			assert_true(count > 0);
	}
	assert_true(total > 0);
	instrumented_release(&raw);
	instrumented_release(&affine);
}

static void kernels_of_files_are_recorded_the_same_both_ways(void **state)
{
	for (int i = 0; i < fixture.file_count; i++)
		compare_file(fixture.files[i], true);
}

static void random_nests_are_recorded_the_same_both_ways(void **state)
{
	for (uint32_t i = 0; i < SEEDS; i++) {
		char path[] = "/tmp/nests-XXXXXX.cl";
		int fd = mkstemps(path, 3);
		FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

		assert_non_null(out);
		print_message("           seed %u\n", SEED + i);
		random_nest_write(out, SEED + i);
		assert_int_equal(fclose(out), 0);
		compare_file(path, false);
		unlink(path);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_of_files_are_recorded_the_same_both_ways),
		cmocka_unit_test(random_nests_are_recorded_the_same_both_ways),
	};
	int failures;

	if (argc < 3) {
		fprintf(stderr, "usage: test_runs_on_device INSTRUMENTER KERNELS...\n");
		return 2;
	}
	fixture.instrumenter = argv[1];
	fixture.files = argv + 2;
	fixture.file_count = argc - 2;
	if (!cl_device_init(&fixture.device)) {
		fprintf(stderr, "no OpenCL device\n");
		return 77;
	}
	failures = cmocka_run_group_tests(tests, NULL, NULL);
	cl_device_release(&fixture.device);
	return failures;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "cuda_driver.h"
#include "err.h"
#include "fatbin.h"
#include "gpu_launch.h"
#include "gpu_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A container with entries of PTX, plain: what nvcc --no-compress embeds. */
struct image {
	unsigned char bytes[1024];
	size_t length;
};

static void put(struct image *m, size_t at, const void *bytes, size_t count)
{
	memcpy(m->bytes + at, bytes, count);
}

static void begin(struct image *m)
{
	const uint32_t magic = FATBIN_MAGIC;
	const uint16_t version = 1, header = 16;

	*m = (struct image){ .length = 16 };
	put(m, 0, &magic, 4);
	put(m, 4, &version, 2);
	put(m, 6, &header, 2);
}

/* Offsets are those of fatbin.c: kind, header bytes, bytes, arch. */
static void add(struct image *m, uint16_t kind, uint32_t arch, const char *text)
{
	const uint32_t header = 64;
	const uint64_t length = (strlen(text) + 1 + 7) / 8 * 8;
	uint64_t entries;

	put(m, m->length, &kind, 2);
	put(m, m->length + 4, &header, 4);
	put(m, m->length + 8, &length, 8);
	put(m, m->length + 28, &arch, 4);
	put(m, m->length + 64, text, strlen(text));
	m->length += 64 + (size_t)length;
	entries = m->length - 16;
	put(m, 8, &entries, 8);
}

static void the_newest_ptx_that_the_device_takes_is_chosen(void **state)
{
	static const struct {
		unsigned arch;
		const char *want; /* NULL: none */
	} rows[] = { { 0, "ptx of 90" },  { 90, "ptx of 90" },  { 89, "ptx of 75" },
		     { 75, "ptx of 75" }, { 100, "ptx of 90" }, { 70, NULL } };
	struct image m;

	begin(&m);
	add(&m, FATBIN_ELF, 80, "machine code");
	add(&m, FATBIN_PTX, 75, "ptx of 75");
	add(&m, FATBIN_PTX, 90, "ptx of 90");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct {
			uint32_t magic, version;
			const void *data;
			void *file;
		} wrapper = { 0x466243b1, 1, m.bytes, NULL };
		struct err err = { 0 };
		char *ptx;
		int rc = gpu_image_ptx(i % 2 ? (const void *)&wrapper : m.bytes, rows[i].arch, &ptx,
		                       &err);

		if (rows[i].want) {
			assert_int_equal(rc, 0);
			assert_string_equal(ptx, rows[i].want);
		} else {
			assert_int_equal(rc, ERR_UNSUPPORTED);
			assert_non_null(strstr(err.msg, "machine code only"));
		}
		free(ptx);
	}
}

static void what_is_no_ptx_says_what_it_is(void **state)
{
	static const struct {
		const char *image;
		int rc;
		const char *why;
	} rows[] = {
		{ ".version 8.0\n.target sm_90\n", 0, "" },
		{ "\177ELF and more", ERR_UNSUPPORTED, "an ELF file" },
		{ "BC\xc0\xde is bitcode", ERR_UNSUPPORTED, "unknown format" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		char *ptx;

		assert_int_equal(gpu_image_ptx(rows[i].image, 0, &ptx, &err), rows[i].rc);
		assert_non_null(strstr(err.msg, rows[i].why));
		free(ptx);
	}
}

/* A file may be cut off anywhere: it is refused, not read beyond. */
static void a_file_is_read_as_far_as_it_goes(void **state)
{
	char path[] = "/tmp/warpline-test-XXXXXX";
	int fd = mkstemp(path);
	struct image m;

	assert_true(fd >= 0);
	begin(&m);
	add(&m, FATBIN_PTX, 75, "ptx of 75");
	assert_int_equal(write(fd, m.bytes, m.length), m.length);
	for (size_t length = m.length + 1; length-- > 0;) {
		struct err err = { 0 };
		char *ptx;
		int rc = gpu_image_ptx_file(path, 0, &ptx, &err);

		assert_true(length == m.length ? rc == 0 : rc < 0);
		free(ptx);
		assert_int_equal(ftruncate(fd, length ? (off_t)length - 1 : 0), 0);
	}
	close(fd);
	unlink(path);
}

/* Versions are those of cudaTypedefs.h. */
static void a_function_that_is_asked_for_is_the_one_of_the_version(void **state)
{
	static const struct {
		const char *name, *symbol;
		int version;
		uint64_t flags;
	} rows[] = {
		{ "cuGetProcAddress", "cuGetProcAddress", 11030, 0 },
		{ "cuGetProcAddress", "cuGetProcAddress_v2", 12000, 0 },
		{ "cuMemAlloc", "cuMemAlloc_v2", 12040, 0 },
		{ "cuMemAlloc", "cuMemAlloc_v2", 12040, CUDA_PROC_ADDRESS_PER_THREAD },
		{ "cuMemAlloc", NULL, 2000, 0 },
		{ "cuLaunchKernel", "cuLaunchKernel", 4000, 0 },
		{ "cuLaunchKernel", "cuLaunchKernel_ptsz", 7000, CUDA_PROC_ADDRESS_PER_THREAD },
		{ "cuLibraryLoadData", NULL, 11080, 0 },
		{ "cuLibraryLoadData", "cuLibraryLoadData", 12000, 0 },
		{ "cuInit", NULL, 12040, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *want = rows[i].symbol ? cuda_hook_of_symbol(rows[i].symbol) : NULL;

		assert_ptr_equal(cuda_hook_asked(rows[i].name, rows[i].version, rows[i].flags),
		                 want);
		assert_int_equal(want != NULL, rows[i].symbol != NULL);
	}
	assert_null(cuda_hook_of_symbol("malloc"));
	assert_null(cuda_hook_of_symbol("cuMemAlloc"));
}

/* Of CUlaunchAttributeID: 8 is a priority, 4 a cluster, 2 cooperative, 6 an overlap, 99 unknown. */
static void attributes_are_passed_dropped_or_a_reason(void **state)
{
	struct cuda_launch_attribute all[4] = {
		{ .id = 8 }, { .id = 6 }, { .id = 2, .value.number = 1 }, { .id = 4 }
	};
	struct cuda_launch_attribute out[4];
	struct cuda_launch_config config = { .attributes = all, .attribute_count = 3 };

	assert_null(gpu_attributes_refused(NULL));
	assert_null(gpu_attributes_refused(&config));
	assert_true(gpu_attributes_are_cooperative(&config));
	assert_int_equal(gpu_attributes_pass(&config, out), 2);
	assert_int_equal(out[0].id, 8);
	assert_int_equal(out[1].id, 2);
	all[2].value.number = 0;
	assert_false(gpu_attributes_are_cooperative(&config));
	config.attribute_count = 4;
	assert_string_equal(gpu_attributes_refused(&config), "clusters of groups");
	all[3].id = 99;
	assert_string_equal(gpu_attributes_refused(&config), "an unknown attribute");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_ptx_that_the_device_takes_is_chosen),
		cmocka_unit_test(what_is_no_ptx_says_what_it_is),
		cmocka_unit_test(a_file_is_read_as_far_as_it_goes),
		cmocka_unit_test(a_function_that_is_asked_for_is_the_one_of_the_version),
		cmocka_unit_test(attributes_are_passed_dropped_or_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics of CUDA's, lowered and run on a device by many work-items at once on the same cells:
 * nothing is lost. Expectations are sums over the work-items, see cuda_atomics.ll.
 *
 * argv: lower_cuda, cuda_atomics.ll. Exits 77 when there is no device.
 */
#include "cuda_lowered.h"

#include "err.h"
#include "file.h"
#include "str.h"

#include "cmocka_all.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 20, ITEMS = 4096, GROUP = 64, GROUPS = ITEMS / GROUP };

static char **words;
static struct cl_device device;

static float as_float(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float x;

	memcpy(&x, &low, sizeof(x));
	return x;
}

static double as_double(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Cells before: zeros, but for those of which something is to be taken away. */
static void begin(uint64_t *cells)
{
	memset(cells, 0, CELLS * sizeof(*cells));
	cells[4] = 65535;
	cells[10] = UINT64_MAX;
}

/* What is left of dec, which goes to 9 from 0: 0, 9, 8, ..., 0, 9, ...; ten steps come round. */
static uint32_t decremented(uint32_t times)
{
	return (10 - times % 10) % 10;
}

/* After work-items first to first + count - 1, each once. Counts are multiples of 64. */
static void check(const uint64_t *c, uint32_t first, uint32_t count)
{
	assert_int_equal((uint32_t)c[0], 7 * count);
	assert_int_equal((uint32_t)c[1], 0 - 3 * count);
	assert_int_equal((int32_t)c[2], -(int32_t)(first + count - 1));
	assert_int_equal((uint32_t)c[3], first + count - 1);
	assert_int_equal((uint32_t)c[4], 0); /* all 16 bits cleared */
	assert_int_equal((uint32_t)c[5], 65535);
	assert_int_equal((uint32_t)c[6], 0); /* each bit as often, an even number of times */
	assert_int_equal((uint32_t)c[7], 0); /* all bits turned over, an even number of times */
	assert_true(c[8] == (uint64_t)count * (2 * first + count - 1) / 2);
	assert_true(c[9] == first + count - 1);
	assert_true(c[10] == first);
	assert_int_equal((uint32_t)c[11], 5);
	assert_true(as_float(c[12]) == (float)count);
	assert_true(as_float(c[13]) == -0.5f * (float)count);
	assert_true(as_double(c[14]) == 0.25 * count);
	assert_int_equal((uint32_t)c[15], count % 10); /* 0, 1, ..., 9, 0, ... */
	assert_int_equal((uint32_t)c[16], decremented(count));
	assert_true(c[17] == (uint64_t)77 << 16); /* the other half is left alone */
	assert_int_equal((uint32_t)c[18], 1);     /* one of all has set it */
	assert_true(c[19] == 0);
}

static cl_kernel build(cl_program *program)
{
	struct err err = { 0 };
	struct str text;
	cl_kernel kernel;
	cl_int code;

	str_init(&text, 1 << 20);
	assert_int_equal(file_read(words[2], &text, &err), 0);
	*program = cuda_lowered_build(&device, words[1], text.text, text.length);
	str_release(&text);
	kernel = clCreateKernel(*program, "atomics", &code);
	assert_int_equal(code, CL_SUCCESS);
	return kernel;
}

static void nothing_is_lost(void **state)
{
	size_t offset[2] = { 0, 0 }, global[2] = { ITEMS, 1 }, local[2] = { GROUP, 1 };
	uint64_t cells[CELLS], out[GROUPS * CELLS];
	cl_program program;
	cl_kernel kernel = build(&program);
	cl_mem shared, copies;

	begin(cells);
	shared = cl_device_buffer(&device, cells, sizeof(cells));
	copies = cl_device_buffer(&device, NULL, sizeof(out));
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(shared), &shared), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(copies), &copies), CL_SUCCESS);
	cl_device_launch(&device, kernel, offset, global, local);
	cl_device_read(&device, shared, cells, sizeof(cells));
	cl_device_read(&device, copies, out, sizeof(out));
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseMemObject(shared);
	clReleaseMemObject(copies);
	check(cells, 0, ITEMS);
	for (uint32_t group = 0; group < GROUPS; group++)
		check(out + (size_t)group * CELLS, group * GROUP, GROUP);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(nothing_is_lost) };
	int failed;

	if (argc != 3) {
		fprintf(stderr, "usage: test_cuda_atomics_on_device LOWER_CUDA CUDA_ATOMICS.ll\n");
		return 2;
	}
	words = argv;
	if (!cl_device_init(&device)) {
		fprintf(stderr, "there is no OpenCL device\n");
		return 77;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	cl_device_release(&device);
	return failed;
}

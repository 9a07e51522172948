/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "cuda_device.h"
#include "cudadrv.h"
#include "cudart_types.h"
#include "err.h"
#include "gpu_search.h"

#include <stdlib.h>
#include <string.h>

static struct cuda_gpu gpu;

static int read_gpu(void **state)
{
	struct err err = { 0 };

	setenv("WARPLINE_GPUS", SOURCE_DIR "/gpus", 1);
	if (cuda_gpu_init(&gpu, "v100", &err) < 0)
		fail_msg("%s", err.msg);
	return 0;
}

/* Where compilers of CUDA 11, 12 and 13 (x86-64) have these fields. */
static void fields_lie_where_programs_look_for_them(void **state)
{
	assert_int_equal(offsetof(struct cuda_properties_11, totalGlobalMem), 288);
	assert_int_equal(offsetof(struct cuda_properties_11, clockRate), 348);
	assert_int_equal(offsetof(struct cuda_properties_11, major), 360);
	assert_int_equal(offsetof(struct cuda_properties_11, multiProcessorCount), 388);
	assert_int_equal(offsetof(struct cuda_properties_12, multiProcessorCount), 388);
	assert_int_equal(offsetof(struct cuda_properties_13, totalConstMem), 352);
	assert_int_equal(offsetof(struct cuda_properties_13, major), 360);
	assert_int_equal(offsetof(struct cuda_properties_13, multiProcessorCount), 384);
	assert_int_equal(sizeof(struct cuda_properties_13), 1008);
}

/* What else crosses the interfaces, as compilers of CUDA 13 (x86-64) lay it out. */
static void structures_are_as_large_as_programs_make_them(void **state)
{
	assert_int_equal(sizeof(struct cudart_copy_3d), 160);
	assert_int_equal(sizeof(struct cudart_pointer), 88);
	assert_int_equal(sizeof(struct cudart_launch_config), 56);
	assert_int_equal(sizeof(struct cudart_launch_attribute), 72);
	assert_int_equal(sizeof(struct cudart_function_attributes), 144);
	assert_int_equal(sizeof(struct cuda_driver_copy_2d), 128);
	assert_int_equal(sizeof(struct cuda_driver_copy_3d), 200);
	assert_int_equal(offsetof(struct cuda_driver_copy_3d, to.pitch), 160);
	assert_int_equal(sizeof(struct cuda_driver_launch), 56);
}

static void the_v100_is_told_to_all_versions(void **state)
{
	struct cuda_properties_11 p11;
	struct cuda_properties_12 p12;
	struct cuda_properties_13 p13;

	cuda_properties_fill(&gpu, 11, &p11);
	cuda_properties_fill(&gpu, 12, &p12);
	cuda_properties_fill(&gpu, 13, &p13);
	assert_string_equal(p11.name, "NVIDIA Tesla V100");
	assert_string_equal(p12.name, p11.name);
	assert_string_equal(p13.name, p11.name);
	assert_int_equal(p11.multiProcessorCount[0], 80);
	assert_int_equal(p12.multiProcessorCount[0], 80);
	assert_int_equal(p13.multiProcessorCount[0], 80);
	assert_int_equal(p12.major[0] * 10 + p12.minor[0], 70);
	assert_int_equal(p11.clockRate[0], 1530000);
	assert_int_equal(p13.maxThreadsPerMultiProcessor[0], 2048);
	assert_int_equal(p12.l2CacheSize[0], 6 << 20);
}

/* V100: 2048 work-items, 32 groups and 96 KiB of shared memory an SM. */
static void occupancy_is_that_of_the_description(void **state)
{
	static const struct {
		size_t items, shared_bytes;
		int groups;
	} rows[] = {
		{ 1024, 0, 2 }, { 256, 0, 8 },        { 32, 0, 32 },        { 33, 0, 32 },
		{ 96, 0, 21 },  { 256, 48 << 10, 2 }, { 256, 96 << 10, 1 }, { 256, 97 << 10, 0 },
		{ 1025, 0, 0 }, { 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(cuda_gpu_groups(&gpu, rows[i].items, rows[i].shared_bytes),
		                 rows[i].groups);
}

static void every_gpu_can_be_told_of(void **state)
{
	static const char *const names[] = { "a100", "h100", "rtx2060", "k40", "mi210", "gtx480" };
	struct err err = { 0 };
	struct cuda_gpu other;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(cuda_gpu_init(&other, names[i], &err), 0);
	assert_int_equal(cuda_gpu_init(&other, NULL, &err), 0);
	assert_string_equal(other.gpu.name, GPU_SEARCH_DEFAULT);
	assert_int_equal(cuda_gpu_init(&other, "", &err), 0);
	assert_true(other.gpu.is_default);
	assert_int_equal(cuda_gpu_init(&other, "V100", &err), 0);
	assert_string_equal(other.gpu.name, "v100");
	assert_int_equal(cuda_gpu_init(&other, "none", &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "unknown GPU 'none'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_lie_where_programs_look_for_them),
		cmocka_unit_test(structures_are_as_large_as_programs_make_them),
		cmocka_unit_test(the_v100_is_told_to_all_versions),
		cmocka_unit_test(occupancy_is_that_of_the_description),
		cmocka_unit_test(every_gpu_can_be_told_of),
	};

	return cmocka_run_group_tests(tests, read_gpu, NULL);
}

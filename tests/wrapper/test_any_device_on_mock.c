/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WARPLINE_ANY_DEVICE on two platforms: a program that asks for a type of device gets another only
 * where no platform has one, and then that of the platform it asked.
 */
#include "cmocka_all.h"
#include "mock_calls.h"
#include "mock_driver.h"
#include "opencl.h"

#include <stdlib.h>

#define CPU CL_DEVICE_TYPE_CPU
#define GPU CL_DEVICE_TYPE_GPU

static const struct {
	cl_device_type have[2]; /* the platforms' devices */
	cl_device_type wanted;
	bool takes_any;   /* the variable is set */
	bool is_given[2]; /* by each platform */
} rows[] = {
	{ { CPU, CPU }, CPU, false, { true, true } },
	{ { CPU, CPU }, GPU, false, { false, false } },
	{ { CPU, CPU }, GPU, true, { true, true } },
	{ { CPU, CPU }, CL_DEVICE_TYPE_ACCELERATOR, true, { true, true } },
	{ { CPU, CPU }, GPU | CL_DEVICE_TYPE_ACCELERATOR, true, { true, true } },
	/* What one platform has, the other does not make up for. */
	{ { CPU, GPU }, GPU, true, { false, true } },
	{ { GPU, CPU }, GPU, true, { true, false } },
	{ { CPU, GPU }, CPU, true, { true, false } },
	{ { CPU, CL_DEVICE_TYPE_ACCELERATOR }, GPU, true, { true, true } },
	/* Of no type of the table: the program wants what there is not. */
	{ { CPU, CPU }, CL_DEVICE_TYPE_CUSTOM, true, { false, false } },
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static void begin_row(size_t i)
{
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	mock_driver_set_types(rows[i].have[0], rows[i].have[1]);
	opencl_real_set(mock_driver());
	if (rows[i].takes_any)
		setenv("WARPLINE_ANY_DEVICE", "1", 1);
	else
		unsetenv("WARPLINE_ANY_DEVICE");
}

static void devices_are_of_the_platform_that_is_asked(void **state)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		begin_row(i);
		for (int k = 0; k < 2; k++) {
			cl_platform_id platform = (cl_platform_id)&mock_platforms[k];
			cl_device_id device = NULL;
			cl_uint count = 0;
			cl_int rc =
				hook_clGetDeviceIDs(platform, rows[i].wanted, 1, &device, &count);

			if (rc != (rows[i].is_given[k] ? CL_SUCCESS : CL_DEVICE_NOT_FOUND))
				fail_msg("row %zu, platform %d: %d", i, k, rc);
			assert_int_equal(count, rows[i].is_given[k]);
			assert_ptr_equal(device, rows[i].is_given[k] ? &mock_devices[k] : NULL);
		}
	}
}

static void contexts_are_of_the_platform_that_is_asked(void **state)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		begin_row(i);
		for (int k = 0; k < 2; k++) {
			const cl_context_properties properties[] = {
				CL_CONTEXT_PLATFORM, (cl_context_properties)&mock_platforms[k], 0
			};
			cl_device_id device = NULL;
			cl_int rc = 1;
			cl_context context = hook_clCreateContextFromType(
				properties, rows[i].wanted, NULL, NULL, &rc);

			if (rc != (rows[i].is_given[k] ? CL_SUCCESS : CL_DEVICE_NOT_FOUND))
				fail_msg("row %zu, platform %d: %d", i, k, rc);
			assert_int_equal(context != NULL, rows[i].is_given[k]);
			if (!context)
				continue;
			mock_driver()->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(device),
			                                (void *)&device, NULL);
			assert_ptr_equal(device, &mock_devices[k]);
			assert_int_equal(hook_clReleaseContext(context), CL_SUCCESS);
		}
		assert_int_equal(mock_driver_alive(), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_are_of_the_platform_that_is_asked),
		cmocka_unit_test(contexts_are_of_the_platform_that_is_asked),
	};

	unsetenv("WARPLINE_DIR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

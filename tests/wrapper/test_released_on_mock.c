/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application sees the same answers and reference counts with and without the recorder, and
 * every object dies when it would without us.
 */
#include "cmocka_all.h"
#include "mock_driver.h"
#include "mock_host.h"
#include "mock_instrumenter.h"
#include "opencl_session.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[128];

static void nothing_is_held_that_the_application_let_go(void **state)
{
	static struct mock_host native, recorded;
	struct recording *recording = NULL;
	struct session *s;
	char dir[128];

	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	mock_host_run(&native, mock_driver(), true);
	assert_int_equal(mock_driver_alive(), 0);

	snprintf(dir, sizeof(dir), "%s/recorded", work_dir);
	s = session_create(&opencl_part, dir, instrumenter, 1 << 20);
	assert_non_null(s);
	mock_host_run(&recorded, mock_host_hooked(), true);
	assert_string_equal(recorded.log, native.log);
	assert_memory_equal(recorded.results, native.results, sizeof(native.results));
	/* Before the session's end, which would cover what was kept until then. A launch's events
	 * go in a thread of their own, soon. */
	for (int i = 0; i < 10000 && mock_driver_alive(); i++)
		usleep(1000);
	assert_int_equal(mock_driver_alive(), 0);
	assert_int_equal(mock_driver_misuses(), 0);
	session_end();
	session_free(s);
	assert_int_equal(mock_driver_alive(), 0);

	assert_int_equal(recording_open(&recording, dir, NULL), 0);
	assert_int_equal(recording->launch_count, MOCK_HOST_LAUNCHES);
	assert_true(recording_is_complete(recording, NULL));
	recording_close(recording);
}

static void *ask(cl_platform_id platform, const char *name)
{
	return hook_clGetExtensionFunctionAddressForPlatform(platform, name);
}

static void extensions_are_found_by_the_platform_of_the_object(void **state)
{
	cl_platform_id platforms[2];
	cl_device_id devices[2];
	cl_context contexts[2];
	cl_int rc;

	mock_driver_reset();
	opencl_real_set(mock_driver());
	assert_int_equal(mock_driver()->clGetPlatformIDs(2, platforms, NULL), 0);
	for (int i = 0; i < 2; i++) {
		mock_driver()->clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &devices[i],
		                              NULL);
		contexts[i] = hook_clCreateContext(NULL, 1, &devices[i], NULL, NULL, &rc);
	}
	/* The second platform has no command buffers. */
	assert_non_null(opencl_ext_of(contexts[0])->clCreateCommandBufferKHR);
	assert_null(opencl_ext_of(contexts[1])->clCreateCommandBufferKHR);
	assert_non_null(opencl_ext_of(contexts[1])->clHostMemAllocINTEL);
	assert_non_null(opencl_ext_of(devices[1])->clHostMemAllocINTEL);
	assert_non_null(opencl_ext_of(NULL));
	assert_null(ask(platforms[0], "clOfNobody"));
	assert_null(ask(platforms[1], "clCreateCommandBufferKHR"));
	for (int i = 0; i < 2; i++)
		hook_clReleaseContext(contexts[i]);
	assert_int_equal(mock_driver_alive(), 0);
}

static void check_address(const char *name, const void *ours)
{
	const void *got = hook_clGetExtensionFunctionAddress(name);
	const void *theirs = mock_driver()->clGetExtensionFunctionAddress(name);

	assert_non_null(theirs);
	assert_ptr_equal(got, ours ? ours : theirs);
}

static void a_program_that_asks_for_an_address_gets_our_hook(void **state)
{
	union {
		const void *address;
#define CL_EXT(type, name, params, args) type(CL_API_CALL *name) params;
#include "opencl_api.def"
	} ours;

	opencl_real_set(mock_driver());
#define ROW(name, hook)                                                                            \
	ours.name = hook;                                                                          \
	check_address(#name, ours.address);
#define CL_EXT(type, name, params, args)      ROW(name, NULL)
#define CL_EXT_HOOK(type, name, params, args) ROW(name, hook_##name)
#include "opencl_api.def"
#undef ROW
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_held_that_the_application_let_go),
		cmocka_unit_test(extensions_are_found_by_the_platform_of_the_object),
		cmocka_unit_test(a_program_that_asks_for_an_address_gets_our_hook),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	mock_instrumenter_write(work_dir, instrumenter);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}

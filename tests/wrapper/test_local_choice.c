/* SPDX-License-Identifier: Apache-2.0 */
/* Which local size a launch without one gets, on a driver that says it and on one that does not. */
#include "cmocka_all.h"
#include "engine.h"
#include "err.h"
#include "launch_capture.h"
#include "launch_job.h"
#include "mock_calls.h"
#include "mock_driver.h"
#include "opencl_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";

/* What the driver's suggestion is: an error, or a size. */
static cl_int suggestion_status;
static size_t suggestion[3];

cl_int mock_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                                 cl_uint dimensions, const size_t *offset,
                                                 const size_t *global, size_t *local)
{
	ENTER
	assert_non_null(kernel);
	assert_int_equal(offset[0], 5);
	if (suggestion_status == CL_SUCCESS)
		memcpy(local, suggestion, dimensions * sizeof(*local));
	LEAVE(suggestion_status);
}

/* The mock takes groups of 256 work-items; the engine's own question is answered with 1x1x1. */
struct scene {
	cl_int status;
	cl_uint dimensions;
	size_t suggested[3];
	uint64_t want[3];
};

static const struct scene scenes[] = {
	{ CL_SUCCESS, 3, { 32, 4, 2 }, { 32, 4, 2 } },
	{ CL_SUCCESS, 1, { 64, 9, 9 }, { 64, 1, 1 } },
	{ CL_SUCCESS, 2, { 7, 1, 9 }, { 7, 1, 1 } },
	{ CL_INVALID_KERNEL, 2, { 7, 7, 7 }, { 1, 1, 1 } },
	{ CL_SUCCESS, 2, { 0, 8, 8 }, { 1, 1, 1 } },
};

/* What a launch needs that the two tests share. */
struct objects {
	struct session *session;
	struct engine engine;
	struct launch_request request;
	cl_program program;
};

static const size_t offset[3] = { 5, 6, 7 }, global[3] = { 64, 8, 4 };

static void make(struct objects *o, const char *name)
{
	const char *text = "update";
	cl_device_id device = NULL;
	char dir[128];
	cl_int rc;

	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	*o = (struct objects){ .engine = { .has_unit_local = true } };
	o->session = session_create(&opencl_part, dir, "/nowhere", 1 << 20);
	assert_non_null(o->session);
	o->engine.context = opencl_real()->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	o->request.queue = opencl_real()->clCreateCommandQueue(o->engine.context, NULL, 0, &rc);
	o->program =
		opencl_real()->clCreateProgramWithSource(o->engine.context, 1, &text, NULL, &rc);
	o->request.kernel = opencl_real()->clCreateKernel(o->program, "update", &rc);
	o->request.offset = offset;
	o->request.global = global;
}

static void release(struct objects *o)
{
	opencl_real()->clReleaseKernel(o->request.kernel);
	opencl_real()->clReleaseProgram(o->program);
	opencl_real()->clReleaseCommandQueue(o->request.queue);
	opencl_real()->clReleaseContext(o->engine.context);
	session_end();
	session_free(o->session);
	assert_int_equal(mock_driver_alive(), 0);
}

static void the_drivers_suggestion_counts_if_it_makes_one(void **state)
{
	struct objects o;

	make(&o, "suggestion");
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		struct launch_shape shape = {
			scenes[i].dimensions, { 64, 8, 4 }, { 1, 1, 1 }, { 5, 6, 7 }
		};

		suggestion_status = scenes[i].status;
		memcpy(suggestion, scenes[i].suggested, sizeof(suggestion));
		o.request.work_dim = scenes[i].dimensions;
		assert_int_equal(local_choice_find(&o.engine, o.session, &o.request, &shape, NULL),
		                 0);
		assert_memory_equal(shape.local, scenes[i].want, sizeof(shape.local));
	}
	release(&o);
}

/* The device once chose 512 for another kernel; this one takes 256 at most. */
static void a_choice_that_the_kernel_does_not_take_is_none(void **state)
{
	struct launch_shape shape = { 1, { 1024, 1, 1 }, { 1, 1, 1 }, { 5, 0, 0 } };
	struct err err = { 0 };
	struct objects o;

	make(&o, "choice");
	suggestion_status = CL_INVALID_KERNEL;
	o.request.work_dim = 1;
	o.engine.choice_count = 1;
	o.engine.choices[0] = (struct chosen_local){ 1, { 1024, 1, 1 }, { 512, 1, 1 } };
	assert_int_equal(local_choice_find(&o.engine, o.session, &o.request, &shape, &err),
	                 ERR_DEVICE);
	assert_string_equal(err.msg,
	                    "the local size that the device chooses for this kernel is not known");
	release(&o);
}

/* Derived by hand: the driver's choice is cut from z to x, to what divides the global size. */
static const struct {
	uint64_t max_group; /* 0: not said */
	cl_device_type type;
	uint64_t global[3], chosen[3], want[3];
} limits[] = {
	{ 0, CL_DEVICE_TYPE_CPU, { 4096, 1, 1 }, { 4096, 1, 1 }, { 1024, 1, 1 } },
	{ 0, CL_DEVICE_TYPE_CPU, { 64, 64, 1 }, { 64, 64, 1 }, { 64, 16, 1 } },
	{ 0, CL_DEVICE_TYPE_CPU, { 32, 16, 8 }, { 32, 16, 8 }, { 32, 16, 2 } },
	{ 0, CL_DEVICE_TYPE_CPU, { 4, 4, 256 }, { 4, 4, 256 }, { 4, 4, 64 } },
	{ 0, CL_DEVICE_TYPE_CPU, { 1000, 3, 1 }, { 1000, 3, 1 }, { 1000, 1, 1 } },
	{ 0, CL_DEVICE_TYPE_CPU, { 3000, 2, 1 }, { 3000, 1, 1 }, { 1000, 1, 1 } },
	{ 0, CL_DEVICE_TYPE_CPU, { 3000, 2, 1 }, { 1500, 2, 1 }, { 1000, 1, 1 } },
	{ 0, CL_DEVICE_TYPE_CPU, { 1024, 9, 1 }, { 1024, 1, 1 }, { 1024, 1, 1 } },
	/* Of a prime nothing is left but groups of one. */
	{ 0, CL_DEVICE_TYPE_CPU, { 3001, 1, 1 }, { 3001, 1, 1 }, { 3001, 1, 1 } },
	{ 0, CL_DEVICE_TYPE_GPU, { 4096, 1, 1 }, { 4096, 1, 1 }, { 4096, 1, 1 } },
	{ 256, CL_DEVICE_TYPE_GPU, { 4096, 1, 1 }, { 4096, 1, 1 }, { 256, 1, 1 } },
	{ 8192, CL_DEVICE_TYPE_CPU, { 4096, 1, 1 }, { 4096, 1, 1 }, { 4096, 1, 1 } },
	{ 8, CL_DEVICE_TYPE_CPU, { 4096, 1, 1 }, { 4096, 1, 1 }, { 8, 1, 1 } },
};

static void a_choice_is_cut_to_what_gpus_take(void **state)
{
	struct objects o;

	make(&o, "limit");
	o.engine.device = (cl_device_id)&mock_devices[0];
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct launch_shape shape = { .dimensions = 3 };

		memcpy(shape.global, limits[i].global, sizeof(shape.global));
		memcpy(shape.local, limits[i].chosen, sizeof(shape.local));
		mock_driver_set_types(limits[i].type, limits[i].type);
		o.session->settings.max_group = limits[i].max_group;
		local_choice_limit(&o.engine, o.session, &shape);
		assert_memory_equal(shape.local, limits[i].want, sizeof(shape.local));
	}
	mock_driver_set_types(CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_ALL);
	release(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_choice_is_cut_to_what_gpus_take),
		cmocka_unit_test(the_drivers_suggestion_counts_if_it_makes_one),
		cmocka_unit_test(a_choice_that_the_kernel_does_not_take_is_none),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight threads launch kernels that the user did not select, and some that are: on the mock driver,
 * whose "update" and "other" are the kernels of every program.
 */
#include "cmocka_all.h"
#include "mock_driver.h"
#include "mock_host.h"
#include "mock_instrumenter.h"
#include "mock_objects.h"
#include "opencl_session.h"
#include "recording.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS  8
#define LAUNCHES 150 /* of each kernel by each thread */

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[128];
static const struct opencl_real *cl;
static cl_context context;
static cl_program program;
static cl_command_queue queue;

static void make_shared(void)
{
	const char *text = "update";
	cl_platform_id platform;
	cl_device_id device;
	cl_int rc;

	cl->clGetPlatformIDs(1, &platform, NULL);
	cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	queue = cl->clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
	                                 &rc);
	program = cl->clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	assert_int_equal(cl->clBuildProgram(program, 0, NULL, "", NULL, NULL), 0);
}

/* A kernel of `name` with its buffer set. */
static cl_kernel make_kernel(const char *name, cl_mem mem)
{
	cl_kernel kernel = cl->clCreateKernel(program, name, NULL);

	assert_int_equal(cl->clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem), 0);
	return kernel;
}

/* One launch; what the driver said. */
static cl_int launch(cl_kernel kernel, size_t global)
{
	const size_t local = 1;

	return cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

/* The launches of both kernels in turn; every fifty, new kernels in the place of the old. */
static void *run_thread(void *argument)
{
	cl_mem mem = cl->clCreateBuffer(context, 0, 64, NULL, NULL);
	cl_kernel kernels[2] = { make_kernel("update", mem), make_kernel("other", mem) };

	(void)argument;
	for (int i = 0; i < LAUNCHES; i++) {
		for (int k = 0; k < 2; k++) {
			if (i % 50 == 49) {
				cl->clReleaseKernel(kernels[k]);
				kernels[k] = make_kernel(k ? "other" : "update", mem);
			}
			assert_int_equal(launch(kernels[k], 1), 0);
		}
	}
	cl->clReleaseKernel(kernels[0]);
	cl->clReleaseKernel(kernels[1]);
	cl->clReleaseMemObject(mem);
	return NULL;
}

/* Begin with a setting; name is that of the recording. */
static struct session *begin(const char *name, const char *variable, const char *value)
{
	struct session *s;
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	setenv(variable, value, 1);
	s = session_create(&opencl_part, dir, instrumenter, 1 << 16);
	unsetenv(variable);
	assert_non_null(s);
	cl = mock_host_hooked();
	make_shared();
	return s;
}

static struct recording *end(struct session *s, const char *name)
{
	struct recording *r = NULL;
	char dir[128];

	cl->clReleaseProgram(program);
	cl->clReleaseCommandQueue(queue);
	cl->clReleaseContext(context);
	session_end();
	session_free(s);
	assert_int_equal(mock_driver_alive(), 0);
	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	assert_int_equal(recording_open(&r, dir, NULL), 0);
	return r;
}

/* How many launches the tallies of a kernel (NULL: any) have for a reason. */
static uint64_t tallied(const struct recording *r, const char *kernel, const char *reason)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->tally_count; i++)
		if (!strcmp(r->tallies[i].reason, reason) &&
		    (!kernel || !strcmp(r->kernels[r->tallies[i].kernel].table.name, kernel)))
			sum += r->tallies[i].count;
	return sum;
}

/* Every setting leaves out as many as it says, whoever comes first; all are seen; no other lines.
 */
static void eight_threads_are_counted_right(void **state)
{
	enum { ALL = 2 * THREADS * LAUNCHES };
	static const struct {
		const char *variable, *value, *reason;
		uint64_t left_out, of_update;
	} rows[] = {
		{ "WARPLINE_KERNEL", "^nosuch$", "--kernel", ALL, ALL / 2 },
		{ "WARPLINE_KERNEL", "^update$", "--kernel", ALL / 2, 0 },
		{ "WARPLINE_LAUNCHES", "17,40..42,100000", "--launches", ALL - 4, UINT64_MAX },
		{ "WARPLINE_SKIP", "2390", "--skip", 2390, UINT64_MAX },
		{ "WARPLINE_PER_KERNEL", "3", "--per-kernel", ALL - 6, ALL / 2 - 3 },
		{ "WARPLINE_MAX_LAUNCHES", "5", "--max-launches", ALL - 5, UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct session *s = begin("threads", rows[i].variable, rows[i].value);
		pthread_t threads[THREADS];
		struct recording *r;
		char text[128];

		for (int t = 0; t < THREADS; t++)
			assert_int_equal(pthread_create(&threads[t], NULL, run_thread, NULL), 0);
		for (int t = 0; t < THREADS; t++)
			pthread_join(threads[t], NULL);
		r = end(s, "threads");
		print_message("%s=%s\n", rows[i].variable, rows[i].value);
		assert_int_equal(r->launches_seen, ALL);
		assert_int_equal(r->launches_unknown, 0);
		assert_true(r->has_end);
		assert_int_equal(tallied(r, NULL, rows[i].reason), rows[i].left_out);
		assert_int_equal(tallied(r, NULL, rows[i].reason) + r->launch_count, ALL);
		if (rows[i].of_update != UINT64_MAX)
			assert_int_equal(tallied(r, "update", rows[i].reason), rows[i].of_update);
		recording_close(r);
		snprintf(text, sizeof(text), "rm -rf %s/threads", work_dir);
		assert_int_equal(system(text), 0);
	}
}

/* A launch that the driver refuses is none, takes no number and is none of those to skip. */
static void refused_and_empty_launches_count_for_nothing(void **state)
{
	static const struct {
		const char *variable, *value, *reason;
	} rows[] = {
		{ "WARPLINE_KERNEL", "^nosuch$", "--kernel" },
		{ "WARPLINE_LAUNCHES", "5000", "--launches" },
		{ "WARPLINE_SKIP", "11", "--skip" }, /* the ten, and one being refused */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct session *s = begin(rows[i].reason, rows[i].variable, rows[i].value);
		cl_mem mem = cl->clCreateBuffer(context, 0, 64, NULL, NULL);
		cl_kernel kernel = make_kernel("update", mem);
		struct recording *r;

		for (int k = 0; k < 10; k++) {
			assert_int_equal(launch(kernel, 1), 0);
			mock_driver_fail(0);
			assert_int_not_equal(launch(kernel, 1), 0);
			mock_driver_fail(SIZE_MAX);
			(void)launch(kernel, 0);
		}
		cl->clReleaseKernel(kernel);
		cl->clReleaseMemObject(mem);
		r = end(s, rows[i].reason);
		assert_int_equal(r->launches_seen, 10);
		assert_int_equal(r->launch_count, 0);
		assert_int_equal(tallied(r, "update", rows[i].reason), 10);
		assert_int_equal(r->tallies[0].first, 0);
		assert_int_equal(r->tallies[0].last, 9);
		recording_close(r);
	}
}

/* The first launches of a kernel that runs unmodified have lines, all of them one reason. */
static void launches_of_unmodified_kernels_are_counted_after_the_first(void **state)
{
	struct session *s;
	struct recording *r;
	cl_kernel kernel;
	cl_mem mem;

	(void)state;
	snprintf(instrumenter + strlen(instrumenter), sizeof(instrumenter) - strlen(instrumenter),
	         "-nosuch");
	s = begin("unmodified", "WARPLINE_OPT", "0"); /* nothing is selected by it */
	instrumenter[strlen(instrumenter) - strlen("-nosuch")] = '\0';
	mem = cl->clCreateBuffer(context, 0, 64, NULL, NULL);
	kernel = make_kernel("update", mem);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(launch(kernel, 1), 0);
	cl->clReleaseKernel(kernel);
	cl->clReleaseMemObject(mem);
	r = end(s, "unmodified");
	assert_int_equal(r->launches_seen, 1000);
	assert_int_equal(r->launch_count, TALLY_OWN_LINES);
	for (size_t i = 0; i < r->launch_count; i++)
		assert_int_equal(r->launches[i].fate, LAUNCH_SKIPPED);
	assert_int_equal(r->tally_count, 1);
	assert_int_equal(r->tallies[0].fate, LAUNCH_SKIPPED);
	assert_string_equal(r->tallies[0].reason, r->launches[0].reason);
	assert_int_equal(r->tallies[0].count, 1000 - TALLY_OWN_LINES);
	assert_false(recording_is_complete(r, NULL));
	recording_close(r);
}

/* The driver below, but that a kernel of the application gets the handle of the one before. */
static cl_kernel again;
static bool keeps_handle;

static cl_kernel CL_API_CALL create_again(cl_program of, const char *name, cl_int *rc)
{
	if (of != program || !again) {
		cl_kernel kernel = mock_driver()->clCreateKernel(of, name, rc);

		again = of == program ? kernel : again;
		return kernel;
	}
	snprintf(((struct object *)again)->name, sizeof(((struct object *)again)->name), "%s",
	         name);
	if (rc)
		*rc = CL_SUCCESS;
	return again;
}

static cl_int CL_API_CALL release_or_keep(cl_kernel kernel)
{
	return keeps_handle ? CL_SUCCESS : mock_driver()->clReleaseKernel(kernel);
}

static void a_handle_that_comes_again_is_another_kernel(void **state)
{
	struct session *s = begin("again", "WARPLINE_KERNEL", "^update$");
	struct opencl_real odd = *mock_driver();
	struct recording *r;
	cl_kernel kernel;
	cl_mem mem = cl->clCreateBuffer(context, 0, 64, NULL, NULL);

	(void)state;
	odd.clCreateKernel = create_again;
	odd.clReleaseKernel = release_or_keep;
	opencl_real_set(&odd);
	kernel = make_kernel("other", mem);
	assert_int_equal(launch(kernel, 1), 0);
	assert_int_equal(launch(kernel, 1), 0);
	keeps_handle = true;
	cl->clReleaseKernel(kernel);
	keeps_handle = false;
	assert_ptr_equal(make_kernel("update", mem), kernel);
	assert_int_equal(launch(kernel, 1), 0);
	cl->clFinish(queue);
	cl->clReleaseKernel(kernel);
	cl->clReleaseMemObject(mem);
	r = end(s, "again");
	opencl_real_set(mock_driver());
	assert_int_equal(r->launches_seen, 3);
	assert_int_equal(tallied(r, "other", "--kernel"), 2);
	assert_int_equal(r->launch_count, 1);
	assert_int_equal(r->launches[0].number, 2);
	recording_close(r);
}

/* What is counted is written while the program goes on, by the worker's thread. */
static void counts_are_written_before_the_end(void **state)
{
	struct session *s = begin("early", "WARPLINE_KERNEL", "^nosuch$");
	cl_mem mem = cl->clCreateBuffer(context, 0, 64, NULL, NULL);
	cl_kernel kernel = make_kernel("update", mem);
	struct recording *r = NULL;
	char dir[128];
	bool is_written = false;

	(void)state;
	for (int i = 0; i < 7; i++)
		assert_int_equal(launch(kernel, 1), 0);
	snprintf(dir, sizeof(dir), "%s/early", work_dir);
	for (int i = 0; i < 6000 && !is_written; i++) {
		usleep(10000);
		assert_int_equal(recording_open(&r, dir, NULL), 0);
		is_written = r->launches_seen == 7;
		assert_false(r->has_end);
		recording_close(r);
	}
	assert_true(is_written);
	cl->clReleaseKernel(kernel);
	cl->clReleaseMemObject(mem);
	r = end(s, "early");
	assert_int_equal(r->launches_seen, 7);
	recording_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_threads_are_counted_right),
		cmocka_unit_test(refused_and_empty_launches_count_for_nothing),
		cmocka_unit_test(launches_of_unmodified_kernels_are_counted_after_the_first),
		cmocka_unit_test(a_handle_that_comes_again_is_another_kernel),
		cmocka_unit_test(counts_are_written_before_the_end),
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

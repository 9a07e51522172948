/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight threads launch on four queues without order, each over its own buffer, share the program
 * and make and release objects meanwhile. With -DSANITIZE=thread, ThreadSanitizer watches; the mock
 * driver's lock is hidden from it, so that only what a driver promises counts as order.
 */
#include "cmocka_all.h"
#include "mock_driver.h"
#include "mock_host.h"
#include "mock_instrumenter.h"
#include "opencl_session.h"
#include "recording.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS  8
#define QUEUES   4
#define ITEMS    64
#define LAUNCHES 12

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[128];
static const struct opencl_real *cl;
static cl_context context;
static cl_program program;
static cl_command_queue queues[QUEUES];

struct worker_thread {
	pthread_t thread;
	int number, failures;
	int got[ITEMS];
};

static void fill_expected(int want[ITEMS])
{
	for (int i = 0; i < ITEMS; i++) {
		unsigned value = (unsigned)i;

		for (int launch = 0; launch < LAUNCHES; launch++)
			for (unsigned k = 0; k < mock_driver_count((uint64_t)i); k++)
				value = value * 3 + (unsigned)i;
		want[i] = (int)value;
	}
}

/* Launches that follow each other by their events, on one queue after the other. */
static cl_event launch_all(struct worker_thread *t, cl_kernel kernel)
{
	const size_t global = ITEMS, local = 16;
	cl_event last = NULL;

	for (int i = 0; i < LAUNCHES; i++) {
		cl_event event = NULL;

		t->failures += cl->clEnqueueNDRangeKernel(queues[(t->number + i) % QUEUES], kernel,
		                                          1, NULL, &global, &local, last != NULL,
		                                          last ? &last : NULL, &event) != 0;
		if (last)
			t->failures += cl->clReleaseEvent(last) != 0;
		last = event;
	}
	return last;
}

static void *run_thread(void *argument)
{
	struct worker_thread *t = argument;
	cl_kernel kernel;
	cl_event last;
	cl_mem mem;
	cl_int rc;

	for (int i = 0; i < ITEMS; i++)
		t->got[i] = i;
	kernel = cl->clCreateKernel(program, "update", &rc);
	mem = cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(t->got), t->got, &rc);
	t->failures += cl->clSetKernelArg(kernel, 0, sizeof(mem), &mem) != 0;
	last = launch_all(t, kernel);
	t->failures += cl->clReleaseKernel(kernel) != 0;
	t->failures += cl->clWaitForEvents(1, &last) != 0;
	t->failures += cl->clReleaseEvent(last) != 0;
	t->failures += cl->clEnqueueReadBuffer(queues[t->number % QUEUES], mem, CL_TRUE, 0,
	                                       sizeof(t->got), t->got, 0, NULL, NULL) != 0;
	t->failures += cl->clReleaseMemObject(mem) != 0;
	return NULL;
}

static void make_shared(void)
{
	const char *text = "update";
	cl_platform_id platform;
	cl_device_id device;
	cl_int rc;

	cl->clGetPlatformIDs(1, &platform, NULL);
	cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	for (int i = 0; i < QUEUES; i++)
		queues[i] = cl->clCreateCommandQueue(
			context, device,
			CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, &rc);
	program = cl->clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	assert_int_equal(cl->clBuildProgram(program, 0, NULL, "", NULL, NULL), 0);
}

static void release_shared(void)
{
	cl->clReleaseProgram(program);
	for (int i = 0; i < QUEUES; i++)
		cl->clReleaseCommandQueue(queues[i]);
	cl->clReleaseContext(context);
}

static void check_recording(const char *dir)
{
	struct recording *r = NULL;

	assert_int_equal(recording_open(&r, dir, NULL), 0);
	assert_int_equal(r->launch_count, THREADS * LAUNCHES);
	assert_true(recording_is_complete(r, NULL));
	recording_close(r);
}

static void eight_threads_launch_on_four_queues_without_order(void **state)
{
	static struct worker_thread threads[THREADS];
	struct session *s;
	int want[ITEMS];
	char dir[128];

	fill_expected(want);
	snprintf(dir, sizeof(dir), "%s/threads", work_dir);
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	s = session_create(&opencl_part, dir, instrumenter, 1 << 16);
	assert_non_null(s);
	cl = mock_host_hooked();
	make_shared();
	for (int i = 0; i < THREADS; i++) {
		threads[i].number = i;
		assert_int_equal(pthread_create(&threads[i].thread, NULL, run_thread, &threads[i]),
		                 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i].thread, NULL);
	release_shared();
	session_end();
	session_free(s);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(threads[i].failures, 0);
		assert_memory_equal(threads[i].got, want, sizeof(want));
	}
	assert_int_equal(mock_driver_alive(), 0);
	assert_int_equal(mock_driver_misuses(), 0);
	check_recording(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_threads_launch_on_four_queues_without_order),
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

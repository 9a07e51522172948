/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches that are pending when the process ends: in the handlers of exit() nothing is begun any
 * more, what is left says why it was not recorded, and what something waits for after all runs.
 */
#include "clock.h"
#include "cmocka_all.h"
#include "mock_driver.h"
#include "mock_host.h"
#include "mock_instrumenter.h"
#include "opencl_session.h"
#include "recording.h"
#include "worker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS    16
#define LAUNCHES 3

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[128];

/* A process that ends in the middle of its work frees nothing. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* The application, with all launches of `update` over one buffer. */
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem mem;
static int values[ITEMS];

/* The driver, in which the recorder's queues are done when the test lets them. */
static struct opencl_real driver;
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static bool is_open;
static unsigned arrivals;  /* at the gate */
static uint64_t passed_ns; /* when the second one came */

static cl_int finish(cl_command_queue of)
{
	if (of == queue)
		return mock_driver()->clFinish(of);
	pthread_mutex_lock(&gate_lock);
	if (++arrivals == 2)
		passed_ns = clock_now_ns();
	pthread_cond_broadcast(&gate_changed);
	while (!is_open)
		pthread_cond_wait(&gate_changed, &gate_lock);
	pthread_mutex_unlock(&gate_lock);
	return mock_driver()->clFinish(of);
}

/* Until a launch has run and the recorder waits for it. */
static void wait_for_arrival(void)
{
	pthread_mutex_lock(&gate_lock);
	while (!arrivals)
		pthread_cond_wait(&gate_changed, &gate_lock);
	pthread_mutex_unlock(&gate_lock);
}

static void open_gate(void)
{
	pthread_mutex_lock(&gate_lock);
	is_open = true;
	pthread_cond_broadcast(&gate_changed);
	pthread_mutex_unlock(&gate_lock);
}

static void set_up(void)
{
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	driver = *mock_driver();
	driver.clFinish = finish;
	opencl_real_set(&driver);
	is_open = false;
	arrivals = 0;
}

static void launch(const cl_event *wait)
{
	const size_t items = ITEMS;

	hook_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, wait ? 1 : 0, wait,
	                            NULL);
}

static void start(void)
{
	const char *text = "update";
	cl_device_id device;

	for (int i = 0; i < ITEMS; i++)
		values[i] = i;
	driver.clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = hook_clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = hook_clCreateCommandQueue(context, device, 0, NULL);
	program = hook_clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	hook_clBuildProgram(program, 0, NULL, "", NULL, NULL);
	kernel = hook_clCreateKernel(program, "update", NULL);
	mem = hook_clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, NULL);
	hook_clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem);
}

/* On a queue where nothing waits for what came before, so that all of them are ready. */
static void *launch_and_exit(void *unused)
{
	cl_event never = driver.clCreateUserEvent(context, NULL);

	for (int i = 0; i < LAUNCHES; i++)
		launch(NULL);
	launch(&never);
	wait_for_arrival();
	exit(0);
}

/* The child of a test: a process that ends like this. The main thread's own end is foreseen. */
static _Noreturn void be_the_process(const char *dir)
{
	cl_device_id device;
	pthread_t thread;

	setenv("WARPLINE_DIR", dir, 1);
	setenv("WARPLINE_INSTRUMENT", instrumenter, 1);
	setenv("WARPLINE_CACHE", "off", 1);
	set_up();
	start();
	driver.clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	queue = hook_clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
	                                  NULL);
	if (!pthread_create(&thread, NULL, launch_and_exit, NULL))
		pthread_join(thread, NULL);
	_exit(1);
}

static void what_is_pending_when_a_process_ends_is_lost_by_name(void **state)
{
	struct recording *r = NULL;
	char dir[128], says[512] = "";
	int status;
	pid_t child;

	snprintf(dir, sizeof(dir), "%s/lost", work_dir);
	fflush(NULL);
	child = fork();
	if (!child)
		be_the_process(dir);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(recording_open(&r, dir, NULL), 0);
	assert_true(r->has_end);
	/* The first has run, but nobody knows that: small ones have a line once they are done. */
	assert_int_equal(r->launch_count, LAUNCHES);
	assert_int_equal(r->launches_unknown, 1);
	for (uint64_t i = 1; i <= LAUNCHES; i++) {
		const struct recorded_launch *l = &r->launches[i - 1];

		assert_int_equal(l->number, i);
		assert_int_equal(l->fate, LAUNCH_SKIPPED);
		snprintf(says, sizeof(says), "%s", l->reason);
		if (!strstr(says, i < LAUNCHES ? "the program ended without waiting for it"
		                               : "the program ended before an event"))
			fail_msg("%d: %s", (int)i, says);
	}
	recording_close(r);
}

static void what_something_waits_for_after_all_runs(void **state)
{
	const uint64_t hold_ns = 50000000;
	struct session *s;
	struct recording *r = NULL;
	uint64_t held_ns;
	char dir[128];
	int expected[ITEMS], got[ITEMS];

	snprintf(dir, sizeof(dir), "%s/held", work_dir);
	set_up();
	s = session_create(&opencl_part, dir, instrumenter, 1 << 20);
	assert_non_null(s);
	start();
	for (int i = 0; i < LAUNCHES; i++)
		launch(NULL);
	wait_for_arrival();
	held_ns = clock_now_ns();
	worker_hold(opencl_session(s)->worker, hold_ns);
	open_gate();
	/* As the destructor of an object would, after the handler that holds back. */
	assert_int_equal(driver.clFinish(queue), CL_SUCCESS);
	driver.clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL);
	for (int i = 0; i < ITEMS; i++) {
		expected[i] = i;
		for (unsigned k = 0; k < LAUNCHES * mock_driver_count((uint64_t)i); k++)
			expected[i] = (int)((unsigned)expected[i] * 3 + (unsigned)i);
	}
	assert_memory_equal(got, expected, sizeof(got));
	assert_true(passed_ns >= held_ns + hold_ns);
	/* With nothing pending nothing is held. */
	worker_drain(opencl_session(s)->worker);
	worker_hold(opencl_session(s)->worker, UINT64_C(3600) * 1000000000);
	launch(NULL);
	assert_int_equal(driver.clFinish(queue), CL_SUCCESS);
	hook_clReleaseKernel(kernel);
	hook_clReleaseProgram(program);
	hook_clReleaseMemObject(mem);
	hook_clReleaseCommandQueue(queue);
	hook_clReleaseContext(context);
	session_end();
	session_free(s);
	assert_int_equal(recording_open(&r, dir, NULL), 0);
	assert_int_equal(r->launch_count, LAUNCHES + 1);
	assert_true(recording_is_complete(r, NULL));
	recording_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_pending_when_a_process_ends_is_lost_by_name),
		cmocka_unit_test(what_something_waits_for_after_all_runs),
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches on a driver of our own, which fails where it is told to: whatever happens, the
 * application's buffer is as the kernel leaves it when it runs once, and no call fails that
 * would not fail without us.
 */
#include "cmocka_all.h"
#include "err.h"
#include "fault_step.h"
#include "kernel_table.h"
#include "launch_reader.h"
#include "mock_driver.h"
#include "mock_instrumenter.h"
#include "opencl_session.h"
#include "recording.h"
#include "str.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEMS    192
#define LOCAL    16
#define LAUNCHES 3

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[128];
static size_t calls; /* of the driver, in the last run */
static bool is_held; /* the application has its second launch and those behind it wait */

/* How the false instrumenter's code writes its words. */
struct layout {
	uint32_t item_words, lanes;
	bool is_repeatable;
};

static const struct layout in_chunks = { 0, 1, true };

/* The table that the false instrumenter hands out: a loop with a read and a write. */
/* More than the driver tells, as with POCL 6, or less: compilers add padding. */
static uint64_t variable_bytes(const struct layout *layout)
{
	return layout->lanes == 1 ? MOCK_LOCAL_BYTES + 32 : MOCK_LOCAL_BYTES - 32;
}

static void write_table(const struct layout *layout)
{
	struct place no_place = { 0 };
	struct site sites[2] = {
		{ SITE_READ, 4, 1, 0, 0, no_place, NULL, 0, NULL, NULL },
		{ SITE_WRITE, 4, 1, 0, 0, no_place, NULL, 0, NULL, NULL },
	};
	struct loop loop = { .parent = -1, .depth = 1 };
	char name[] = "update", pointer[] = "a", type[] = "int*";
	struct kernel_argument argument = { pointer, type, 1, true };
	struct kernel_table table = { .name = name,
		                      .sites = sites,
		                      .site_count = 2,
		                      .loops = &loop,
		                      .loop_count = 1,
		                      .arguments = &argument,
		                      .argument_count = 1,
		                      .item_words = layout->item_words,
		                      .lanes = layout->lanes,
		                      .local_bytes = variable_bytes(layout),
		                      .is_repeatable = layout->is_repeatable };
	struct err err = { 0 };
	char path[128];

	snprintf(path, sizeof(path), "%s/table.json", work_dir);
	mock_driver_set_lanes(layout->lanes);
	if (kernel_tables_write(path, &table, 1, &err) < 0)
		fail_msg("%s", err.msg);
}

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

/* One call of the application: it may fail only when it is the very call that was told to. */
#define APP(name, condition)                                                                       \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			assert_non_null(mock_driver_failed());                                     \
			assert_string_equal(mock_driver_failed(), #name);                          \
			assert_string_not_equal(#name, "clEnqueueNDRangeKernel");                  \
			return false;                                                              \
		}                                                                                  \
	} while (0)

/* The application's objects. */
struct objects {
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;
};

/* Make them. False when the call that was told to fail was one of these. */
static bool make_objects(struct objects *o)
{
	const struct opencl_real *real = opencl_real();
	const char *text = "update";
	cl_device_id device = NULL;
	int first[ITEMS];
	cl_int rc;

	for (int i = 0; i < ITEMS; i++)
		first[i] = i;
	o->context = hook_clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	APP(clCreateContext, o->context);
	o->queue = real->clCreateCommandQueue(o->context, NULL, 0, &rc);
	APP(clCreateCommandQueue, o->queue);
	o->program = hook_clCreateProgramWithSource(o->context, 1, &text, NULL, &rc);
	APP(clCreateProgramWithSource, o->program);
	APP(clBuildProgram, hook_clBuildProgram(o->program, 0, NULL, NULL, NULL, NULL) == 0);
	o->mem = hook_clCreateBuffer(o->context, 0, sizeof(first), NULL, &rc);
	APP(clCreateBuffer, o->mem);
	APP(clEnqueueWriteBuffer,
	    real->clEnqueueWriteBuffer(o->queue, o->mem, CL_TRUE, 0, sizeof(first), first, 0, NULL,
	                               NULL) == 0);
	return true;
}

static bool make_kernel(struct objects *o)
{
	cl_int rc;

	o->kernel = hook_clCreateKernel(o->program, "update", &rc);
	APP(clCreateKernel, o->kernel);
	APP(clSetKernelArg, hook_clSetKernelArg(o->kernel, 0, sizeof(o->mem), &o->mem) == 0);
	return true;
}

static void release_objects(const struct objects *o)
{
	hook_clReleaseKernel(o->kernel);
	hook_clReleaseProgram(o->program);
	hook_clReleaseMemObject(o->mem);
	opencl_real()->clReleaseCommandQueue(o->queue);
	hook_clReleaseContext(o->context);
}

/* Launch once, behind `gate` if there is one. */
static bool launch_once(const struct objects *o, cl_event gate)
{
	const size_t global = ITEMS, local = LOCAL;

	APP(clEnqueueNDRangeKernel,
	    hook_clEnqueueNDRangeKernel(o->queue, o->kernel, 1, NULL, &global, &local, gate ? 1 : 0,
	                                gate ? &gate : NULL, NULL) == 0);
	return true;
}

/* Once the first launch is done the recorder knows what others need: these are enqueued, and
 * wait. */
static bool launch_held(const struct objects *o)
{
	const struct opencl_real *real = opencl_real();
	cl_event gate;
	cl_int rc;

	if (!launch_once(o, NULL))
		return false;
	APP(clFinish, real->clFinish(o->queue) == 0);
	gate = real->clCreateUserEvent(o->context, &rc);
	APP(clCreateUserEvent, gate);
	for (int launch = 1; launch < LAUNCHES; launch++)
		if (!launch_once(o, gate))
			return false;
	while (real->clSetUserEventStatus(gate, CL_COMPLETE) != 0)
		assert_string_equal(mock_driver_failed(), "clSetUserEventStatus");
	real->clReleaseEvent(gate);
	return true;
}

static bool launch_all(const struct objects *o)
{
	for (int launch = 0; launch < LAUNCHES; launch++)
		if (!launch_once(o, NULL))
			return false;
	return true;
}

/*
 * The application: three launches in place, then its result. False when one of its own calls was
 * the one to fail, in which case a program would give up.
 */
static bool application(int got[ITEMS])
{
	const struct opencl_real *real = opencl_real();
	struct objects o = { .context = NULL };

	if (!make_objects(&o) || !make_kernel(&o) || !(is_held ? launch_held(&o) : launch_all(&o)))
		return false;
	APP(clFinish, real->clFinish(o.queue) == 0);
	APP(clEnqueueReadBuffer,
	    real->clEnqueueReadBuffer(o.queue, o.mem, CL_TRUE, 0, ITEMS * sizeof(*got), got, 0,
	                              NULL, NULL) == 0);
	release_objects(&o);
	return true;
}

/* Run the application in a session of its own; the recording goes to `name`. */
static bool run_recorded(const char *name, uint64_t buffer_bytes, size_t fail_at, int got[ITEMS])
{
	struct session *s;
	char dir[128];
	bool is_over;

	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	s = session_create(&opencl_part, dir, instrumenter, buffer_bytes);
	assert_non_null(s);
	mock_driver_fail(fail_at);
	is_over = application(got);
	session_end();
	calls = mock_driver_calls();
	session_free(s);
	return is_over;
}

static struct recording *open_recording(const char *name)
{
	struct recording *recording = NULL;
	struct err err = { 0 };
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	if (recording_open(&recording, dir, &err) < 0)
		fail_msg("%s", err.msg);
	return recording;
}

/* Every work-item's events, in order: a read and a write of its own int for each time round. */
static void check_events(const struct recording *recording, size_t number)
{
	const struct recorded_launch *launch = &recording->launches[number];
	struct launch_reader *reader = NULL;
	struct trace_source *source = NULL;
	struct group_events group;
	struct err err = { 0 };

	assert_int_equal(launch->fate, LAUNCH_TRACED);
	if (recording_open_launch(recording, number, &source, &reader, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(launch_reader_is_whole(reader));
	for (uint64_t g = 0; g < ITEMS / LOCAL; g++) {
		assert_int_equal(whole_group_plain(reader,
		                                   &recording->kernels[launch->kernel].table, g,
		                                   &group, &err),
		                 0);
		for (uint32_t item = 0; item < LOCAL; item++) {
			uint64_t i = g * LOCAL + item;
			const struct event *events = group.events + group.first[item];

			assert_int_equal(group.first[item + 1] - group.first[item],
			                 2 * mock_driver_count(i));
			for (uint32_t k = 0; k < 2 * mock_driver_count(i); k++) {
				assert_int_equal(events[k].point, EVENT_SITE | k % 2);
				assert_int_equal(events[k].iteration, k / 2);
				assert_int_equal(events[k].value,
				                 launch->arguments[0].address + i * 4);
			}
		}
	}
	launch_reader_close(reader);
	trace_source_close(source);
}

/* Run with a layout and room; all launches must be recorded whole. */
static void check_run(const char *name, const struct layout *layout, uint64_t buffer_bytes)
{
	struct recording *recording = NULL;
	int want[ITEMS], got[ITEMS];

	write_table(layout);
	fill_expected(want);
	assert_true(run_recorded(name, buffer_bytes, SIZE_MAX, got));
	assert_memory_equal(got, want, sizeof(want));
	assert_int_equal(mock_driver_alive(), 0);
	recording = open_recording(name);
	assert_int_equal(recording->launch_count, LAUNCHES);
	for (size_t launch = 0; launch < LAUNCHES; launch++) {
		check_events(recording, launch);
		/* The application's kernel's, whatever the instrumented one needs. */
		assert_int_equal(recording->launches[launch].local_bytes,
		                 layout->lanes == 1 ? variable_bytes(layout) : MOCK_LOCAL_BYTES);
	}
	assert_true(recording_is_complete(recording, NULL));
	recording_close(recording);
	write_table(&in_chunks);
}

static void overflowing_slices_are_undone_and_run_again(void **state)
{
	/* In half of 4096 bytes, less 512, lie at most 19 chunks of 8 words: a group of 16 with 44
	 * words for some work-items does not fit, and the buffer must grow. */
	static const uint64_t buffers[] = { 4096, 8192, 20000, 1 << 20 };

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) {
		char name[32];

		snprintf(name, sizeof(name), "buffer-%zu", i);
		check_run(name, &in_chunks, buffers[i]);
	}
}

/* Interleaved by lane, in slots: the most that a work-item writes is 22 times 2 words. */
static void every_layout_gives_the_same_events(void **state)
{
	static const struct layout layouts[] = { { 0, 32, true },
		                                 { 44, 1, true },
		                                 { 45, 32, true } };
	static const uint64_t buffers[] = { 4096, 20000, 1 << 20 };

	for (size_t l = 0; l < sizeof(layouts) / sizeof(layouts[0]); l++) {
		for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) {
			char name[32];

			snprintf(name, sizeof(name), "layout-%zu-%zu", l, i);
			print_message("%s\n", name);
			check_run(name, &layouts[l], buffers[i]);
		}
	}
}

/* A kernel that must not run twice loses events instead, and the recording counts them. */
static void what_cannot_be_undone_is_counted(void **state)
{
	int want[ITEMS], got[ITEMS];
	struct recording *recording = NULL;
	uint64_t events = 0;
	static const struct layout once = { 0, 1, false };

	write_table(&once);
	fill_expected(want);
	assert_true(run_recorded("once", 4096, SIZE_MAX, got));
	write_table(&in_chunks);
	assert_memory_equal(got, want, sizeof(want));
	for (uint64_t i = 0; i < ITEMS; i++)
		events += UINT64_C(2) * mock_driver_count(i);
	recording = open_recording("once");
	for (size_t launch = 0; launch < LAUNCHES; launch++) {
		assert_true(recording->launches[launch].dropped_events > 0);
		assert_true(recording->launches[launch].room_bytes > 0);
		assert_int_equal(recording->launches[launch].totals.events +
		                         recording->launches[launch].dropped_events,
		                 events);
	}
	assert_false(recording_is_complete(recording, NULL));
	recording_close(recording);
}

static void any_call_may_fail_once_and_results_stay_right(void **state)
{
	/* Without overflow, with slices that are undone, and with launches that wait. */
	static const uint64_t buffers[] = { 1 << 20, 8192, 1 << 20 };
	static const char *const names[] = { "fail-0", "fail-1", "fail-2" };
	int want[ITEMS], got[ITEMS];

	fill_expected(want);
	for (size_t b = 0; b < sizeof(buffers) / sizeof(buffers[0]); b++) {
		size_t most;

		is_held = b == 2;
		assert_true(run_recorded(names[b], buffers[b], SIZE_MAX, got));
		most = calls;
		print_message("%zu calls\n", most);
		for (size_t n = 0; n < most; n = fault_step_after(n)) {
			char name[48];

			snprintf(name, sizeof(name), "fail-%zu-%zu", b, n);
			memset(got, 0, sizeof(got));
			if (run_recorded(name, buffers[b], n, got) &&
			    memcmp(got, want, sizeof(want)) != 0)
				fail_msg("wrong result after call %zu, %s, failed", n,
				         mock_driver_failed());
			recording_close(open_recording(name));
		}
	}
	is_held = false;
}

/* As everywhere: what was enqueued keeps its buffers, whoever releases them. */
static void a_pending_copy_keeps_its_buffers(void **state)
{
	const struct opencl_real *cl = mock_driver();
	unsigned char bytes[8] = "written", got[8];
	cl_device_id device = NULL;
	cl_command_queue queue;
	cl_context context;
	cl_event gate;
	cl_mem mem[2];

	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = cl->clCreateCommandQueue(context, device, 0, NULL);
	gate = cl->clCreateUserEvent(context, NULL);
	for (int i = 0; i < 2; i++)
		mem[i] = cl->clCreateBuffer(context, 0, sizeof(bytes), NULL, NULL);
	cl->clEnqueueWriteBuffer(queue, mem[0], CL_FALSE, 0, sizeof(bytes), bytes, 1, &gate, NULL);
	cl->clEnqueueCopyBuffer(queue, mem[0], mem[1], 0, 0, sizeof(bytes), 0, NULL, NULL);
	cl->clEnqueueReadBuffer(queue, mem[1], CL_FALSE, 0, sizeof(got), got, 0, NULL, NULL);
	cl->clReleaseMemObject(mem[0]);
	cl->clReleaseMemObject(mem[1]);
	/* These, what owns them, and the commands. */
	assert_int_equal(mock_driver_alive(), 2 + 3 + 3);
	cl->clSetUserEventStatus(gate, CL_COMPLETE);
	assert_memory_equal(got, bytes, sizeof(got));
	cl->clReleaseEvent(gate);
	cl->clReleaseCommandQueue(queue);
	cl->clReleaseContext(context);
	assert_int_equal(mock_driver_alive(), 0);
	assert_int_equal(mock_driver_misuses(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pending_copy_keeps_its_buffers),
		cmocka_unit_test(overflowing_slices_are_undone_and_run_again),
		cmocka_unit_test(every_layout_gives_the_same_events),
		cmocka_unit_test(what_cannot_be_undone_is_counted),
		cmocka_unit_test(any_call_may_fail_once_and_results_stay_right),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	setenv("WARPLINE_CACHE", "off", 1); /* tables differ, programs do not */
	mock_instrumenter_write_script(work_dir, instrumenter);
	write_table(&in_chunks);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}

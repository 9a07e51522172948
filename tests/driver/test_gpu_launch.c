/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches through the CUDA driver API, on a driver of our own that fails where it is told to: the
 * recording is what the kernel's definition says, and the application's results are those of a
 * kernel that runs once, whatever fails.
 */
#include "cmocka_all.h"
#include "fault_step.h"
#include "gpu_engine.h"
#include "gpu_scene.h"
#include "mock_cuda.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM (UINT64_C(1) << 20)

static const struct scene_tables in_chunks = { 32, 0, true, NULL };

static void check_result(const struct scene_plan *plan, const struct scene_result *got)
{
	struct scene_result want;

	scene_expect(plan, &want);
	assert_null(got->failed);
	assert_in_range(got->alive, 0, 3);
	assert_int_equal(got->total, want.total);
	assert_memory_equal(got->a, want.a, sizeof(want.a));
}

/* Record it; all launches must be there whole. */
static void check_run(const struct scene_plan *plan, const char *name, uint64_t buffer_bytes)
{
	struct recording *r;
	struct scene_result got;

	(void)scene_record(plan, name, buffer_bytes, SIZE_MAX, &got);
	check_result(plan, &got);
	r = scene_open(name);
	assert_int_equal(r->launch_count, SCENE_LAUNCHES);
	for (size_t i = 0; i < r->launch_count; i++)
		scene_check_events(r, i, plan);
	assert_true(recording_is_complete(r, NULL));
	assert_string_equal(r->devices[0].platform, "CUDA");
	assert_string_equal(r->devices[0].version, "CUDA 12.4, compute capability 9.0");
	assert_string_equal(r->kernels[0].door, "ptx");
	recording_close(r);
}

static const struct scene_plan plans[] = {
	{ "update", { 12, 1, 1 }, 16, SCENE_BY_VALUES, false, 1, false },
	{ "update", { 2, 3, 2 }, 16, SCENE_BY_VALUES, true, 0, false },
	{ "update", { 6, 1, 1 }, 32, SCENE_BY_BUFFER, false, 2, false },
	{ "gather", { 3, 4, 1 }, 16, SCENE_BY_CONFIG, false, 3, false },
	{ "gather", { 1, 3, 4 }, 16, SCENE_BY_BUFFER, true, 1, false },
	{ "gather", { 2, 1, 1 }, 96, SCENE_COOPERATIVE, false, 1, false },
	{ "update", { 2, 3, 1 }, 32, SCENE_COOPERATIVE, false, 1, false },
	{ "count", { 12, 1, 1 }, 16, SCENE_BY_BUFFER, false, 1, false },
	{ "count", { 4, 3, 1 }, 16, SCENE_BY_VALUES, true, 1, false },
};

static void every_way_to_launch_gives_the_events_of_the_kernel(void **state)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		char name[32];

		print_message("%s by call %d\n", plans[i].kernel, (int)plans[i].call);
		snprintf(name, sizeof(name), "way-%zu", i);
		check_run(&plans[i], name, ROOM);
	}
}

/* 192 work-items that make up to 44 words each do not fit in 4 KiB: slices are undone, and smaller.
 */
static void slices_cover_each_group_once_whatever_room_there_is(void **state)
{
	static const uint64_t rooms[] = { 4096, 8192, 20000, ROOM };
	static const struct scene_tables layouts[] = { { 1, 0, true, NULL },
		                                       { 32, 0, true, NULL },
		                                       { 1, 44, true, NULL },
		                                       { 32, 45, true, NULL } };

	for (size_t l = 0; l < sizeof(layouts) / sizeof(layouts[0]); l++) {
		scene_write_tables(&layouts[l]);
		for (size_t i = 0; i < 2 * sizeof(rooms) / sizeof(rooms[0]); i++) {
			char name[32];

			snprintf(name, sizeof(name), "room-%zu-%zu", l, i);
			print_message("%s\n", name);
			check_run(&plans[i % 2], name, rooms[i / 2]);
		}
	}
	scene_write_tables(&in_chunks);
}

/* A variable is the module's: the kernel that counts has no memory that could be copied back. */
static void what_cannot_be_undone_is_counted(void **state)
{
	static const struct scene_tables once = { 32, 0, false, NULL };
	struct scene_result got;
	struct recording *r;
	uint64_t events = 0;

	scene_write_tables(&once);
	(void)scene_record(&plans[0], "once", 4096, SIZE_MAX, &got);
	scene_write_tables(&in_chunks);
	check_result(&plans[0], &got);
	for (uint64_t i = 0; i < SCENE_ITEMS; i++)
		events += UINT64_C(2) * mock_cuda_count(i);
	r = scene_open("once");
	for (size_t i = 0; i < r->launch_count; i++)
		assert_int_equal(r->launches[i].totals.events + r->launches[i].dropped_events,
		                 events);
	recording_close(r);
}

/* 192 work-items of 3 words are 4608 bytes: in 4096 the usual launch takes two slices. */
static void groups_that_wait_for_each_other_are_in_one_slice(void **state)
{
	static const struct {
		size_t plan;
		unsigned slices;
	} rows[] = { { 3, 2 }, { 5, 1 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned before = mock_cuda_shadow_launches();
		char name[32];

		snprintf(name, sizeof(name), "whole-%zu", i);
		check_run(&plans[rows[i].plan], name, 4096);
		assert_int_equal(mock_cuda_shadow_launches() - before,
		                 rows[i].slices * SCENE_LAUNCHES);
	}
}

/* A kernel that the instrumenter refuses runs as it was, on the variables that the others have. */
static void a_refused_kernel_runs_as_it_was_and_is_named(void **state)
{
	static const struct scene_tables refused = { 32, 0, true, "it has a texture" };
	struct scene_result got;
	struct recording *r;

	scene_write_tables(&refused);
	(void)scene_record(&plans[7], "refused", ROOM, SIZE_MAX, &got);
	scene_write_tables(&in_chunks);
	check_result(&plans[7], &got);
	r = scene_open("refused");
	assert_int_equal(r->launch_count, SCENE_LAUNCHES);
	for (size_t i = 0; i < r->launch_count; i++) {
		assert_int_equal(r->launches[i].fate, LAUNCH_SKIPPED);
		assert_string_equal(r->launches[i].reason, "it has a texture");
	}
	assert_string_equal(r->kernels[0].door, "");
	recording_close(r);
}

/* Which launches are recorded is for the user to say; the others run all the same. */
static void what_is_not_selected_runs_unmodified(void **state)
{
	static const struct {
		const char *variable, *value;
		size_t lines;
	} rows[] = {
		{ "WARPLINE_KERNEL", "gather", 0 }, { "WARPLINE_LAUNCHES", "1", 1 },
		{ "WARPLINE_SKIP", "1", 2 },        { "WARPLINE_MAX_LAUNCHES", "1", 1 },
		{ "WARPLINE_PER_KERNEL", "2", 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene_result got;
		struct recording *r;
		char name[32];

		snprintf(name, sizeof(name), "selected-%zu", i);
		setenv(rows[i].variable, rows[i].value, 1);
		(void)scene_record(&plans[7], name, ROOM, SIZE_MAX, &got);
		unsetenv(rows[i].variable);
		check_result(&plans[7], &got);
		r = scene_open(name);
		assert_int_equal(r->launch_count, rows[i].lines);
		assert_int_equal(r->launches_seen, SCENE_LAUNCHES);
		for (size_t l = 0; l < r->launch_count; l++)
			scene_check_events(r, l, &plans[7]);
		assert_true(recording_is_complete(r, NULL));
		recording_close(r);
	}
}

static void a_captured_stream_is_left_alone(void **state)
{
	struct scene_result got;
	struct recording *r;
	unsigned shadows = mock_cuda_shadow_launches();

	mock_cuda_capture(true);
	(void)scene_record(&plans[0], "captured", ROOM, SIZE_MAX, &got);
	mock_cuda_capture(false);
	check_result(&plans[0], &got);
	assert_int_equal(mock_cuda_shadow_launches(), shadows);
	r = scene_open("captured");
	assert_int_equal(r->launch_count, 0);
	assert_false(recording_is_complete(r, NULL));
	recording_close(r);
}

/* A stream that the program itself has to let go on: the launch's call returns all the same, and
 * the launch takes place when it has. */
static void a_launch_behind_a_wait_for_the_program_returns(void **state)
{
	const struct cuda_real *real = mock_cuda();
	CUstream stream = mock_cuda_stream(5);
	struct scene_plan plan = plans[0];
	struct scene_result got;
	struct recording *r;

	plan.stream = 5;
	plan.is_held = true;
	(void)scene_record(&plan, "held", ROOM, SIZE_MAX, &got);
	check_result(&plan, &got);
	assert_int_equal(real->cuStreamSynchronize(stream), CUDA_SUCCESS);
	r = scene_open("held");
	assert_int_equal(r->launch_count, SCENE_LAUNCHES);
	assert_int_equal(r->launches[0].fate, LAUNCH_SKIPPED);
	assert_non_null(strstr(r->launches[0].reason, "waits for the program itself"));
	scene_check_events(r, 1, &plan);
	scene_check_events(r, 2, &plan);
	recording_close(r);
}

/* The application may be told only of a failure of its own call, or of one on the device. */
static bool may_fail(const struct scene_result *got)
{
	const char *name = mock_cuda_failed();

	if (!name)
		return false;
	return strstr(got->failed, name) || !strcmp(name, "cuStreamSynchronize") ||
	       (strstr(name, "GetGlobal") && strstr(got->failed, "GetGlobal"));
}

static void check_after(const struct scene_plan *plan, const struct scene_result *got, size_t call)
{
	struct scene_result want;

	scene_expect(plan, &want);
	/* A buffer and two events stay for the next launch, a module that does not go away. */
	if (got->alive > 4)
		fail_msg("%d things are left after call %zu, %s, failed", got->alive, call,
		         mock_cuda_failed());
	if (got->total != want.total || memcmp(got->a, want.a, sizeof(want.a)) != 0)
		fail_msg("wrong result after call %zu, %s, failed", call, mock_cuda_failed());
}

static void any_call_may_fail_once_and_results_stay_right(void **state)
{
	/* Without overflow, with slices that are undone, and with variables. */
	static const struct {
		size_t plan;
		uint64_t room;
	} rows[] = { { 0, ROOM }, { 1, 8192 }, { 3, ROOM }, { 7, ROOM }, { 8, 4096 } };

	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		const struct scene_plan *plan = &plans[rows[row].plan];
		struct scene_result got;
		size_t most;
		char name[48];

		snprintf(name, sizeof(name), "fail-%zu", row);
		most = scene_record(plan, name, rows[row].room, SIZE_MAX, &got);
		print_message("%zu calls\n", most);
		for (size_t n = 0; n < most; n = fault_step_after(n)) {
			snprintf(name, sizeof(name), "fail-%zu-%zu", row, n);
			(void)scene_record(plan, name, rows[row].room, n, &got);
			if (got.failed && !may_fail(&got))
				fail_msg("%s failed since call %zu, %s, did", got.failed, n,
				         mock_cuda_failed());
			if (!got.failed)
				check_after(plan, &got, n);
			recording_close(scene_open(name));
		}
	}
}

static CUresult refuse(CUdeviceptr *address, size_t bytes)
{
	(void)address;
	(void)bytes;
	return CUDA_ERROR_OUT_OF_MEMORY;
}

static void a_buffer_that_cannot_grow_keeps_what_it_has(void **state)
{
	struct cuda_real full = *mock_cuda();
	struct gpu_buffer buffer = { 0 };
	CUdeviceptr memory;

	(void)state;
	cuda_real_set(mock_cuda());
	assert_int_equal(gpu_buffer_reserve(&buffer, 8192, NULL), 0);
	memory = buffer.memory;
	full.cuMemAlloc_v2 = refuse;
	cuda_real_set(&full);
	assert_int_equal(gpu_buffer_reserve(&buffer, 32768, NULL), 0);
	assert_true(buffer.memory == memory);
	assert_int_equal(buffer.bytes, 8192);

	cuda_real_set(mock_cuda());
	assert_int_equal(gpu_buffer_reserve(&buffer, 32768, NULL), 0);
	assert_int_equal(buffer.bytes, 32768);
	assert_int_equal(gpu_buffer_reserve(&buffer, 8192, NULL), 0);
	assert_int_equal(buffer.bytes, 32768);
	assert_int_equal(mock_cuda()->cuMemFree_v2(buffer.memory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_to_launch_gives_the_events_of_the_kernel),
		cmocka_unit_test(slices_cover_each_group_once_whatever_room_there_is),
		cmocka_unit_test(what_cannot_be_undone_is_counted),
		cmocka_unit_test(groups_that_wait_for_each_other_are_in_one_slice),
		cmocka_unit_test(a_refused_kernel_runs_as_it_was_and_is_named),
		cmocka_unit_test(what_is_not_selected_runs_unmodified),
		cmocka_unit_test(a_captured_stream_is_left_alone),
		cmocka_unit_test(a_launch_behind_a_wait_for_the_program_returns),
		cmocka_unit_test(a_buffer_that_cannot_grow_keeps_what_it_has),
		cmocka_unit_test(any_call_may_fail_once_and_results_stay_right),
	};
	int failed;

	scene_begin();
	scene_write_tables(&in_chunks);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!failed)
		scene_end();
	return failed;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that launch at the same time, each in a stream of its own, kernels of one module and of
 * their own: each launch is recorded whole, and each thread's results are its own. ThreadSanitizer
 * sees the rest: the mock's lock is none to it.
 */
#include "cmocka_all.h"
#include "cuda_driver.h"
#include "gpu_scene.h"
#include "mock_cuda.h"
#include "recording.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define ROUNDS  3

static const struct scene_tables in_chunks = { 32, 0, true, NULL };
static const struct scene_plan plan = {
	"update", { 12, 1, 1 }, 16, SCENE_BY_VALUES, false, 0, false
};
static CUfunction shared;
static unsigned failures[THREADS];

/* One launch of a kernel; whether it left what it should. */
static bool launch(CUfunction function, CUstream stream)
{
	struct scene_result want;
	unsigned n = SCENE_ITEMS;
	CUdeviceptr a;
	void *values[2] = { &a, &n };
	int *memory;
	bool is_good;

	if (hook_cuMemAlloc_v2(&a, sizeof(want.a)) != CUDA_SUCCESS)
		return false;
	memory = mock_cuda_at(a);
	for (int i = 0; i < SCENE_ITEMS; i++)
		memory[i] = i;
	is_good = !hook_cuLaunchKernel(function, 12, 1, 1, 16, 1, 1, 0, stream, values, NULL) &&
	          !cuda_real()->cuStreamSynchronize(stream);
	for (int i = 0; i < SCENE_ITEMS; i++) {
		unsigned value = (unsigned)i;

		for (unsigned k = 0; k < mock_cuda_count((uint64_t)i); k++)
			value = value * 3 + (unsigned)i;
		is_good = is_good && memory[i] == (int)value;
	}
	return hook_cuMemFree_v2(a) == CUDA_SUCCESS && is_good;
}

static void *work(void *argument)
{
	unsigned *failed = argument;
	CUstream stream = mock_cuda_stream((unsigned)(failed - failures) + 3);
	CUfunction own;
	CUmodule module;

	for (int i = 0; i < ROUNDS; i++) {
		*failed += !launch(shared, stream);
		if (hook_cuModuleLoadData(&module, scene_ptx()) ||
		    hook_cuModuleGetFunction(&own, module, "update")) {
			++*failed;
			continue;
		}
		*failed += !launch(own, stream);
		*failed += hook_cuModuleUnload(module) != CUDA_SUCCESS;
	}
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];
	CUmodule module;

	assert_int_equal(hook_cuModuleLoadData(&module, scene_ptx()), CUDA_SUCCESS);
	assert_int_equal(hook_cuModuleGetFunction(&shared, module, "update"), CUDA_SUCCESS);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, work, &failures[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(failures[i], 0);
	}
	assert_int_equal(hook_cuModuleUnload(module), CUDA_SUCCESS);
}

static void launches_of_several_threads_are_recorded_whole(void **state)
{
	static const uint64_t rooms[] = { UINT64_C(1) << 20, 8192 };
	static const char *const names[] = { "roomy", "narrow" };

	for (size_t i = 0; i < 2; i++) {
		struct recording *r;

		scene_around(names[i], rooms[i], run_threads);
		r = scene_open(names[i]);
		assert_int_equal(r->launch_count, 2 * THREADS * ROUNDS);
		for (size_t l = 0; l < r->launch_count; l++) {
			scene_check_events(r, l, &plan);
			assert_true(r->launches[l].arguments[0].buffer >= 0);
		}
		assert_true(recording_is_complete(r, NULL));
		recording_close(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_of_several_threads_are_recorded_whole),
	};
	int failed;

	scene_begin();
	scene_write_tables(&in_chunks);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!failed)
		scene_end();
	return failed;
}

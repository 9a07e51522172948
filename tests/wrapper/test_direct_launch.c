/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches may run in the application's own queue, by what the runtime does with a queue. */
#include "cmocka_all.h"
#include "direct_launch.h"
#include "engine.h"
#include "launch_job.h"
#include "mock_driver.h"
#include "session.h"

#include <string.h>

#define ITEMS 64 /* one group */

enum answer { NOT_DIRECT, DIRECT, GATED };

static const struct {
	bool is_inline, is_immediate;
	uint32_t item_words; /* 0: chunks, of which more may be needed than were foreseen */
	enum answer answer;
} rows[] = {
	{ false, false, 4, DIRECT },
	{ false, false, 0, GATED },
	/* It runs in the call, as the application's own launch would. */
	{ false, true, 4, DIRECT },
	/* Its tail would wait, and never run. */
	{ false, true, 0, NOT_DIRECT },
	{ true, false, 4, NOT_DIRECT },
	{ true, false, 0, NOT_DIRECT },
};

static struct session session;

static enum answer prepare(size_t i, cl_command_queue queue)
{
	struct kernel_table table = { .item_words = rows[i].item_words, .lanes = 1 };
	struct engine engine = { .is_inline = rows[i].is_inline,
		                 .is_immediate = rows[i].is_immediate,
		                 .units = 1,
		                 .lesson_lock = PTHREAD_MUTEX_INITIALIZER };
	struct launch_job job = {
		.session = &session,
		.engine = &engine,
		.shadow.table = &table,
		.is_repeatable = true,
		.shape = { .dimensions = 1, .global = { ITEMS, 1, 1 }, .local = { ITEMS, 1, 1 } }
	};
	enum answer answer = NOT_DIRECT;

	atomic_store(&engine.is_width_known, true);
	/* An earlier launch needed a few words for each work-item. */
	engine_learn(&engine, &table, &(struct slice_needs){ ITEMS, 4, 8, ITEMS });
	direct_launch_prepare(&job, queue);
	if (job.direct)
		answer = job.direct->is_gated ? GATED : DIRECT;
	direct_launch_free(&job);
	return answer;
}

static void gated_launches_are_for_queues_that_can_wait(void **state)
{
	cl_context context;
	cl_command_queue queue;
	cl_device_id device = NULL;

	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	mock_driver()->clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = mock_driver()->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = mock_driver()->clCreateCommandQueue(context, device, 0, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum answer answer = prepare(i, queue);

		if (answer != rows[i].answer)
			fail_msg("row %zu: %d", i, answer);
		assert_int_equal(prepare(i, NULL), NOT_DIRECT);
	}
	mock_driver()->clReleaseCommandQueue(queue);
	mock_driver()->clReleaseContext(context);
	assert_int_equal(mock_driver_alive(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gated_launches_are_for_queues_that_can_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations that host and device share: which one a pointer lies in, and undoing what was
 * written. */
#include "cmocka_all.h"
#include "engine.h"
#include "launch_job.h"
#include "mock_driver.h"
#include "opencl_session.h"
#include "session_memory.h"
#include "snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED   71u
#define PLACES 64
#define TURNS  3000
#define BYTES  256

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

static struct session *begin(const char *name)
{
	struct session *s;
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	s = session_create(&opencl_part, dir, "/nowhere", 1 << 20);
	assert_non_null(s);
	return s;
}

/* The oracle: owner[a] is the number of the allocation that byte a belongs to, or -1. */
struct oracle {
	int owner[PLACES];
	int count;
};

static void check_all(struct session *s, const struct oracle *o, const char *base)
{
	struct address_range range;

	session_lock(s);
	for (int a = 0; a < PLACES; a++) {
		int is_found = session_memory_find(s, (uint64_t)(uintptr_t)(base + a), &range);

		assert_int_equal(is_found, o->owner[a] >= 0);
		if (is_found)
			assert_int_equal(range.buffer_id, o->owner[a]);
	}
	session_unlock(s);
}

/* Every byte of an allocation, wherever it lies, belongs to none. */
static void end(struct oracle *o, int gone)
{
	for (int a = 0; gone >= 0 && a < PLACES; a++)
		if (o->owner[a] == gone)
			o->owner[a] = -1;
}

static void allocate(struct oracle *o, uint32_t first, uint32_t bytes)
{
	for (uint32_t a = first; a < first + bytes; a++)
		end(o, o->owner[a]);
	for (uint32_t a = first; a < first + bytes; a++)
		o->owner[a] = o->count;
	o->count++;
}

/* Only an allocation that begins there ends. */
static void free_at(struct oracle *o, uint32_t first)
{
	if (!first || o->owner[first - 1] != o->owner[first])
		end(o, o->owner[first]);
}

/* Allocations come and go; some take the place of others that nobody was seen to free. */
static void a_pointer_lies_in_the_newest_allocation_there(void **state)
{
	static const char places[PLACES]; /* never read */
	struct session *s = begin("ranges");
	struct oracle o = { .count = 0 };

	memset(o.owner, 0xff, sizeof(o.owner));
	for (int turn = 0; turn < TURNS; turn++) {
		uint32_t first = random_below(PLACES), bytes = 1 + random_below(PLACES - first);

		if (random_below(2)) {
			session_memory_add(s, (uint64_t)(uintptr_t)(places + first), bytes, 0,
			                   true);
			allocate(&o, first, bytes);
		} else {
			session_memory_end(s, (uint64_t)(uintptr_t)(places + first));
			free_at(&o, first);
		}
		check_all(s, &o, places);
	}
	session_end();
	session_free(s);
}

/* The last byte of the address space belongs to an allocation like any other. */
static void an_allocation_may_end_with_the_address_space(void **state)
{
	struct session *s = begin("end");
	struct address_range range;

	session_memory_add(s, UINT64_MAX - 15, 16, 0, true);
	assert_int_equal(session_memory_find(s, UINT64_MAX, &range), 1);
	assert_int_equal(session_memory_find(s, UINT64_MAX - 16, &range), 0);
	assert_int_equal(session_memory_find(s, 0, &range), 0);
	session_end();
	session_free(s);
}

/* The hooks tell of each allocation, and of its end. */
static void every_way_to_allocate_is_seen(void **state)
{
	struct session *s = begin("hooks");
	cl_device_id device = NULL;
	cl_int rc;
	cl_context context = opencl_real()->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	cl_command_queue queue = opencl_real()->clCreateCommandQueue(context, NULL, 0, &rc);
	void *memory[6];
	static const bool is_of_the_device[6] = { true, false, true, false, true, false };
	struct address_range range;

	memory[0] = hook_clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
	memory[1] = hook_clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, BYTES, 0);
	memory[2] = hook_clSVMAllocARM(context, CL_MEM_READ_WRITE, BYTES, 0);
	memory[3] = hook_clHostMemAllocINTEL(context, NULL, BYTES, 0, &rc);
	memory[4] = hook_clDeviceMemAllocINTEL(context, NULL, NULL, BYTES, 0, &rc);
	memory[5] = hook_clHostMemAllocINTEL(context, NULL, BYTES, 0, NULL);
	for (uint32_t i = 0; i < 6; i++) {
		const uint64_t middle = (uint64_t)(uintptr_t)memory[i] + BYTES / 2;

		assert_int_equal(session_memory_find(s, middle, &range), 1);
		assert_int_equal(range.buffer_id, i);
		assert_int_equal(range.bytes, BYTES);
		assert_int_equal(range.is_of_the_device, is_of_the_device[i]);
	}
	hook_clEnqueueSVMFree(queue, 1, &memory[0], NULL, NULL, 0, NULL, NULL);
	hook_clSVMFree(context, memory[1]);
	hook_clSVMFreeARM(context, memory[2]);
	hook_clMemFreeINTEL(context, memory[3]);
	hook_clMemBlockingFreeINTEL(context, memory[4]);
	hook_clMemFreeINTEL(context, memory[5]);
	assert_int_equal(s->ranges.count, 0);
	assert_int_equal(mock_driver_misuses(), 0);
	opencl_real()->clReleaseCommandQueue(queue);
	opencl_real()->clReleaseContext(context);
	session_end();
	session_free(s);
}

/* A job with two arguments, of which the kernel writes the first, into memory of a sort. */
static void check_undo(enum pointer_call sort, unsigned char *memory, struct engine *engine)
{
	struct kernel_argument known[2] = { { .is_written = true }, { .is_written = false } };
	const struct kernel_table table = { .arguments = known, .argument_count = 2 };
	struct kernel_value values[2] = { { .pointer = sort }, { .pointer = sort } };
	struct job_argument arguments[2] = { { .buffer_bytes = BYTES }, { .buffer_bytes = BYTES } };
	const struct launch_job job = { .engine = engine,
		                        .shadow = { .table = &table },
		                        .value_count = 2,
		                        .values = values,
		                        .arguments = arguments };
	unsigned char before[2 * BYTES];
	struct snapshot shot;
	size_t done = 0;

	for (int i = 0; i < 2 * BYTES; i++)
		memory[i] = before[i] = (unsigned char)random_below(256);
	arguments[0].memory_address = (uint64_t)(uintptr_t)memory;
	arguments[1].memory_address = arguments[0].memory_address + BYTES;
	assert_int_equal(snapshot_init(&shot, &job, NULL), 0);
	assert_int_equal(shot.count, 1);
	assert_int_equal(snapshot_bytes(&shot), BYTES);
	assert_int_equal(snapshot_take(&shot, NULL), 0);
	memset(memory, 0, sizeof(before));
	assert_int_equal(snapshot_restore(&shot, &done, NULL), 0);
	assert_memory_equal(memory, before, BYTES);
	for (int i = BYTES; i < 2 * BYTES; i++)
		assert_int_equal(memory[i], 0);
	snapshot_release(&shot);
}

static void what_a_kernel_wrote_to_shared_memory_is_undone(void **state)
{
	static const enum pointer_call sorts[] = { POINTER_BY_SVM, POINTER_BY_ARM, POINTER_BY_USM };
	struct session *s = begin("undo");
	cl_device_id device = NULL;
	struct engine engine = { .units = 1 };
	unsigned char memory[2 * BYTES];
	cl_int rc;

	engine.context = opencl_real()->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	engine.queue = opencl_real()->clCreateCommandQueue(engine.context, NULL, 0, &rc);
	for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++)
		check_undo(sorts[i], memory, &engine);
	opencl_real()->clReleaseCommandQueue(engine.queue);
	opencl_real()->clReleaseContext(engine.context);
	session_end();
	session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pointer_lies_in_the_newest_allocation_there),
		cmocka_unit_test(an_allocation_may_end_with_the_address_space),
		cmocka_unit_test(every_way_to_allocate_is_seen),
		cmocka_unit_test(what_a_kernel_wrote_to_shared_memory_is_undone),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	print_message("seed %u\n", SEED);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}

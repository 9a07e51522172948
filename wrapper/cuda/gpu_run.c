/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "cuda_driver.h"
#include "err.h"
#include "gpu_engine.h"
#include "gpu_launch.h"
#include "gpu_session.h"
#include "launch_run.h"
#include "session_memory.h"

#include <stdlib.h>

/*
 * snapshot - copies of the memory that a launch may write, to undo a slice that overflowed.
 *
 * Whole allocations are copied on the device, in the order of the launch's stream, without waiting.
 */

struct snapshot {
	CUstream stream;
	size_t count;
	struct snapshot_copy {
		CUdeviceptr original, copy;
		size_t bytes;
	} *copies;
};

static bool has(const struct snapshot *shot, uint64_t address)
{
	for (size_t i = 0; i < shot->count; i++)
		if (shot->copies[i].original == address)
			return true;
	return false;
}

/*
 * Allocate copies of `ranges`; a range that appears twice is copied once. Returns 0, ERR_NOMEM, or
 * ERR_DEVICE when the device has no room. Release it in every case, once the stream is done with
 * it.
 */
static int snapshot_init(struct snapshot *shot, const struct address_range *ranges, size_t count,
                         CUstream stream, struct err *err)
{
	const struct cuda_real *real = cuda_real();

	*shot = (struct snapshot){ .stream = stream };
	shot->copies = array_alloc(count, sizeof(*shot->copies), "copies", err);
	if (!shot->copies)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++) {
		struct snapshot_copy *c = &shot->copies[shot->count];

		if (has(shot, ranges[i].address))
			continue;
		*c = (struct snapshot_copy){ .original = ranges[i].address,
			                     .bytes = ranges[i].bytes };
		if (real->cuMemAlloc_v2(&c->copy, c->bytes) != CUDA_SUCCESS)
			return err_set(err, ERR_DEVICE, "no device memory to undo a slice");
		shot->count++;
	}
	return 0;
}

/* Accepts a zeroed struct. */
static void snapshot_release(struct snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++)
		(void)cuda_real()->cuMemFree_v2(shot->copies[i].copy);
	free(shot->copies);
	*shot = (struct snapshot){ 0 };
}

/* Enqueue the copies. False: the driver refused. */
static bool snapshot_take(const struct snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++) {
		const struct snapshot_copy *c = &shot->copies[i];

		if (cuda_real()->cuMemcpyDtoDAsync_v2(c->copy, c->original, c->bytes, shot->stream))
			return false;
	}
	return true;
}

/* Enqueue copying back; *done counts the copies enqueued, so that a failed call can be repeated. */
static bool snapshot_restore(const struct snapshot *shot, size_t *done)
{
	for (; *done < shot->count; ++*done) {
		const struct snapshot_copy *c = &shot->copies[*done];

		if (cuda_real()->cuMemcpyDtoDAsync_v2(c->original, c->copy, c->bytes, shot->stream))
			return false;
	}
	return true;
}

/* device_ops for the CUDA driver: runs the slices of a job in its stream and waits for each.
 * Records are copied to the host, so one device buffer is enough while two slices are decoded. */

#define NS_PER_MS   1e6
#define LIMIT_BYTES (UINT64_C(64) << 20)

struct gpu_run {
	const struct gpu_job *job;
	struct gpu_buffer *buffer; /* one of the session's, used by this run alone */
	struct {
		unsigned char *bytes;
		size_t size;
	} records[DRAIN_SLICES];
	struct snapshot shot;
};

/* Returns the CUfunction whose attributes count: a CUkernel has none.
 */
static CUfunction original_of(const struct gpu_job *job)
{
	CUfunction function = NULL;

	if (!job->is_kernel)
		return job->request->function;
	if (cuda_real()->cuKernelGetFunction(&function, (CUkernel)(void *)job->request->function))
		return NULL;
	return function;
}

/* Set the attributes that the application has set for its kernel for the shadow. */
static void copy_attributes(const struct gpu_job *job)
{
	static const int settable[] = { CUDA_FUNCTION_MAX_DYNAMIC_SHARED, CUDA_FUNCTION_CARVEOUT };
	const struct cuda_real *real = cuda_real();
	CUfunction original = original_of(job);

	for (size_t i = 0; original && i < sizeof(settable) / sizeof(settable[0]); i++) {
		int value, own;

		if (!real->cuFuncGetAttribute(&value, settable[i], original) &&
		    !real->cuFuncGetAttribute(&own, settable[i], job->shadow) && value != own)
			(void)real->cuFuncSetAttribute(job->shadow, settable[i], value);
	}
}

static uint64_t most_items(void *device)
{
	const struct gpu_run *run = device;
	int most = 0;

	if (cuda_real()->cuFuncGetAttribute(&most, CUDA_FUNCTION_MAX_ITEMS, run->job->shadow))
		return UINT64_MAX;
	return (uint64_t)most;
}

static int acquire(void *device, struct err *err)
{
	struct gpu_run *run = device;
	const struct gpu_job *job = run->job;

	run->buffer = gpu_engine_take(job->session, job->context);
	if (!run->buffer)
		return err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	copy_attributes(job);
	return 0;
}

static void release(void *device)
{
	struct gpu_run *run = device;
	const struct gpu_job *job = run->job;

	for (unsigned i = 0; i < DRAIN_SLICES; i++)
		free(run->records[i].bytes);
	gpu_engine_give(job->session, job->context, job->device, run->buffer);
}

static bool is_wide(void *device)
{
	(void)device;
	return false;
}

static int reserve(void *device, unsigned which, uint64_t bytes, struct err *err)
{
	const struct gpu_run *run = device;

	(void)which;
	return gpu_buffer_reserve(run->buffer, bytes, err);
}

static uint64_t room_bytes(const void *device, unsigned which)
{
	const struct gpu_run *run = device;

	(void)which;
	return run->buffer->bytes;
}

static uint64_t group_limit(void)
{
	return LIMIT_BYTES;
}

/* Enqueue writing what the kernel reads. */
static CUresult prepare(const struct gpu_run *run, const struct slice_call *call)
{
	const struct cuda_real *real = cuda_real();
	const struct slice *slice = call->slice;
	CUstream stream = run->job->request->stream;
	CUdeviceptr to = run->buffer->memory;
	CUresult rc = real->cuMemcpyHtoDAsync_v2(to, call->bytes, slice->places_offset, stream);

	if (rc == CUDA_SUCCESS && slice->tables_bytes)
		rc = real->cuMemcpyHtoDAsync_v2(to + slice->tables_offset,
		                                call->bytes + slice->places_offset,
		                                slice->tables_bytes, stream);
	return rc;
}

/* Enqueue the kernel between two events. */
static CUresult launch(const struct gpu_run *run, const struct slice *slice)
{
	const struct cuda_real *real = cuda_real();
	const struct gpu_buffer *b = run->buffer;
	CUstream stream = run->job->request->stream;
	CUresult rc;

	if (b->begin)
		(void)real->cuEventRecord(b->begin, stream);
	rc = gpu_launch_shadow(run->job, slice->box.count, b->memory);
	if (rc == CUDA_SUCCESS && b->begin)
		(void)real->cuEventRecord(b->end, stream);
	return rc;
}

static void note_time(const struct gpu_run *run, uint64_t *busy_ns)
{
	float milliseconds = 0;

	if (run->buffer->begin &&
	    !cuda_real()->cuEventElapsedTime(&milliseconds, run->buffer->begin, run->buffer->end) &&
	    milliseconds > 0)
		*busy_ns += (uint64_t)((double)milliseconds * NS_PER_MS);
}

static CUresult read_now(const struct gpu_run *run, void *to, uint64_t offset, size_t bytes)
{
	const struct cuda_real *real = cuda_real();
	CUstream stream = run->job->request->stream;
	CUresult rc = real->cuMemcpyDtoHAsync_v2(to, run->buffer->memory + offset, bytes, stream);

	return rc ? rc : real->cuStreamSynchronize(stream);
}

static enum slice_outcome run_slice(void *device, const struct slice_call *call, int *code)
{
	const struct gpu_run *run = device;

	*code = prepare(run, call);
	if (*code == CUDA_SUCCESS)
		*code = launch(run, call->slice);
	if (*code != CUDA_SUCCESS) {
		/* Copies from these bytes must be done before the bytes change. */
		(void)cuda_real()->cuStreamSynchronize(run->job->request->stream);
		return SLICE_NOT_STARTED;
	}
	*code = cuda_real()->cuStreamSynchronize(run->job->request->stream);
	if (*code != CUDA_SUCCESS)
		return SLICE_BROKEN;
	note_time(run, call->busy_ns);
	*code = read_now(run, call->bytes, 0, call->report_bytes);
	return *code == CUDA_SUCCESS ? SLICE_DONE : SLICE_UNREAD;
}

static const void *read_records(void *device, unsigned which, const struct slice *slice,
                                uint64_t bytes, struct err *err)
{
	struct gpu_run *run = device;
	CUresult rc;

	if (bytes > run->records[which].size) {
		free(run->records[which].bytes);
		run->records[which].size = 0;
		run->records[which].bytes = array_alloc(bytes, 1, "records", err);
		if (!run->records[which].bytes)
			return NULL;
		run->records[which].size = bytes;
	}
	rc = read_now(run, run->records[which].bytes, slice->places_offset, bytes);
	if (rc == CUDA_SUCCESS)
		return run->records[which].bytes;
	err_set(err, ERR_DEVICE, "the records cannot be read from the device: %d", rc);
	return NULL;
}

/* The host's copy stays until its memory is needed. */
static void release_records(void *device, unsigned which)
{
	(void)device;
	(void)which;
}

/* Copies of the allocations that the kernel may write. */
static bool open_copies(void *device)
{
	struct gpu_run *run = device;
	const struct gpu_job *job = run->job;
	const struct kernel_table *table = job->line.table;
	struct address_range *ranges =
		array_alloc(table->argument_count, sizeof(*ranges), "written memory", NULL);
	size_t count = 0;
	int rc;

	for (size_t i = 0; ranges && i < table->argument_count; i++)
		if (table->arguments[i].is_written && job->arguments[i].buffer_bytes)
			ranges[count++] = (struct address_range){
				.address = job->arguments[i].memory_address,
				.bytes = job->arguments[i].buffer_bytes,
			};
	rc = ranges ? snapshot_init(&run->shot, ranges, count, job->request->stream, NULL)
	            : ERR_NOMEM;
	free(ranges);
	return rc == 0;
}

/* Memory must not be freed while it is being copied. */
static void close_copies(void *device)
{
	struct gpu_run *run = device;

	if (run->shot.count)
		(void)cuda_real()->cuStreamSynchronize(run->job->request->stream);
	snapshot_release(&run->shot);
}

static bool copy(void *device)
{
	const struct gpu_run *run = device;

	return snapshot_take(&run->shot);
}

static bool undo(void *device, size_t *done)
{
	const struct gpu_run *run = device;

	return snapshot_restore(&run->shot, done);
}

static void recall(void *device, struct slice_plan *plan)
{
	const struct gpu_run *run = device;

	session_lock(run->job->session);
	slice_plan_recall(plan, &run->job->function->needs);
	session_unlock(run->job->session);
}

static void learn(void *device, const struct slice_plan *plan)
{
	const struct gpu_run *run = device;

	if (plan->is_exact)
		return;
	session_lock(run->job->session);
	run->job->function->needs = slice_plan_needs(plan);
	session_unlock(run->job->session);
}

static const struct device_ops gpu_run_ops = {
	.room = { .buffers = 1, .usual_bytes = UINT64_C(32) << 20, .is_doubled_only = true },
	.copies_records = true,
	.broken_code = CUDA_ERROR_UNKNOWN,
	.memory_code = CUDA_ERROR_OUT_OF_MEMORY,
	.not_started = "the instrumented kernel cannot be launched",
	.acquire = acquire,
	.release = release,
	.most_items = most_items,
	.is_wide = is_wide,
	.reserve = reserve,
	.room_bytes = room_bytes,
	.group_limit = group_limit,
	.run_slice = run_slice,
	.read_records = read_records,
	.release_records = release_records,
	.open_copies = open_copies,
	.close_copies = close_copies,
	.copy = copy,
	.undo = undo,
	.recall = recall,
	.learn = learn,
};

static struct launch_terms terms_of(const struct gpu_job *job, struct gpu_run *device)
{
	return (struct launch_terms){
		.session = job->session,
		.ops = &gpu_run_ops,
		.device = device,
		.table = job->line.table,
		.shape = &job->shape,
		.selection = job->selection,
		.pool = gpu_session(job->session)->pool,
		.is_repeatable = job->is_repeatable,
		.is_whole = job->is_whole,
		.too_small = job->is_whole
		                     ? "WARPLINE_BUFFER: too small for the records of groups "
		                       "that wait for each other"
		                     : "WARPLINE_BUFFER: too small for the records of a group",
	};
}

/* Find the allocations that the kernel's pointers, which it reported, lie in. */
static void identify_all(const struct gpu_job *job, const uint64_t *slots)
{
	const struct kernel_table *table = job->line.table;

	for (size_t i = 0; slots && i < table->argument_count; i++)
		if (table->arguments[i].space == SPACE_GLOBAL)
			gpu_launch_identify(job, i, slots[i]);
}

bool gpu_launch_run(struct gpu_job *job, CUresult *code, struct err *why)
{
	struct gpu_run device = { .job = job };
	struct launch_run run = { .terms = terms_of(job, &device),
		                  .outcome =
		                          launch_outcome_begin(job->session, &job->wish,
		                                               job->line.table, job->arguments) };

	launch_run_execute(&run);
	identify_all(job, run.outcome.slots);
	launch_fate_write(&run.outcome);
	*code = run.code;
	*why = run.outcome.trouble;
	launch_run_release(&run);
	return run.outcome.has_run;
}

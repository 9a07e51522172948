/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_job.h"

#include "clock.h"
#include "device_ops.h"
#include "direct_launch.h"
#include "engine.h"
#include "err.h"
#include "launch_run.h"
#include "opencl_session.h"
#include "recorder.h"
#include "session.h"
#include "shadow_program.h"
#include "slice_layout.h"
#include "snapshot.h"
#include "svm_hold.h"
#include "worker.h"

#include <string.h>
#include <unistd.h>

cl_int kernel_run_values(cl_kernel kernel, const struct kernel_value *values, cl_uint count,
                         const struct kernel_fact *facts)
{
	const struct opencl_real *real = opencl_real();
	cl_int rc = CL_SUCCESS;

	for (cl_uint i = 0; i < count && rc == CL_SUCCESS; i++) {
		const struct kernel_value *v = &values[i];
		void *pointer;

		if (v->pointer != POINTER_BY_NONE && v->data) {
			memcpy(&pointer, v->data, sizeof(pointer));
			rc = shared_memory_set_argument(v->pointer, kernel, i, pointer);
		} else {
			rc = real->clSetKernelArg(kernel, i, v->bytes, v->data);
		}
	}
	for (size_t i = 0; i < KERNEL_FACTS && rc == CL_SUCCESS; i++)
		if (facts[i].data)
			rc = shared_memory_set_fact(kernel, &facts[i]);
	return rc;
}

cl_int kernel_run_arguments(const struct launch_job *job, cl_kernel kernel)
{
	return kernel_run_values(kernel, job->values, job->value_count, job->facts);
}

void kernel_run_times(cl_event event, struct kernel_times *times)
{
	const struct opencl_real *real = opencl_real();

	*times = (struct kernel_times){ 0 };
	if (real->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(times->start),
	                                  &times->start, NULL) ||
	    real->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(times->end),
	                                  &times->end, NULL))
		*times = (struct kernel_times){ 0 };
}

/* Wait for all commands on our queue. Returns how the kernel ended if the driver reports it. */
static cl_int wait_for(cl_command_queue queue, cl_event event)
{
	const struct opencl_real *real = opencl_real();
	cl_int status = CL_QUEUED, rc = CL_SUCCESS;

	for (int tries = 0; tries < 2; tries++) {
		rc = real->clFinish(queue);
		if (real->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		                         &status, NULL) == CL_SUCCESS &&
		    status <= CL_COMPLETE)
			return status;
		if (rc == CL_SUCCESS)
			return rc;
	}
	return rc;
}

/* Work-items to run, in the dimensions of the job's launch. */
struct kernel_range {
	uint64_t offset[3], global[3];
};

/*
 * Run a range and wait. Returns CL_SUCCESS, or the driver's code; *has_started is whether the
 * kernel may have had effects. *times is set on success.
 */
static cl_int kernel_run_range(const struct launch_job *job, cl_kernel kernel,
                               const struct kernel_range *range, bool *has_started,
                               struct kernel_times *times)
{
	const struct opencl_real *real = opencl_real();
	size_t offset[3], global[3], local[3];
	uint64_t since = clock_now_ns();
	cl_event event = NULL;
	cl_int rc;

	*has_started = false;
	for (int i = 0; i < 3; i++) {
		offset[i] = (size_t)range->offset[i];
		global[i] = (size_t)range->global[i];
		local[i] = (size_t)job->shape.local[i];
	}
	rc = real->clEnqueueNDRangeKernel(job->engine->queue, kernel, job->shape.dimensions, offset,
	                                  global, local, 0, NULL, &event);
	if (rc != CL_SUCCESS)
		return rc;
	*has_started = true;
	rc = wait_for(job->engine->queue, event);
	kernel_run_times(event, times);
	real->clReleaseEvent(event);
	if (times->end > times->start)
		recorder_add_work(job->session->recorder, RECORDER_KERNELS,
		                  times->end - times->start);
	if (times->end > times->start)
		work_clock_part(job->session, RECORDER_DRIVER, since, times->end - times->start);
	return rc;
}

/* Set the arguments and run the job's whole range. Returns as kernel_run_range(). */
static cl_int run_whole(const struct launch_job *job, cl_kernel kernel, bool *has_started,
                        struct kernel_times *times)
{
	cl_int rc = kernel_run_arguments(job, kernel);
	struct kernel_range all;

	*has_started = false;
	if (rc != CL_SUCCESS)
		return rc;
	memcpy(all.offset, job->shape.offset, sizeof(all.offset));
	memcpy(all.global, job->shape.global, sizeof(all.global));
	return kernel_run_range(job, kernel, &all, has_started, times);
}

/* Run the shadow kernel over the whole range without a buffer for records. Returns as
 * kernel_run_range().
 */
static cl_int kernel_run_shadow(const struct launch_job *job, bool *has_started,
                                struct kernel_times *times)
{
	cl_int rc = CL_SUCCESS;
	cl_kernel kernel =
		opencl_real()->clCreateKernel(job->shadow.program, job->shadow.table->name, &rc);

	*has_started = false;
	if (!kernel)
		return rc;
	rc = run_whole(job, kernel, has_started, times);
	opencl_real()->clReleaseKernel(kernel);
	return rc;
}

cl_int kernel_run_clone(cl_kernel kernel, const char *name, cl_kernel *clone)
{
	const struct opencl_real *real = opencl_real();
	cl_program program = NULL;
	cl_int rc = real->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program),
	                                  (void *)&program, NULL);

	*clone = rc == CL_SUCCESS ? real->clCreateKernel(program, name, &rc) : NULL;
	return rc;
}

/* Run a clone of the application's kernel, as the application would have. Returns its code. */
static cl_int kernel_run_original(const struct launch_job *job, struct kernel_times *times)
{
	cl_kernel clone;
	bool has_started;
	/* A clone, since the application may be setting new arguments on the original. */
	cl_int rc = kernel_run_clone(job->original, job->shadow.table->name, &clone);

	if (rc == CL_SUCCESS)
		rc = run_whole(job, clone, &has_started, times);
	if (clone)
		opencl_real()->clReleaseKernel(clone);
	return rc;
}

/* device_ops for OpenCL: runs the slices of one job on the engine's queue, in either of its two
 * buffers. The caller sets the job; the rest is 0. */
struct job_run {
	const struct launch_job *job;
	struct launch_kit *kit;
	cl_kernel kernel;              /* the kit's: the shadow, used by this run alone */
	void *records[ENGINE_BUFFERS]; /* mapped, or NULL */
	struct snapshot shot;
	struct kernel_times times; /* from the first slice's start to the last one's end */
};

/* Maximum size of the records of one group. Records and decoded events, up to four times as much,
 * must fit in host memory. */
#define LIMIT_BYTES (UINT64_C(256) << 20)

#define HOST_SHARE 32

static uint64_t most_items(void *device)
{
	const struct job_run *run = device;
	size_t most = 0;
	cl_int rc = opencl_real()->clGetKernelWorkGroupInfo(run->kernel, run->job->engine->device,
	                                                    CL_KERNEL_WORK_GROUP_SIZE, sizeof(most),
	                                                    &most, NULL);

	return rc == CL_SUCCESS ? most : UINT64_MAX;
}

static int acquire(void *device, struct err *err)
{
	struct job_run *run = device;
	const struct launch_job *job = run->job;
	cl_int rc;

	run->kit = launch_kits_take(program_build_kits(job->build), job->shadow.program,
	                            job->shadow.table, err);
	if (!run->kit)
		return ERR_DEVICE;
	run->kernel = run->kit->kernel;
	rc = kernel_run_arguments(job, run->kernel);
	if (rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE,
		               "the instrumented kernel does not take the arguments: %d", rc);
	return 0;
}

static bool is_wide(void *device)
{
	const struct job_run *run = device;

	return engine_is_wide(run->job->engine);
}

static int reserve(void *device, unsigned which, uint64_t bytes, struct err *err)
{
	const struct job_run *run = device;

	return engine_reserve(run->job->engine, which, bytes, err);
}

static uint64_t room_bytes(const void *device, unsigned which)
{
	const struct job_run *run = device;

	return run->job->engine->buffers[which].bytes;
}

static void release_buffer(void *device, unsigned which)
{
	const struct job_run *run = device;

	engine_release_buffer(run->job->engine, which);
}

/* Less than LIMIT_BYTES where the host has less than 8 GiB. */
static uint64_t group_limit(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	uint64_t share = LIMIT_BYTES;

	if (pages > 0 && page > 0)
		share = (uint64_t)pages * (uint64_t)page / HOST_SHARE;
	return share < LIMIT_BYTES ? share : LIMIT_BYTES;
}

static void note_times(struct job_run *run, const struct kernel_times *times)
{
	if (!run->times.start)
		run->times.start = times->start;
	run->times.end = times->end;
}

/* Write what the kernel reads and set the buffer as its argument. Returns the driver's code. */
static cl_int prepare(struct job_run *run, cl_mem mem, const struct slice_call *call)
{
	const struct opencl_real *real = opencl_real();
	cl_command_queue queue = run->job->engine->queue;
	const struct slice *slice = call->slice;
	cl_int rc = real->clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, slice->places_offset,
	                                       call->bytes, 0, NULL, NULL);

	if (rc == CL_SUCCESS && slice->tables_bytes)
		rc = real->clEnqueueWriteBuffer(queue, mem, CL_TRUE, slice->tables_offset,
		                                slice->tables_bytes,
		                                call->bytes + slice->places_offset, 0, NULL, NULL);
	if (rc == CL_SUCCESS)
		rc = real->clSetKernelArg(run->kernel, run->job->value_count, sizeof(mem),
		                          (const void *)&mem);
	return rc;
}

static enum slice_outcome run_slice(void *device, const struct slice_call *call, int *code)
{
	struct job_run *run = device;
	const struct engine *e = run->job->engine;
	cl_mem mem = e->buffers[call->which].mem;
	struct kernel_times times;
	struct kernel_range range;
	bool has_started;

	*code = prepare(run, mem, call);
	if (*code != CL_SUCCESS)
		return SLICE_NOT_STARTED;
	slice_box_range(&call->slice->box, &run->job->shape, range.offset, range.global);
	*code = kernel_run_range(run->job, run->kernel, &range, &has_started, &times);
	if (*code != CL_SUCCESS)
		return has_started ? SLICE_BROKEN : SLICE_NOT_STARTED;
	note_times(run, &times);
	*call->busy_ns += times.end - times.start;
	*code = opencl_real()->clEnqueueReadBuffer(e->queue, mem, CL_TRUE, 0, call->report_bytes,
	                                           call->bytes, 0, NULL, NULL);
	return *code == CL_SUCCESS ? SLICE_DONE : SLICE_UNREAD;
}

static const void *map(void *device, unsigned which, const struct slice *slice, uint64_t bytes,
                       struct err *err)
{
	struct job_run *run = device;
	const struct engine *e = run->job->engine;
	cl_int rc = CL_SUCCESS;

	run->records[which] = opencl_real()->clEnqueueMapBuffer(
		e->queue, e->buffers[which].mem, CL_TRUE, CL_MAP_READ, slice->places_offset, bytes,
		0, NULL, NULL, &rc);
	if (!run->records[which])
		err_set(err, ERR_DEVICE, "the records cannot be read from the device: %d", rc);
	return run->records[which];
}

static void release_records(void *device, unsigned which)
{
	struct job_run *run = device;
	const struct engine *e;

	if (!run->records[which])
		return;
	e = run->job->engine;
	(void)opencl_real()->clEnqueueUnmapMemObject(e->queue, e->buffers[which].mem,
	                                             run->records[which], 0, NULL, NULL);
	run->records[which] = NULL;
}

static void release(void *device)
{
	struct job_run *run = device;

	for (unsigned i = 0; i < ENGINE_BUFFERS; i++)
		release_records(run, i);
	if (run->kit)
		launch_kits_give(program_build_kits(run->job->build), run->kit);
}

static bool open_copies(void *device)
{
	struct job_run *run = device;

	return snapshot_init(&run->shot, run->job, NULL) == 0;
}

static void close_copies(void *device)
{
	struct job_run *run = device;

	snapshot_release(&run->shot);
}

static bool copy(void *device)
{
	struct job_run *run = device;

	return snapshot_take(&run->shot, NULL) == 0;
}

static bool undo(void *device, size_t *done)
{
	const struct job_run *run = device;

	return snapshot_restore(&run->shot, done, NULL) == 0;
}

static uint64_t copy_bytes(const void *device)
{
	const struct job_run *run = device;

	return snapshot_bytes(&run->shot);
}

static void note_writes(void *device, const struct group_events *events, const uint64_t *slots)
{
	struct job_run *run = device;

	snapshot_note_writes(&run->shot, events, slots);
}

static void invalidate_copies(void *device)
{
	struct job_run *run = device;

	snapshot_invalidate(&run->shot);
}

static void recall(void *device, struct slice_plan *plan)
{
	const struct job_run *run = device;

	(void)engine_recall(run->job->engine, run->job->shadow.table, plan);
}

static void learn(void *device, const struct slice_plan *plan)
{
	const struct job_run *run = device;
	const struct slice_needs needs = slice_plan_needs(plan);

	engine_learn(run->job->engine, run->job->shadow.table, &needs);
}

static void pause_worker(void *device)
{
	const struct job_run *run = device;

	worker_pause(opencl_session(run->job->session)->worker);
}

static void note_progress(void *device)
{
	const struct job_run *run = device;

	worker_note_progress(opencl_session(run->job->session)->worker);
}

static const struct device_ops job_run_ops = {
	/* Slices of the usual size keep the device busy and stay in its caches; larger ones only
	 * cost page faults. The spare bytes are for header, arguments and bitmap. */
	.room = { .buffers = ENGINE_BUFFERS,
	          .usual_bytes = UINT64_C(8) << 20,
	          .spare_bytes = UINT64_C(4) << 10 },
	.goes_in_rounds = true,
	.advises_room = true,
	.has_work_parts = true,
	.broken_code = CL_OUT_OF_RESOURCES,
	.memory_code = CL_OUT_OF_HOST_MEMORY,
	.not_started = "the instrumented kernel cannot be enqueued",
	.acquire = acquire,
	.release = release,
	.most_items = most_items,
	.is_wide = is_wide,
	.reserve = reserve,
	.room_bytes = room_bytes,
	.release_buffer = release_buffer,
	.group_limit = group_limit,
	.run_slice = run_slice,
	.read_records = map,
	.release_records = release_records,
	.open_copies = open_copies,
	.close_copies = close_copies,
	.copy = copy,
	.undo = undo,
	.copy_bytes = copy_bytes,
	.note_writes = note_writes,
	.invalidate_copies = invalidate_copies,
	.recall = recall,
	.learn = learn,
	.pause = pause_worker,
	.note_progress = note_progress,
};

/*
 * Let the application's queue continue. Its event gets `code`; the kernel ran at `times` and was
 * enqueued when `timed` was. Afterwards no other thread may use the job.
 */
static void complete(struct launch_job *job, cl_int code, cl_event timed,
                     const struct kernel_times *times)
{
	cl_int status = code < 0 ? code : CL_COMPLETE;
	int tries = 3; /* otherwise the application would wait forever */

	if (job->times && times->start)
		event_times_set(job->session, job->times, timed, times->start, times->end);
	while (job->user_event && tries-- &&
	       opencl_real()->clSetUserEventStatus(job->user_event, status) != CL_SUCCESS)
		continue;
}

/*
 * Without probes there are no records: the shadow kernel takes the application's arguments and runs
 * once. False when it could not begin.
 */
static bool run_without_probes(struct launch_run *run, struct job_run *slices)
{
	bool has_started = false;
	cl_int rc = kernel_run_shadow(slices->job, &has_started, &slices->times);

	if (!has_started)
		launch_run_note_failure(run, job_run_ops.not_started, rc);
	else
		run->code = rc;
	return has_started;
}

/* Undo a gated launch that has lost accesses, so that it can run again. False: undoing cannot
 * begin, so its effects and what is recorded of it stand, and the launch is done. */
static bool is_undone(struct launch_run *run, struct launch_job *job)
{
	cl_int code = run->code;

	if (!direct_launch_undo(job, &code)) {
		direct_launch_open_gate(job);
		return false;
	}
	run->code = code;
	if (code != CL_SUCCESS)
		err_set(&run->outcome.trouble, ERR_DEVICE,
		        "the launch cannot be undone, to be run again: %d", code);
	return true;
}

static struct launch_terms terms_of(const struct launch_job *job, struct job_run *slices)
{
	return (struct launch_terms){
		.session = job->session,
		.ops = &job_run_ops,
		.device = slices,
		.table = job->shadow.table,
		.shape = &job->shape,
		.selection = job->selection,
		.pool = worker_threads(opencl_session(job->session)->worker),
		.units = job->engine->units,
		.is_repeatable = job->is_repeatable,
		.is_narrow = job->session->settings.atomics,
		.too_small = "the device buffer is too small for the records of a group: record "
			     "with a larger --device-buffer",
	};
}

static void run_recorded(struct launch_run *run, const struct launch_job *job,
                         struct job_run *slices, uint64_t since)
{
	const char *records = job->shadow.table->records;
	char end[LAUNCH_QUOTA_TEXT_BYTES];

	if (job->head_status < 0) {
		err_set(&run->outcome.trouble, ERR_DEVICE, "a command that it waits for failed: %d",
		        job->head_status);
		run->code = job->head_status;
	} else if (records && !strcmp(records, "none")) {
		run->outcome.has_run = run_without_probes(run, slices);
	} else if (launch_quota_has_ended(&job->session->quota, since)) {
		run->outcome.is_limited = true;
		launch_quota_end(&job->session->quota, end);
		err_set(&run->outcome.trouble, ERR_LIMIT, "%s", end);
	} else {
		launch_run_execute(run);
	}
}

void launch_job_run(struct launch_job *job)
{
	struct job_run slices = { .job = job };
	struct launch_run run = { .terms = terms_of(job, &slices),
		                  .outcome = launch_job_outcome(job) };
	struct session *s = job->session;
	uint64_t since = clock_now_ns(), written;

	if (job->direct && !is_undone(&run, job))
		return;
	if (run.code == CL_SUCCESS)
		run_recorded(&run, job, &slices, since);
	if (run.code == CL_SUCCESS && !run.outcome.has_run) {
		slices.times = (struct kernel_times){ 0 };
		run.code = kernel_run_original(job, &slices.times);
	}
	written = clock_now_ns();
	launch_fate_write(&run.outcome);
	work_clock_part(s, RECORDER_WRITES, written, 0);
	launch_run_release(&run);
	launch_job_release_objects(job);
	complete(job, run.code, job->head, &slices.times);
	launch_job_free(job);
	work_clock_end(s, since);
}

void launch_job_free_later(struct launch_job *job)
{
	struct session *s = job->session;
	struct launch_job *first = atomic_load(&opencl_session(s)->done);

	do
		job->next = first;
	while (!atomic_compare_exchange_weak(&opencl_session(s)->done, &first, job));
}

void launch_job_free_done(struct session *s)
{
	struct launch_job *job = atomic_load_explicit(&opencl_session(s)->done,
	                                              memory_order_relaxed),
			  *next;

	if (!job)
		return;
	for (job = atomic_exchange(&opencl_session(s)->done, NULL); job; job = next) {
		next = job->next;
		launch_job_free(job);
	}
}

void launch_job_release_objects(struct launch_job *job)
{
	held_objects_release(job->session, &job->held);
	job->original = NULL;
}

void launch_job_free(struct launch_job *job)
{
	const struct opencl_real *real = opencl_real();

	if (!job || !waiting_jobs_may_free(job))
		return;
	launch_job_release_objects(job);
	if (job->head)
		real->clReleaseEvent(job->head);
	if (job->user_event)
		own_objects_release_event(job->engine->context, job->user_event);
	event_times_release(job->session, job->times);
	direct_launch_free(job);
	engine_release(job->engine);
	program_build_release(job->build);
	kernel_values_free(job->values, job->value_count);
	kernel_facts_release(job->facts);
	free(job->arguments);
	free(job);
}

void launch_job_record_lost(const struct launch_job *job, const char *why)
{
	struct launch_outcome outcome = launch_job_outcome(job);

	err_set(&outcome.trouble, ERR_DEVICE, "%s", why);
	launch_fate_write(&outcome);
}

struct launch_outcome launch_job_outcome(const struct launch_job *job)
{
	return launch_outcome_begin(job->session, &job->wish, job->shadow.table, job->arguments);
}

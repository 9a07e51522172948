/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_launch.h"

#include "array.h"
#include "clock.h"
#include "cuda_driver.h"
#include "err.h"
#include "gpu_session.h"
#include "launch_run.h"
#include "recorder.h"
#include "session.h"
#include "session_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GPU_WAIT_NS UINT64_C(2000000000)
#define PAUSE_NS    200000

/* Note that a stream will wait for something that the program itself may have to do. */
static void gpu_wait_note(void)
{
	struct session *s = session_current();

	if (s)
		atomic_store_explicit(&gpu_session(s)->has_host_work, true, memory_order_relaxed);
}

/*
 * Whether a launch in the stream may be waited for now. Once any stream has had to wait for the
 * program (a host function, a callback, a value in memory, an external semaphore), a stream that is
 * not done within GPU_WAIT_NS counts as waiting, and its launch runs unmodified: the recorder must
 * not hang a program that would end without it.
 */
static bool gpu_wait_is_safe(struct session *s, CUstream stream)
{
	const struct timespec pause = { 0, PAUSE_NS };
	uint64_t since = clock_now_ns();

	if (!atomic_load_explicit(&gpu_session(s)->has_host_work, memory_order_relaxed))
		return true;
	while (cuda_real()->cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) {
		if (clock_now_ns() - since > GPU_WAIT_NS)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static void fill_shape(struct gpu_job *job)
{
	const struct gpu_request *r = job->request;

	job->shape = (struct launch_shape){ .dimensions = 1 };
	for (unsigned d = 0; d < 3; d++) {
		job->shape.local[d] = r->items[d];
		job->shape.global[d] = (uint64_t)r->items[d] * r->groups[d];
		if (r->groups[d] > 1 || r->items[d] > 1)
			job->shape.dimensions = d + 1;
	}
}

/* Local memory of a group: the kernel's static memory and the launch's dynamic memory. */
static uint64_t local_bytes(const struct gpu_job *job)
{
	const struct cuda_real *real = cuda_real();
	CUfunction function = job->request->function;
	int bytes = 0;

	if (job->is_kernel &&
	    real->cuKernelGetFunction(&function, (CUkernel)(void *)job->request->function))
		return job->request->shared_bytes;
	if (real->cuFuncGetAttribute(&bytes, CUDA_FUNCTION_STATIC_SHARED, function) || bytes < 0)
		bytes = 0;
	return job->request->shared_bytes + (uint64_t)bytes;
}

void gpu_launch_identify(const struct gpu_job *job, size_t argument, uint64_t address)
{
	session_lock(job->session);
	session_memory_identify(job->session, address, &job->arguments[argument]);
	session_unlock(job->session);
}

static void judge_repeatable(struct gpu_job *job)
{
	const struct kernel_table *table = job->line.table;
	void *const *values = job->request->values;

	for (size_t i = 0; values && i < table->argument_count; i++) {
		uint64_t address;

		if (!table->arguments[i].is_written || table->arguments[i].space != SPACE_GLOBAL)
			continue;
		memcpy(&address, values[i], sizeof(address));
		gpu_launch_identify(job, i, address);
	}
	job->is_repeatable = values && launch_run_is_repeatable(table, job->arguments);
}

/* Whether a launch of a kernel that has a shadow cannot run in slices now; `why` gets the reason.
 */
static bool is_refused(struct gpu_job *job, char *why, size_t bytes)
{
	const char *attribute = gpu_attributes_refused(job->request->config);
	struct err err = { 0 };

	if (attribute)
		snprintf(why, bytes, "it is launched with %s", attribute);
	else if (launch_shape_check(&job->shape, &err) < 0)
		snprintf(why, bytes, "%.200s", err.msg);
	else if (!gpu_wait_is_safe(job->session, job->request->stream))
		snprintf(why, bytes,
		         "its stream waits for the program itself, or for other work of more than "
		         "two seconds");
	else if (!(job->shadow = gpu_function_shadow(job->function)))
		snprintf(why, bytes, "the driver does not find it in the instrumented module");
	else
		return false;
	return true;
}

static bool prepare(struct gpu_job *job, char *why, size_t bytes)
{
	if (is_refused(job, why, bytes))
		return false;
	job->arguments = array_alloc(job->line.table->argument_count, sizeof(*job->arguments),
	                             "arguments", NULL);
	if (!job->arguments) {
		snprintf(why, bytes, "out of memory");
		return false;
	}
	for (size_t i = 0; i < job->line.table->argument_count; i++)
		job->arguments[i].buffer_id = -1;
	job->is_whole = job->request->is_cooperative ||
	                gpu_attributes_are_cooperative(job->request->config);
	judge_repeatable(job);
	return true;
}

/* Record a wanted launch that ran unmodified. Its kernel may be launched millions of times, so
 * later launches get no line of their own. */
static void note_unmodified(struct gpu_job *job, const char *reason)
{
	struct launch_wish *w = &job->wish;

	if (w->quota == QUOTA_ENDED)
		launch_wish_end(job->session, w, LAUNCH_LIMITED, reason);
	else if (!w->has_line && launch_wish_count_unmodified(job->session, w))
		launch_wish_count(job->session, w, TALLY_UNMODIFIED);
	else
		launch_wish_end(job->session, w, LAUNCH_SKIPPED, reason);
}

/* The driver refused a wanted launch: it does not count. */
static void note_refused(struct gpu_job *job)
{
	launch_wish_take_back(job->session, &job->wish);
	if (job->wish.has_line)
		launch_wish_end(job->session, &job->wish, LAUNCH_UNSELECTED, NULL);
}

/* Run a launch that the user wants recorded. */
static CUresult run(struct gpu_job *job)
{
	char reason[256] = "";
	struct err why = { 0 };
	CUresult code = CUDA_SUCCESS;

	if (job->wish.quota == QUOTA_ENDED)
		launch_quota_end(&job->session->quota, reason);
	else if (!job->line.table)
		snprintf(reason, sizeof(reason), "%.255s", job->line.reason);
	if (*reason || !job->line.table || !prepare(job, reason, sizeof(reason))) {
		code = gpu_launch_original(job->request, job->function->module);
		if (code == CUDA_SUCCESS)
			note_unmodified(job, reason);
		else
			note_refused(job);
		return code;
	}
	launch_wish_begin(job->session, &job->wish, false);
	if (!job->wish.has_line)
		err_set(&why, ERR_IO, "the recording is closed");
	/* If nothing has run, it runs unmodified. */
	if (!job->wish.has_line || (!gpu_launch_run(job, &code, &why) && code == CUDA_SUCCESS))
		code = gpu_launch_original(job->request, job->function->module);
	return code;
}

/* Whether the launch goes into a graph instead of to the device. */
static bool is_captured(CUstream stream)
{
	int status = 0;

	/* For the default stream an error means that another stream is captured. */
	return cuda_real()->cuStreamIsCapturing &&
	       (cuda_real()->cuStreamIsCapturing(stream, &status) != CUDA_SUCCESS || status);
}

/* Find what is needed to decide about a launch. False: the recorder ignores it. */
static bool find(struct gpu_job *job)
{
	struct session *s = job->session;
	const struct cuda_real *real = cuda_real();

	job->function = gpu_function_get(s, job->request->function, &job->is_kernel);
	if (!job->function) {
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH,
		              "of a kernel whose loading the recorder has not seen");
		return false;
	}
	/* Before anything else: from now on the shadow's variables are the valid ones. */
	gpu_module_make(job->function->module, s);
	if (real->cuCtxGetCurrent(&job->context) || real->cuCtxGetDevice(&job->device)) {
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH, "in a context that is not known");
		return false;
	}
	if (is_captured(job->request->stream)) {
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH,
		              "captured in a stream: graphs run unmodified");
		return false;
	}
	if (gpu_function_line(job->function, s, job->device, &job->line))
		return true;
	recorder_note(s->recorder, RECORDED_NOTE_LAUNCH, "the kernel's line could not be written");
	return false;
}

static CUresult decide(struct gpu_job *job)
{
	const struct gpu_module *m;
	CUresult code;

	if (!find(job)) {
		m = job->function ? job->function->module : NULL;
		return gpu_launch_original(job->request, m);
	}
	fill_shape(job);
	job->selection = job->session->filter.groups;
	job->wish = (struct launch_wish){ .tally = job->line.tally,
		                          .kernel_id = job->line.kernel_id,
		                          .is_selected = job->line.is_selected,
		                          .shape = job->shape,
		                          .local_bytes = local_bytes(job) };
	if (launch_wish_ask(job->session, &job->wish, false))
		return run(job);
	code = gpu_launch_original(job->request, job->function->module);
	launch_wish_settle(job->session, &job->wish, code == CUDA_SUCCESS);
	return code;
}

/* Whether it has a size that a driver refuses. */
static bool is_empty(const struct gpu_request *r)
{
	for (int d = 0; d < 3; d++)
		if (!r->groups[d] || !r->items[d])
			return true;
	return false;
}

static CUresult gpu_launch(const struct gpu_request *request)
{
	struct gpu_job job = { .session = session_current(), .request = request };
	int mode = CUDA_CAPTURE_RELAXED;
	bool has_mode;
	uint64_t since;
	CUresult code;

	if (!job.session || is_empty(request))
		return gpu_launch_original(request, NULL);
	since = clock_now_ns();
	/* Otherwise our allocations would invalidate a capture in another stream. */
	has_mode = cuda_real()->cuThreadExchangeStreamCaptureMode &&
	           !cuda_real()->cuThreadExchangeStreamCaptureMode(&mode);
	code = decide(&job);
	if (has_mode)
		(void)cuda_real()->cuThreadExchangeStreamCaptureMode(&mode);
	work_clock_end(job.session, since);
	free(job.arguments);
	if (job.function)
		gpu_module_release(job.function->module);
	return code;
}

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */
CUresult hook_cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned group_x, unsigned group_y, unsigned group_z,
                             unsigned shared_bytes, CUstream stream, void **values, void **extra)
{
	return gpu_launch(&(struct gpu_request){ .function = function,
	                                         .groups = { grid_x, grid_y, grid_z },
	                                         .items = { group_x, group_y, group_z },
	                                         .shared_bytes = shared_bytes,
	                                         .stream = stream,
	                                         .values = values,
	                                         .extra = extra });
}

CUresult hook_cuLaunchKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y,
                                  unsigned grid_z, unsigned group_x, unsigned group_y,
                                  unsigned group_z, unsigned shared_bytes, CUstream stream,
                                  void **values, void **extra)
{
	return hook_cuLaunchKernel(function, grid_x, grid_y, grid_z, group_x, group_y, group_z,
	                           shared_bytes, cuda_hook_per_thread(stream), values, extra);
}

CUresult hook_cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, unsigned group_x, unsigned group_y,
                                        unsigned group_z, unsigned shared_bytes, CUstream stream,
                                        void **values)
{
	return gpu_launch(&(struct gpu_request){ .function = function,
	                                         .groups = { grid_x, grid_y, grid_z },
	                                         .items = { group_x, group_y, group_z },
	                                         .shared_bytes = shared_bytes,
	                                         .stream = stream,
	                                         .values = values,
	                                         .is_cooperative = true });
}

CUresult hook_cuLaunchCooperativeKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y,
                                             unsigned grid_z, unsigned group_x, unsigned group_y,
                                             unsigned group_z, unsigned shared_bytes,
                                             CUstream stream, void **values)
{
	return hook_cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, group_x, group_y,
	                                      group_z, shared_bytes, cuda_hook_per_thread(stream),
	                                      values);
}

/* NOLINTEND(readability-function-size) */

static CUresult launch_configured(const struct cuda_launch_config *config, CUfunction function,
                                  CUstream stream, void **values, void **extra)
{
	struct gpu_request request = { .function = function,
		                       .shared_bytes = config->shared_bytes,
		                       .stream = stream,
		                       .values = values,
		                       .extra = extra,
		                       .config = config };

	memcpy(request.groups, config->groups, sizeof(request.groups));
	memcpy(request.items, config->items, sizeof(request.items));
	return gpu_launch(&request);
}

CUresult hook_cuLaunchKernelEx(const struct cuda_launch_config *config, CUfunction function,
                               void **values, void **extra)
{
	if (!config)
		return cuda_real()->cuLaunchKernelEx(config, function, values, extra);
	return launch_configured(config, function, config->stream, values, extra);
}

CUresult hook_cuLaunchKernelEx_ptsz(const struct cuda_launch_config *config, CUfunction function,
                                    void **values, void **extra)
{
	if (!config)
		return cuda_real()->cuLaunchKernelEx(config, function, values, extra);
	return launch_configured(config, function, cuda_hook_per_thread(config->stream), values,
	                         extra);
}

CUresult hook_cuGraphLaunch(CUgraphExec graph, CUstream stream)
{
	struct session *s = session_current();
	CUresult rc = cuda_real()->cuGraphLaunch(graph, stream);

	if (s && rc == CUDA_SUCCESS)
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH,
		              "of a graph: its kernels run unmodified");
	return rc;
}

CUresult hook_cuGraphLaunch_ptsz(CUgraphExec graph, CUstream stream)
{
	return hook_cuGraphLaunch(graph, cuda_hook_per_thread(stream));
}

/* The hooks of calls that make streams wait for the program. */

CUresult hook_cuLaunchHostFunc(CUstream stream, void *call, void *context)
{
	gpu_wait_note();
	return cuda_real()->cuLaunchHostFunc(stream, call, context);
}

CUresult hook_cuLaunchHostFunc_ptsz(CUstream stream, void *call, void *context)
{
	return hook_cuLaunchHostFunc(cuda_hook_per_thread(stream), call, context);
}

CUresult hook_cuStreamAddCallback(CUstream stream, void *call, void *context, unsigned flags)
{
	gpu_wait_note();
	return cuda_real()->cuStreamAddCallback(stream, call, context, flags);
}

CUresult hook_cuStreamAddCallback_ptsz(CUstream stream, void *call, void *context, unsigned flags)
{
	return hook_cuStreamAddCallback(cuda_hook_per_thread(stream), call, context, flags);
}

CUresult hook_cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                     unsigned flags)
{
	gpu_wait_note();
	return cuda_real()->cuStreamWaitValue32_v2(stream, address, value, flags);
}

CUresult hook_cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr address, uint32_t value,
                                          unsigned flags)
{
	return hook_cuStreamWaitValue32_v2(cuda_hook_per_thread(stream), address, value, flags);
}

CUresult hook_cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                     unsigned flags)
{
	gpu_wait_note();
	return cuda_real()->cuStreamWaitValue64_v2(stream, address, value, flags);
}

CUresult hook_cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr address, uint64_t value,
                                          unsigned flags)
{
	return hook_cuStreamWaitValue64_v2(cuda_hook_per_thread(stream), address, value, flags);
}

CUresult hook_cuStreamBatchMemOp_v2(CUstream stream, unsigned count, void *operations,
                                    unsigned flags)
{
	gpu_wait_note();
	return cuda_real()->cuStreamBatchMemOp_v2(stream, count, operations, flags);
}

CUresult hook_cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned count, void *operations,
                                         unsigned flags)
{
	return hook_cuStreamBatchMemOp_v2(cuda_hook_per_thread(stream), count, operations, flags);
}

CUresult hook_cuWaitExternalSemaphoresAsync(const void *semaphores, const void *values,
                                            unsigned count, CUstream stream)
{
	gpu_wait_note();
	return cuda_real()->cuWaitExternalSemaphoresAsync(semaphores, values, count, stream);
}

CUresult hook_cuWaitExternalSemaphoresAsync_ptsz(const void *semaphores, const void *values,
                                                 unsigned count, CUstream stream)
{
	return hook_cuWaitExternalSemaphoresAsync(semaphores, values, count,
	                                          cuda_hook_per_thread(stream));
}

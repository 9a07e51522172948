/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_capture.h"

#include "clock.h"
#include "direct_launch.h"
#include "engine.h"
#include "in_flight.h"
#include "kernel_state.h"
#include "launch_job.h"
#include "opencl.h"
#include "opencl_session.h"
#include "own_objects.h"
#include "program_build.h"
#include "recorder.h"
#include "session.h"
#include "str.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a thread knows of a kernel and a queue. Valid as long as no handle has been retired since.
 */
struct known_launch {
	uint64_t handle_age;
	cl_kernel kernel;
	cl_command_queue queue;
	struct launch_tally *tally;
};

#define KNOWN_LAUNCHES 16

static _Thread_local struct known_launch known_launches[KNOWN_LAUNCHES];

static struct known_launch *known_at(cl_kernel kernel, cl_command_queue queue)
{
	uint64_t hash = (uint64_t)(uintptr_t)kernel + 3 * (uint64_t)(uintptr_t)queue;

	return &known_launches[(hash * UINT64_C(0x9e3779b97f4a7c15)) >> 60];
}

_Static_assert(KNOWN_LAUNCHES == 1 << (64 - 60), "the highest bits choose the place");

/* Whether the driver can run the kernel there: otherwise the launch gets no line. */
static bool is_runnable(const struct launch_request *r, cl_device_id *device)
{
	struct launch_place place;
	size_t most;

	if (!launch_check_place(r, &place))
		return false;
	*device = place.device;
	return opencl_real()->clGetKernelWorkGroupInfo(r->kernel, place.device,
	                                               CL_KERNEL_WORK_GROUP_SIZE, sizeof(most),
	                                               &most, NULL) == CL_SUCCESS;
}

static struct launch_tally *look_up(struct session *s, const struct launch_request *r)
{
	struct shadow_kernel shadow = { 0 };
	uint64_t since = clock_now_ns();
	char *name = NULL;
	struct program_build *build = kernel_state_build(s, r->kernel, &name);
	cl_device_id device;

	if (build && is_runnable(r, &device))
		(void)program_build_kernel(build, s, name, device, &shadow);
	if (build)
		program_build_release(build);
	free(name);
	work_clock_end(s, since);
	return shadow.tally;
}

static struct launch_tally *find(struct session *s, const struct launch_request *r)
{
	struct known_launch *known = known_at(r->kernel, r->queue);
	uint64_t age = atomic_load_explicit(&opencl_session(s)->handle_age, memory_order_acquire);
	struct launch_tally *tally;

	if (known->kernel == r->kernel && known->queue == r->queue && known->handle_age == age)
		return known->tally;
	tally = look_up(s, r);
	if (tally)
		*known = (struct known_launch){ age, r->kernel, r->queue, tally };
	return tally;
}

/* Whether the launch is left out. True: *w is set; call launch_wish_settle() next. */
static bool is_left_out(struct session *s, const struct launch_request *r, struct launch_wish *w)
{
	if (!s->has_selection && !atomic_load_explicit(&s->has_unmodified, memory_order_relaxed))
		return false;
	*w = (struct launch_wish){ .tally = find(s, r) };
	return w->tally && launch_wish_is_excluded(s, w);
}

void launch_refusal_record(struct session *s, struct launch_refusal *refusal)
{
	struct launch_wish *w = &refusal->wish;

	if (!refusal->is_recordable && refusal->is_unselected)
		return;
	if (!refusal->is_recordable) {
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH, refusal->reason);
		return;
	}
	if (refusal->is_unselected) {
		if (!w->has_line && w->tally)
			launch_wish_count(s, w, w->left_out_by);
		else
			launch_wish_end(s, w, LAUNCH_UNSELECTED, NULL);
		return;
	}
	(void)launch_wish_count_unmodified(s, w);
	launch_wish_end(s, w, w->quota == QUOTA_ENDED ? LAUNCH_LIMITED : LAUNCH_SKIPPED,
	                *refusal->reason ? refusal->reason
	                                 : "the driver accepted a call that it should refuse");
}

static cl_int forward_kernel(const struct launch_request *r, cl_kernel kernel)
{
	return opencl_real()->clEnqueueNDRangeKernel(r->queue, kernel, r->work_dim, r->offset,
	                                             r->global, r->local, r->wait_count,
	                                             r->wait_list, r->event);
}

/* Forward the launch with the recorded arguments, on a kernel object of our own. */
static cl_int forward_then(const struct launch_request *r)
{
	const struct kernel_state *then = r->then;
	cl_kernel clone;
	cl_int rc = kernel_run_clone(r->kernel, then->name, &clone);

	if (rc == CL_SUCCESS)
		rc = kernel_run_values(clone, then->values, then->value_count, then->facts);
	if (rc == CL_SUCCESS)
		rc = forward_kernel(r, clone);
	if (clone)
		opencl_real()->clReleaseKernel(clone);
	return rc;
}

/* Pass the request to the driver unchanged. */
static cl_int forward(const struct launch_request *r)
{
	if (r->is_task)
		return opencl_real()->clEnqueueTask(r->queue, r->kernel, r->wait_count,
		                                    r->wait_list, r->event);
	return r->then ? forward_then(r) : forward_kernel(r, r->kernel);
}

/* Enqueue a tiny kernel of ours in the application's queue. */
static cl_int enqueue_tail(const struct launch_request *r, const struct launch_job *job,
                           cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
	static const size_t one[3] = { 1, 1, 1 };
	const struct opencl_real *real = opencl_real();

	if (r->is_task)
		return real->clEnqueueTask(r->queue, job->engine->tail, wait_count, wait_list,
		                           event);
	return real->clEnqueueNDRangeKernel(r->queue, job->engine->tail, 1, NULL, one, one,
	                                    wait_count, wait_list, event);
}

static void CL_CALLBACK run_inline(void *arguments)
{
	struct launch_job *job;

	memcpy(&job, arguments, sizeof(job));
	launch_job_run(job);
}

/* Note one of the two things that a job waits for; after the second it may run. */
static void arrive(struct launch_job *job)
{
	struct worker *worker = opencl_session(job->session)->worker;

	if (atomic_fetch_sub(&job->awaited, 1) != 1)
		return;
	if (job->direct && direct_launch_fits(job)) {
		direct_launch_open_gate(job);
		worker_cancel_expected(worker);
		return;
	}
	worker_push(worker, job);
	worker_expect(worker, -1);
}

/* The head was reached. Runs in a thread of the driver, so only pass the job on. */
static void CL_CALLBACK head_reached(cl_event head, cl_int status, void *user_data)
{
	struct launch_job *job = user_data;

	if (!waiting_jobs_remove(job))
		return;
	job->head_status = status;
	arrive(job);
}

static void write_line(struct launch_job *job)
{
	launch_wish_begin(job->session, &job->wish, launch_shape_is_brief(&job->shape));
}

/* Give the application its event, whose times are the launch's if the queue takes times. */
static void give_event(const struct launch_request *r, struct launch_job *job, cl_event tail)
{
	cl_command_queue_properties properties = 0;

	(void)opencl_real()->clGetCommandQueueInfo(r->queue, CL_QUEUE_PROPERTIES,
	                                           sizeof(properties), &properties, NULL);
	if (properties & CL_QUEUE_PROFILING_ENABLE)
		job->times = event_times_create();
	if (job->times)
		event_times_attach(job->session, job->times, tail);
	*r->event = tail;
}

/* For runtimes that run commands in the application's calls: enqueue the job as a native kernel. */
static bool enqueue_inline(const struct launch_request *r, struct launch_job *job, cl_event *tail)
{
	const struct opencl_real *real = opencl_real();
	struct launch_job *argument = job;

	if (real->clEnqueueNativeKernel(r->queue, run_inline, (void *)&argument, sizeof(argument),
	                                0, NULL, NULL, r->wait_count, r->wait_list, &job->head))
		return false;
	/* From here on the launch will run, in one of the application's later calls. */
	if (enqueue_tail(r, job, 1, &job->head, tail) != CL_SUCCESS) {
		*tail = job->head;
		opencl_real_retain_event(*tail);
	}
	write_line(job);
	if (r->event)
		give_event(r, job, *tail);
	return true;
}

/* Enqueue the head: the launch itself if possible, else a tiny kernel. */
static bool enqueue_head(const struct launch_request *r, struct launch_job *job)
{
	if (job->direct && direct_launch_enqueue(r, job)) {
		if (!job->head) {
			job->head = job->direct->kernel;
			opencl_real_retain_event(job->head);
		}
		return true;
	}
	if (job->direct)
		direct_launch_give_up(job);
	return enqueue_tail(r, job, r->wait_count, r->wait_list, &job->head) == CL_SUCCESS;
}

/* Let a gated launch that is enqueued run without its gate: accesses that find no room are lost. */
static void enqueue_without_gate(const struct launch_request *r, struct launch_job *job,
                                 cl_event *tail)
{
	const struct opencl_real *real = opencl_real();

	if (*tail)
		real->clReleaseEvent(*tail);
	*tail = job->direct->kernel;
	opencl_real_retain_event(*tail);
	if (r->event)
		*r->event = *tail;
	(void)real->clSetUserEventStatus(job->user_event, CL_COMPLETE);
	write_line(job);
	in_flight_add(job->session, job);
}

/* Enqueue head, user event and tail; the job starts when the head is reached. */
static bool enqueue_between(const struct launch_request *r, struct launch_job *job, cl_event *tail)
{
	const struct opencl_real *real = opencl_real();
	cl_event both[2];

	job->user_event = own_objects_create_event(job->engine->context);
	if (!job->user_event || !enqueue_head(r, job))
		return false;
	/* The tail also waits for the head: if that fails, the driver may make no callback. */
	both[0] = job->direct ? job->direct->kernel : job->head;
	both[1] = job->user_event;
	if (enqueue_tail(r, job, 2, both, tail) != CL_SUCCESS) {
		if (!job->direct)
			return false;
		enqueue_without_gate(r, job, tail);
		return true;
	}
	worker_expect(opencl_session(job->session)->worker, 1);
	waiting_jobs_add(job);
	if (real->clSetEventCallback(job->head, CL_COMPLETE, head_reached, job) == CL_SUCCESS) {
		write_line(job);
		if (r->event)
			give_event(r, job, *tail);
		arrive(job); /* the job may be freed when this returns */
		return true;
	}
	waiting_jobs_remove(job);
	worker_expect(opencl_session(job->session)->worker, -1);
	if (job->direct) {
		enqueue_without_gate(r, job, tail);
		return true;
	}
	/* The tail must not delay later commands. */
	real->clSetUserEventStatus(job->user_event, CL_COMPLETE);
	real->clReleaseEvent(*tail);
	return false;
}

/* Enqueue a direct launch. False: nothing of it will run, and the job runs like others if *can_run.
 */
static bool enqueue_direct(const struct launch_request *r, struct launch_job *job, bool *can_run)
{
	if (!direct_launch_enqueue(r, job)) {
		direct_launch_give_up(job);
		*can_run = launch_job_retain_objects(job, r->kernel);
		return false;
	}
	write_line(job);
	in_flight_add(job->session, job);
	return true;
}

/* Whether a command is complete. */
static bool is_complete(cl_event event)
{
	cl_int status = CL_QUEUED;

	return opencl_real()->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
	                                     sizeof(status), &status, NULL) == CL_SUCCESS &&
	       status == CL_COMPLETE;
}

/* For immediate runtimes: run the job here, after its head. */
static bool run_at_once(const struct launch_request *r, struct launch_job *job, cl_event *tail)
{
	if (enqueue_tail(r, job, r->wait_count, r->wait_list, &job->head) != CL_SUCCESS ||
	    !is_complete(job->head))
		return false;
	*tail = job->head;
	opencl_real_retain_event(*tail);
	write_line(job);
	if (r->event)
		give_event(r, job, *tail);
	launch_job_run(job); /* frees it */
	return true;
}

static bool enqueue(const struct launch_request *r, struct launch_job *job, cl_event *tail)
{
	if (job->engine->is_immediate)
		return run_at_once(r, job, tail);
	return job->engine->is_inline ? enqueue_inline(r, job, tail)
	                              : enqueue_between(r, job, tail);
}

/* Enqueue a captured launch. False: nothing of it will run; the job is freed. */
static bool enqueue_job(const struct launch_request *r, struct launch_job *job)
{
	bool is_enqueued = false, can_run = true;
	cl_event tail = NULL;

	if (job->direct && !job->direct->is_gated && enqueue_direct(r, job, &can_run))
		return true;
	if (can_run)
		is_enqueued = enqueue(r, job, &tail);
	if (is_enqueued && !r->event)
		opencl_real()->clReleaseEvent(tail);
	if (!is_enqueued)
		launch_job_free(job);
	return is_enqueued;
}

/* Whether a range has no work-items, which later versions of OpenCL allow: it does nothing. */
static bool is_empty(const struct launch_request *r)
{
	for (cl_uint i = 0; r->global && i < r->work_dim; i++)
		if (!r->global[i])
			return true;
	return !r->global;
}

cl_int launch_enqueue(const struct launch_request *request)
{
	struct session *s = session_current();
	struct launch_refusal refusal;
	struct launch_wish wish;
	struct launch_job *job;
	uint64_t since;
	bool is_ours, is_immediate;
	cl_int rc;

	/* A driver refuses other numbers of dimensions, and there may be fewer sizes to read.
	 */
	if (!s || request->work_dim < 1 || request->work_dim > 3)
		return forward(request);
	if (!is_empty(request) && is_left_out(s, request, &wish)) {
		rc = forward(request);
		launch_wish_settle(s, &wish, rc == CL_SUCCESS);
		return rc;
	}
	launch_job_free_done(s);
	in_flight_settle_oldest(s);
	since = clock_now_ns();
	job = launch_job_capture(s, request, &refusal);
	is_immediate = job && job->engine->is_immediate;
	is_ours = job && enqueue_job(request, job);
	work_clock_end(s, since);
	if (is_ours)
		return CL_SUCCESS;
	if (job)
		snprintf(refusal.reason, sizeof(refusal.reason), "%s",
		         is_immediate
		                 ? "it waits for an event, in a queue that runs commands at once"
		                 : "the driver refused the recorder's commands in the "
		                   "application's queue");
	rc = forward(request);
	/* A line that was written although the driver did not run the launch gets its fate. */
	if (rc != CL_SUCCESS) {
		refusal.is_unselected = true;
		launch_wish_take_back(s, &refusal.wish);
	}
	if (rc == CL_SUCCESS ? !is_empty(request) : refusal.wish.has_number)
		launch_refusal_record(s, &refusal);
	return rc;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                               cl_uint work_dim, const size_t *global_work_offset,
                                               const size_t *global_work_size,
                                               const size_t *local_work_size,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event)
{
	return launch_enqueue(&(struct launch_request){
		command_queue, kernel, work_dim, global_work_offset, global_work_size,
		local_work_size, num_events_in_wait_list, event_wait_list, event, false, NULL });
}

cl_int CL_API_CALL hook_clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
	static const size_t one[1] = { 1 };

	return launch_enqueue(&(struct launch_request){ command_queue, kernel, 1, NULL, one, one,
	                                                num_events_in_wait_list, event_wait_list,
	                                                event, true, NULL });
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clEnqueueNativeKernel(cl_command_queue command_queue,
                                              void(CL_CALLBACK *user_func)(void *), void *args,
                                              size_t cb_args, cl_uint num_mem_objects,
                                              const cl_mem *mem_list, const void **args_mem_loc,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clEnqueueNativeKernel(
		command_queue, user_func, args, cb_args, num_mem_objects, mem_list, args_mem_loc,
		num_events_in_wait_list, event_wait_list, event);

	if (s && rc == CL_SUCCESS)
		recorder_note(s->recorder, "native kernel", "code of the host is not recorded");
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a job: its effects once, its events into the recording, its event completed. */
#include "clock.h"
#include "direct_launch.h"
#include "engine.h"
#include "err.h"
#include "launch_job.h"
#include "launch_run.h"
#include "opencl_session.h"
#include "recorder.h"
#include "slice_run.h"
#include "work_clock.h"
#include "worker.h"

#include <string.h>

void launch_job_complete(struct launch_job *job, cl_int code, cl_event timed,
                         const struct kernel_times *times)
{
	cl_int status = code < 0 ? code : CL_COMPLETE;
	int tries = 3; /* the application would wait for ever */

	if (job->times && times->start)
		event_times_set(job->session, job->times, timed, times->start, times->end);
	while (job->user_event && tries-- &&
	       opencl_real()->clSetUserEventStatus(job->user_event, status) != CL_SUCCESS)
		continue;
}

/*
 * Without probes there is nothing to hand in or to read: the shadow kernel takes the application's
 * arguments and runs once. False when it could not begin.
 */
static bool run_without_probes(struct launch_run *run, struct slice_run *slices)
{
	bool has_started = false;
	cl_int rc = kernel_run_shadow(slices->job, &has_started, &slices->times);

	if (!has_started)
		launch_run_lose(run, slice_run_ops.not_started, rc);
	else
		run->code = rc;
	return has_started;
}

/* A gated launch has lost accesses: it is undone, to run again. False: that cannot even be begun,
 * its effects and what is recorded of it stand, and it is done with. */
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

static struct launch_terms terms_of(const struct launch_job *job, struct slice_run *slices)
{
	return (struct launch_terms){
		.session = job->session,
		.ops = &slice_run_ops,
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
                         struct slice_run *slices, uint64_t since)
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
		launch_run_do(run);
	}
}

void launch_job_run(struct launch_job *job)
{
	struct slice_run slices = { .job = job };
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
	launch_job_let_go(job);
	launch_job_complete(job, run.code, job->head, &slices.times);
	launch_job_free(job);
	work_clock_end(s, since);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a job: its effects once, its events into the recording, its event completed. */
#include "array.h"
#include "drain.h"
#include "engine.h"
#include "err.h"
#include "launch_job.h"
#include "recorder.h"
#include "session.h"
#include "slice_run.h"
#include "snapshot.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>

struct launch_run {
	struct launch_job *job;
	struct slice_run slices;
	struct slice_plan plan;
	struct drain drain;
	struct snapshot shot;
	bool has_shot;    /* slices can be undone */
	bool is_mute;     /* events are no longer kept; the groups must run all the same */
	uint64_t dropped; /* events known to be lost */
	struct launch_writer *writer;
	struct err trouble; /* why events are missing in unknown number; code 0: they are not */
	cl_int code;        /* not CL_SUCCESS: the device failed; the application gets this */
	bool is_untouched;  /* nothing has run yet */
};

/* Everything that a recorded run needs; on failure nothing has run. */
static int open_run(struct launch_run *run)
{
	struct launch_job *job = run->job;
	struct recorder *recorder = job->session->recorder;
	struct err *err = &run->trouble;
	uint32_t size[3];
	int rc;

	if (!job->has_launch_id || !recorder_is_open(recorder))
		return err_set(err, ERR_IO, "the recording is closed");
	rc = engine_reserve(job->engine, job->session->settings.buffer_bytes, err);
	if (rc == 0)
		rc = slice_run_init(&run->slices, job, err);
	if (rc == 0)
		rc = drain_init(&run->drain, &job->shape, err);
	if (rc < 0)
		return rc;
	if (!slice_run_room(&run->slices))
		return err_set(err, ERR_LIMIT, "%s: too small for one chunk of events",
		               "WARPLINE_BUFFER");
	run->writer =
		recorder_open_launch(recorder, job->launch_id, &job->shape, job->shadow.table, err);
	if (!run->writer)
		return ERR_IO;
	slice_plan_init(&run->plan, launch_shape_group_count(&job->shape),
	                launch_shape_group_size(&job->shape, 0, size),
	                job->shadow.table->max_events, slice_run_room(&run->slices));
	if (!run->plan.is_exact && job->is_repeatable)
		run->has_shot = snapshot_init(&run->shot, job, NULL) == 0;
	if (!run->has_shot)
		slice_plan_be_cautious(&run->plan);
	return 0;
}

static void lose(struct launch_run *run, const char *what, cl_int code)
{
	err_set(&run->trouble, ERR_DEVICE, "%s: %d", what, code);
	run->is_mute = true;
}

/* A slice has overflowed: whether it can be undone and there is a way to make it fit. */
static bool can_fit(struct launch_run *run, const struct slice *slice)
{
	struct engine *e = run->job->engine;
	uint64_t before = e->buffer_bytes;

	if (!run->has_shot)
		return false;
	if (slice_plan_shrink(&run->plan, slice))
		return true;
	if (engine_reserve(e, before * 2, NULL) < 0 || e->buffer_bytes <= before)
		return false;
	slice_plan_set_room(&run->plan, slice_run_room(&run->slices));
	return true;
}

/* Undo a slice. False when that cannot even be begun: its effects then stand, once. */
static bool undo(struct launch_run *run)
{
	size_t done = 0;

	for (int tries = 0; tries < 3; tries++)
		if (snapshot_restore(&run->shot, &done, NULL) == 0)
			return true;
	if (done)
		run->code = CL_OUT_OF_RESOURCES;
	return done > 0;
}

/* Hand the groups of a slice to the file. Returns 0, or ERR_* with run->trouble set. */
static int add_groups(struct launch_run *run, const struct slice *slice, const void *chunks)
{
	struct group_events group;
	int rc = drain_slice(&run->drain, slice, chunks, slice_run_used(&run->slices),
	                     &run->trouble);

	for (uint64_t g = slice->begin; rc == 0 && g < slice->end; g++) {
		rc = drain_group(&run->drain, g, &group, &run->trouble);
		if (rc == 0 && run->has_shot)
			snapshot_see(&run->shot, &group, run->slices.slots);
		if (rc == 0)
			rc = launch_writer_add(run->writer, g, &group, &run->trouble);
	}
	return rc;
}

/* Keep the events of the last slice, which may be none. */
static void keep(struct launch_run *run, const struct slice *slice)
{
	const void *chunks = NULL;

	if (slice_run_used(&run->slices)) {
		chunks = slice_run_map(&run->slices, slice, &run->trouble);
		run->is_mute |= !chunks;
	}
	if (!run->is_mute && add_groups(run, slice, chunks) < 0)
		run->is_mute = true;
	slice_run_unmap(&run->slices);
}

/* Whether the events of the last slice name everything that it wrote. */
static bool tells_all(const struct launch_run *run)
{
	return !slice_run_overflowed(&run->slices) && !run->drain.damaged_count && !run->is_mute &&
	       !run->job->shadow.table->unrecorded_count && !run->job->shadow.table->writes_unknown;
}

/* Run one slice; it may have to be run again. */
static void run_slice(struct launch_run *run, const struct slice *slice)
{
	cl_int code;

	if (run->has_shot && snapshot_take(&run->shot, NULL) < 0) {
		run->has_shot = false;
		slice_plan_be_cautious(&run->plan);
	}
	switch (slice_run_groups(&run->slices, slice, &code)) {
	case SLICE_DONE:
		break;
	case SLICE_UNREAD:
		run->is_untouched = false;
		lose(run, "the events cannot be read from the device", code);
		slice_plan_accept(&run->plan, slice, 0);
		return;
	case SLICE_NOT_STARTED:
		lose(run, "the instrumented kernel cannot be enqueued", code);
		return;
	case SLICE_BROKEN:
		run->is_untouched = false;
		lose(run, "the kernel failed on the device", code);
		run->code = code;
		return;
	}
	if (slice_run_overflowed(&run->slices) && can_fit(run, slice) && undo(run))
		return;
	run->is_untouched = false;
	run->dropped += slice_run_lost(&run->slices);
	keep(run, slice);
	if (run->has_shot && !tells_all(run))
		snapshot_forget(&run->shot);
	slice_plan_accept(&run->plan, slice, run->drain.event_count);
}

/* Run the groups that are left without keeping events. */
static void run_rest(struct launch_run *run)
{
	struct slice rest = { run->plan.next, run->plan.group_count, 1, 0 };
	enum slice_outcome outcome = slice_run_groups(&run->slices, &rest, &run->code);

	if (outcome == SLICE_UNREAD)
		run->code = CL_SUCCESS;
	run->plan.next = run->plan.group_count;
}

static void run_slices(struct launch_run *run)
{
	struct slice slice;

	run->is_untouched = true;
	while (run->code == CL_SUCCESS && slice_plan_next(&run->plan, &slice)) {
		if (!run->is_mute)
			run_slice(run, &slice);
		else if (run->is_untouched)
			return;
		else
			run_rest(run);
		worker_moved(run->job->session->worker);
	}
}

/* The buffers that the kernel's global pointers named; free the result. */
static struct recorded_argument *list_arguments(const struct launch_run *run, size_t *count)
{
	const struct launch_job *job = run->job;
	struct recorded_argument *list = array_alloc(job->value_count, sizeof(*list), "list", NULL);

	*count = 0;
	for (cl_uint i = 0; list && i < job->value_count; i++) {
		const struct job_argument *a = &job->arguments[i];
		uint64_t address = run->slices.slots[i];

		if (job->shadow.table->arguments[i].space != 1)
			continue;
		list[(*count)++] = (struct recorded_argument){
			.index = i,
			.buffer = address ? a->buffer_id : -1,
			.address = a->svm_address ? a->svm_address : address,
		};
	}
	return list;
}

/* Close the file and tell the recording what became of the launch. */
static void write_fate(struct launch_run *run, bool is_traced)
{
	struct launch_job *job = run->job;
	struct recorded_launch fate = { .fate = LAUNCH_TRACED };
	struct err err = { 0 };
	bool is_whole;

	run->dropped += run->drain.damaged_count;
	is_whole = is_traced && !run->trouble.code && !run->dropped;
	if (launch_writer_close(run->writer, is_whole, &fate.totals, &err) < 0 && is_traced)
		run->trouble = run->trouble.code ? run->trouble : err;
	fate.dropped_events = run->dropped;
	if (!is_traced || run->trouble.code) {
		fate.fate = LAUNCH_SKIPPED;
		fate.reason = run->trouble.msg;
	} else {
		fate.arguments = list_arguments(run, &fate.argument_count);
	}
	if (job->has_launch_id)
		(void)recorder_fate(job->session->recorder, job->launch_id, &fate);
	free(fate.arguments);
}

static void release_run(struct launch_run *run)
{
	snapshot_release(&run->shot);
	drain_release(&run->drain);
	slice_run_release(&run->slices);
}

/* Let the application's queue go on. */
static void complete(struct launch_run *run, const struct kernel_times *times)
{
	struct launch_job *job = run->job;
	cl_int status = run->code < 0 ? run->code : CL_COMPLETE;
	int tries = 3; /* the application would wait for ever */

	if (job->times && times->start)
		event_times_set(job->session, job->times, job->head, times->start, times->end);
	while (job->user_event && tries-- &&
	       opencl_real()->clSetUserEventStatus(job->user_event, status) != CL_SUCCESS)
		continue;
}

void launch_job_run(struct launch_job *job)
{
	struct launch_run run = { .job = job };
	struct kernel_times times = { 0 };
	bool is_traced = false;

	if (job->head_status < 0) {
		err_set(&run.trouble, ERR_DEVICE, "a command that it waits for failed: %d",
		        job->head_status);
		run.code = job->head_status;
	} else if (open_run(&run) == 0) {
		run_slices(&run);
		is_traced = !run.is_untouched;
	}
	if (run.code == CL_SUCCESS && !is_traced)
		run.code = kernel_run_original(job, &times);
	else
		times = run.slices.times;
	write_fate(&run, is_traced);
	release_run(&run);
	launch_job_let_go(job);
	complete(&run, &times);
	launch_job_free(job);
}

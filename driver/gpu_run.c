/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a job: its effects once, its events into the recording. Of gpu_launch.h. */
#include "array.h"
#include "drain.h"
#include "err.h"
#include "gpu_engine.h"
#include "gpu_launch.h"
#include "gpu_memory.h"
#include "gpu_session.h"
#include "gpu_slices.h"
#include "gpu_snapshot.h"
#include "launch_fate.h"
#include "recorder.h"
#include "slice_plan.h"

#include <stdlib.h>
#include <string.h>

/* Slices of this size keep the device busy; more than the user's budget only for one large group.
 */
#define USUAL_BYTES (UINT64_C(32) << 20)
#define FIRST_BYTES (UINT64_C(64) << 10)
#define LIMIT_BYTES (UINT64_C(64) << 20)

struct gpu_run {
	struct gpu_job *job;
	struct gpu_slices slices;
	struct slice_plan plan;
	struct drain *drain;
	unsigned which;
	struct gpu_snapshot shot;
	bool has_shot; /* slices can be undone */
	bool is_mute;  /* events are no longer kept; the groups must run all the same */
	bool is_untouched;
	uint64_t *counts; /* instead of events, or NULL */
	CUresult code;    /* not success: the device failed; the application gets this */
	struct launch_outcome outcome;
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* In the thread that decoded it. */
static int keep_part(void *context, const struct drained_part *part, struct err *err)
{
	struct gpu_run *run = context;

	if (run->counts)
		return 0;
	if (!launch_quota_allows(&run->job->session->quota,
	                         launch_writer_bytes(run->outcome.writer)))
		return err_set(err, ERR_LIMIT, "the recording is full");
	return launch_outcome_keep(&run->outcome, part->group, part->events, part->is_last, err);
}

static int open_drain(struct gpu_run *run, struct err *err)
{
	const struct gpu_job *job = run->job;
	const struct drain_terms terms = { .shape = &job->shape,
		                           .table = job->line.table,
		                           .layout = &run->slices.layout,
		                           .selection = job->selection,
		                           .pool = job->session->pool,
		                           .sink = keep_part,
		                           .context = run,
		                           .differences = { run->slices.differences[0],
		                                            run->slices.differences[1] } };

	return drain_create(&run->drain, &terms, err);
}

/* What the groups go into. */
static int open_file(struct gpu_run *run, struct err *err)
{
	struct gpu_job *job = run->job;
	const struct kernel_table *table = job->line.table;

	if (table->records && !strcmp(table->records, "count")) {
		run->counts = array_alloc(table->site_count, sizeof(*run->counts), "counts", err);
		return run->counts ? 0 : ERR_NOMEM;
	}
	run->outcome.writer = recorder_open_launch(job->session->recorder, job->launch_id,
	                                           &job->shape, table, err);
	if (!run->outcome.writer)
		return ERR_IO;
	if (job->selection)
		launch_writer_select(run->outcome.writer);
	return 0;
}

static int reserve(struct gpu_run *run, uint64_t bytes, struct err *err)
{
	int rc = gpu_buffer_reserve(run->slices.buffer, bytes, err);

	if (rc == 0)
		slice_plan_set_room(&run->plan, run->slices.buffer->bytes);
	return rc;
}

/* A larger buffer; nothing may be at work in it. False when that is too much. */
static bool grow(struct gpu_run *run)
{
	uint64_t before = run->slices.buffer->bytes;
	uint64_t budget = run->job->session->settings.buffer_bytes;
	uint64_t limit = budget > LIMIT_BYTES ? budget : LIMIT_BYTES;

	return before < limit && reserve(run, smaller(before * 2, limit), NULL) == 0 &&
	       run->slices.buffer->bytes > before;
}

/* The next slice; if groups wait for each other, of all of them. */
static bool next_slice(struct gpu_run *run, struct slice *slice)
{
	if (run->job->is_whole)
		run->plan.groups = run->plan.group_count;
	return slice_plan_next(&run->plan, slice) &&
	       (!run->job->is_whole || slice->box.end == run->plan.group_count);
}

static void recall(struct gpu_run *run)
{
	struct gpu_lesson *lesson = &run->job->function->lesson;

	gpu_session_lock(run->job->session);
	if (lesson->group_items == run->slices.layout.group_items)
		slice_plan_recall(&run->plan, lesson->place_words, lesson->chunk_words,
		                  lesson->group_chunks);
	gpu_session_unlock(run->job->session);
}

static void keep_lesson(struct gpu_run *run)
{
	gpu_session_lock(run->job->session);
	if (!run->plan.is_exact)
		run->job->function->lesson =
			(struct gpu_lesson){ run->slices.layout.group_items, run->plan.place_words,
			                     run->plan.chunk_words, run->plan.group_chunks };
	gpu_session_unlock(run->job->session);
}

/* A buffer in which the first slice has its place. */
static int open_room(struct gpu_run *run, struct err *err)
{
	uint64_t budget = run->job->session->settings.buffer_bytes, guess, bytes = FIRST_BYTES;
	struct slice slice;
	int rc;

	slice_plan_init(&run->plan, run->job->line.table, &run->job->shape, &run->slices.layout,
	                budget);
	recall(run);
	guess = slice_plan_guess(&run->plan);
	while (bytes < smaller(guess, smaller(USUAL_BYTES, budget)))
		bytes *= 2;
	rc = reserve(run, smaller(bytes, budget), err);
	if (rc < 0)
		return rc;
	while (!next_slice(run, &slice))
		if (!grow(run))
			return err_set(err, ERR_LIMIT,
			               "WARPLINE_BUFFER: too small for the "
			               "records of %s",
			               run->job->is_whole ? "groups that wait for each other"
			                                  : "a group");
	return 0;
}

/* Of the allocations that the kernel may write. */
static int open_shot(struct gpu_run *run)
{
	const struct gpu_job *job = run->job;
	const struct kernel_table *table = job->line.table;
	struct address_range *ranges =
		array_alloc(table->argument_count, sizeof(*ranges), "written memory", NULL);
	size_t count = 0;
	int rc;

	for (size_t i = 0; ranges && i < table->argument_count; i++)
		if (table->arguments[i].is_written && job->arguments[i].buffer_bytes)
			ranges[count++] = (struct address_range){
				.address = job->arguments[i].svm_address,
				.bytes = job->arguments[i].buffer_bytes,
			};
	rc = ranges ? gpu_snapshot_init(&run->shot, ranges, count, job->request->stream, NULL)
	            : ERR_NOMEM;
	free(ranges);
	return rc;
}

/* Everything that a recorded run needs; on failure nothing has run. */
static int open_run(struct gpu_run *run, struct err *err)
{
	int rc = gpu_slices_init(&run->slices, run->job, err);

	if (rc == 0)
		rc = open_room(run, err);
	if (rc == 0)
		rc = open_drain(run, err);
	if (rc == 0)
		rc = open_file(run, err);
	if (rc < 0)
		return rc;
	if (!run->plan.is_exact && run->job->is_repeatable)
		run->has_shot = open_shot(run) == 0;
	if (!run->has_shot)
		slice_plan_be_cautious(&run->plan);
	return 0;
}

static void be_mute(struct gpu_run *run)
{
	run->is_mute = true;
	slice_plan_be_mute(&run->plan);
}

static void lose(struct gpu_run *run, const char *what, CUresult code)
{
	err_set(&run->outcome.trouble, ERR_DEVICE, "%s: %d", what, code);
	be_mute(run);
}

/* See the draining of slice number `which` to its end. */
static void finish(struct gpu_run *run, unsigned which)
{
	struct drain_result result;

	if (drain_wait(run->drain, which, &result, &run->outcome.trouble) < 0 && !run->is_mute)
		be_mute(run);
	run->outcome.damaged += result.damaged;
	slice_plan_learn(&run->plan, &(struct slice_lesson){ result.events, result.chunk_events,
	                                                     result.sets, result.groups });
}

/* A slice has overflowed: whether it can be undone and there is a way to make it fit. */
static bool can_fit(struct gpu_run *run, const struct slice *slice)
{
	if (!run->has_shot)
		return false;
	if (!run->job->is_whole &&
	    slice_plan_shrink(&run->plan, slice, slice_host_lost(&run->slices.header)))
		return true;
	return grow(run);
}

/* False when that cannot even be begun: a slice's effects then stand, once. */
static bool undo(struct gpu_run *run)
{
	size_t done = 0;

	for (int tries = 0; tries < 3; tries++)
		if (gpu_snapshot_restore(&run->shot, &done))
			return true;
	if (done)
		run->code = CUDA_ERROR_UNKNOWN;
	return done > 0;
}

/* Have the records of the last slice drained while the next one runs. */
static void keep(struct gpu_run *run, const struct slice *slice)
{
	const void *records = NULL;

	if (gpu_slices_bytes(&run->slices, slice)) {
		records = gpu_slices_read(&run->slices, run->which, slice, &run->outcome.trouble);
		if (!records) {
			be_mute(run);
			return;
		}
	}
	drain_begin(run->drain, run->which, slice, records,
	            slice_host_used(&run->slices.header, slice), false);
	run->which = !run->which;
	finish(run, run->which);
}

static void accept(struct gpu_run *run, const struct slice *slice)
{
	if (slice_host_lost(&run->slices.header)) {
		if (can_fit(run, slice) && undo(run))
			return;
		run->outcome.dropped += slice_host_lost(&run->slices.header);
	}
	run->is_untouched = false;
	slice_plan_accept(&run->plan, slice, slice_host_used(&run->slices.header, slice));
	keep(run, slice);
}

/* Run one slice; it may have to be run again. */
static void run_slice(struct gpu_run *run, const struct slice *slice)
{
	CUresult code;

	if (run->has_shot && !run->is_mute && !gpu_snapshot_take(&run->shot)) {
		run->has_shot = false;
		slice_plan_be_cautious(&run->plan);
	}
	switch (gpu_slices_run(&run->slices, run->which, slice, &code)) {
	case GPU_SLICE_DONE:
		if (run->is_mute)
			slice_plan_accept(&run->plan, slice, 0);
		else
			accept(run, slice);
		break;
	case GPU_SLICE_UNREAD:
		run->is_untouched = false;
		lose(run, "the records cannot be read from the device", code);
		slice_plan_accept(&run->plan, slice, 0);
		break;
	case GPU_SLICE_NOT_STARTED:
		/* Once groups have run, the others must: what cannot be begun at all is an error.
		 */
		if (run->is_mute && !run->is_untouched)
			run->code = code;
		lose(run, "the instrumented kernel cannot be launched", code);
		break;
	case GPU_SLICE_BROKEN:
		run->is_untouched = false;
		lose(run, "the kernel failed on the device", code);
		run->code = code;
		break;
	}
}

static void run_slices(struct gpu_run *run)
{
	struct slice slice;

	run->is_untouched = true;
	while (run->code == CUDA_SUCCESS && !slice_plan_is_done(&run->plan)) {
		if (run->is_mute && run->is_untouched)
			break;
		if (!next_slice(run, &slice)) {
			run->code = CUDA_ERROR_UNKNOWN; /* cannot be: it had room before */
			break;
		}
		run_slice(run, &slice);
	}
	finish(run, 0);
	finish(run, 1);
	keep_lesson(run);
	if (run->counts)
		drain_counts(run->drain, run->counts);
}

/* What the kernel told of its pointers says which memory they are of. */
static void write_fate(struct gpu_run *run)
{
	const struct gpu_job *job = run->job;
	const struct kernel_table *table = job->line.table;
	struct launch_outcome *o = &run->outcome;

	for (size_t i = 0; !run->is_untouched && i < table->argument_count; i++)
		if (table->arguments[i].space == SPACE_GLOBAL)
			gpu_launch_identify(job, i, run->slices.slots[i]);
	o->slots = run->is_untouched ? NULL : run->slices.slots;
	o->counts = run->counts;
	o->device_ns = run->slices.busy_ns;
	o->device_bytes = run->slices.record_bytes;
	o->has_run = !run->is_untouched;
	launch_fate_write(o);
}

bool gpu_launch_run(struct gpu_job *job, CUresult *code, struct err *why)
{
	struct gpu_run run = { .job = job,
		               .is_untouched = true,
		               .outcome = { .recorder = job->session->recorder,
		                            .quota = &job->session->quota,
		                            .table = job->line.table,
		                            .arguments = job->arguments,
		                            .has_launch_id = job->has_launch_id,
		                            .has_line = job->has_launch_id,
		                            .launch_id = job->launch_id } };

	if (open_run(&run, &run.outcome.trouble) == 0)
		run_slices(&run);
	write_fate(&run);
	*code = run.code;
	*why = run.outcome.trouble;
	drain_free(run.drain);
	/* Nothing may still be copied from where it is freed. */
	if (run.shot.count)
		(void)cuda_real()->cuStreamSynchronize(job->request->stream);
	gpu_snapshot_release(&run.shot);
	gpu_slices_release(&run.slices);
	free(run.counts);
	return run.outcome.has_run;
}

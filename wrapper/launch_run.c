/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a job: its effects once, its events into the recording, its event completed. */
#include "array.h"
#include "direct_launch.h"
#include "drain.h"
#include "engine.h"
#include "err.h"
#include "group_rounds.h"
#include "launch_fate.h"
#include "launch_job.h"
#include "launch_lesson.h"
#include "launch_room.h"
#include "recorder.h"
#include "session.h"
#include "slice_plan.h"
#include "slice_run.h"
#include "snapshot.h"
#include "work_clock.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>

/* Copying every written buffer may cost this part of the records before it is better to wait for
 * what the events tell. */
#define COPY_SHARE 4

static const char not_enqueued[] = "the instrumented kernel cannot be enqueued";

/* What a slice wrote of which something found no room; no bytes: all did. */
struct lost_slice {
	struct probe_header header;
	uint64_t bytes;
};

struct launch_run {
	struct launch_job *job;
	struct slice_run slices;
	struct slice_plan plan;
	struct launch_room room;
	struct drain *drain;
	bool is_tracked[ENGINE_BUFFERS]; /* events of what is drained there say what it wrote */
	struct lost_slice lost[ENGINE_BUFFERS];
	struct snapshot shot;
	bool has_shot;    /* slices can be undone */
	bool is_mute;     /* events are no longer kept; the groups must run all the same */
	bool is_counting; /* there are counts instead of events */
	uint64_t *counts;
	bool is_untouched; /* nothing has run yet */
	cl_int code;       /* not CL_SUCCESS: the device failed; the application gets this */
	struct launch_outcome outcome;
};

/* Keep a group or a part of one, in the thread that decoded it. */
static int keep_part(void *context, const struct drained_part *part, struct err *err)
{
	struct launch_run *run = context;

	if (run->is_counting)
		return 0;
	if (part->is_tracked)
		snapshot_see(&run->shot, part->events, run->slices.slots);
	if (!launch_quota_allows(&run->job->session->quota,
	                         launch_writer_bytes(run->outcome.writer)))
		return err_set(err, ERR_LIMIT, "the recording is full");
	return launch_outcome_keep(&run->outcome, part->group, part->events, part->is_last, err);
}

static int open_drain(struct launch_run *run, struct err *err)
{
	const struct launch_job *job = run->job;
	const struct drain_terms terms = { .shape = &job->shape,
		                           .table = job->shadow.table,
		                           .layout = &run->slices.layout,
		                           .selection = job->selection,
		                           .pool = worker_threads(job->session->worker),
		                           .sink = keep_part,
		                           .context = run,
		                           .differences = { run->slices.differences[0],
		                                            run->slices.differences[1] } };

	return drain_create(&run->drain, &terms, err);
}

static bool is_mode(const struct kernel_table *table, const char *records)
{
	return table->records && strcmp(table->records, records) == 0;
}

/* What the groups go into. */
static int open_file(struct launch_run *run, struct err *err)
{
	struct launch_job *job = run->job;

	if (run->is_counting) {
		run->counts = array_alloc(job->shadow.table->site_count, sizeof(*run->counts),
		                          "counts", err);
		return run->counts ? 0 : ERR_NOMEM;
	}
	run->outcome.writer = recorder_open_launch(job->session->recorder, job->launch_id,
	                                           &job->shape, job->shadow.table, err);
	if (!run->outcome.writer)
		return ERR_IO;
	if (job->selection)
		launch_writer_select(run->outcome.writer);
	return 0;
}

static void be_mute(struct launch_run *run)
{
	run->is_mute = true;
	slice_plan_be_mute(&run->plan);
}

/* From now on nothing can be undone: a group gets all the room that there is from the start. */
static void be_cautious(struct launch_run *run)
{
	slice_plan_be_cautious(&run->plan);
	if (!run->plan.is_exact)
		launch_room_fill(&run->room, &run->plan);
}

/* Everything that a recorded run needs; on failure nothing has run. */
static int open_run(struct launch_run *run)
{
	struct launch_job *job = run->job;
	struct err *err = &run->outcome.trouble;
	struct slice slice;
	int rc;

	if (!job->has_launch_id || !recorder_is_open(job->session->recorder))
		return err_set(err, ERR_IO, "the recording is closed");
	rc = slice_run_init(&run->slices, job, err);
	if (rc < 0)
		return rc;
	run->is_counting = is_mode(job->shadow.table, "count");
	slice_plan_init(&run->plan, job->shadow.table, &job->shape, &run->slices.layout,
	                job->session->settings.buffer_bytes / ENGINE_BUFFERS);
	if (job->session->settings.atomics)
		slice_plan_be_narrow(&run->plan);
	launch_lesson_recall(job, &run->plan);
	rc = launch_room_open(&run->room, job->engine, &run->plan,
	                      job->session->settings.buffer_bytes, err);
	if (rc == 0)
		rc = open_drain(run, err);
	if (rc == 0)
		rc = open_file(run, err);
	if (rc < 0)
		return rc;
	while (!slice_plan_next(&run->plan, &slice))
		if (!launch_room_grow(&run->room, &run->plan))
			return err_set(err, ERR_LIMIT,
			               "the device buffer is too small for the records of a "
			               "group: record with a larger --device-buffer");
	if (!run->plan.is_exact && job->is_repeatable)
		run->has_shot = snapshot_init(&run->shot, job, NULL) == 0;
	if (!run->has_shot)
		be_cautious(run);
	return 0;
}

static void lose(struct launch_run *run, const char *what, cl_int code)
{
	err_set(&run->outcome.trouble, ERR_DEVICE, "%s: %d", what, code);
	be_mute(run);
}

/* Whether the events of a slice name everything that it wrote. */
static bool tells_all(const struct launch_run *run, const struct drain_result *result)
{
	const struct kernel_table *table = run->job->shadow.table;

	return !result->damaged && !run->is_mute && !run->is_counting && !table->unrecorded_count;
}

/* Note which device buffer would do, once it is known what the records that had room are. */
static void learn_room(struct launch_run *run, unsigned which, const struct drain_result *result)
{
	const struct lost_slice *lost = &run->lost[which];
	uint64_t need = slice_host_needed(&lost->header, lost->bytes, result->events);
	/* Half of it, where nothing can be undone and no group gets more. */
	uint64_t room = launch_room_for(run->has_shot ? need : need * 2);

	if (lost->bytes && room > run->outcome.room_bytes)
		run->outcome.room_bytes = room;
	run->lost[which].bytes = 0;
}

/* What was waited for since then, shared out as the drain's threads spent their time. */
static void note_drained(const struct launch_run *run, const struct drain_result *result,
                         uint64_t since)
{
	struct recorder *recorder = run->job->session->recorder;
	uint64_t ns = work_clock_now() - since, all = result->decode_ns + result->sink_ns, sink_ns;

	sink_ns = all ? (uint64_t)((double)ns * (double)result->sink_ns / (double)all) : 0;
	recorder_worked(recorder, RECORDER_WRITES, sink_ns);
	recorder_worked(recorder, RECORDER_DRAINS, ns > sink_ns ? ns - sink_ns : 0);
}

/* See the draining of buffer `which` to its end, and have the buffer back. */
static void finish(struct launch_run *run, unsigned which)
{
	uint64_t since = work_clock_now();
	struct drain_result result;

	if (drain_wait(run->drain, which, &result, &run->outcome.trouble) < 0 && !run->is_mute)
		be_mute(run);
	note_drained(run, &result, since);
	slice_run_unmap(&run->slices, which);
	run->outcome.damaged += result.damaged;
	learn_room(run, which, &result);
	if (run->is_tracked[which] && !tells_all(run, &result))
		snapshot_forget(&run->shot);
	slice_plan_learn(&run->plan, &(struct slice_lesson){ result.events, result.chunk_events,
	                                                     result.sets, result.groups });
	run->is_tracked[which] = false;
}

/* A slice has overflowed: whether it can be undone and there is a way to make it fit. */
static bool can_fit(struct launch_run *run, const struct slice *slice)
{
	if (!run->has_shot)
		return false;
	if (launch_room_widen(&run->room, &run->plan) ||
	    slice_plan_shrink(&run->plan, slice, slice_run_lost(&run->slices)))
		return true;
	for (unsigned i = 0; i < ENGINE_BUFFERS; i++)
		finish(run, i);
	return launch_room_grow(&run->room, &run->plan);
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

/* Whether the next slice may run before this one is drained. */
static bool may_overlap(const struct launch_run *run, uint64_t bytes)
{
	if (slice_plan_is_done(&run->plan))
		return false;
	return !run->has_shot || snapshot_bytes(&run->shot) < bytes / COPY_SHARE;
}

/* Whether the other buffer is there for the next slice. One that is to be a larger one must not be
 * at work. */
static bool has_other(struct launch_run *run)
{
	unsigned other = !run->room.which;

	if (run->job->engine->buffers[other].bytes < run->plan.room_bytes)
		finish(run, other);
	return launch_room_has_other(&run->room, &run->plan);
}

/* Have the records of the last slice drained, and choose the buffer for the next. */
static void keep(struct launch_run *run, const struct slice *slice)
{
	uint64_t bytes = slice_run_bytes(&run->slices, slice);
	unsigned which = run->room.which;
	bool overlaps = may_overlap(run, bytes) && has_other(run);
	const void *records = NULL;

	run->is_tracked[which] = run->has_shot && !overlaps;
	if (bytes)
		records = slice_run_map(&run->slices, which, slice, &run->outcome.trouble);
	if (bytes && !records) {
		be_mute(run);
		return;
	}
	drain_begin(run->drain, which, slice, records, slice_run_used(&run->slices, slice),
	            run->is_tracked[which]);
	if (overlaps) {
		launch_room_turn(&run->room);
		if (run->has_shot)
			snapshot_forget(&run->shot);
	}
	finish(run, run->room.which);
}

/* Run a slice whose events nobody wants. */
static void run_mute(struct launch_run *run, const struct slice *slice)
{
	cl_int code;
	enum slice_outcome outcome = slice_run_groups(&run->slices, run->room.which, slice, &code);

	if (outcome == SLICE_NOT_STARTED || outcome == SLICE_BROKEN)
		run->code = code;
	slice_plan_accept(&run->plan, slice, 0);
}

/* Whether a group whose records found no room is to be recorded in rounds: it is the only one of
 * the launch, so that there is no other that a larger buffer helps. */
static bool goes_in_rounds(const struct launch_run *run, const struct slice *slice)
{
	return run->has_shot && !run->is_counting && !run->plan.is_exact && !run->plan.is_narrow &&
	       run->plan.group_count == 1 && run->slices.layout.lanes == 1 &&
	       slice->chunk_count > run->slices.layout.full_items;
}

/* The slice of the next round, and room for it. */
static struct slice next_round(struct launch_run *run, const struct slice *first, uint32_t round)
{
	uint64_t room = launch_room_of_rounds(&run->room, round);
	struct slice next = { .box = first->box,
		              .place_words = first->place_words,
		              .chunk_words = first->chunk_words,
		              .has_skips = true };

	while (run->plan.room_bytes < room && launch_room_grow(&run->room, &run->plan))
		continue;
	return slice_layout_place(&run->slices.layout, &next, run->plan.room_bytes) ? next : *first;
}

/* Decode what a round left. */
static void keep_round(struct launch_run *run, const struct slice *slice)
{
	unsigned which = run->room.which;
	const void *records = slice_run_map(&run->slices, which, slice, &run->outcome.trouble);

	if (!records) {
		be_mute(run);
		return;
	}
	drain_begin(run->drain, which, slice, records, slice_run_used(&run->slices, slice), false);
	finish(run, which);
}

/* Undo a round and run the next. False: there is none, and run->is_mute or run->code says why, or
 * what has run stands. */
static bool run_round(struct launch_run *run, const struct slice *slice)
{
	enum slice_outcome outcome;
	cl_int code;

	if (!undo(run) || run->code != CL_SUCCESS)
		return false;
	run->is_untouched = true;
	outcome = slice_run_groups(&run->slices, run->room.which, slice, &code);
	run->is_untouched = outcome == SLICE_NOT_STARTED;
	if (outcome == SLICE_NOT_STARTED)
		lose(run, not_enqueued, code);
	else if (outcome == SLICE_UNREAD)
		lose(run, "the records cannot be read from the device", code);
	else if (outcome == SLICE_BROKEN)
		lose(run, "the kernel failed on the device", code);
	if (outcome == SLICE_BROKEN)
		run->code = code;
	return outcome == SLICE_DONE;
}

/* The rounds of a group, the first of which has run. */
static void run_rounds(struct launch_run *run, const struct slice *first,
                       struct group_rounds *rounds)
{
	struct slice slice = *first;
	uint64_t lost;

	for (;;) {
		lost = slice_run_lost(&run->slices);
		rounds->is_last = !slice_run_overflowed(&run->slices);
		keep_round(run, &slice);
		if (rounds->is_last || run->is_mute || rounds->is_at_odds ||
		    !group_rounds_next(rounds))
			break;
		slice = next_round(run, first, rounds->round);
		worker_pause(run->job->session->worker);
		if (!slice.has_skips || !run_round(run, &slice))
			break;
		worker_moved(run->job->session->worker);
	}
	if (!rounds->is_last)
		run->outcome.dropped += lost;
	if (rounds->is_at_odds)
		err_set(&run->outcome.trouble, ERR_DEVICE,
		        "run again for more of its records, the kernel made others");
}

/* Record the one group of a launch in rounds. False: that cannot be begun. */
static bool record_in_rounds(struct launch_run *run, const struct slice *slice)
{
	struct group_rounds rounds;
	bool has_begun = group_rounds_init(&rounds, run->job->shadow.table,
	                                   run->slices.layout.full_items, NULL) == 0;

	if (has_begun) {
		run->is_untouched = false;
		finish(run, !run->room.which);
		drain_rounds(run->drain, &rounds);
		run->slices.host.skips = rounds.skips;
		run_rounds(run, slice, &rounds);
		run->slices.host.skips = NULL;
		drain_rounds(run->drain, NULL);
		snapshot_forget(&run->shot);
		(void)group_rounds_next(&rounds);
		if (run->code == CL_SUCCESS && !run->is_untouched)
			slice_plan_accept(&run->plan, slice,
			                  rounds.chunks < UINT32_MAX ? (uint32_t)rounds.chunks
			                                             : UINT32_MAX);
	}
	group_rounds_release(&rounds);
	return has_begun;
}

/* Run one slice; it may have to be run again. */
static void run_slice(struct launch_run *run, const struct slice *slice)
{
	cl_int code;

	if (run->has_shot && snapshot_take(&run->shot, NULL) < 0) {
		run->has_shot = false;
		be_cautious(run);
	}
	switch (slice_run_groups(&run->slices, run->room.which, slice, &code)) {
	case SLICE_DONE:
		break;
	case SLICE_UNREAD:
		run->is_untouched = false;
		lose(run, "the records cannot be read from the device", code);
		slice_plan_accept(&run->plan, slice, 0);
		return;
	case SLICE_NOT_STARTED:
		lose(run, not_enqueued, code);
		return;
	case SLICE_BROKEN:
		run->is_untouched = false;
		lose(run, "the kernel failed on the device", code);
		run->code = code;
		return;
	}
	if (slice_run_overflowed(&run->slices)) {
		if (goes_in_rounds(run, slice) && record_in_rounds(run, slice))
			return;
		if (can_fit(run, slice) && undo(run))
			return;
		run->outcome.dropped += slice_run_lost(&run->slices);
		run->lost[run->room.which] =
			(struct lost_slice){ run->slices.header,
			                     slice_run_bytes(&run->slices, slice) };
		if (run->has_shot)
			snapshot_forget(&run->shot);
	}
	run->is_untouched = false;
	slice_plan_accept(&run->plan, slice, slice_run_used(&run->slices, slice));
	if (!run->is_mute)
		keep(run, slice);
}

static void run_slices(struct launch_run *run)
{
	struct slice slice;

	run->is_untouched = true;
	while (run->code == CL_SUCCESS && !slice_plan_is_done(&run->plan)) {
		worker_pause(run->job->session->worker);
		if (run->is_mute && run->is_untouched)
			break;
		if (!slice_plan_next(&run->plan, &slice)) {
			run->code = CL_OUT_OF_RESOURCES; /* cannot be: a group had room before */
			break;
		}
		if (run->is_mute)
			run_mute(run, &slice);
		else
			run_slice(run, &slice);
		worker_moved(run->job->session->worker);
	}
	for (unsigned i = 0; i < ENGINE_BUFFERS; i++)
		finish(run, i);
	launch_lesson_keep(run->job, &run->plan);
	run->outcome.counts = run->counts;
	run->outcome.device_ns = run->slices.busy_ns;
	run->outcome.device_bytes = run->slices.record_bytes;
	if (run->counts)
		drain_counts(run->drain, run->counts);
}

static void release_run(struct launch_run *run)
{
	drain_free(run->drain);
	snapshot_release(&run->shot);
	slice_run_release(&run->slices);
	launch_room_close(&run->room);
	free(run->counts);
}

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
static bool run_without_probes(struct launch_run *run)
{
	bool has_started = false;
	cl_int rc = kernel_run_shadow(run->job, &has_started, &run->slices.times);

	if (!has_started)
		lose(run, not_enqueued, rc);
	else
		run->code = rc;
	return has_started;
}

/* A gated launch has lost accesses: it is undone, to run again. False: that cannot even be begun,
 * its effects and what is recorded of it stand, and it is done with. */
static bool is_undone(struct launch_run *run)
{
	struct launch_job *job = run->job;

	if (!direct_launch_undo(job, &run->code)) {
		direct_launch_open_gate(job);
		return false;
	}
	if (run->code != CL_SUCCESS)
		err_set(&run->outcome.trouble, ERR_DEVICE,
		        "the launch cannot be undone, to be run again: %d", run->code);
	return true;
}

void launch_job_run(struct launch_job *job)
{
	struct launch_run run = { .job = job, .outcome = launch_job_outcome(job) };
	struct kernel_times times = { 0 };
	struct session *s = job->session;
	uint64_t since = work_clock_now(), written;
	char end[LAUNCH_QUOTA_TEXT_BYTES];

	if (job->direct && !is_undone(&run))
		return;
	if (run.code != CL_SUCCESS) {
		run.outcome.has_run = false;
	} else if (job->head_status < 0) {
		err_set(&run.outcome.trouble, ERR_DEVICE, "a command that it waits for failed: %d",
		        job->head_status);
		run.code = job->head_status;
	} else if (is_mode(job->shadow.table, "none")) {
		run.outcome.has_run = run_without_probes(&run);
	} else if (launch_quota_has_ended(&job->session->quota, since)) {
		run.outcome.is_limited = true;
		launch_quota_end(&job->session->quota, end);
		err_set(&run.outcome.trouble, ERR_LIMIT, "%s", end);
	} else if (open_run(&run) == 0) {
		run_slices(&run);
		run.outcome.has_run = !run.is_untouched;
		run.outcome.slots = run.slices.slots;
	}
	if (run.code == CL_SUCCESS && !run.outcome.has_run)
		run.code = kernel_run_original(job, &times);
	else
		times = run.slices.times;
	written = work_clock_now();
	launch_fate_write(&run.outcome);
	work_clock_part(s, RECORDER_WRITES, written, 0);
	release_run(&run);
	launch_job_let_go(job);
	launch_job_complete(job, run.code, job->head, &times);
	launch_job_free(job);
	work_clock_end(s, since);
}

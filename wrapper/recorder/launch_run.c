/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_run.h"

#include "array.h"
#include "clock.h"
#include "err.h"
#include "group_decoder.h"
#include "kernel_table.h"
#include "launch_filter.h"
#include "recorder.h"
#include "session.h"
#include "session_memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Copying all written buffers may cost this part of the records; above, it is better to wait until
 * the events show what was written. */
#define COPY_SHARE 4

static const char unread[] = "the records cannot be read from the device";
static const char broken[] = "the kernel failed on the device";
static const char half_undone[] = "a slice that was to run again could be undone only in part";

/* Keep a group or a part of one, in the thread that decoded it. */
static int keep_part(void *context, const struct drained_part *part, struct err *err)
{
	struct launch_run *run = context;

	if (run->is_counting)
		return 0;
	if (part->is_tracked)
		run->terms.ops->note_writes(run->terms.device, part->events, run->slots);
	if (!launch_quota_allows(&run->terms.session->quota,
	                         launch_writer_bytes(run->outcome.writer)))
		return err_set(err, ERR_LIMIT, "the recording is full");
	return launch_outcome_keep(&run->outcome, part->group, part->events, part->is_last, err);
}

static int open_drain(struct launch_run *run, struct err *err)
{
	const struct launch_terms *t = &run->terms;
	const struct drain_terms terms = {
		.shape = t->shape,
		.table = t->table,
		.layout = &run->layout,
		.selection = t->selection,
		.pool = t->pool,
		.sink = keep_part,
		.context = run,
		.differences = { run->differences[0], run->differences[1] },
	};

	return drain_create(&run->drain, &terms, err);
}

/* Open the file of the launch, or prepare counts. */
static int open_file(struct launch_run *run, struct err *err)
{
	const struct launch_terms *t = &run->terms;

	if (run->is_counting) {
		run->counts =
			array_alloc(t->table->site_count, sizeof(*run->counts), "counts", err);
		return run->counts ? 0 : ERR_NOMEM;
	}
	run->outcome.writer = recorder_open_launch(t->session->recorder, run->outcome.launch_id,
	                                           t->shape, t->table, err);
	if (!run->outcome.writer)
		return ERR_IO;
	if (t->selection)
		launch_writer_select(run->outcome.writer);
	return 0;
}

/* Whether the instrumented kernel takes groups as large as the launch's. */
static int check_group(const struct launch_run *run, struct err *err)
{
	const struct launch_terms *t = &run->terms;
	const uint64_t *local = t->shape->local;
	uint64_t items = local[0] * local[1] * local[2], most = t->ops->most_items(t->device);

	if (items <= most)
		return 0;
	return err_set(err, ERR_DEVICE,
	               "a group of %" PRIu64 " work-items: instrumented, the kernel takes %" PRIu64,
	               items, most);
}

/* Allocate what each slice reports, and acquire what else the device needs. */
static int open_slices(struct launch_run *run, struct err *err)
{
	const struct launch_terms *t = &run->terms;
	int rc;

	run->layout = slice_layout_of(t->table, t->shape, t->selection != NULL,
	                              t->ops->is_wide(t->device));
	run->slots =
		array_alloc(run->layout.argument_count, sizeof(*run->slots), "argument slots", err);
	if (!run->slots)
		return ERR_NOMEM;
	for (unsigned i = 0; i < DRAIN_SLICES; i++) {
		run->differences[i] = array_alloc(run->layout.difference_count,
		                                  sizeof(*run->differences[i]), "differences", err);
		if (!run->differences[i])
			return ERR_NOMEM;
	}
	rc = t->ops->acquire(t->device, err);
	return rc ? rc : check_group(run, err);
}

/* Place the next slice: of all groups if they wait for each other. */
static bool next_slice(struct launch_run *run, struct slice *slice)
{
	if (run->terms.is_whole)
		run->plan.groups = run->plan.group_count;
	return slice_plan_next(&run->plan, slice) &&
	       (!run->terms.is_whole || slice->box.end == run->plan.group_count);
}

/* Make the plan and a buffer that has room for its first slice. */
static int open_room(struct launch_run *run, struct err *err)
{
	const struct launch_terms *t = &run->terms;
	uint64_t budget = t->session->settings.buffer_bytes;
	struct slice slice;
	int rc;

	slice_plan_init(&run->plan, t->table, t->shape, &run->layout,
	                budget / t->ops->room.buffers);
	if (t->is_narrow)
		slice_plan_use_small_chunks(&run->plan);
	t->ops->recall(t->device, &run->plan);
	run->room = (struct launch_room){ t->ops, t->device, t->units, budget, 0, 0, false };
	rc = launch_room_open(&run->room, &run->plan, err);
	while (rc == 0 && !next_slice(run, &slice))
		if (!launch_room_grow(&run->room, &run->plan))
			rc = err_set(err, ERR_LIMIT, "%s", t->too_small);
	return rc;
}

static void discard_events(struct launch_run *run)
{
	run->discards_events = true;
	slice_plan_discard_records(&run->plan);
}

/* From now on nothing can be undone: a group gets all available room from the start. */
static void give_up_reruns(struct launch_run *run)
{
	slice_plan_disallow_rerun(&run->plan);
	if (!run->plan.is_exact)
		launch_room_fill(&run->room, &run->plan);
}

/* Prepare a recorded run. On failure nothing has run. */
static int open_run(struct launch_run *run, struct err *err)
{
	const struct launch_terms *t = &run->terms;
	int rc;

	if (!run->outcome.has_launch_id || !recorder_is_open(t->session->recorder))
		return err_set(err, ERR_IO, "the recording is closed");
	run->is_counting = t->table->records && !strcmp(t->table->records, "count");
	rc = open_slices(run, err);
	if (rc == 0)
		rc = open_room(run, err);
	if (rc == 0)
		rc = open_drain(run, err);
	if (rc == 0)
		rc = open_file(run, err);
	if (rc < 0)
		return rc;
	if (!run->plan.is_exact && t->is_repeatable)
		run->has_shot = t->ops->open_copies(t->device);
	if (!run->has_shot)
		give_up_reruns(run);
	return 0;
}

void launch_run_note_failure(struct launch_run *run, const char *what, int code)
{
	err_set(&run->outcome.trouble, ERR_DEVICE, "%s: %d", what, code);
	discard_events(run);
}

/* Note that anything that the launch may write may have changed. */
static void forget(struct launch_run *run)
{
	if (run->has_shot && !run->terms.ops->copies_records)
		run->terms.ops->invalidate_copies(run->terms.device);
}

/* The chunks that the last slice filled, and the bytes of its records. */
static uint32_t used_chunks(const struct launch_run *run, const struct slice *slice)
{
	return slice_host_used_chunks(&run->header, slice);
}

static uint64_t used_bytes(const struct launch_run *run, const struct slice *slice)
{
	return slice_layout_record_bytes(&run->layout, slice, used_chunks(run, slice));
}

/* Read what the slice reports: its header, its pointers and its differences. */
static void read_report(struct launch_run *run, const struct slice *slice)
{
	const unsigned char *values = run->host.bytes + PROBE_ARGUMENTS_OFFSET;
	size_t slots_bytes = run->layout.argument_count * sizeof(*run->slots);

	memcpy(&run->header, run->host.bytes, sizeof(run->header));
	memcpy(run->slots, values, slots_bytes);
	memcpy(run->differences[run->room.which], values + slots_bytes,
	       run->layout.difference_count * sizeof(uint64_t));
	run->outcome.device_bytes += used_bytes(run, slice);
}

static enum slice_outcome run_groups(struct launch_run *run, const struct slice *slice, int *code)
{
	const struct launch_terms *t = &run->terms;
	struct slice_call call = { .slice = slice,
		                   .which = run->room.which,
		                   .report_bytes = slice_layout_report_bytes(&run->layout),
		                   .busy_ns = &run->outcome.device_ns };
	enum slice_outcome outcome;

	if (slice_host_fill(&run->host, &run->layout, t->shape, t->selection, slice) < 0) {
		*code = t->ops->memory_code;
		return SLICE_NOT_STARTED;
	}
	call.bytes = run->host.bytes;
	outcome = t->ops->run_slice(t->device, &call, code);
	if (outcome == SLICE_DONE)
		read_report(run, slice);
	return outcome;
}

/* Whether the events of a slice name everything that it wrote. */
static bool names_all_writes(const struct launch_run *run, const struct drain_result *result)
{
	const struct kernel_table *table = run->terms.table;

	return !result->damaged && !run->discards_events && !run->is_counting &&
	       !table->unrecorded_count;
}

/* Note which device buffer would have been enough, once the events of the kept records are counted.
 */
static void learn_room(struct launch_run *run, unsigned which, const struct drain_result *result)
{
	const struct lost_slice *lost = &run->lost[which];
	uint64_t need = slice_host_needed_bytes(&lost->header, lost->bytes, result->events);
	/* Half of it, where nothing can be undone and no group gets more. */
	uint64_t room = launch_room_for(run->has_shot ? need : need * 2);

	if (run->terms.ops->advises_room && lost->bytes && room > run->outcome.room_bytes)
		run->outcome.room_bytes = room;
	run->lost[which].bytes = 0;
}

/* Count the time waited since `since`, divided like the time of the drain's threads. */
static void note_drained(const struct launch_run *run, const struct drain_result *result,
                         uint64_t since)
{
	struct recorder *recorder = run->terms.session->recorder;
	uint64_t ns = clock_now_ns() - since, all = result->decode_ns + result->sink_ns, sink_ns;

	sink_ns = all ? (uint64_t)((double)ns * (double)result->sink_ns / (double)all) : 0;
	recorder_add_work(recorder, RECORDER_WRITES, sink_ns);
	recorder_add_work(recorder, RECORDER_DRAINS, ns > sink_ns ? ns - sink_ns : 0);
}

/* Wait until buffer `which` is drained, and release its records. */
static void finish(struct launch_run *run, unsigned which)
{
	const struct device_ops *ops = run->terms.ops;
	uint64_t since = clock_now_ns();
	struct drain_result result;

	if (drain_wait(run->drain, which, &result, &run->outcome.trouble) < 0 &&
	    !run->discards_events)
		discard_events(run);
	if (ops->has_work_parts)
		note_drained(run, &result, since);
	ops->release_records(run->terms.device, which);
	run->outcome.damaged += result.damaged;
	learn_room(run, which, &result);
	if (run->is_tracked[which] && !names_all_writes(run, &result))
		forget(run);
	slice_plan_learn(&run->plan, &(struct slice_lesson){ result.events, result.chunk_events,
	                                                     result.sets, result.groups });
	run->is_tracked[which] = false;
}

/* Whether a slice that has overflowed can be undone and made to fit. */
static bool can_fit(struct launch_run *run, const struct slice *slice)
{
	if (!run->has_shot)
		return false;
	if (!run->terms.is_whole &&
	    (launch_room_widen(&run->room, &run->plan) ||
	     slice_plan_shrink(&run->plan, slice, slice_host_lost_accesses(&run->header))))
		return true;
	for (unsigned i = 0; i < DRAIN_SLICES && !run->terms.ops->copies_records; i++)
		finish(run, i);
	return launch_room_grow(&run->room, &run->plan);
}

/* Undo a slice. False when undoing cannot begin: its effects then stand, once. True with run->code
 * set when it was undone only in part. */
static bool undo(struct launch_run *run)
{
	const struct launch_terms *t = &run->terms;
	size_t done = 0;

	for (int tries = 0; tries < 3; tries++)
		if (t->ops->undo(t->device, &done))
			return true;
	if (done) {
		run->code = t->ops->broken_code;
		launch_run_note_failure(run, half_undone, run->code);
	}
	return done > 0;
}

/* Whether the other buffer can be used for the next slice. A buffer in use cannot grow. */
static bool has_other(struct launch_run *run)
{
	const struct launch_terms *t = &run->terms;
	unsigned other = !run->room.which;

	if (t->ops->room_bytes(t->device, other) < run->plan.room_bytes)
		finish(run, other);
	return launch_room_has_other(&run->room, &run->plan);
}

/* Whether the next slice may run before this one, which wrote `bytes` bytes, is drained. */
static bool may_overlap(struct launch_run *run, uint64_t bytes)
{
	const struct launch_terms *t = &run->terms;

	if (t->ops->copies_records)
		return true;
	if (slice_plan_is_done(&run->plan))
		return false;
	return (!run->has_shot || t->ops->copy_bytes(t->device) < bytes / COPY_SHARE) &&
	       has_other(run);
}

/* Begin to drain the records of the last slice. False: they cannot be read. */
static bool drain_slice(struct launch_run *run, const struct slice *slice)
{
	const struct launch_terms *t = &run->terms;
	uint64_t bytes = used_bytes(run, slice);
	unsigned which = run->room.which;
	const void *records = NULL;

	if (bytes)
		records =
			t->ops->read_records(t->device, which, slice, bytes, &run->outcome.trouble);
	if (bytes && !records) {
		discard_events(run);
		return false;
	}
	drain_begin(run->drain, which, slice, records, used_chunks(run, slice),
	            run->is_tracked[which]);
	return true;
}

/* Drain the records of the last slice and choose the buffer for the next one. */
static void keep(struct launch_run *run, const struct slice *slice)
{
	bool overlaps = may_overlap(run, used_bytes(run, slice));

	run->is_tracked[run->room.which] = run->has_shot && !overlaps;
	if (!drain_slice(run, slice))
		return;
	if (overlaps) {
		launch_room_turn(&run->room);
		forget(run);
	}
	finish(run, run->room.which);
}

/* Run a slice and discard its events. */
static void run_discarding(struct launch_run *run, const struct slice *slice)
{
	int code;
	enum slice_outcome outcome = run_groups(run, slice, &code);

	if (outcome == SLICE_NOT_STARTED || outcome == SLICE_BROKEN)
		run->code = code;
	slice_plan_accept(&run->plan, slice, 0);
}

/* Whether to record a group whose records found no room in rounds: only where it is the launch's
 * only group, so that no other group would profit from a larger buffer. */
static bool goes_in_rounds(const struct launch_run *run, const struct slice *slice)
{
	return run->terms.ops->goes_in_rounds && run->has_shot && !run->is_counting &&
	       !run->plan.is_exact && !run->plan.is_narrow && run->plan.group_count == 1 &&
	       run->layout.lanes == 1 && slice->chunk_count > run->layout.full_items;
}

static void pause_between(const struct launch_run *run)
{
	if (run->terms.ops->pause)
		run->terms.ops->pause(run->terms.device);
}

static void have_moved(const struct launch_run *run)
{
	if (run->terms.ops->note_progress)
		run->terms.ops->note_progress(run->terms.device);
}

/* Place the slice of the next round and reserve its buffer. */
static struct slice next_round(struct launch_run *run, const struct slice *first, uint32_t round)
{
	uint64_t room = launch_room_of_rounds(&run->room, round);
	struct slice next = { .box = first->box,
		              .place_words = first->place_words,
		              .chunk_words = first->chunk_words,
		              .has_skips = true };

	while (run->plan.room_bytes < room && launch_room_grow(&run->room, &run->plan))
		continue;
	return slice_layout_place(&run->layout, &next, run->plan.room_bytes) ? next : *first;
}

/* Decode the records of a round. */
static void keep_round(struct launch_run *run, const struct slice *slice)
{
	if (drain_slice(run, slice))
		finish(run, run->room.which);
}

/* Undo a round and run the next. False: it did not complete: run->discards_events or run->code says
 * why, or the effects of the last round stand. */
static bool run_round(struct launch_run *run, const struct slice *slice)
{
	enum slice_outcome outcome;
	int code;

	if (!undo(run) || run->code)
		return false;
	run->is_untouched = true;
	outcome = run_groups(run, slice, &code);
	run->is_untouched = outcome == SLICE_NOT_STARTED;
	if (outcome == SLICE_NOT_STARTED)
		launch_run_note_failure(run, run->terms.ops->not_started, code);
	else if (outcome == SLICE_UNREAD)
		launch_run_note_failure(run, unread, code);
	else if (outcome == SLICE_BROKEN)
		launch_run_note_failure(run, broken, code);
	if (outcome == SLICE_BROKEN)
		run->code = code;
	return outcome == SLICE_DONE;
}

/* Run the rounds of a group after its first. */
static void run_rounds(struct launch_run *run, const struct slice *first,
                       struct group_rounds *rounds)
{
	struct slice slice = *first;
	uint64_t lost;

	for (;;) {
		lost = slice_host_lost_accesses(&run->header);
		rounds->is_last = !lost;
		keep_round(run, &slice);
		if (rounds->is_last || run->discards_events || rounds->is_inconsistent ||
		    !group_rounds_next(rounds))
			break;
		slice = next_round(run, first, rounds->round);
		pause_between(run);
		if (!slice.has_skips || !run_round(run, &slice))
			break;
		have_moved(run);
	}
	if (!rounds->is_last)
		run->outcome.dropped += lost;
	if (rounds->is_inconsistent)
		err_set(&run->outcome.trouble, ERR_DEVICE,
		        "run again for the rest of its records, the kernel wrote different ones");
}

/* Record the only group of a launch in rounds. False: that cannot begin. */
static bool record_in_rounds(struct launch_run *run, const struct slice *slice)
{
	struct group_rounds rounds;
	bool has_begun =
		group_rounds_init(&rounds, run->terms.table, run->layout.full_items, NULL) == 0;

	if (has_begun) {
		run->is_untouched = false;
		finish(run, !run->room.which);
		drain_rounds(run->drain, &rounds);
		run->host.skips = rounds.skips;
		run_rounds(run, slice, &rounds);
		run->host.skips = NULL;
		drain_rounds(run->drain, NULL);
		forget(run);
		(void)group_rounds_next(&rounds);
		if (!run->code && !run->is_untouched)
			slice_plan_accept(&run->plan, slice,
			                  rounds.chunks < UINT32_MAX ? (uint32_t)rounds.chunks
			                                             : UINT32_MAX);
	}
	group_rounds_release(&rounds);
	return has_begun;
}

/* Run one slice, again if its records found no room. */
static void run_slice(struct launch_run *run, const struct slice *slice)
{
	int code;

	if (run->has_shot && !run->terms.ops->copy(run->terms.device)) {
		run->has_shot = false;
		give_up_reruns(run);
	}
	switch (run_groups(run, slice, &code)) {
	case SLICE_DONE:
		break;
	case SLICE_UNREAD:
		run->is_untouched = false;
		launch_run_note_failure(run, unread, code);
		slice_plan_accept(&run->plan, slice, 0);
		return;
	case SLICE_NOT_STARTED:
		launch_run_note_failure(run, run->terms.ops->not_started, code);
		return;
	case SLICE_BROKEN:
		run->is_untouched = false;
		launch_run_note_failure(run, broken, code);
		run->code = code;
		return;
	}
	if (slice_host_lost_accesses(&run->header)) {
		if (goes_in_rounds(run, slice) && record_in_rounds(run, slice))
			return;
		if (can_fit(run, slice) && undo(run))
			return;
		run->outcome.dropped += slice_host_lost_accesses(&run->header);
		run->lost[run->room.which] =
			(struct lost_slice){ run->header, used_bytes(run, slice) };
		forget(run);
	}
	run->is_untouched = false;
	slice_plan_accept(&run->plan, slice, used_chunks(run, slice));
	if (!run->discards_events)
		keep(run, slice);
}

static void run_slices(struct launch_run *run)
{
	struct slice slice;

	while (!run->code && !slice_plan_is_done(&run->plan)) {
		pause_between(run);
		if (run->discards_events && run->is_untouched)
			break;
		if (!next_slice(run, &slice)) {
			run->code = run->terms.ops
			                    ->broken_code; /* impossible: a group had room before */
			break;
		}
		if (run->discards_events)
			run_discarding(run, &slice);
		else
			run_slice(run, &slice);
		have_moved(run);
	}
	for (unsigned i = 0; i < DRAIN_SLICES; i++)
		finish(run, i);
	run->terms.ops->learn(run->terms.device, &run->plan);
	run->outcome.counts = run->counts;
	if (run->counts)
		drain_counts(run->drain, run->counts);
}

void launch_run_execute(struct launch_run *run)
{
	run->is_untouched = true;
	if (open_run(run, &run->outcome.trouble) == 0)
		run_slices(run);
	run->outcome.has_run = !run->is_untouched;
	run->outcome.slots = run->is_untouched ? NULL : run->slots;
}

void launch_run_release(struct launch_run *run)
{
	const struct launch_terms *t = &run->terms;

	drain_free(run->drain);
	t->ops->close_copies(t->device);
	t->ops->release(t->device);
	slice_host_release(&run->host);
	free(run->slots);
	for (unsigned i = 0; i < DRAIN_SLICES; i++)
		free(run->differences[i]);
	launch_room_close(&run->room);
	free(run->counts);
}

bool launch_run_is_repeatable(const struct kernel_table *table,
                              const struct job_argument *arguments)
{
	bool is_repeatable = table->is_repeatable && !table->writes_unknown;

	for (size_t i = 0; i < table->argument_count; i++)
		if (table->arguments[i].is_written && arguments[i].has_pointer &&
		    !arguments[i].buffer_bytes)
			is_repeatable = false;
	return is_repeatable;
}

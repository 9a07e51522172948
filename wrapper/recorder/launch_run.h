/*
 * launch_run - runs a launch slice by slice: its effects once, its events into the recording.
 *
 * A slice whose records found no room is undone and run again with fewer groups or more room. Where
 * that is impossible its effects stand and its lost accesses are counted. Knows no interface of
 * devices.
 */
#ifndef LAUNCH_RUN_H
#define LAUNCH_RUN_H

#include "device_ops.h"
#include "drain.h"
#include "launch_fate.h"
#include "probe_abi.h"
#include "slice_plan.h"
#include "slice_records.h"

struct job_argument;
struct session;
struct thread_pool;

/* All borrowed until launch_run_release(). */
struct launch_terms {
	struct session *session;
	const struct device_ops *ops;
	void *device;
	const struct kernel_table *table;
	const struct launch_shape *shape;
	const struct group_selection *selection; /* groups to record; NULL: all */
	struct thread_pool *pool;                /* that helps with draining */
	uint32_t units;     /* compute units that a slice keeps busy if the budget allows; or 0 */
	bool is_repeatable; /* a slice may be run again from a copy of what it may write */
	bool is_whole;      /* its groups wait for each other: one slice */
	bool is_narrow;     /* slice_plan_use_small_chunks() */
	const char *too_small; /* why it was not recorded when the budget does not hold a group */
};

/* What a slice wrote that lost accesses; 0 bytes: it lost none. */
struct lost_slice {
	struct probe_header header;
	uint64_t bytes;
};

/* The caller sets the terms and the outcome (launch_outcome_begin()); the rest is 0. Afterwards it
 * reads the code and the outcome, which borrows from here until launch_run_release(). */
struct launch_run {
	struct launch_terms terms;
	struct launch_outcome outcome;
	int code; /* not 0: the device failed; the application gets this */
	struct slice_layout layout;
	struct slice_plan plan;
	struct launch_room room;
	struct slice_host host;     /* what is written before a slice runs */
	struct probe_header header; /* as the last slice left it */
	uint64_t *slots;            /* the kernel's pointer arguments, once a slice has run */
	uint64_t *differences[DRAIN_SLICES]; /* that the last slice in that buffer reported */
	uint64_t *counts;
	struct drain *drain;
	bool is_tracked[DRAIN_SLICES]; /* events of what is drained there say what it wrote */
	struct lost_slice lost[DRAIN_SLICES];
	bool has_shot;     /* slices can be undone */
	bool is_mute;      /* events are no longer kept; the groups must run all the same */
	bool is_counting;  /* there are counts instead of events */
	bool is_untouched; /* nothing has run yet */
};

/* Run the launch and complete the outcome: outcome.has_run is whether anything has run,
 * outcome.trouble why not all is recorded. */
void launch_run_execute(struct launch_run *run);

/* Release what it used. launch_run_execute() need not have been called. */
void launch_run_release(struct launch_run *run);

/* Note what failed, with the driver's code; the rest of the launch runs unrecorded. */
void launch_run_note_failure(struct launch_run *run, const char *what, int code);

/* Whether a slice may be run again: all that the kernel may write is in memory that can be copied.
 */
bool launch_run_is_repeatable(const struct kernel_table *table,
                              const struct job_argument *arguments);

#endif

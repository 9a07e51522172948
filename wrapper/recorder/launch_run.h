/*
 * launch_run - runs a launch slice by slice: its effects take place once, its events go into the
 * recording.
 *
 * A slice whose records found no room is undone and run again with fewer groups or more room. If
 * that is impossible, its effects stand and its lost accesses are counted. Independent of the
 * interface to devices.
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
	struct thread_pool *pool;                /* helps with draining */
	uint32_t units;     /* compute units that a slice keeps busy if the budget allows; or 0 */
	bool is_repeatable; /* a slice may be run again from a copy of what it may write */
	bool is_whole;      /* its groups wait for each other: run as one slice */
	bool is_narrow;     /* slice_plan_use_small_chunks() */
	const char *too_small; /* why it is not recorded if the budget does not hold a group */
};

/* The header and records of a slice that lost accesses; 0 bytes: it lost none. */
struct lost_slice {
	struct probe_header header;
	uint64_t bytes;
};

/* The caller sets the terms and the outcome (launch_outcome_begin()); the rest is 0. After the run
 * it reads the code and the outcome, which borrows from here until launch_run_release(). */
struct launch_run {
	struct launch_terms terms;
	struct launch_outcome outcome;
	int code; /* not 0: the device failed; the application gets this */
	struct slice_layout layout;
	struct slice_plan plan;
	struct launch_room room;
	struct slice_host host;     /* written before a slice runs */
	struct probe_header header; /* of the last slice */
	uint64_t *slots;            /* the kernel's pointer arguments, once a slice has run */
	uint64_t *differences[DRAIN_SLICES]; /* reported by the last slice in that buffer */
	uint64_t *counts;
	struct drain *drain;
	bool is_tracked[DRAIN_SLICES]; /* the events drained there name all writes */
	struct lost_slice lost[DRAIN_SLICES];
	bool has_shot;        /* slices can be undone */
	bool discards_events; /* events are discarded; the remaining groups still run */
	bool is_counting;     /* counts are recorded instead of events */
	bool is_untouched;    /* nothing has run yet */
};

/* Run the launch and complete the outcome: outcome.has_run says whether anything has run,
 * outcome.trouble why not everything is recorded. */
void launch_run_execute(struct launch_run *run);

/* Free what it owns. launch_run_execute() need not have been called. */
void launch_run_release(struct launch_run *run);

/* Note a failure with the driver's code; the rest of the launch runs unrecorded. */
void launch_run_note_failure(struct launch_run *run, const char *what, int code);

/* Whether a slice may be run again: all memory that the kernel may write can be copied.
 */
bool launch_run_is_repeatable(const struct kernel_table *table,
                              const struct job_argument *arguments);

#endif

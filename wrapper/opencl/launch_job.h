/*
 * launch_job - one launch of an instrumented kernel, from the application's call to its fate in the
 * recording.
 *
 * The application's queue gets two tiny kernels: the head, which the driver runs when the launch
 * could begin, and the tail, which waits for a user event and whose event the application gets.
 * Between them the worker runs the launch in slices on the recorder's own queue. So nothing waits
 * that would not wait without the recorder, and events, callbacks and order are the driver's.
 */
#ifndef LAUNCH_JOB_H
#define LAUNCH_JOB_H

#include "held_objects.h"
#include "hook_event.h"
#include "kernel_state.h"
#include "launch_fate.h"
#include "launch_shape.h"
#include "launch_wish.h"
#include "opencl.h"
#include "program_build.h"
#include "session_memory.h"
#include "worker.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct direct_launch;
struct engine;
struct group_selection;
struct session;

struct launch_job {
	struct launch_job *next; /* the worker's */
	struct waiting_job waiting;
	atomic_int awaited; /* counts 2 down: the head is reached; the application's call has
	                       finished */
	struct session *session;
	struct engine *engine;       /* a reference */
	struct program_build *build; /* a reference */
	struct shadow_kernel shadow; /* borrowed from build */
	struct held_objects held;    /* the application's objects that the launch needs */
	cl_kernel original;          /* one of those */
	struct launch_shape shape;
	uint64_t local_bytes;
	const struct group_selection *selection; /* groups to record, the session's; NULL: all */
	struct launch_wish wish;                 /* its number and its line */
	bool is_repeatable;                      /* a slice may be run again from a snapshot */
	cl_uint value_count;
	struct kernel_value *values;
	struct job_argument *arguments; /* value_count of them */
	struct kernel_fact facts[KERNEL_FACTS];
	cl_event head;
	cl_int head_status;  /* negative: the launch must not run, because something it waits for
	                      * failed
	                      */
	cl_event user_event; /* completes the tail; NULL for inline runtimes */
	struct event_times *times; /* a reference; NULL when the queue reports no times */
	struct direct_launch
		*direct; /* NULL: it runs on the recorder's queue, in the worker's thread */
};

/*
 * Run the launch: its effects take place once, its events go to the recording, and its user event
 * completes. Waits only for the recorder's queue. Frees the job.
 */
void launch_job_run(struct launch_job *job);

/*
 * Release the application's kernel and the objects in its arguments, which the job no longer needs.
 * Called before the event completes, so that reference counts are what they would be without the
 * recorder.
 */
void launch_job_release_objects(struct launch_job *job);

/* Queue a finished job for launch_job_free_done(), which a thread that may call the driver calls.
 */
void launch_job_free_later(struct launch_job *job);
void launch_job_free_done(struct session *s);

/* Write the fate of a job that has not run and will not run. */
void launch_job_record_lost(const struct launch_job *job, const char *why);

/* Returns what the recording can say of the job before it runs. */
struct launch_outcome launch_job_outcome(const struct launch_job *job);

/* Free a job that was not run. NULL is allowed. No lock may be held. */
void launch_job_free(struct launch_job *job);

/*
 * kernel_run - the recorder's own kernel objects, with the arguments of a job or of a launch.
 */

/* Device time of a run in ns; zeros when the driver does not report it. */
struct kernel_times {
	cl_ulong start, end;
};

/* Get when a finished command ran; zeros when the driver does not report it. */
void kernel_run_times(cl_event event, struct kernel_times *times);

/* Set all arguments and SVM facts that the application has set. Returns the driver's code. */
cl_int kernel_run_arguments(const struct launch_job *job, cl_kernel kernel);

/* Set `count` values and KERNEL_FACTS facts of a launch without a job. Returns the driver's code.
 */
cl_int kernel_run_values(cl_kernel kernel, const struct kernel_value *values, cl_uint count,
                         const struct kernel_fact *facts);

/* Create another kernel object of a kernel with this name, without arguments: *clone, which the
 * caller releases, or NULL. Returns the driver's code. */
cl_int kernel_run_clone(cl_kernel kernel, const char *name, cl_kernel *clone);

#endif

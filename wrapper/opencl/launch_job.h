/*
 * launch_job - one launch of an instrumented kernel, from the application's call to its fate.
 *
 * In the application's queue stand two tiny kernels of ours: the head, which
 * the driver runs when the launch could have begun, and the tail, which waits
 * for a user event and whose event is the application's. Between them the
 * worker runs the launch on our own queue, in slices. So nothing waits that
 * would not wait without us, and events, callbacks and order are the driver's.
 */
#ifndef LAUNCH_JOB_H
#define LAUNCH_JOB_H

#include "held_objects.h"
#include "hook_event.h"
#include "hook_launch.h"
#include "kernel_state.h"
#include "launch_fate.h"
#include "launch_shape.h"
#include "launch_wish.h"
#include "opencl.h"
#include "program_build.h"
#include "session_memory.h"
#include "worker.h"

#include <stdatomic.h>

struct direct_launch;
struct engine;
struct group_selection;
struct kernel_times;
struct session;

struct launch_job {
	struct launch_job *next; /* the worker's */
	struct waiting_job waiting;
	atomic_int
		awaited; /* of 2: the head is reached; the application's call has done its part */
	struct session *session;
	struct engine *engine;       /* a reference */
	struct program_build *build; /* a reference */
	struct shadow_kernel shadow; /* borrowed from build */
	struct held_objects held;    /* what the launch needs of the application's */
	cl_kernel original;          /* one of these */
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
	cl_int head_status;  /* negative: the launch must not run, as something it waits for failed
	                      */
	cl_event user_event; /* completes the tail; NULL for inline runtimes */
	struct event_times *times;    /* a reference; NULL when nobody can ask */
	struct direct_launch *direct; /* NULL: it runs on our queue, in the worker's thread */
};

/* Whether a launch is so short that it gets its line when it is done. */
bool launch_shape_is_brief(const struct launch_shape *shape);

/* Why a launch is not recorded, or that it was not selected, or exceeded a limit (`quota`). */
struct launch_refusal {
	bool is_recordable; /* its line can be written: the fields below are set */
	bool is_unselected;
	struct launch_wish wish; /* of the shape as the application meant it */
	char reason[256];        /* "" when the driver is expected to refuse the call */
};

/*
 * Capture a request: everything that the application may change once the call returns. NULL with
 * *refusal filled when the launch is to go to the driver unmodified.
 */
struct launch_job *launch_job_capture(struct session *s, const struct launch_request *request,
                                      struct launch_refusal *refusal);

/*
 * What the recording would say of a request that is not for us to run: fills *refusal as far as
 * there is something to say. The reason is why we could not have run it, or "". True: its kernel is
 * selected, and as far as can be known before, it would be recorded.
 */
bool launch_job_describe(struct session *s, const struct launch_request *request,
                         struct launch_refusal *refusal);

/*
 * Run the launch: its effects take place once, its events go to the recording, its user event is
 * completed. Waits for our own queue only. Frees the job.
 */
void launch_job_run(struct launch_job *job);

/*
 * Give back the application's kernel and the objects in its arguments, for which the job has no
 * more use: before the event completes, so that reference counts are then as without us.
 */
void launch_job_let_go(struct launch_job *job);

/* Retain them again, of a job whose application is still in its call; false: not all. */
bool launch_job_hold(struct launch_job *job, cl_kernel original);

/*
 * Let the application's queue go on: `code` is what its event gets, and `times` those of the
 * kernel, enqueued when `timed` was. The job may not be looked at by others after that.
 */
void launch_job_complete(struct launch_job *job, cl_int code, cl_event timed,
                         const struct kernel_times *times);

/* Have a job that is done freed by a thread that may call the driver as it likes; and free those.
 */
void launch_job_free_later(struct launch_job *job);
void launch_job_free_done(struct session *s);

/* Write its fate: it was not run, and will not be. */
void launch_job_lose(const struct launch_job *job, const char *why);

/* The beginnings of what is to be said of it. */
struct launch_outcome launch_job_outcome(const struct launch_job *job);

/* Free a job that was not run. NULL is allowed. No lock may be held. */
void launch_job_free(struct launch_job *job);

#endif

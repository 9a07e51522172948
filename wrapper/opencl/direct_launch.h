/*
 * direct_launch - a small launch that runs in the application's own queue: the header is written,
 * the kernel runs, its records are copied to the host, one command after the other and none of them
 * waited for. The records are taken in when the application waits: see in_flight.h.
 *
 * Where the records surely have room the application's event is the kernel's, and order, times and
 * failures are the driver's own. Otherwise the launch is GATED: what the kernel may write is copied
 * before, and after it stands a tail, as in launch_job.h, which waits until it is seen that
 * nothing was lost. Else the worker undoes the launch and runs it again. A runtime that is
 * immediate (device_info.h) has no gated launches: no command of its queues can wait.
 */
#ifndef DIRECT_LAUNCH_H
#define DIRECT_LAUNCH_H

#include "engine.h"
#include "opencl.h"
#include "slice_layout.h"
#include "snapshot.h"

#include <stdbool.h>

struct launch_job;
struct launch_request;

struct direct_launch {
	struct slice_layout layout;
	struct slice slice;
	struct direct_room room;
	bool has_room;
	cl_command_queue queue; /* in order; else NULL */
	cl_event kernel;        /* the kernel's own */
	bool is_shared;         /* the application has it, too */
	bool is_gated;
	struct snapshot shot;   /* of a gated launch */
	unsigned char *copies;  /* where there is no shared memory: the header, until it is
	                           written; and behind it: */
	unsigned char *records; /* header and places, once the kernel has ended */
	uint64_t begun_ns;      /* of work_clock */
	bool is_begun;          /* a command is enqueued */
	bool has_records;       /* they will be there */
};

/*
 * Whether a captured job can run so in `queue`, NULL: no; job->direct is made when it can. Asks the
 * driver nothing that takes time.
 */
void direct_launch_prepare(struct launch_job *job, cl_command_queue queue);

/*
 * Enqueue the commands. True: the kernel will run; job->head is the event of the last command, and
 * the application has its own. False: it will not.
 */
bool direct_launch_enqueue(const struct launch_request *r, struct launch_job *job);

/* The queue that an enqueued job is in, if that is in order; else NULL. To compare with. */
cl_command_queue direct_launch_queue(const struct launch_job *job);

/* Whether the kernel has ended, or failed, and its records are there. may_wait: for the latter. */
bool direct_launch_is_done(struct launch_job *job, bool may_wait);

/* Whether a gated job whose head was reached is done: not when accesses found no room. */
bool direct_launch_fits(const struct launch_job *job);

/* It is: let the application's queue go on. The job is then another thread's to finish. */
void direct_launch_open_gate(struct launch_job *job);

/* Undo a gated job that does not fit, and make it one that runs like others. False: that cannot
 * even be begun, and its effects stand. *code gets what the application gets when only
 * part of it could be undone. */
bool direct_launch_undo(struct launch_job *job, cl_int *code);

/* Take in the records of a job that is done, and write its fate; recorder_flush() is the caller's.
 * The job is freed later: launch_job_free_later(). */
void direct_launch_finish(struct launch_job *job);

/* Enqueuing has failed: the job is to run like others. */
void direct_launch_give_up(struct launch_job *job);

/* Free job->direct, of a job that is done or was not enqueued. */
void direct_launch_free(struct launch_job *job);

#endif

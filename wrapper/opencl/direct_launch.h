/*
 * direct_launch - a small launch that runs in the application's own queue: commands write the
 * header, run the kernel and copy its records to the host, and the recorder waits for none of them.
 * It takes the records in when the application waits: see in_flight.h.
 *
 * Where the records certainly have room the application's event is the kernel's, and order, times
 * and failures are the driver's own. Otherwise the launch is GATED: what the kernel may write is
 * copied before it, and a tail after it, as in launch_job.h, waits until it is known that nothing
 * was lost. If something was, the worker undoes the launch and runs it again. An immediate runtime
 * (device_info.h) has no gated launches: no command of its queues can wait.
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
	                           written; and after it: */
	unsigned char *records; /* header and places, once the kernel has ended */
	uint64_t begun_ns;      /* of work_clock */
	bool is_begun;          /* a command is enqueued */
	bool has_records;       /* they will be there */
};

/*
 * Create job->direct if a captured job can run in `queue`; NULL: it cannot. Asks the driver nothing
 * that takes time.
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

/* Let the application's queue continue after a job that fits. Another thread then finishes the job.
 */
void direct_launch_open_gate(struct launch_job *job);

/* Undo a gated job that does not fit, so that it runs like others. False: undoing it cannot even
 * begin, and its effects stand. *code is for the application when only a part could be undone. */
bool direct_launch_undo(struct launch_job *job, cl_int *code);

/* Keep the records of a job that is done, and write its fate; the caller calls recorder_flush().
 * The job is freed later: launch_job_free_later(). */
void direct_launch_finish(struct launch_job *job);

/* Enqueuing has failed: let the job run like others. */
void direct_launch_give_up(struct launch_job *job);

/* Free job->direct, of a job that is done or was not enqueued. */
void direct_launch_free(struct launch_job *job);

#endif

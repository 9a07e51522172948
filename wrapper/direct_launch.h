/*
 * direct_launch - a small launch whose records surely have room, run in the application's own
 * queue: the header is written, the kernel runs, its records are copied to the host, one command
 * after the other and none of them waited for.
 *
 * The application's event is the kernel's, and order, times and failures are the driver's own. The
 * records are taken in when the application waits: see in_flight.h.
 */
#ifndef DIRECT_LAUNCH_H
#define DIRECT_LAUNCH_H

#include "direct_room.h"
#include "opencl.h"
#include "slice_layout.h"

#include <stdbool.h>

struct launch_job;
struct launch_request;

struct direct_launch {
	struct slice_layout layout;
	struct slice slice;
	struct direct_room room;
	bool has_room;
	cl_command_queue queue;   /* in order; else NULL */
	cl_event kernel;          /* the kernel's own */
	bool is_shared;           /* the application has it, too */
	unsigned char *copies;    /* where there is no shared memory: the header, until it is
	                             written; and behind it: */
	unsigned char *records;   /* header and places, once the kernel has ended */
	bool is_begun;            /* a command is enqueued */
	bool has_records;         /* they will be there */
};

/*
 * Whether a captured job can run so: job->direct is made when it can. Asks the driver nothing that
 * takes time.
 */
void direct_launch_prepare(struct launch_job *job);

/*
 * Enqueue the commands. True: the kernel will run; job->head is the event of the last command, and
 * the application has its own. False: it will not.
 */
bool direct_launch_enqueue(const struct launch_request *r, struct launch_job *job);

/* The queue that an enqueued job is in, if that is in order; else NULL. To compare with. */
cl_command_queue direct_launch_queue(const struct launch_job *job);

/* Whether the kernel has ended, or failed, and its records are there. may_wait: for the latter. */
bool direct_launch_is_done(struct launch_job *job, bool may_wait);

/* Take in the records of a job that is done, and write its fate. The job is freed later:
 * launch_job_free_later(). */
void direct_launch_finish(struct launch_job *job);

/* Enqueuing has failed: the job is to run like others. */
void direct_launch_give_up(struct launch_job *job);

/* Free job->direct, of a job that is done or was not enqueued. */
void direct_launch_free(struct launch_job *job);

#endif

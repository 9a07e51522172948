/*
 * direct_launch - a small launch that runs in the application's own queue: commands write the
 * header, run the kernel and copy its records to the host. The recorder does not wait for them: it
 * reads the records when the application waits (in_flight.h).
 *
 * If the records certainly have room, the application gets the kernel's event, and order, times and
 * failures are the driver's own. Otherwise the launch is GATED: the memory that the kernel may
 * write is copied first, and a tail after the kernel, as in launch_job.h, waits until it is certain
 * that no access was lost. If one was, the worker undoes the launch and runs it again. Immediate
 * runtimes (device_info.h) have no gated launches: no command in their queues can wait.
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
	cl_command_queue queue; /* if it is in order, else NULL */
	cl_event kernel;        /* the kernel's own */
	bool is_shared;         /* the application has it too */
	bool is_gated;
	struct snapshot shot; /* of a gated launch */
	unsigned char
		*copies; /* without shared memory: the header, until it is written, followed by: */
	unsigned char *records; /* header and records, once the kernel has ended */
	uint64_t begun_ns;      /* of work_clock */
	bool is_begun;          /* a command is enqueued */
	bool has_records;       /* records will arrive */
};

/*
 * Create job->direct if a captured job can run in `queue`, else leave it NULL. Makes no slow call
 * of the driver.
 */
void direct_launch_prepare(struct launch_job *job, cl_command_queue queue);

/*
 * Enqueue the commands. True: the kernel will run, job->head is the event of the last command, and
 * the application has its event. False: the kernel will not run.
 */
bool direct_launch_enqueue(const struct launch_request *r, struct launch_job *job);

/* Returns the queue of an enqueued job if that is in order, else NULL. Only for comparison. */
cl_command_queue direct_launch_queue(const struct launch_job *job);

/* Whether the kernel has ended or failed and its records have arrived. may_wait: wait for the
 * records. */
bool direct_launch_is_done(struct launch_job *job, bool may_wait);

/* Whether all accesses of a gated job whose head was reached found room, so that it is done. */
bool direct_launch_fits(const struct launch_job *job);

/* Let the application's queue continue after a job that fits. Another thread finishes the job.
 */
void direct_launch_open_gate(struct launch_job *job);

/* Undo a gated job that does not fit, so that it runs like others. False: undoing cannot begin, and
 * its effects stand. *code is for the application when only a part could be undone. */
bool direct_launch_undo(struct launch_job *job, cl_int *code);

/* Record a job that is done and write its fate; the caller calls recorder_flush(). The job is freed
 * later: launch_job_free_later(). */
void direct_launch_finish(struct launch_job *job);

/* Free job->direct after enqueuing has failed, so that the job runs like others. */
void direct_launch_give_up(struct launch_job *job);

/* Free job->direct, of a job that is done or was not enqueued. */
void direct_launch_free(struct launch_job *job);

#endif

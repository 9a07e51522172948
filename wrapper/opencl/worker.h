/*
 * worker - the thread that runs recorded launches in the order in which they become ready.
 *
 * The application's threads and the driver's callbacks only add jobs. The thread starts with the
 * first job, takes no signals and lives as long as the process.
 */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct launch_job;
struct session;
struct worker;

/*
 * waiting_jobs - launches that the application's queue has not reached.
 *
 * Some drivers make no callback for a command that fails because a command it waits for failed.
 * Without this list its launch would never end, and the recording would not say why.
 */

/* A job's place in the list, guarded by the session's lock. */
struct waiting_job {
	struct launch_job *next, **before;
	bool is_in;
	bool is_seen;      /* by the present pass of waiting_jobs_settle() */
	bool is_looked_at; /* by waiting_jobs_settle(), without the lock: do not free */
	bool is_left;      /* waiting_jobs_settle() has to free it */
	bool is_begun;     /* its head was reached */
	bool is_settled;   /* its fate is written */
};

/* Add a job whose head is enqueued. */
void waiting_jobs_add(struct launch_job *job);

/* Remove a job whose head was reached or will not be enqueued. False: it is settled; do nothing. */
bool waiting_jobs_remove(struct launch_job *job);

/* Whether the caller may free the job now; otherwise waiting_jobs_settle() frees it. */
bool waiting_jobs_may_free(struct launch_job *job);

/*
 * At the end of the session: write the fates of jobs whose head has failed. They are not freed,
 * since the driver may still call back.
 */
void waiting_jobs_settle(struct session *s);

/* Write the lines of all jobs, since the recording ends before they do. */
void waiting_jobs_write_lines(struct session *s);

/* Record all jobs as lost, since the program ends. Does not call the driver. */
void waiting_jobs_record_lost(struct session *s);

/* Create a worker without a thread yet. Returns 0 or ERR_NOMEM. */
int worker_create(struct worker **out, struct err *err);

/*
 * Take ownership of a job that is ready, and run it with launch_job_run(), which frees it. Callable
 * from any thread, driver callbacks included. If no thread can be started the job runs here.
 */
void worker_push(struct worker *w, struct launch_job *job);

/* Count `more` (negative: fewer) expected jobs, which the driver has not reached yet. */
void worker_expect(struct worker *w, int more);

/* Count an expected job as done: it needs no worker. */
void worker_cancel_expected(struct worker *w);

/*
 * Wait until all jobs pushed or expected so far have run. Gives up when there is no progress for 30
 * seconds, as when exit() is called from a callback that the driver waits for; for 3 seconds if
 * there are only expected jobs, which the driver may never reach. After giving up it does not wait
 * again until there is progress. Later jobs are still run.
 */
void worker_drain(struct worker *w);

/*
 * If jobs have not run yet, begin no job and no slice for `ns`: the process is about to end. They
 * run afterwards in case the process does not end and something waits for them.
 */
void worker_hold(struct worker *w, uint64_t ns);

/* Wait until nothing is held. For points where a job may pause. */
void worker_pause(struct worker *w);

/* Record the jobs that are ready and have not begun as lost, since the program ends. They are
 * neither run nor freed. */
void worker_record_ready_lost(struct worker *w);

/* Run the jobs that are ready, end the thread and free. Not at exit(), when jobs may still be
 * added. NULL is allowed. */
void worker_free(struct worker *w);

/* Returns the threads that help with draining; they live as long as the worker. */
struct thread_pool *worker_threads(const struct worker *w);

/* Set the call that the alarm makes in the worker's thread. Before the first worker_alarm_at(). */
void worker_set_alarm(struct worker *w, void (*call)(void *context), void *context);

/* Set the alarm to `ns` of CLOCK_MONOTONIC, or after the job that runs then; replaces an earlier
 * alarm. Starts the thread if needed. Does not wait. */
void worker_alarm_at(struct worker *w, uint64_t ns);

/* Note that the running job makes progress. */
void worker_note_progress(struct worker *w);

#endif

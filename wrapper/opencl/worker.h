/*
 * worker - the one thread that runs recorded launches, in the order they become ready.
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
 * waiting_jobs - launches whose turn in the application's queue has not come.
 *
 * Some drivers make no callback for a command that failed because a command it waited for failed.
 * Without this list its launch would never end, and the recording would not say why.
 */

/* A job's place in the list, guarded by the session's lock. */
struct waiting_job {
	struct launch_job *next, **before;
	bool is_in;
	bool is_seen;      /* by the look that goes on */
	bool is_looked_at; /* by waiting_jobs_settle(), without the lock: must not be freed */
	bool is_left;      /* to be freed by it */
	bool is_begun;     /* its head was reached */
	bool is_settled;   /* its fate is written */
};

/* The head of a job is enqueued. */
void waiting_jobs_add(struct launch_job *job);

/* Remove a job whose head was reached or will not be enqueued. False: it is settled, do nothing. */
bool waiting_jobs_remove(struct launch_job *job);

/* Whether the job may be freed now; else waiting_jobs_settle() will. */
bool waiting_jobs_may_free(struct launch_job *job);

/*
 * Write the fates of those whose head has failed. They are not freed: the driver may yet call back.
 * For the end of the session.
 */
void waiting_jobs_settle(struct session *s);

/* Write the lines of all, since the recording ends: they were begun. */
void waiting_jobs_write_lines(struct session *s);

/* Record all others as lost, since the program ends. Does not call the driver. */
void waiting_jobs_record_lost(struct session *s);

/* Make a worker, as yet without a thread. Returns 0 or ERR_NOMEM. */
int worker_create(struct worker **out, struct err *err);

/*
 * Take ownership of a job that is ready, and run it with launch_job_run(), which frees it. Callable
 * from any thread, driver callbacks included. If no thread can be started the job runs here.
 */
void worker_push(struct worker *w, struct launch_job *job);

/* `more` (or, if negative, fewer) jobs are on their way: the driver has not come to them yet. */
void worker_expect(struct worker *w, int more);

/* A job that was on its way needs no worker. */
void worker_cancel_expected(struct worker *w);

/*
 * Wait until all jobs pushed or expected so far have run. Gives up when nothing moves for 30
 * seconds, as when exit() was called from a callback that the driver waits for; or for 3 while
 * there are only expected ones: the driver may never come to them. Nor does it wait again when it
 * has given up and nothing has moved since. Later jobs are still run.
 */
void worker_drain(struct worker *w);

/*
 * If jobs have not run yet, begin neither a job nor a slice for `ns`: the process is about to end.
 * They run afterwards, in case it does not end and something waits for them.
 */
void worker_hold(struct worker *w, uint64_t ns);

/* Wait until nothing is held: where a job may stop for a while. */
void worker_pause(struct worker *w);

/* Record the jobs that are ready and not begun as lost, since the program ends. They are neither
 * run nor freed. */
void worker_record_ready_lost(struct worker *w);

/* Run what is ready, end the thread and free. Not at exit(), when jobs may still come. NULL
 * allowed. */
void worker_free(struct worker *w);

/* The threads that help with draining; they live as long as the worker. */
struct thread_pool *worker_threads(const struct worker *w);

/* What worker_alarm_at() is for: `call` in the worker's thread. To be set before that is used. */
void worker_set_alarm(struct worker *w, void (*call)(void *context), void *context);

/* Call it at `ns` of CLOCK_MONOTONIC, or after the job then at work; a thread is started for it if
 * need be. Waits for nothing. An earlier wish that is not fulfilled yet is replaced. */
void worker_alarm_at(struct worker *w, uint64_t ns);

/* The job at work has moved on. */
void worker_note_progress(struct worker *w);

#endif

/*
 * waiting_jobs - launches whose turn in the application's queue has not come.
 *
 * Some drivers call nobody back about a command that failed because one that it waited for did: its
 * launch would stay here for ever, and the recording would not know why.
 */
#ifndef WAITING_JOBS_H
#define WAITING_JOBS_H

#include <stdbool.h>

struct launch_job;
struct session;

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

/* The head was reached, or there will be none: take it out. False: it is settled, do nothing. */
bool waiting_jobs_remove(struct launch_job *job);

/* Whether the job may be freed now; else waiting_jobs_settle() will. */
bool waiting_jobs_may_free(struct launch_job *job);

/*
 * Write the fates of those whose head has failed. They are not freed: the driver may yet call back.
 * For the end of the session.
 */
void waiting_jobs_settle(struct session *s);

/* Say of all that they were begun: the recording ends. */
void waiting_jobs_leave(struct session *s);

/* Write of all others that they are lost, since the program ends. Calls nothing of the driver. */
void waiting_jobs_lose(struct session *s);

#endif

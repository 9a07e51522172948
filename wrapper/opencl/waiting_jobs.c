/* SPDX-License-Identifier: Apache-2.0 */
#include "waiting_jobs.h"

#include "launch_fate.h"
#include "launch_job.h"
#include "opencl_session.h"
#include "worker.h"

void waiting_jobs_add(struct launch_job *job)
{
	struct session *s = job->session;

	session_lock(s);
	job->waiting = (struct waiting_job){ .next = opencl_session(s)->waiting,
		                             .before = &opencl_session(s)->waiting };
	job->waiting.is_in = true;
	if (opencl_session(s)->waiting)
		opencl_session(s)->waiting->waiting.before = &job->waiting.next;
	opencl_session(s)->waiting = job;
	session_unlock(s);
}

/* The session's lock must be held. */
static void take_out(struct waiting_job *w)
{
	if (!w->is_in)
		return;
	w->is_in = false;
	*w->before = w->next;
	if (w->next)
		w->next->waiting.before = w->before;
}

bool waiting_jobs_remove(struct launch_job *job)
{
	bool is_settled;

	session_lock(job->session);
	is_settled = job->waiting.is_settled;
	job->waiting.is_begun = true;
	take_out(&job->waiting);
	session_unlock(job->session);
	return !is_settled;
}

bool waiting_jobs_may_free(struct launch_job *job)
{
	bool may_free;

	session_lock(job->session);
	take_out(&job->waiting);
	may_free = !job->waiting.is_looked_at;
	job->waiting.is_left = !may_free;
	session_unlock(job->session);
	return may_free;
}

/* The next that was not looked at; when there is none, the next look begins with all. */
static struct launch_job *begin_look(struct session *s)
{
	struct launch_job *job;

	session_lock(s);
	job = opencl_session(s)->waiting;
	while (job && job->waiting.is_seen)
		job = job->waiting.next;
	if (job)
		job->waiting.is_seen = job->waiting.is_looked_at = true;
	for (struct launch_job *other = job ? NULL : opencl_session(s)->waiting; other;
	     other = other->waiting.next)
		other->waiting.is_seen = false;
	session_unlock(s);
	return job;
}

/* Whether the job is ours to settle; if it was done with meanwhile it is freed. */
static bool end_look(struct session *s, struct launch_job *job, bool has_failed)
{
	bool is_left, is_ours;

	session_lock(s);
	job->waiting.is_looked_at = false;
	is_left = job->waiting.is_left;
	is_ours = has_failed && !job->waiting.is_begun;
	job->waiting.is_settled = is_ours;
	if (is_ours)
		take_out(&job->waiting);
	session_unlock(s);
	if (is_left)
		launch_job_free(job);
	return is_ours;
}

void waiting_jobs_settle(struct session *s)
{
	struct launch_job *job;

	while ((job = begin_look(s))) {
		cl_int status = CL_QUEUED;
		bool has_failed = opencl_real()->clGetEventInfo(
					  job->head, CL_EVENT_COMMAND_EXECUTION_STATUS,
					  sizeof(status), &status, NULL) == CL_SUCCESS &&
		                  status < 0;
		struct launch_outcome outcome = launch_job_outcome(job);

		if (!end_look(s, job, has_failed))
			continue;
		err_set(&outcome.trouble, ERR_DEVICE, "a command that it waits for failed: %d",
		        status);
		launch_fate_write(&outcome);
		worker_expect(opencl_session(s)->worker, -1);
	}
}

void waiting_jobs_leave(struct session *s)
{
	session_lock(s);
	for (const struct launch_job *job = opencl_session(s)->waiting; job;
	     job = job->waiting.next) {
		const struct launch_outcome outcome = launch_job_outcome(job);

		launch_fate_leave(&outcome);
	}
	session_unlock(s);
}

void waiting_jobs_lose(struct session *s)
{
	struct launch_job *job;

	while ((job = begin_look(s)))
		if (end_look(s, job, true))
			launch_job_lose(job, "the program ended before an event or a command that "
			                     "it waits for was complete");
}

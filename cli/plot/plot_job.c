/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_job.h"

#include "recording.h"

struct launch_choice plot_job_one(const struct plot_job *job)
{
	return (struct launch_choice){ .recording = job->recording,
		                       .first = job->launch,
		                       .end = job->launch + 1,
		                       .number = job->recording->launches[job->launch].number,
		                       .is_one = true };
}

struct player plot_job_player(const struct plot_job *job)
{
	return (struct player){ .watch = job->watch,
		                .launches = job->launches,
		                .gpu = job->gpu,
		                .registers = job->registers,
		                .options = job->options };
}

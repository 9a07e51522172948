/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_launches.h"

#include "array.h"
#include "counters.h"
#include "gpu.h"
#include "recording.h"

#include <stdlib.h>

struct launch_choice plot_launches_one(const struct plot_job *job)
{
	return (struct launch_choice){ .recording = job->recording,
		                       .first = job->launch,
		                       .end = job->launch + 1,
		                       .number = job->recording->launches[job->launch].number,
		                       .is_one = true };
}

void plot_launches_init(struct plot_launches *p, const struct plot_job *job)
{
	*p = (struct plot_launches){ .job = job, .outcome.is_whole = true };
}

static int play(struct plot_launches *p, size_t launch, const struct plot_launches_visitor *v,
                struct err *err)
{
	const struct recording *r = p->job->launches.recording;
	struct replay_options options = p->job->options;
	struct replay_result result = { 0 };
	int ret = v->begin ? v->begin(v->context, launch, &options, err) : 0;

	options.registers = p->job->registers[r->launches[launch].kernel];
	if (!ret)
		ret = replay_launch(r, launch, p->job->gpu, &options, &result, err);
	if (!ret) {
		p->outcome.is_whole = p->outcome.is_whole && result.is_whole;
		p->beside += counters_requests(&result.read_only);
		if (!p->played++)
			p->first = launch;
		ret = v->end(v->context, launch, err);
	}
	replay_result_release(&result);
	return ret;
}

/* Returns 1 for a kernel that was not seen before. */
static size_t see_kernel(bool *seen, uint32_t kernel)
{
	bool is_new = !seen[kernel];

	seen[kernel] = true;
	return is_new;
}

static int play_all(struct plot_launches *p, const struct plot_launches_visitor *v, bool *seen,
                    struct err *err)
{
	const struct recording *r = p->job->launches.recording;
	int ret = 0;

	for (size_t i = p->job->launches.first; !ret && i < p->job->launches.end; i++) {
		struct err why = { 0 };
		int rc;

		if (r->launches[i].fate != LAUNCH_TRACED)
			continue;
		rc = play(p, i, v, &why);
		if (!rc)
			p->kernels += see_kernel(seen, r->launches[i].kernel);
		else if (rc != ERR_CONFIG || p->job->launches.is_one)
			ret = err_set(err, (enum err_code)rc, "%s", why.msg);
		else if (!p->outcome.refused++)
			p->outcome.refusal = why;
	}
	return ret;
}

int plot_launches_play(struct plot_launches *p, const struct plot_launches_visitor *visitor,
                       struct err *err)
{
	const struct recording *r = p->job->launches.recording;
	bool *seen =
		array_alloc(r->kernel_count ? r->kernel_count : 1, sizeof(*seen), "kernels", err);
	int ret = seen ? play_all(p, visitor, seen, err) : ERR_NOMEM;

	free(seen);
	return ret;
}

int plot_outcome_verdict(const struct plot_outcome *o, const struct gpu *gpu, struct err *err)
{
	if (!o->refused)
		return 0;
	return err_set(err, ERR_CONFIG,
	               "launches that do not fit on %s and were not played: %zu (%s)", gpu->name,
	               o->refused, o->refusal.msg);
}

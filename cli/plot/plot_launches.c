/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_launches.h"

#include "array.h"
#include "counters.h"
#include "gpu.h"
#include "recording.h"
#include "wait_line.h"

#include <inttypes.h>
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
                struct wait_line *wait, struct err *err)
{
	const struct recording *r = p->job->launches.recording;
	struct replay_options options = p->job->options;
	struct replay_result result = { 0 };
	int ret = v->begin ? v->begin(v->context, launch, &options, err) : 0;

	options.played = &wait->done;
	wait_line_what(wait, "launch %" PRIu64 ", %s", r->launches[launch].number,
	               r->kernels[r->launches[launch].kernel].table.name);
	options.registers = p->job->registers[r->launches[launch].kernel];
	if (!ret)
		ret = replay_launch(r, launch, p->job->gpu, &options, &result, err);
	if (!ret) {
		p->outcome.is_whole = p->outcome.is_whole && result.is_whole;
		counters_add(&p->l1, &result.total);
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

/* Play one, or count it as refused. */
static int try_to_play(struct plot_launches *p, size_t launch,
                       const struct plot_launches_visitor *v, struct wait_line *wait,
                       struct err *err)
{
	struct err why = { 0 };
	int ret = play(p, launch, v, wait, &why);

	if (!ret)
		return 0;
	if (ret != ERR_CONFIG || p->job->launches.is_one)
		return err_set(err, (enum err_code)ret, "%s", why.msg);
	if (!p->outcome.refused++)
		p->outcome.refusal = why;
	return 0;
}

int plot_launches_play(struct plot_launches *p, const struct plot_launches_visitor *visitor,
                       struct err *err)
{
	const struct launch_choice *choice = &p->job->launches;
	const struct recording *r = choice->recording;
	bool *seen = array_alloc(r->kernel_count, sizeof(*seen), "kernels", err);
	uint64_t done = 0;
	struct wait_line wait;
	int ret = 0;

	if (!seen)
		return ERR_NOMEM;
	wait_line_begin(&wait, p->job->command, launch_choice_accesses(choice), p->job->is_quiet);
	for (size_t i = choice->first; !ret && i < choice->end; i++) {
		size_t before = p->played;

		if (r->launches[i].fate == LAUNCH_TRACED)
			ret = try_to_play(p, i, visitor, &wait, err);
		if (p->played > before)
			p->kernels += see_kernel(seen, r->launches[i].kernel);
		done += launch_choice_accesses_of(r, i);
		wait_line_reach(&wait, done);
	}
	wait_line_end(&wait);
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

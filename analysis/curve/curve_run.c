/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_run.h"

#include "recording.h"

int curve_run_init(struct curve_run *run, const struct curve_gpu *gpu, bool is_exact,
                   struct err *err)
{
	*run = (struct curve_run){ 0 };
	return curve_set_init(&run->set, gpu, is_exact, err);
}

void curve_run_release(struct curve_run *run)
{
	curve_set_release(&run->set);
}

/* player_visitor.end. */
static int end_launch(void *context, size_t launch, const struct replay_result *result,
                      struct err *err)
{
	struct curve_run *run = context;

	(void)launch;
	(void)result;
	run->set.launches++;
	return miss_curve_end(run->set.counts, err);
}

int curve_run_play(struct curve_run *run, const struct player *player, struct err *err)
{
	const struct player_visitor visitor = { .context = run, .end = end_launch };
	const struct recording *r = player->launches.recording;
	int ret;

	run->player = *player;
	run->player.gpu = &run->set.gpu;
	run->player.options.request = miss_curve_request;
	run->player.options.request_context = run->set.counts;
	ret = player_play(&run->player, &visitor, err);
	run->replay_rate = counters_miss_rate(&run->player.l1);
	if (!ret && run->player.played == 1) {
		const struct recorded_launch *l = &r->launches[run->player.first];

		run->kernel = r->kernels[l->kernel].table.name;
		run->launch = l->number;
	}
	return ret;
}

uint64_t curve_run_reads(const struct curve_run *run)
{
	return reuse_counts_reads(miss_curve_counts(run->set.counts, 0));
}

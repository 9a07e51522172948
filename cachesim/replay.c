/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include "err.h"
#include "gpu.h"
#include "launch_input.h"
#include "reorder_config.h"
#include "reorder_plan.h"
#include "sm_caches.h"

#include <stdlib.h>

/* Play the launch that `input` describes and leave schedule and sums in *out. */
static int play(const struct gpu *gpu, const struct schedule_input *input,
                const struct replay_options *options, struct replay_result *out, struct err *err)
{
	struct sm_caches caches;
	struct memory_port port;
	int ret = sm_caches_init(&caches, gpu, input, options, err);

	if (ret)
		goto out;
	port = sm_caches_port(&caches, gpu);
	ret = schedule_launch(gpu, input, &port, &out->schedule, err);
	if (ret)
		goto out;
	sm_caches_end(&caches, out->schedule.cycles);
	ret = sm_caches_count(&caches, out, err);
out:
	sm_caches_release(&caches);
	return ret;
}

int replay_launch(const struct recording *r, size_t launch, const struct gpu *gpu,
                  const struct replay_options *options, struct replay_result *out, struct err *err)
{
	struct launch_input input;
	int ret;

	*out = (struct replay_result){ 0 };
	ret = launch_input_open(&input, r, launch, options, err);
	out->is_whole = input.is_whole;
	out->groups = input.groups;
	out->has_bypass = options->bypass && options->bypass->count;
	if (!ret)
		ret = play(gpu, &input.schedule, options, out, err);
	launch_input_close(&input);
	return ret;
}

void replay_result_release(struct replay_result *r)
{
	schedule_result_release(&r->schedule);
	free(r->sites);
	free(r->sms);
	free(r->read_only_sites);
	hierarchy_counts_release(&r->below);
	*r = (struct replay_result){ 0 };
}

int replay_reorder_config(const struct recording *r, size_t launch, const struct gpu *gpu,
                          struct reorder_config *out, bool *is_whole, struct err *err)
{
	const struct replay_options options = { 0 };
	struct launch_input input;
	int ret = launch_input_open(&input, r, launch, &options, err);

	reorder_config_init(out);
	*is_whole = input.is_whole;
	if (!ret)
		ret = reorder_plan_make(out, gpu, &input.schedule, err);
	launch_input_close(&input);
	return ret;
}

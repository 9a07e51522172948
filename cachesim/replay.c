/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include "address_map.h"
#include "err.h"
#include "gpu.h"
#include "launch_reader.h"
#include "recording.h"
#include "reorder_config.h"
#include "reorder_plan.h"
#include "sm_caches.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdlib.h>

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	struct launch_input *in = context;

	if (in->options->is_stopped && in->options->is_stopped(in->options->stop_context))
		return err_set(err, ERR_LIMIT, "the replay was stopped before work-group %" PRIu64,
		               group);
	return launch_reader_load(in->reader, group, out, err);
}

static uint64_t next_group(void *context, uint64_t group)
{
	const struct launch_input *in = context;

	return launch_reader_next(in->reader, group);
}

int launch_input_open(struct launch_input *in, const struct recording *r, size_t launch,
                      const struct replay_options *options, struct err *err)
{
	const struct recorded_launch *recorded;
	int ret;

	*in = (struct launch_input){ .options = options };
	ret = recording_open_launch(r, launch, &in->source, &in->reader, err);
	if (!ret)
		ret = address_map_create(&in->map, r, launch, err);
	if (ret)
		return ret;
	recorded = &r->launches[launch];
	in->schedule = (struct schedule_input){
		.shape = launch_reader_shape(in->reader),
		.table = &r->kernels[recorded->kernel].table,
		.map = in->map,
		.groups = { .context = in, .read = read_group, .next = next_group },
		.local_bytes = recorded->local_bytes,
		.sample = recording_local_sample(r, launch),
		.registers = options->registers,
		.order = options->order,
		.reorder = options->reorder,
		.dispatch = options->dispatch,
		.sms = options->sms,
		.jobs = options->jobs,
		.played = options->played,
		.has_patterns = options->has_patterns,
		.is_sequence = recorded->is_sequence,
	};
	in->groups = launch_reader_totals(in->reader)->groups;
	in->is_whole = launch_reader_is_whole(in->reader) && !recorded->dropped_events;
	return 0;
}

void launch_input_close(struct launch_input *in)
{
	address_map_free(in->map);
	launch_reader_close(in->reader);
	trace_source_close(in->source);
	*in = (struct launch_input){ 0 };
}

/* Simulate the launch of `input`, and store schedule and sums in *out. */
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "handles.h"
#include "read_rules.h"
#include "recording.h"
#include "request_teller.h"
#include "stats_run.h"

#include <inttypes.h>
#include <stdlib.h>

int warpline_replay_create(struct warpline_replay **out, struct warpline_error *error)
{
	struct err err = { 0 };
	struct warpline_replay *made = array_alloc(1, sizeof(*made), "replay", &err);

	if (made)
		replay_settings_init(&made->settings);
	*out = made;
	return warpline_error_give(error, err.code, &err);
}

void warpline_replay_free(struct warpline_replay *replay)
{
	if (!replay)
		return;
	played_launch_release(&replay->played);
	replay_settings_release(&replay->settings);
	free(replay);
}

int warpline_replay_set(struct warpline_replay *replay, const char *key_value,
                        struct warpline_error *error)
{
	struct err err = { 0 };

	return warpline_error_give(error, replay_settings_set(&replay->settings, key_value, &err),
	                           &err);
}

void warpline_replay_on_request(struct warpline_replay *replay, warpline_request_function function,
                                void *context)
{
	replay->function = function;
	replay->context = context;
}

/* A run under way. */
struct run {
	const struct warpline_replay *replay;
	const struct recording *recording;
	size_t launch;
	struct gpu gpu;
	struct replay_options options;
	struct bypass_list kept; /* of the recording */
	struct l1_stats *stats;
	struct request_teller teller;
	struct replay_result result;
};

/* Whether the settings go together, and with this GPU. */
static int check(const struct run *run, struct err *err)
{
	const struct replay_settings *s = &run->replay->settings;
	int ret = gpu_check(&run->gpu, err);

	if (!ret && run->launch >= run->recording->launch_count)
		ret = err_set(err, ERR_USAGE, "launch %zu: %s lists %zu, which are counted from 0",
		              run->launch, run->recording->dir, run->recording->launch_count);
	if (!ret)
		ret = issue_order_check(&s->order, run->gpu.warp_lanes, err);
	if (!ret && s->sms > run->gpu.sm_count)
		ret = err_set(err, ERR_USAGE, "sms: %s has %" PRIu32 ", and not %" PRIu32,
		              run->gpu.name, run->gpu.sm_count, s->sms);
	if (!ret && !s->has_classes && (s->has_stats || run->replay->function))
		ret = err_set(err, ERR_USAGE,
		              "classes=off: statistics and requests tell misses by class; expected "
		              "stats=off with it, and no function");
	return ret;
}

static int choose_lists(struct run *run, struct err *err)
{
	const struct replay_settings *s = &run->replay->settings;
	struct gpu cache;
	int ret;

	run->options.bypass = s->is_bypass_given ? &s->bypass : &run->kept;
	if (s->is_bypass_given)
		ret = read_rules_check(&s->bypass, "bypass", run->recording, &run->gpu, err);
	else
		ret = read_rules_load_kept(&run->kept, run->recording, &run->gpu, err);
	if (!ret)
		ret = read_rules_check(&s->read_only, "read_only", run->recording, &run->gpu, err);
	if (!ret && s->read_only.count)
		ret = read_only_gpu(&cache, &run->gpu, err);
	if (!run->options.bypass->count)
		run->options.bypass = NULL;
	run->options.read_only = s->read_only;
	return ret;
}

static int create_stats(struct run *run, struct err *err)
{
	struct l1_stats_setup setup = stats_run_setup(run->recording, run->launch, &run->gpu);

	for (size_t i = 0; i < PLAYED_SUMS; i++)
		setup.is_wanted[sum_rows_table((enum sum_kind)i)] = true;
	return run->replay->settings.has_stats ? l1_stats_create(&run->stats, &setup, err) : 0;
}

static void choose_options(struct run *run)
{
	const struct replay_settings *s = &run->replay->settings;

	run->options.registers = s->registers;
	run->options.order = s->order;
	run->options.dispatch = s->dispatch;
	run->options.sms = s->sms;
	run->options.jobs = s->jobs;
	run->options.is_unclassified = !s->has_classes;
	run->options.observer = request_teller_observer;
	run->options.observer_context = &run->teller;
	run->options.is_stopped = request_teller_is_stopped;
	run->options.stop_context = &run->teller;
	run->teller.function = run->replay->function;
	run->teller.context = run->replay->context;
}

static int play(struct run *run, struct err *err)
{
	int ret = create_stats(run, err);

	if (!ret)
		ret = request_teller_init(&run->teller, run->gpu.sm_count, run->stats, err);
	choose_options(run);
	if (!ret)
		ret = replay_launch(run->recording, run->launch, &run->gpu, &run->options,
		                    &run->result, err);
	if (request_teller_is_stopped(&run->teller)) {
		*err = (struct err){ .msg = "the replay was stopped by the caller's function" };
		return WARPLINE_ERROR_STOPPED;
	}
	return !ret && run->stats ? l1_stats_end(run->stats, err) : ret;
}

int warpline_replay_run(struct warpline_replay *replay, const struct warpline_recording *recording,
                        size_t launch, const struct warpline_gpu *gpu, struct warpline_error *error)
{
	struct run run = { .replay = replay,
		           .recording = recording->recording,
		           .launch = launch,
		           .gpu = gpu->gpu };
	struct err err = { 0 };
	int ret = check(&run, &err);

	played_launch_release(&replay->played);
	if (!ret)
		ret = choose_lists(&run, &err);
	if (!ret)
		ret = play(&run, &err);
	if (!ret) {
		ret = played_launch_init(&replay->played, run.recording, launch, &run.result,
		                         run.stats, &err);
		replay->played.has_classes = replay->settings.has_classes;
		run.stats = NULL;
	}
	if (ret)
		played_launch_release(&replay->played);
	replay_result_release(&run.result);
	l1_stats_free(run.stats);
	request_teller_release(&run.teller);
	bypass_list_release(&run.kept);
	return warpline_error_give(error, ret, &err);
}

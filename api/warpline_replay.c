/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis' player replays a launch, as for `warpline replay --stats`. An observer between L1
 * and the statistics calls the caller's function. */
#include "array.h"
#include "handles.h"
#include "l1_observer.h"
#include "l1_stats.h"
#include "player.h"
#include "read_rules.h"
#include "recording.h"
#include "request.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The public outcomes have the values of L1's. */
#define SAME(NAME) _Static_assert((int)WARPLINE_OUTCOME_##NAME == (int)L1_##NAME, #NAME)
SAME(HIT);
SAME(PENDING);
SAME(COLD);
SAME(COHERENCE);
SAME(CAPACITY);
SAME(CONFLICT);
SAME(SECTOR);
SAME(WRITE_HIT);
SAME(WRITE);
SAME(ATOMIC);
SAME(BYPASS);
#undef SAME

struct request_watch;

struct watched_sm {
	struct request_watch *watch;
	const struct l1_observer *statistics; /* NULL: none */
	struct l1_observer observer;
	uint32_t sm;
};

/* Calls the caller's function for each request, after the observer of statistics. */
struct request_watch {
	warpline_request_function function;
	void *context;
	const struct l1_observer *(*statistics)(void *context, uint32_t sm); /* NULL: none */
	void *statistics_context;
	struct watched_sm *sms;
	atomic_bool is_stopped; /* by the function */
};

static void call(struct request_watch *w, uint32_t sm, const struct request *r,
                 const struct l1_outcome *o)
{
	const struct warpline_request request = {
		.struct_bytes = sizeof(request),
		.line_address = r->line,
		.group = r->group,
		.cycle = o->cycle,
		.stall_cycles = o->stall_cycles,
		.sm = sm,
		.warp = r->warp,
		.site = r->site,
		.set = o->set,
		.lanes = r->lanes,
		.bytes_asked = r->bytes_used,
		.bytes_fetched = o->bytes_fetched,
		.buffer = r->buffer,
		.outcome = (int32_t)o->event,
		.sectors_hit = o->counts.hit,
		.sectors_missed = o->counts.missed,
		.sectors_promoted = o->counts.promoted,
		.sectors_promoted_hit = o->counts.promoted_hit,
	};

	if (!atomic_load(&w->is_stopped) && w->function(w->context, &request))
		atomic_store(&w->is_stopped, true);
}

static void served(void *context, const struct request *r, const struct l1_outcome *o)
{
	const struct watched_sm *sm = context;

	if (sm->statistics)
		sm->statistics->served(sm->statistics->context, r, o);
	call(sm->watch, sm->sm, r, o);
}

static void left(void *context, const struct l1_residency *x)
{
	const struct watched_sm *sm = context;

	if (sm->statistics)
		sm->statistics->left(sm->statistics->context, x);
}

/* replay_options.observer. */
static const struct l1_observer *observe(void *context, uint32_t sm)
{
	struct request_watch *w = context;
	struct watched_sm *s = &w->sms[sm];

	*s = (struct watched_sm){
		.watch = w,
		.statistics = w->statistics ? w->statistics(w->statistics_context, sm) : NULL,
		.observer = { .context = s, .served = served, .left = left },
		.sm = sm,
	};
	return &s->observer;
}

/* replay_options.is_stopped. */
static bool is_stopped(void *context)
{
	struct request_watch *w = context;

	return atomic_load(&w->is_stopped);
}

/* Put *w before the observer of the options, if there is a function to call. */
static int watch_requests(struct request_watch *w, uint32_t sm_count,
                          struct replay_options *options, struct err *err)
{
	if (!w->function)
		return 0;
	w->sms = array_alloc(sm_count, sizeof(*w->sms), "SMs", err);
	w->statistics = options->observer;
	w->statistics_context = options->observer_context;
	options->observer = observe;
	options->observer_context = w;
	options->is_stopped = is_stopped;
	options->stop_context = w;
	return w->sms ? 0 : ERR_NOMEM;
}

/* List the sites and SMs that have a row. */
static int list_rows(struct last_launch *p, struct err *err)
{
	const struct replay_result *r = &p->result;

	p->sites = array_alloc(r->site_count, sizeof(*p->sites), "sites", err);
	p->sms = array_alloc(r->sm_count, sizeof(*p->sms), "SMs", err);
	if (!p->sites || !p->sms)
		return ERR_NOMEM;
	for (size_t i = 0; i < r->site_count; i++)
		if (site_kind_is_access(p->table->sites[i].kind))
			p->sites[p->site_count++] = i;
	for (size_t i = 0; i < r->sm_count; i++)
		if (r->schedule.sm_is_played[i])
			p->sms[p->sm_count++] = i;
	return 0;
}

/* Make the rows of a launch that was replayed. */
static int make_rows(struct last_launch *p, const struct recording *r, size_t launch,
                     struct err *err)
{
	struct stats_source from = stats_run_source(&p->stats, r, launch);
	int ret = list_rows(p, err);

	for (int i = 0; !ret && p->stats.l1 && i < REPLAYED_SUMS; i++)
		ret = stats_source_rows(&from, (enum sum_kind)i, &p->sums[i], err);
	return ret;
}

static void replayed_launch_release(struct last_launch *p)
{
	replay_result_release(&p->result);
	stats_run_free(&p->stats);
	for (size_t i = 0; i < REPLAYED_SUMS; i++)
		sum_rows_release(&p->sums[i]);
	free(p->sites);
	free(p->sms);
	*p = (struct last_launch){ 0 };
}

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
	replayed_launch_release(&replay->last);
	replay_settings_release(&replay->settings);
	free(replay);
}

void warpline_replay_on_request(struct warpline_replay *replay, warpline_request_function function,
                                void *context)
{
	replay->function = function;
	replay->context = context;
}

/* A run under way. */
struct run {
	const struct replay_settings *settings;
	const struct recording *recording;
	size_t launch;
	struct gpu gpu;
	struct bypass_list kept; /* of the recording */
	struct request_watch watch;
	struct last_launch *out;
};

/* Whether the settings agree with each other and with this GPU. */
static int check(const struct run *run, struct err *err)
{
	const struct replay_settings *s = run->settings;
	int ret = gpu_check(&run->gpu, err);

	if (!ret && run->launch >= run->recording->launch_count)
		ret = err_set(err, ERR_USAGE, "launch %zu: %s lists %zu, which are counted from 0",
		              run->launch, run->recording->dir, run->recording->launch_count);
	if (!ret)
		ret = issue_order_check(&s->order, run->gpu.warp_lanes, err);
	if (!ret && s->sms > run->gpu.sm_count)
		ret = err_set(err, ERR_USAGE, "sms: %s has %" PRIu32 ", and not %" PRIu32,
		              run->gpu.name, run->gpu.sm_count, s->sms);
	if (!ret && !s->has_classes && (s->has_stats || run->watch.function))
		ret = err_set(err, ERR_USAGE,
		              "classes=off: statistics and requests tell misses by class; expected "
		              "stats=off with it, and no function");
	return ret;
}

static int choose_lists(struct run *run, struct replay_options *options, struct err *err)
{
	const struct replay_settings *s = run->settings;
	struct gpu cache;
	int ret;

	options->bypass = s->is_bypass_given ? &s->bypass : &run->kept;
	if (s->is_bypass_given)
		ret = read_rules_check(&s->bypass, "bypass", run->recording, &run->gpu, err);
	else
		ret = read_rules_load_kept(&run->kept, run->recording, &run->gpu, err);
	if (!ret)
		ret = read_rules_check(&s->read_only, "read_only", run->recording, &run->gpu, err);
	if (!ret && s->read_only.count)
		ret = read_only_gpu(&cache, &run->gpu, err);
	if (!options->bypass->count)
		options->bypass = NULL;
	options->read_only = s->read_only;
	return ret;
}

static int begin(void *context, size_t launch, struct replay_options *options, struct err *err)
{
	struct run *run = context;
	struct stats_run *stats = &run->out->stats;
	int ret;

	for (int i = 0; i < REPLAYED_SUMS; i++)
		stats->is_wanted[i] = run->settings->has_stats;
	ret = stats_run_begin(stats, run->recording, launch, &run->gpu, options, err);
	return ret ? ret : watch_requests(&run->watch, run->gpu.sm_count, options, err);
}

static int end(void *context, size_t launch, const struct replay_result *result, struct err *err)
{
	struct run *run = context;

	(void)result;
	return stats_run_end(&run->out->stats, run->recording, launch, err);
}

static int refuse(void *context, size_t launch, const char *why, struct err *err)
{
	const struct run *run = context;

	return err_set(err, ERR_USAGE, "%s: launch %" PRIu64 " was not recorded: %s",
	               run->recording->dir, run->recording->launches[launch].number, why);
}

static int play(struct run *run, struct err *err)
{
	const struct replay_settings *s = run->settings;
	const struct player_visitor visitor = { .context = run,
		                                .begin = begin,
		                                .end = end,
		                                .refused = refuse,
		                                .kept = &run->out->result };
	struct player player = {
		.is_strict = true,
		.launches = { .recording = run->recording,
		              .first = run->launch,
		              .end = run->launch + 1 },
		.gpu = &run->gpu,
		.options = { .registers = s->registers,
		             .order = s->order,
		             .dispatch = s->dispatch,
		             .sms = s->sms,
		             .jobs = s->jobs,
		             .is_unclassified = !s->has_classes },
	};
	int ret = choose_lists(run, &player.options, err);

	if (!ret)
		ret = player_launch(&player, run->launch, &visitor, err);
	if (is_stopped(&run->watch)) {
		*err = (struct err){ .msg = "the replay was stopped by the caller's function" };
		return WARPLINE_ERROR_STOPPED;
	}
	return ret ? ret : make_rows(run->out, run->recording, run->launch, err);
}

int warpline_replay_run(struct warpline_replay *replay, const struct warpline_recording *recording,
                        size_t launch, const struct warpline_gpu *gpu, struct warpline_error *error)
{
	const struct recording *r = recording->recording;
	struct run run = { .settings = &replay->settings,
		           .recording = r,
		           .launch = launch,
		           .gpu = gpu->gpu,
		           .watch = { .function = replay->function, .context = replay->context },
		           .out = &replay->last };
	struct err err = { 0 };
	int ret = check(&run, &err);

	replayed_launch_release(&replay->last);
	if (!ret) {
		replay->last.launch = &r->launches[launch];
		replay->last.table = &r->kernels[r->launches[launch].kernel].table;
		replay->last.has_classes = replay->settings.has_classes;
		ret = play(&run, &err);
	}
	if (ret)
		replayed_launch_release(&replay->last);
	free(run.watch.sms);
	bypass_list_release(&run.kept);
	return warpline_error_give(error, ret, &err);
}

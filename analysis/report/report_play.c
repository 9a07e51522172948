/* SPDX-License-Identifier: Apache-2.0 */
#include "report_play.h"

#include "array.h"
#include "err.h"
#include "launch_reuse.h"
#include "line_sharing.h"
#include "miss_curve.h"
#include "player.h"
#include "recording.h"
#include "stats_run.h"

#include <stdlib.h>

struct report_observer {
	struct l1_observer observer; /* its context is this */
	const struct l1_observer *stats;
	const struct kernel_table *table;
	size_t site_count;
	uint64_t *atomic_waits; /* by site; NULL: none */
	bool has_hot, is_failed;
	struct hot_lines hot;
};

static void count_waits(struct report_observer *own, uint32_t site, uint64_t waits)
{
	if (!own->atomic_waits && waits && !own->is_failed) {
		own->atomic_waits = array_alloc(own->site_count, sizeof(uint64_t), "atomics", NULL);
		own->is_failed = !own->atomic_waits;
	}
	if (own->atomic_waits)
		own->atomic_waits[site] += waits;
}

static void served(void *context, const struct request *r, const struct l1_outcome *o)
{
	struct report_observer *own = context;
	uint64_t bytes = own->table->sites[r->site].bytes;

	own->stats->served(own->stats->context, r, o);
	if (o->event == L1_ATOMIC)
		count_waits(own, r->site, hot_lines_atomic_turns(r, bytes) - 1);
	if (own->has_hot)
		hot_lines_served(&own->hot, r, o, bytes);
}

static void left(void *context, const struct l1_residency *x)
{
	struct report_observer *own = context;

	own->stats->left(own->stats->context, x);
}

static const struct l1_observer *observer_of(void *play, uint32_t sm)
{
	struct report_play *p = play;
	const struct l1_observer *stats = l1_stats_observer(p->stats, sm);
	struct report_observer *own;

	if (!stats)
		return stats;
	own = &p->observers[sm];
	own->stats = stats;
	own->site_count = p->kernel->site_count;
	own->has_hot = p->request->has_patterns;
	own->table = &p->data->recording->kernels[p->kernel->kernel].table;
	own->observer = (struct l1_observer){ .context = own, .served = served, .left = left };
	return &own->observer;
}

static void take_request(void *play, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct report_play *p = play;

	if (p->curve)
		miss_curve_request(p->curve, sm, r, now_cycles);
	if (p->sharing)
		line_sharing_request(p->sharing, sm, r);
}

static int begin_stats(struct report_play *p, struct err *err)
{
	struct l1_stats_setup setup =
		stats_run_setup(p->data->recording, p->launch, &p->data->setup->gpu);

	setup.is_wanted[L1_STATS_SITES] = setup.is_wanted[L1_STATS_BUFFERS] = true;
	setup.is_wanted[L1_STATS_SETS] = p->kernel->sets != NULL;
	return l1_stats_create(&p->stats, &setup, err);
}

static int begin_curve(struct report_play *p, struct err *err)
{
	const struct gpu *gpu = &p->data->setup->gpu;
	const struct miss_curve_setup setup = { .gpu = gpu,
		                                .sets = gpu,
		                                .set_count = p->request->has_set_curves };
	int ret = miss_curve_create(&p->curve, &setup, err);

	return ret ? ret : miss_curve_sites(p->curve, p->kernel->site_count, err);
}

static int begin_patterns(struct report_play *p, struct err *err)
{
	const struct gpu *gpu = &p->data->setup->gpu;
	const struct kernel_table *table = &p->data->recording->kernels[p->kernel->kernel].table;

	int ret = line_sharing_create(&p->sharing, gpu, table, err);

	if (!ret && p->launches)
		line_sharing_watch_writes(p->sharing);
	return ret;
}

int report_play_begin(void *play, size_t launch, struct replay_options *options, struct err *err)
{
	struct report_play *p = play;
	int ret;

	p->kernel = p->kernels[p->data->recording->launches[launch].kernel];
	p->launch = launch;
	ret = begin_stats(p, err);

	p->observers =
		array_alloc(p->data->setup->gpu.sm_count, sizeof(*p->observers), "observers", err);
	ret = p->observers ? ret : ERR_NOMEM;
	options->observer = observer_of;
	options->observer_context = p;
	if (!ret && p->request->has_curves)
		ret = begin_curve(p, err);
	if (!ret && p->request->has_patterns) {
		ret = begin_patterns(p, err);
		options->has_patterns = true;
	}
	if (p->curve || p->sharing) {
		options->request = take_request;
		options->request_context = p;
	}
	return ret;
}

void report_play_release(void *play)
{
	struct report_play *p = play;

	l1_stats_free(p->stats);
	miss_curve_free(p->curve);
	line_sharing_free(p->sharing);
	for (uint32_t i = 0; p->observers && i < p->data->setup->gpu.sm_count; i++) {
		hot_lines_release(&p->observers[i].hot);
		free(p->observers[i].atomic_waits);
	}
	free(p->observers);
	p->stats = NULL;
	p->curve = NULL;
	p->sharing = NULL;
	p->observers = NULL;
}

static int end_observers(struct report_play *p, struct err *err)
{
	int ret = l1_stats_end(p->stats, err);

	if (!ret && p->curve)
		ret = miss_curve_end(p->curve, err);
	for (uint32_t i = 0; !ret && i < p->data->setup->gpu.sm_count; i++)
		if (p->observers[i].is_failed)
			ret = err_set(err, ERR_NOMEM, "out of memory for atomics");
	return ret;
}

static void add_list(struct l1_stats_row *sum, const struct l1_stats_list *more)
{
	for (size_t i = 0; sum && more->rows && i < more->count; i++)
		l1_stats_add(&sum[i], &more->rows[i]);
}

/* Add the results of each site of the kernel. */
static void add_sites(const struct report_play *p, const struct replay_result *result)
{
	struct report_site *sites = &p->data->sites[p->kernel->first_site];
	const struct l1_stats_list *list = l1_stats_list(p->stats, L1_STATS_SITES);

	for (size_t i = 0; i < p->kernel->site_count; i++) {
		l1_stats_add(&sites[i].sums.l1, &list->rows[i]);
		side_counts_add(&sites[i].sums.side, &result->schedule.sides[i]);
		if (result->schedule.patterns)
			access_pattern_add(&sites[i].sums.pattern, &result->schedule.patterns[i]);
		if (p->curve)
			reuse_bins_sum(&sites[i].sums.distances,
			               &miss_curve_site_bins(p->curve, REPORT_WHOLE)[i]);
	}
}

static int add_sharing(struct report_play *p, struct err *err)
{
	size_t count = p->kernel->site_count;
	struct line_share *shares = array_alloc(count, sizeof(*shares), "shared lines", err);
	int ret = shares ? line_sharing_end(p->sharing, shares, count, err) : ERR_NOMEM;

	for (size_t i = 0; !ret && i < count; i++)
		line_share_add(&p->data->sites[p->kernel->first_site + i].sums.sharing, &shares[i]);
	free(shares);
	return ret;
}

/* Returns a hash of the kernel and its pointers: FNV-1a. */
static uint64_t identity_of(const struct recorded_launch *l)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ l->kernel;

	for (size_t i = 0; i < l->argument_count; i++) {
		const uint64_t of_argument[] = { l->arguments[i].index, l->arguments[i].address };

		for (size_t k = 0; k < 2; k++)
			hash = (hash ^ of_argument[k]) * UINT64_C(0x100000001b3);
	}
	return hash;
}

/* Whether a launch directly follows the previous one, as far as known. */
static bool is_after_another(const struct report_play *p)
{
	const struct report_launch *row = report_play_row(p, p->launch);

	return row > p->data->launches && row[-1].is_played && row->number == row[-1].number + 1;
}

static int add_launch(struct report_play *p, struct err *err)
{
	const struct recording *r = p->data->recording;
	const struct recorded_launch *l = &r->launches[p->launch];
	struct line_places places = { 0 };
	struct launch_step step = { .kernel = p->kernel->kernel,
		                    .first_site = (uint32_t)p->kernel->first_site,
		                    .table = &r->kernels[l->kernel].table,
		                    .shape = &l->shape,
		                    .rows = l1_stats_list(p->stats, L1_STATS_SITES)->rows,
		                    .identity = identity_of(l),
		                    .is_after_unknown = !is_after_another(p) };
	struct report_site *sites = &p->data->sites[p->kernel->first_site];
	struct launch_saving *again =
		array_alloc(p->kernel->site_count, sizeof(*again), "launches", err);
	int ret = again ? line_sharing_places(p->sharing, &places, err) : ERR_NOMEM;

	step.is_apart = p->device != r->kernels[l->kernel].device;
	p->device = r->kernels[l->kernel].device;
	if (!ret)
		ret = launch_reuse_launch(p->launches, &step, &places, again, err);
	for (size_t i = 0; !ret && i < p->kernel->site_count; i++) {
		sites[i].sums.again.requests += again[i].requests;
		sites[i].sums.again.bytes += again[i].bytes;
	}
	free(again);
	free(places.items);
	return ret;
}

void report_numbers_add(struct report_numbers *sum, const struct report_numbers *more)
{
	l1_stats_add(&sum->l1, &more->l1);
	sum->cycles += more->cycles;
	sum->instructions += more->instructions;
	sum->lanes += more->lanes;
	sum->unmapped_lanes += more->unmapped_lanes;
	sum->groups += more->groups;
	sum->bytes_to_l2 += more->bytes_to_l2;
	sum->atomic_waits += more->atomic_waits;
	side_counts_add(&sum->side, &more->side);
	sum->local_groups += more->local_groups;
	sum->local_sampled += more->local_sampled;
	sum->local_error_turns += more->local_error_turns;
	l2_counters_add(&sum->l2, &more->l2);
	dram_counters_add(&sum->dram, &more->dram);
}

/* Add the turns that atomics waited to the rows of their sites. Returns the sum. */
static uint64_t add_waits(const struct report_play *p)
{
	struct report_site *sites = &p->data->sites[p->kernel->first_site];
	uint64_t waits = 0;

	for (uint32_t i = 0; i < p->data->setup->gpu.sm_count; i++)
		for (size_t k = 0; p->observers[i].atomic_waits && k < p->kernel->site_count; k++) {
			sites[k].sums.atomic_waits += p->observers[i].atomic_waits[k];
			waits += p->observers[i].atomic_waits[k];
		}
	return waits;
}

/* Add up the results of a launch. */
static int add_up(struct report_play *p, const struct replay_result *result,
                  struct report_launch *row, struct err *err)
{
	struct report_distances *distances = &p->distances[p->kernel->kernel];
	int ret = p->sharing ? add_sharing(p, err) : 0;

	if (!ret && p->launches)
		ret = add_launch(p, err);
	for (size_t i = 0; !ret && p->curve && i < miss_curve_count(p->curve); i++)
		ret = reuse_counts_sum(&distances->counts[i], miss_curve_counts(p->curve, i), err);
	if (ret)
		return ret;
	row->is_played = true;
	row->is_whole = result->is_whole;
	row->resident_groups = result->schedule.residency.groups;
	row->counts = (struct report_numbers){ .l1 = *l1_stats_total(p->stats),
		                               .cycles = result->schedule.cycles,
		                               .instructions = result->schedule.instructions,
		                               .lanes = result->schedule.lanes,
		                               .unmapped_lanes = result->schedule.unmapped_lanes,
		                               .groups = result->schedule.groups,
		                               .bytes_to_l2 = result->total.bytes_to_l2,
		                               .atomic_waits = add_waits(p),
		                               .side = result->schedule.side,
		                               .l2 = result->below.l2,
		                               .dram = result->below.dram };
	if (kernel_table_has_local(&p->data->recording->kernels[p->kernel->kernel].table)) {
		row->counts.local_groups = result->schedule.side_sample.of_groups;
		row->counts.local_sampled = result->schedule.side_sample.groups;
		row->counts.local_error_turns = side_sample_error(&result->schedule.side_sample);
	}
	report_numbers_add(&p->kernel->counts, &row->counts);
	add_sites(p, result);
	add_list(p->kernel->sets, l1_stats_list(p->stats, L1_STATS_SETS));
	add_list(p->buffers, l1_stats_list(p->stats, L1_STATS_BUFFERS));
	l1_stats_reuse_add(&p->kernel->reuse, l1_stats_reuse(p->stats));
	l1_stats_reuse_add(&p->data->reuse, l1_stats_reuse(p->stats));
	for (uint32_t i = 0; p->observers && i < p->data->setup->gpu.sm_count; i++)
		if (p->observers[i].hot.total)
			hot_lines_add(&p->kernel->hot, &p->observers[i].hot);
	hot_lines_sort(&p->kernel->hot);
	return p->kernel->hot.is_failed ? err_set(err, ERR_NOMEM, "out of memory for hot lines")
	                                : 0;
}

struct report_launch *report_play_row(const struct report_play *p, size_t launch)
{
	return &p->data->launches[launch - p->data->launches[0].launch];
}

int report_play_end(void *play, size_t launch, const struct replay_result *result, struct err *err)
{
	struct report_play *p = play;
	struct report_launch *row = report_play_row(p, launch);
	int ret = end_observers(p, err);

	if (!ret)
		ret = add_up(p, result, row, err);
	if (ret)
		return ret;
	p->kernel->launches_played++;
	report_numbers_add(&p->data->total, &row->counts);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report_play.h"

#include "array.h"
#include "err.h"
#include "line_sharing.h"
#include "miss_curve.h"
#include "recording.h"
#include "replay_choice.h"
#include "wait_line.h"

#include <stdlib.h>

struct report_ear {
	struct l1_observer observer; /* its context is this */
	const struct l1_observer *stats;
	const struct kernel_table *table;
	uint64_t atomic_waits;
	bool has_hot;
	struct hot_lines hot;
};

static void served(void *context, const struct request *r, const struct l1_outcome *o)
{
	struct report_ear *ear = context;
	uint64_t bytes = ear->table->sites[r->site].bytes;

	ear->stats->served(ear->stats->context, r, o);
	if (o->event == L1_ATOMIC)
		ear->atomic_waits += hot_lines_atomic_turns(r, bytes) - 1;
	if (ear->has_hot)
		hot_lines_served(&ear->hot, r, o, bytes);
}

static void left(void *context, const struct l1_residency *x)
{
	struct report_ear *ear = context;

	ear->stats->left(ear->stats->context, x);
}

static const struct l1_observer *observer_of(void *play, uint32_t sm)
{
	struct report_play *p = play;
	const struct l1_observer *stats = l1_stats_observer(p->stats, sm);
	struct report_ear *ear;

	if (!stats)
		return stats;
	ear = &p->ears[sm];
	ear->stats = stats;
	ear->has_hot = p->request->has_patterns;
	ear->table = &p->data->recording->kernels[p->kernel->kernel].table;
	ear->observer = (struct l1_observer){ .context = ear, .served = served, .left = left };
	return &ear->observer;
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
	const struct recording *r = p->data->recording;
	const struct gpu *gpu = &p->data->setup->gpu;
	const struct l1_stats_setup setup = {
		.is_wanted = { [L1_STATS_SITES] = true,
		               [L1_STATS_BUFFERS] = true,
		               [L1_STATS_SETS] = p->kernel->sets != NULL },
		.sm_count = gpu->sm_count,
		.site_count = p->kernel->site_count,
		.buffer_count = r->buffer_count,
		.set_count = gpu->l1_sets,
		.group_count = 1,
	};

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

	return line_sharing_create(&p->sharing, gpu, table, err);
}

static int begin(struct report_play *p, struct replay_options *options, struct err *err)
{
	int ret = begin_stats(p, err);

	p->ears = array_alloc(p->data->setup->gpu.sm_count, sizeof(*p->ears), "observers", err);
	ret = p->ears ? ret : ERR_NOMEM;
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

void report_play_release(struct report_play *p)
{
	l1_stats_free(p->stats);
	miss_curve_free(p->curve);
	line_sharing_free(p->sharing);
	for (uint32_t i = 0; p->ears && i < p->data->setup->gpu.sm_count; i++)
		hot_lines_release(&p->ears[i].hot);
	free(p->ears);
	p->stats = NULL;
	p->curve = NULL;
	p->sharing = NULL;
	p->ears = NULL;
}

static int end(struct report_play *p, struct err *err)
{
	int ret = l1_stats_end(p->stats, err);

	if (!ret && p->curve)
		ret = miss_curve_end(p->curve, err);
	return ret;
}

static void add_list(struct l1_stats_row *sum, const struct l1_stats_list *more)
{
	for (size_t i = 0; sum && more->rows && i < more->count; i++)
		l1_stats_add(&sum[i], &more->rows[i]);
}

static void add_reuse(struct l1_stats_reuse *sum, const struct l1_stats_reuse *more)
{
	for (size_t i = 0; i < L1_STATS_USES; i++) {
		sum->uses[i].lines += more->uses[i].lines;
		sum->uses[i].bytes_moved += more->uses[i].bytes_moved;
		sum->uses[i].bytes_used += more->uses[i].bytes_used;
	}
	for (size_t i = 0; i <= L1_LEAVE_END; i++)
		sum->reasons[i] += more->reasons[i];
}

/* What each site of the kernel showed. */
static void add_sites(const struct report_play *p, const struct replay_result *result)
{
	struct report_site *sites = &p->data->sites[p->kernel->first_site];
	const struct l1_stats_list *list = l1_stats_list(p->stats, L1_STATS_SITES);

	for (size_t i = 0; i < p->kernel->site_count; i++) {
		l1_stats_add(&sites[i].l1, &list->rows[i]);
		side_counts_add(&sites[i].side, &result->schedule.sides[i]);
		if (result->schedule.patterns)
			access_pattern_add(&sites[i].pattern, &result->schedule.patterns[i]);
		if (p->curve)
			reuse_bins_sum(&sites[i].distances,
			               &miss_curve_site_bins(p->curve, REPORT_WHOLE)[i]);
	}
}

static int add_sharing(struct report_play *p, struct err *err)
{
	size_t count = p->kernel->site_count;
	struct line_share *shares = array_alloc(count, sizeof(*shares), "shared lines", err);
	int ret = shares ? line_sharing_end(p->sharing, shares, count, err) : ERR_NOMEM;

	for (size_t i = 0; !ret && i < count; i++)
		line_share_add(&p->data->sites[p->kernel->first_site + i].sharing, &shares[i]);
	free(shares);
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
	l2_counters_add(&sum->l2, &more->l2);
	dram_counters_add(&sum->dram, &more->dram);
}

static uint64_t atomic_waits(const struct report_play *p)
{
	uint64_t waits = 0;

	for (uint32_t i = 0; i < p->data->setup->gpu.sm_count; i++)
		waits += p->ears[i].atomic_waits;
	return waits;
}

/* Everything that ended is added up. */
static int add_up(struct report_play *p, const struct replay_result *result,
                  struct report_launch *row, struct err *err)
{
	struct report_distances *distances = &p->distances[p->kernel->kernel];
	int ret = p->sharing ? add_sharing(p, err) : 0;

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
		                               .atomic_waits = atomic_waits(p),
		                               .side = result->schedule.side,
		                               .l2 = result->below.l2,
		                               .dram = result->below.dram };
	report_numbers_add(&p->kernel->counts, &row->counts);
	add_sites(p, result);
	add_list(p->kernel->sets, l1_stats_list(p->stats, L1_STATS_SETS));
	add_list(p->buffers, l1_stats_list(p->stats, L1_STATS_BUFFERS));
	add_reuse(&p->kernel->reuse, l1_stats_reuse(p->stats));
	add_reuse(&p->data->reuse, l1_stats_reuse(p->stats));
	for (uint32_t i = 0; p->ears && i < p->data->setup->gpu.sm_count; i++)
		if (p->ears[i].hot.total)
			hot_lines_add(&p->kernel->hot, &p->ears[i].hot);
	hot_lines_sort(&p->kernel->hot);
	return p->kernel->hot.is_failed ? err_set(err, ERR_NOMEM, "out of memory for hot lines")
	                                : 0;
}

int report_play_launch(struct report_play *p, struct report_kernel *kernel, size_t launch,
                       struct report_launch *row, struct err *err)
{
	const struct replay_setup *s = p->data->setup;
	struct replay_options options = s->options;
	struct replay_result result = { 0 };
	int ret;

	p->kernel = kernel;
	p->launch = launch;
	options.played = p->request->wait ? &p->request->wait->done : NULL;
	options.registers = s->registers[kernel->kernel];
	ret = begin(p, &options, err);
	if (!ret)
		ret = replay_launch(p->data->recording, launch, &s->gpu, &options, &result, err);
	if (!ret)
		ret = end(p, err);
	if (!ret)
		ret = add_up(p, &result, row, err);
	replay_result_release(&result);
	report_play_release(p);
	return ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_reuse.h"

#include "err.h"
#include "gpu.h"
#include "miss_curve.h"
#include "plot_titles.h"
#include "recording.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { TITLE_BYTES = 1 << 16 };

/* While launches are played. */
struct run {
	struct plot_reuse reuse;
	struct miss_curve *curve;
	struct l1_stats *l1; /* of the launch at work */
};

static int begin_launch(void *context, size_t launch, struct replay_options *options,
                        struct err *err)
{
	struct run *run = context;
	const struct plot_job *job = run->reuse.job;
	const struct recording *r = job->recording;
	const struct l1_stats_setup setup = {
		.sm_count = job->gpu->sm_count,
		.site_count = r->kernels[r->launches[launch].kernel].table.site_count,
		.buffer_count = r->buffer_count,
		.set_count = job->gpu->l1_sets,
		.group_count = launch_shape_group_count(&r->launches[launch].shape),
	};

	l1_stats_free(run->l1);
	run->l1 = NULL;
	options->observer = l1_stats_observer;
	options->request = miss_curve_request;
	options->request_context = run->curve;
	if (l1_stats_create(&run->l1, &setup, err))
		return ERR_NOMEM;
	options->observer_context = run->l1;
	return 0;
}

static int end_launch(void *context, size_t launch, const struct replay_result *result,
                      struct err *err)
{
	struct run *run = context;
	struct l1_stats_reuse *sum = &run->reuse.lines;
	const struct l1_stats_reuse *more;

	(void)launch;
	(void)result;
	if (l1_stats_end(run->l1, err) || miss_curve_end(run->curve, err))
		return ERR_NOMEM;
	more = l1_stats_reuse(run->l1);
	for (size_t i = 0; i < L1_STATS_USES; i++) {
		sum->uses[i].lines += more->uses[i].lines;
		sum->uses[i].bytes_moved += more->uses[i].bytes_moved;
		sum->uses[i].bytes_used += more->uses[i].bytes_used;
	}
	for (size_t i = 0; i <= L1_LEAVE_END; i++)
		sum->reasons[i] += more->reasons[i];
	return 0;
}

static int add_amounts(struct str *out, const struct plot_reuse *p, struct err *err)
{
	uint64_t lines = 0;
	char reads[SHAPE_TEXT_BYTES], stays[COUNT_TEXT_BYTES], beside[COUNT_TEXT_BYTES];
	int ret;

	for (size_t i = 0; i < L1_STATS_USES; i++)
		lines += p->lines.uses[i].lines;
	ret = str_printf(out, err, "%s; lines came into L1 %s times",
	                 amount_text(reads, reuse_counts_reads(p->set), "read request"),
	                 count_text(stays, lines));
	if (!ret && p->full->unknown)
		ret = str_printf(out, err, "; distances from %" PRIu64 " lines on are of a sample",
		                 p->full->limit);
	if (!ret && p->player.beside)
		ret = str_printf(out, err, "; not shown: %s through read-only caches",
		                 count_text(beside, p->player.beside));
	return ret ? ret : str_printf(out, err, "\n");
}

/* The share of reads that would miss in this L1, were it of whole lines with LRU. */
static double own_rate(const struct plot_reuse *p)
{
	uint64_t reads = reuse_counts_reads(p->set);

	return reads ? (double)reuse_counts_misses(p->set, p->job->gpu->l1_ways) / (double)reads
	             : 0;
}

static int find_titles(struct plot_reuse *p, struct err *err)
{
	struct str titles;
	int ret;

	str_init(&titles, TITLE_BYTES);
	ret = plot_titles_launches(&titles, p->job, &p->player, err);
	if (!ret)
		ret = plot_titles_gpu(&titles, p->job, err);
	if (!ret)
		ret = plot_titles_curve(&titles, p->job->gpu, counters_miss_rate(&p->player.l1),
		                        own_rate(p), err);
	if (!ret)
		ret = add_amounts(&titles, p, err);
	if (!ret)
		ret = plot_titles_missing(&titles, p->job, !p->player.outcome.lacks_accesses, err);
	p->titles = str_take(&titles);
	return ret;
}

static int play(struct run *run, struct player_outcome *outcome, struct err *err)
{
	const struct player_visitor visitor = { .context = run,
		                                .begin = begin_launch,
		                                .end = end_launch };
	struct plot_reuse *p = &run->reuse;
	const struct miss_curve_setup setup = { .gpu = p->job->gpu,
		                                .sets = p->job->gpu,
		                                .set_count = 1 };
	int ret = miss_curve_create(&run->curve, &setup, err);

	if (!ret)
		ret = player_play(&p->player, &visitor, err);
	*outcome = p->player.outcome;
	if (ret)
		return ret;
	p->full = miss_curve_counts(run->curve, 0);
	p->set = miss_curve_counts(run->curve, 1);
	if (reuse_counts_reads(p->set))
		return find_titles(p, err);
	err_set(err, ERR_USAGE, "there is no read request to draw");
	return PLOT_NOTHING;
}

static void write_distances(const char *table, const struct reuse_counts *full,
                            const struct plot_bins *bins, FILE *out)
{
	for (size_t i = 0; i < bins->count; i++)
		fprintf(out, "%s,distance,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,\n", table,
		        bins->bins[i].first, bins->bins[i].last, bins->bins[i].count);
	fprintf(out, "%s,cold,,,%" PRIu64 ",,\n%s,taken,,,%" PRIu64 ",,\n", table,
	        reuse_counts_cold(full), table, reuse_counts_taken(full));
}

static void write_csv(const struct plot_reuse *p, FILE *out)
{
	struct plot_bins bins;

	fputs("table,what,first,last,count,bytes_moved,bytes_used\n", out);
	plot_reuse_full_bins(p, &bins);
	write_distances("sm", p->full, &bins, out);
	plot_reuse_set_bins(p, &bins);
	write_distances("set", p->full, &bins, out);
	plot_reuse_use_bins(p, &bins);
	for (size_t i = 0; i < bins.count; i++)
		fprintf(out,
		        "lines,uses,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
		        bins.bins[i].first, bins.bins[i].last, bins.bins[i].count,
		        p->lines.uses[i].bytes_moved, p->lines.uses[i].bytes_used);
	for (size_t i = 0; i <= L1_LEAVE_END; i++)
		fprintf(out, "left,%s,,,%" PRIu64 ",,\n", plot_reuse_reason(i),
		        p->lines.reasons[i]);
}

int plot_reuse_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                     struct err *err)
{
	struct run run = { .reuse.job = job };
	int ret;

	run.reuse.player = plot_job_player(job);
	ret = play(&run, outcome, err);
	if (!ret && job->format == PLOT_FORMAT_csv)
		write_csv(&run.reuse, out);
	else if (!ret)
		plot_reuse_script(&run.reuse, out);
	l1_stats_free(run.l1);
	miss_curve_free(run.curve);
	free(run.reuse.titles);
	return ret;
}

/* Bars of distances that are exact, and behind them those that are not, or are not known. */
static void make_bins(const struct plot_reuse *p, struct plot_bins *bins,
                      const struct reuse_counts *c, uint64_t edge)
{
	uint64_t next, last = c->count;
	struct reuse_bins all;

	plot_bins_make(bins, c->exact, c->count, edge);
	reuse_counts_bins(c, p->full, &all);
	for (uint32_t i = 0; c->unknown && i < REUSE_BINS; i++)
		if (all.bins[i])
			last = UINT64_C(2) * reuse_bin_first(i);
	if (all.beyond && last < c->limit)
		last = c->limit;
	for (next = bins->count ? bins->bins[bins->count - 1].last + 1 : 0; next < last;) {
		uint32_t bin = reuse_bin((uint32_t)next);
		uint64_t end =
			bin < REUSE_BINS_EXACT ? next + 1 : UINT64_C(2) * reuse_bin_first(bin);

		end = all.beyond && end > c->limit ? c->limit : end;
		bins->bins[bins->count++] =
			(struct plot_bin){ next, end - 1, next >= c->limit ? all.bins[bin] : 0 };
		next = end;
	}
	if (all.beyond)
		bins->bins[bins->count++] = (struct plot_bin){ next, UINT64_MAX, all.beyond };
}

void plot_reuse_full_bins(const struct plot_reuse *p, struct plot_bins *bins)
{
	const struct gpu *gpu = p->job->gpu;

	make_bins(p, bins, p->full, (uint64_t)gpu->l1_sets * gpu->l1_ways);
}

void plot_reuse_set_bins(const struct plot_reuse *p, struct plot_bins *bins)
{
	make_bins(p, bins, p->set, p->job->gpu->l1_ways);
}

void plot_reuse_use_bins(const struct plot_reuse *p, struct plot_bins *bins)
{
	*bins = (struct plot_bins){ .edge = 1 };
	for (uint32_t i = 0; i < L1_STATS_USES; i++) {
		bins->bins[i] = (struct plot_bin){ l1_stats_bin_first(i), UINT64_MAX,
			                           p->lines.uses[i].lines };
		if (i + 1 < L1_STATS_USES)
			bins->bins[i].last = l1_stats_bin_first(i + 1) - 1;
		if (bins->bins[i].count)
			bins->count = i + 1;
	}
}

const char *plot_reuse_reason(size_t reason)
{
	static const char *const names[] = { [L1_LEAVE_REPLACED] = "replaced",
		                             [L1_LEAVE_WRITTEN] = "written",
		                             [L1_LEAVE_ATOMIC] = "atomic",
		                             [L1_LEAVE_INVALIDATED] = "invalidated",
		                             [L1_LEAVE_END] = "end" };

	return names[reason];
}

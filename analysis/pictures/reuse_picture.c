/* SPDX-License-Identifier: Apache-2.0 */
#include "reuse_picture.h"

#include "gpu.h"
#include "miss_curve.h"
#include "recording.h"

/* player_visitor.begin and .end. */
static int begin_launch(void *context, size_t launch, struct replay_options *options,
                        struct err *err)
{
	struct reuse_picture *p = context;
	const struct recording *r = p->player.launches.recording;
	const struct gpu *gpu = p->player.gpu;
	const struct l1_stats_setup setup = {
		.sm_count = gpu->sm_count,
		.site_count = r->kernels[r->launches[launch].kernel].table.site_count,
		.buffer_count = r->buffer_count,
		.set_count = gpu->l1_sets,
		.group_count = launch_shape_group_count(&r->launches[launch].shape),
	};

	l1_stats_free(p->l1);
	p->l1 = NULL;
	options->observer = l1_stats_observer;
	options->request = miss_curve_request;
	options->request_context = p->curve;
	if (l1_stats_create(&p->l1, &setup, err))
		return ERR_NOMEM;
	options->observer_context = p->l1;
	return 0;
}

static int end_launch(void *context, size_t launch, const struct replay_result *result,
                      struct err *err)
{
	struct reuse_picture *p = context;

	(void)launch;
	(void)result;
	if (l1_stats_end(p->l1, err) || miss_curve_end(p->curve, err))
		return ERR_NOMEM;
	l1_stats_reuse_add(&p->lines, l1_stats_reuse(p->l1));
	return 0;
}

int reuse_picture_make(struct reuse_picture *p, const struct player *player, struct err *err)
{
	const struct player_visitor visitor = { .context = p,
		                                .begin = begin_launch,
		                                .end = end_launch };
	const struct miss_curve_setup setup = { .gpu = player->gpu,
		                                .sets = player->gpu,
		                                .set_count = 1 };
	int ret;

	*p = (struct reuse_picture){ .player = *player };
	ret = miss_curve_create(&p->curve, &setup, err);
	if (!ret)
		ret = player_play(&p->player, &visitor, err);
	if (ret)
		return ret;
	p->full = miss_curve_counts(p->curve, 0);
	p->set = miss_curve_counts(p->curve, 1);
	return 0;
}

void reuse_picture_release(struct reuse_picture *p)
{
	l1_stats_free(p->l1);
	miss_curve_free(p->curve);
	p->l1 = NULL;
	p->curve = NULL;
}

/* Make the bars of exact distances, then those of estimated or unknown ones. */
static void make_bins(const struct reuse_picture *p, struct plot_bins *bins,
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

void reuse_picture_full_bins(const struct reuse_picture *p, struct plot_bins *bins)
{
	const struct gpu *gpu = p->player.gpu;

	make_bins(p, bins, p->full, (uint64_t)gpu->l1_sets * gpu->l1_ways);
}

void reuse_picture_set_bins(const struct reuse_picture *p, struct plot_bins *bins)
{
	make_bins(p, bins, p->set, p->player.gpu->l1_ways);
}

void reuse_picture_use_bins(const struct reuse_picture *p, struct plot_bins *bins)
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

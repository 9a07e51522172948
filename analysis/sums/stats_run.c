/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_run.h"

#include "err.h"
#include "gpu.h"
#include "l1_stats.h"
#include "miss_curve.h"
#include "recording.h"
#include "replay.h"

static const char *const names[] = {
#define STATS_SECTION(name, text) #name,
#include "stats_sections.def"
#undef STATS_SECTION
};

_Static_assert((int)STATS_reuse == (int)SUM_KINDS, "a section of rows is a kind of them");

const char *stats_section_name(enum stats_section section)
{
	return names[section];
}

static int begin_l1(struct stats_run *s, const struct recording *r, size_t launch,
                    const struct gpu *gpu, struct err *err)
{
	const struct recorded_launch *l = &r->launches[launch];
	const bool *is_wanted = s->is_wanted;
	const struct l1_stats_setup setup = {
		.is_wanted = { [L1_STATS_SITES] =
		                       is_wanted[STATS_lines] || is_wanted[STATS_arguments],
		               [L1_STATS_BUFFERS] = is_wanted[STATS_buffers],
		               [L1_STATS_SETS] = is_wanted[STATS_sets],
		               [L1_STATS_GROUPS] = is_wanted[STATS_groups],
		               [L1_STATS_WINDOWS] = is_wanted[STATS_windows] },
		.sm_count = gpu->sm_count,
		.site_count = r->kernels[l->kernel].table.site_count,
		.buffer_count = r->buffer_count,
		.set_count = gpu->l1_sets,
		.group_count = launch_shape_group_count(&l->shape),
		.window_cycles = s->window_cycles,
	};

	return l1_stats_create(&s->l1, &setup, err);
}

static int begin_curve(struct stats_run *s, const struct recording *r, size_t launch,
                       const struct gpu *gpu, struct err *err)
{
	const struct kernel_table *table = &r->kernels[r->launches[launch].kernel].table;
	const struct miss_curve_setup setup = { .gpu = gpu, .sets = gpu, .set_count = 1 };
	int ret = miss_curve_create(&s->curve, &setup, err);

	return ret ? ret : miss_curve_sites(s->curve, table->site_count, err);
}

int stats_run_begin(struct stats_run *s, const struct recording *r, size_t launch,
                    const struct gpu *gpu, struct replay_options *options, struct err *err)
{
	bool has_l1 = false;
	int ret = 0;

	for (size_t i = 0; i < STATS_distances; i++)
		has_l1 |= s->is_wanted[i];
	if (has_l1) {
		ret = begin_l1(s, r, launch, gpu, err);
		options->observer = l1_stats_observer;
		options->observer_context = s->l1;
	}
	if (!ret && s->is_wanted[STATS_distances]) {
		ret = begin_curve(s, r, launch, gpu, err);
		options->request = miss_curve_request;
		options->request_context = s->curve;
	}
	return ret;
}

int stats_run_end(struct stats_run *s, const struct recording *r, size_t launch, struct err *err)
{
	int ret = s->l1 ? l1_stats_end(s->l1, err) : 0;

	if (!ret && s->curve)
		ret = miss_curve_end(s->curve, err);
	if (!ret && s->l1 && !s->sum.kernels)
		ret = stats_sum_init(&s->sum, r, err);
	if (!ret && s->l1)
		ret = stats_sum_add(&s->sum, r->launches[launch].kernel, s->l1, err);
	return ret;
}

struct stats_source stats_run_source(const struct stats_run *s, const struct recording *r,
                                     size_t launch)
{
	return (struct stats_source){
		.recording = r,
		.kernel = r->launches[launch].kernel,
		.launch = &r->launches[launch],
		.lists = s->l1 ? l1_stats_lists(s->l1) : NULL,
		.all = s->l1 ? l1_stats_total(s->l1) : NULL,
	};
}

void stats_run_release(struct stats_run *s)
{
	l1_stats_free(s->l1);
	miss_curve_free(s->curve);
	s->l1 = NULL;
	s->curve = NULL;
}

void stats_run_free(struct stats_run *s)
{
	stats_run_release(s);
	stats_sum_release(&s->sum);
}

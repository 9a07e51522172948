/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_run.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "l1_stats.h"
#include "miss_curve.h"
#include "recording.h"
#include "replay.h"

#include <stdlib.h>

int stats_source_rows(const struct stats_source *from, enum sum_kind kind, struct sum_rows *rows,
                      struct err *err)
{
	return sum_rows_make(rows, kind, &from->lists[sum_rows_table(kind)],
	                     &from->recording->kernels[from->kernel].table, NULL, err);
}

uint64_t stats_source_last(const struct stats_source *from, const struct sum_rows *rows,
                           const struct sum_row *row)
{
	uint64_t last = sum_rows_first(rows, row) + rows->unit - 1, groups;

	if (rows->kind != SUM_GROUPS)
		return last;
	groups = launch_shape_group_count(&from->launch->shape);
	return last < groups ? last : groups - 1;
}

static int stats_sum_init(struct stats_sum *sum, const struct recording *r, struct err *err)
{
	*sum = (struct stats_sum){ .recording = r, .kernel_count = (uint32_t)r->kernel_count };
	sum->kernels = array_alloc(r->kernel_count, sizeof(*sum->kernels), "statistics", err);
	return sum->kernels ? 0 : ERR_NOMEM;
}

static void stats_sum_release(struct stats_sum *sum)
{
	for (uint32_t k = 0; sum->kernels && k < sum->kernel_count; k++)
		free(sum->kernels[k].lists[L1_STATS_SITES].rows);
	free(sum->kernels);
	free(sum->everything.lists[L1_STATS_BUFFERS].rows);
	*sum = (struct stats_sum){ 0 };
}

static int add(struct stats_launches *sum, enum l1_stats_table table, const struct l1_stats *s,
               struct err *err)
{
	const struct l1_stats_list *more = l1_stats_list(s, table);
	struct l1_stats_list *list = &sum->lists[table];

	sum->launches++;
	l1_stats_add(&sum->all, l1_stats_total(s));
	if (!more->rows)
		return 0;
	if (!list->rows) {
		list->rows = array_alloc(more->count, sizeof(*list->rows), "statistics", err);
		if (!list->rows)
			return ERR_NOMEM;
		list->count = more->count;
		list->unit = 1;
	}
	for (size_t i = 0; i < more->count; i++)
		l1_stats_add(&list->rows[i], &more->rows[i]);
	return 0;
}

static int stats_sum_add(struct stats_sum *sum, uint32_t kernel, const struct l1_stats *s,
                         struct err *err)
{
	int ret = add(&sum->kernels[kernel], L1_STATS_SITES, s, err);

	return ret ? ret : add(&sum->everything, L1_STATS_BUFFERS, s, err);
}

bool stats_sum_kernel(const struct stats_sum *sum, uint32_t kernel, struct stats_source *from)
{
	const struct stats_launches *l = &sum->kernels[kernel];

	*from = (struct stats_source){
		.recording = sum->recording, .kernel = kernel, .lists = l->lists, .all = &l->all
	};
	return l->lists[L1_STATS_SITES].rows != NULL;
}

bool stats_sum_all(const struct stats_sum *sum, struct stats_source *from)
{
	*from = (struct stats_source){ .recording = sum->recording,
		                       .lists = sum->everything.lists,
		                       .all = &sum->everything.all };
	return sum->everything.lists[L1_STATS_BUFFERS].rows != NULL;
}

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

struct l1_stats_setup stats_run_setup(const struct recording *r, size_t launch,
                                      const struct gpu *gpu)
{
	const struct recorded_launch *l = &r->launches[launch];

	return (struct l1_stats_setup){
		.sm_count = gpu->sm_count,
		.site_count = r->kernels[l->kernel].table.site_count,
		.buffer_count = r->buffer_count,
		.set_count = gpu->l1_sets,
		.group_count = launch_shape_group_count(&l->shape),
	};
}

static int begin_l1(struct stats_run *s, const struct recording *r, size_t launch,
                    const struct gpu *gpu, struct err *err)
{
	struct l1_stats_setup setup = stats_run_setup(r, launch, gpu);

	for (size_t i = 0; i < SUM_KINDS; i++)
		setup.is_wanted[sum_rows_table((enum sum_kind)i)] |= s->is_wanted[i];
	setup.window_cycles = s->window_cycles;
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

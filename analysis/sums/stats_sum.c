/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_sum.h"

#include "array.h"
#include "err.h"
#include "recording.h"

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

int stats_sum_init(struct stats_sum *sum, const struct recording *r, struct err *err)
{
	*sum = (struct stats_sum){ .recording = r, .kernel_count = (uint32_t)r->kernel_count };
	sum->kernels = array_alloc(r->kernel_count, sizeof(*sum->kernels), "statistics", err);
	return sum->kernels ? 0 : ERR_NOMEM;
}

void stats_sum_release(struct stats_sum *sum)
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

int stats_sum_add(struct stats_sum *sum, uint32_t kernel, const struct l1_stats *s, struct err *err)
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

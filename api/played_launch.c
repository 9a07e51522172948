/* SPDX-License-Identifier: Apache-2.0 */
#include "played_launch.h"

#include "array.h"
#include "err.h"
#include "recording.h"

#include <stdlib.h>

/* Numbers of those that have a row. */
static int list_rows(struct played_launch *p, struct err *err)
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

static int make_rows(struct played_launch *p, struct err *err)
{
	static const struct {
		enum l1_stats_table table;
		enum stats_row_key key;
	} lists[PLAYED_LISTS] = {
		[PLAYED_LINES] = { L1_STATS_SITES, STATS_ROW_BY_LINE },
		[PLAYED_BUFFERS] = { L1_STATS_BUFFERS, STATS_ROW_BUFFERS },
		[PLAYED_ARGUMENTS] = { L1_STATS_SITES, STATS_ROW_BY_ARGUMENT },
		[PLAYED_SETS] = { L1_STATS_SETS, STATS_ROW_AS_LISTED },
	};

	for (size_t i = 0; i < PLAYED_LISTS; i++) {
		p->rows[i] = stats_row_make(l1_stats_list(p->stats, lists[i].table), lists[i].key,
		                            p->table, &p->row_counts[i], err);
		if (!p->rows[i])
			return ERR_NOMEM;
		stats_row_sort(p->rows[i], p->row_counts[i]);
	}
	return 0;
}

int played_launch_init(struct played_launch *p, const struct recording *r, size_t launch,
                       struct replay_result *result, struct l1_stats *stats, struct err *err)
{
	const struct recorded_launch *l = &r->launches[launch];
	int ret;

	*p = (struct played_launch){ .recording = r,
		                     .launch = l,
		                     .table = &r->kernels[l->kernel].table,
		                     .result = *result,
		                     .stats = stats,
		                     .has_classes = true };
	*result = (struct replay_result){ 0 };
	ret = list_rows(p, err);
	return !ret && stats ? make_rows(p, err) : ret;
}

void played_launch_release(struct played_launch *p)
{
	replay_result_release(&p->result);
	l1_stats_free(p->stats);
	for (size_t i = 0; i < PLAYED_LISTS; i++)
		free(p->rows[i]);
	free(p->sites);
	free(p->sms);
	*p = (struct played_launch){ 0 };
}

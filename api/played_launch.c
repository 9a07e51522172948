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

static int sum_up(struct played_launch *p, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < PLAYED_SUMS; i++) {
		enum sum_kind kind = (enum sum_kind)i;

		ret = sum_rows_make(&p->sums[i], kind,
		                    l1_stats_list(p->stats, sum_rows_table(kind)), p->table, NULL,
		                    err);
	}
	return ret;
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
	return !ret && stats ? sum_up(p, err) : ret;
}

void played_launch_release(struct played_launch *p)
{
	replay_result_release(&p->result);
	l1_stats_free(p->stats);
	for (size_t i = 0; i < PLAYED_SUMS; i++)
		sum_rows_release(&p->sums[i]);
	free(p->sites);
	free(p->sms);
	*p = (struct played_launch){ 0 };
}

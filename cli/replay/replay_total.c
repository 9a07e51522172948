/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"
#include "replay_report.h"

void replay_total_add(struct replay_total *total, const struct replay_result *result,
                      const struct replay_options *options)
{
	total->launches++;
	total->lanes += result->schedule.lanes;
	total->requests += result->schedule.requests;
	counters_add(&total->l1, &result->total);
	counters_add(&total->read_only, &result->read_only);
	total->has_read_only = options->read_only.count;
	total->has_bypass = options->bypass;
	hierarchy_counts_sum(&total->below, &result->below);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What could not be looked for, and why. */
#include "finding.h"
#include "finding_spot.h"
#include "gpu.h"
#include "recording.h"
#include "replay_setup.h"

/* Why it is not known what local memory costs; NULL: it is. Whoever asked for all of it has it; of
 * a sample a kernel may have been left out. */
static const char *local_reason(const struct report_data *d)
{
	bool has_local = false, has_sites = false, has_samples = false, is_left_out = false;

	for (size_t i = 0; i < d->launch_count; i++) {
		const struct recorded_launch *l = &d->recording->launches[d->launches[i].launch];
		const struct kernel_table *t = &d->recording->kernels[l->kernel].table;
		bool is_known = kernel_table_has_local(t);

		if (!d->launches[i].is_played)
			continue;
		has_local |= l->local_bytes > 0;
		has_sites |= is_known;
		has_samples |= t->local_groups > 0;
		is_left_out |= l->local_bytes && !is_known;
	}
	if (has_samples && is_left_out)
		return "a kernel was left out of the sample in which local memory was recorded; "
		       "record --spaces local records all";
	if (has_local && !has_sites)
		return "local memory was not recorded; record --spaces sample records that of some "
		       "groups, --spaces local all";
	return NULL;
}

bool finding_lacks_local(const struct report_data *d)
{
	return local_reason(d) != NULL;
}

/* Whether a launch was replayed of whose sample no group was. */
static bool misses_sample(const struct report_data *d)
{
	for (size_t i = 0; i < d->launch_count; i++) {
		const struct report_numbers *n = &d->launches[i].counts;

		if (n->local_groups && !n->local_sampled)
			return true;
	}
	return false;
}

/* Why what launches have of one another is not known; NULL: it is. */
static const char *launches_reason(const struct report_data *d)
{
	if (d->launches_asked < 2)
		return NULL;
	if (d->setup->options.sms && d->setup->options.sms < d->setup->gpu.sm_count)
		return "only some SMs were replayed, so that it is not known which groups access "
		       "the same data";
	for (size_t i = 0; i < d->launch_count; i++)
		if (d->launches[i].is_played &&
		    d->recording->launches[d->launches[i].launch].groups_selected)
			return "groups were left out of the recording";
	return NULL;
}

void finding_blind(struct finding_list *list, const struct report_data *d)
{
	static const enum finding_rule of_warps[] = { FINDING_UNCOALESCED,  FINDING_MISALIGNED,
		                                      FINDING_DIVERGENT,    FINDING_BANK_CONFLICT,
		                                      FINDING_HOT_LINE,     FINDING_FALSE_REUSE,
		                                      FINDING_STRUCT_ARRAY, FINDING_NARROW,
		                                      FINDING_UNIFORM,      FINDING_NO_REUSE,
		                                      FINDING_GROUP_ATOMICS };

	list->not_looked[FINDING_BANK_CONFLICT] = local_reason(d);
	if (!list->not_looked[FINDING_BANK_CONFLICT] && misses_sample(d))
		list->not_looked[FINDING_BANK_CONFLICT] =
			"no group of the sample in which local memory was recorded was replayed; "
			"record --spaces local records all";
	for (size_t i = FINDING_RULES; i < FINDING_NAMES; i++)
		list->not_looked[i] = finding_title((enum finding_rule)i);
	list->not_looked[FINDING_RELAUNCHED] = launches_reason(d);
	if (issue_order_unit(&d->setup->options.order) != ISSUE_ITEMS)
		return;
	for (size_t i = 0; i < sizeof(of_warps) / sizeof(of_warps[0]); i++)
		list->not_looked[of_warps[i]] = "work-items take turns, there are no warps";
}

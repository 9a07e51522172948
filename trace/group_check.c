/* SPDX-License-Identifier: Apache-2.0 */
#include "group_check.h"

#include "err.h"
#include "kernel_table.h"
#include "launch_format.h"

#include <inttypes.h>

static int check_counts(const struct group_events *g, uint64_t group, struct err *err)
{
	if (g->first[0] != 0)
		return err_set(err, ERR_FORMAT, "group %" PRIu64 ": its events do not begin at 0",
		               group);
	for (uint32_t i = 0; i < g->item_count; i++)
		if (g->first[i + 1] < g->first[i])
			return err_set(err, ERR_FORMAT,
			               "group %" PRIu64 ": work-item %" PRIu32
			               " ends before it begins",
			               group, i);
	if (g->first[g->item_count] > LAUNCH_GROUP_EVENTS_MAX)
		return err_set(err, ERR_LIMIT,
		               "group %" PRIu64 ": %" PRIu64 " events, at most %" PRIu64
		               " fit in a recording",
		               group, g->first[g->item_count], LAUNCH_GROUP_EVENTS_MAX);
	return 0;
}

int group_check(const struct group_events *g, uint64_t group, const struct kernel_table *t,
                struct launch_totals *totals, struct err *err)
{
	uint64_t kinds[SITE_KIND_COUNT] = { 0 };
	int ret = check_counts(g, group, err);
	uint64_t count;

	if (ret)
		return ret;
	count = g->first[g->item_count];
	for (uint64_t i = 0; i < count; i++) {
		uint32_t point = g->events[i].point, id = point & EVENT_ID_MASK;
		uint32_t kind = point & EVENT_KIND_MASK;
		bool is_site = kind == EVENT_SITE || kind == EVENT_SIZE;

		if (kind > EVENT_SIZE || id >= (is_site ? t->site_count : t->loop_count))
			return err_set(err, ERR_FORMAT,
			               "group %" PRIu64 ": event %" PRIu64 ": kernel %s has no %s "
			               "%" PRIu32,
			               group, i, t->name, is_site ? "site" : "loop", id);
		if (kind == EVENT_SITE)
			kinds[t->sites[id].kind]++;
	}
	*totals = (struct launch_totals){ .events = count,
		                          .reads = kinds[SITE_READ],
		                          .writes = kinds[SITE_WRITE],
		                          .atomics = kinds[SITE_ATOMIC],
		                          .barriers = kinds[SITE_BARRIER],
		                          .groups = 1 };
	totals->accesses = totals->reads + totals->writes + totals->atomics;
	return 0;
}

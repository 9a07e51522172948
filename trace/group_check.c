/* SPDX-License-Identifier: Apache-2.0 */
#include "group_check.h"

#include "err.h"
#include "kernel_table.h"
#include "packed_run.h"

#include <inttypes.h>
#include <string.h>

/* What is counted while the events of a group are checked. */
struct tally {
	const struct kernel_table *table;
	uint64_t group;                  /* for messages */
	uint64_t kinds[SITE_KIND_COUNT]; /* accesses, barriers, ... */
	bool has_others;                 /* there were events of other things than sites */
};

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
	return 0;
}

/* A run or grid at event i of the group. Returns how many events it has, or a negative ERR_*. */
static int tally_run(struct tally *t, const struct event *e, uint64_t i, uint64_t left,
                     struct err *err)
{
	struct packed_run run;
	uint32_t count = packed_run_get(&run, e, left);
	const char *fault =
		count ? packed_run_fault(&run, t->table) : "it is no record with all its parts";
	uint64_t *sum;

	if (fault)
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 ": event %" PRIu64
		               ": a run or grid of site %" PRIu32 ": %s",
		               t->group, i, e->point & EVENT_ID_MASK, fault);
	sum = &t->kinds[t->table->sites[run.site].kind];
	if (__builtin_add_overflow(*sum, packed_run_accesses(&run), sum))
		return err_set(err, ERR_LIMIT, "group %" PRIu64 ": more than 2^64 - 1 accesses",
		               t->group);
	return (int)count;
}

/* Anything but the event of a site. Returns how many events it has, or a negative ERR_*. */
static int tally_other(struct tally *t, const struct event *e, uint64_t i, uint64_t left,
                       struct err *err)
{
	uint32_t id = e->point & EVENT_ID_MASK, kind = e->point & EVENT_KIND_MASK;
	bool is_site = kind == EVENT_SITE || kind == EVENT_SIZE;

	t->has_others = true;
	if (kind > EVENT_SIZE)
		return tally_run(t, e, i, left, err);
	if (id >= (is_site ? t->table->site_count : t->table->loop_count))
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 ": event %" PRIu64 ": kernel %s has no %s %" PRIu32,
		               t->group, i, t->table->name, is_site ? "site" : "loop", id);
	return 1;
}

/* The events of one work-item, which are `base` and following of the group. */
static int tally_item(struct tally *t, const struct event *events, uint64_t base, uint64_t count,
                      struct err *err)
{
	const struct site *sites = t->table->sites;
	size_t site_count = t->table->site_count;

	for (uint64_t i = 0; i < count;) {
		int step = 1;

		if (events[i].point < site_count) /* EVENT_SITE is 0 */
			t->kinds[sites[events[i].point].kind]++;
		else
			step = tally_other(t, &events[i], base + i, count - i, err);
		if (step < 0)
			return step;
		i += (uint64_t)step;
	}
	return 0;
}

/* Whether the events of a work-item have the points of the one before, which has as many. */
static bool has_same_points(const struct event *events, uint64_t count)
{
	const struct event *before = events - count;
	uint32_t other = 0;

	for (uint64_t i = 0; i < count; i++)
		other |= events[i].point ^ before[i].point;
	return !other;
}

/* All work-items. One of the same sites as the one before is not looked at again. */
static int tally_items(struct tally *all, const struct group_events *g, struct err *err)
{
	struct tally one = { .table = all->table, .group = all->group };
	uint64_t before = UINT64_MAX;

	for (uint32_t i = 0; i < g->item_count; i++) {
		uint64_t base = g->first[i], count = g->first[i + 1] - base;
		int ret = 0;

		if (count != before || !has_same_points(g->events + base, count)) {
			memset(one.kinds, 0, sizeof(one.kinds));
			one.has_others = false;
			ret = tally_item(&one, g->events + base, base, count, err);
		}
		if (ret)
			return ret;
		for (size_t k = 0; k < SITE_KIND_COUNT; k++)
			if (__builtin_add_overflow(all->kinds[k], one.kinds[k], &all->kinds[k]))
				return err_set(err, ERR_LIMIT,
				               "group %" PRIu64 ": more than 2^64 - 1 accesses",
				               all->group);
		before = one.has_others ? UINT64_MAX : count;
	}
	return 0;
}

int group_check(const struct group_events *g, uint64_t group, const struct kernel_table *t,
                struct launch_totals *totals, struct err *err)
{
	struct tally tally = { .table = t, .group = group };
	int ret = check_counts(g, group, err);
	uint64_t *kinds = tally.kinds;

	if (!ret)
		ret = tally_items(&tally, g, err);
	if (ret)
		return ret;
	*totals = (struct launch_totals){ .events = g->first[g->item_count],
		                          .reads = kinds[SITE_READ],
		                          .writes = kinds[SITE_WRITE],
		                          .atomics = kinds[SITE_ATOMIC],
		                          .barriers = kinds[SITE_BARRIER],
		                          .groups = 1 };
	if (__builtin_add_overflow(totals->reads, totals->writes, &totals->accesses) ||
	    __builtin_add_overflow(totals->accesses, totals->atomics, &totals->accesses))
		return err_set(err, ERR_LIMIT, "group %" PRIu64 ": more than 2^64 - 1 accesses",
		               group);
	return 0;
}

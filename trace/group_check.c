/* SPDX-License-Identifier: Apache-2.0 */
#include "group_check.h"

#include "err.h"
#include "kernel_table.h"
#include "packed_run.h"

#include <inttypes.h>
#include <string.h>

/* Of work-items that are compared; a few vectors. */
#define EVENTS_AT_ONCE 64u

/* What is counted while the events of a group are checked. */
struct tally {
	const struct kernel_table *table;
	uint64_t group;                  /* for messages */
	uint64_t kinds[SITE_KIND_COUNT]; /* accesses, barriers, ... */
	bool has_others;                 /* there were events of other things than sites */
};

static int check_counts(const struct group_events *g, uint64_t group, struct err *err)
{
	uint64_t all = 0;

	if (g->first[0] != 0)
		return err_set(err, ERR_FORMAT, "group %" PRIu64 ": its events do not begin at 0",
		               group);
	/* A vector at a time: no group has 2^63 events. */
	for (uint32_t i = 0; i < g->item_count; i++)
		all |= g->first[i + 1] - g->first[i];
	for (uint32_t i = 0; all >> 63 && i < g->item_count; i++)
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
		count ? packed_run_fault(&run, t->table) : "it is not a record with all its parts";
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

/* Work-items from `item` on that have as many events as that one. */
static uint32_t even_items(const struct group_events *g, uint32_t item)
{
	uint64_t count = g->first[item + 1] - g->first[item];
	uint32_t end = item + 1;

	while (end < g->item_count && g->first[end + 1] - g->first[end] == count)
		end++;
	return end - item;
}

/* Of `items` work-items of `count` events each: how many from the first on have its points. */
static uint32_t same_items(const struct event *events, uint64_t count, uint32_t items)
{
	uint64_t i = count, end = count * items;
	uint32_t other = 0;

	while (i < end && !other) {
		uint64_t part = end - i < EVENTS_AT_ONCE ? end - i : EVENTS_AT_ONCE;
		const struct event *now = events + i, *before = now - count;

		for (uint64_t k = 0; k < part; k++)
			other |= now[k].point ^ before[k].point;
		i += other ? 0 : part;
	}
	while (i < end && events[i].point == events[i - count].point)
		i++;
	return i == end ? items : (uint32_t)(i / count);
}

static int add_kinds(struct tally *all, const struct tally *one, uint32_t times, struct err *err)
{
	for (size_t k = 0; k < SITE_KIND_COUNT; k++) {
		uint64_t sum;

		if (__builtin_mul_overflow(one->kinds[k], times, &sum) ||
		    __builtin_add_overflow(all->kinds[k], sum, &all->kinds[k]))
			return err_set(err, ERR_LIMIT,
			               "group %" PRIu64 ": more than 2^64 - 1 accesses",
			               all->group);
	}
	return 0;
}

/* All work-items. Those of the same sites as the one before are not looked at again. */
static int tally_items(struct tally *all, const struct group_events *g, struct err *err)
{
	uint32_t even_end = 0, same;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < g->item_count; i += same) {
		uint64_t base = g->first[i], count = g->first[i + 1] - base;
		struct tally one = { .table = all->table, .group = all->group };

		if (i >= even_end)
			even_end = i + even_items(g, i);
		ret = tally_item(&one, g->events + base, base, count, err);
		same = one.has_others ? 1 : same_items(g->events + base, count, even_end - i);
		if (!ret)
			ret = add_kinds(all, &one, same, err);
	}
	return ret;
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

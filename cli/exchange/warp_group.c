/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_group.h"

#include "err.h"

#include <inttypes.h>
#include <string.h>

enum { EVENTS_MAX = 1 << 28 };

struct warp_kept {
	uint32_t warp, site, mask; /* mask 0: a barrier */
	size_t address;            /* of its first lane */
};

void warp_group_init(struct warp_group *g, struct warp_trace *trace, bool has_slots)
{
	*g = (struct warp_group){ .trace = trace, .has_slots = has_slots };
	array_init(&g->kept, sizeof(struct warp_kept), EVENTS_MAX, "instructions of a group");
	array_init(&g->addresses, sizeof(uint64_t), EVENTS_MAX, "addresses of a group");
	array_init(&g->events, sizeof(struct event), EVENTS_MAX, "events of a group");
	array_init(&g->first, sizeof(uint64_t), (size_t)1 << 21, "work-items of a group");
}

void warp_group_release(struct warp_group *g)
{
	array_release(&g->kept);
	array_release(&g->addresses);
	array_release(&g->events);
	array_release(&g->first);
}

static uint32_t warp_count(const struct warp_group *g)
{
	return (g->items + WARP_LANES - 1) / WARP_LANES;
}

/* Work-items of a warp. */
static uint32_t lanes_of(const struct warp_group *g, uint32_t warp)
{
	uint32_t left = g->items - warp * WARP_LANES;

	return left < WARP_LANES ? left : WARP_LANES;
}

static int keep(struct warp_group *g, const struct warp_request *r, struct err *err)
{
	struct warp_kept *kept = array_push(&g->kept, 1, err);
	uint64_t *addresses;
	size_t count = (size_t)__builtin_popcount(r->mask);

	if (!kept)
		return err->code;
	*kept = (struct warp_kept){ r->warp, r->site, r->mask, g->addresses.count };
	if (!count)
		return 0;
	addresses = array_push(&g->addresses, count, err);
	if (!addresses)
		return err->code;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (r->mask >> lane & 1)
			*addresses++ = r->addresses[lane];
	}
	return 0;
}

/* Take all of the group that comes next. */
static int gather(struct warp_group *g, uint64_t group, struct err *err)
{
	const struct warp_request *r;
	int ret = 0;

	array_clear(&g->kept);
	array_clear(&g->addresses);
	while (!ret && (r = warp_sort_peek(g->trace->sort)) && r->launch == g->launch &&
	       r->group == group) {
		if (r->site != WARP_SITE_EMPTY)
			ret = keep(g, r, err);
		if (!ret)
			ret = warp_sort_next(g->trace->sort, err);
	}
	return ret;
}

/* Where warps have the numbers of slots and one of them cannot be a number in the group: number
 * them in the order of the slots. The instructions are in the order of the warps. */
static int number_warps(struct warp_group *g, uint64_t group, struct err *err)
{
	struct warp_kept *kept = g->kept.data;
	uint32_t count = warp_count(g), before = 0, number = 0;

	if (!g->has_slots || !g->kept.count || kept[g->kept.count - 1].warp < count)
		return 0;
	for (size_t i = 0; i < g->kept.count; i++) {
		number += i && kept[i].warp != before;
		before = kept[i].warp;
		kept[i].warp = number;
	}
	if (number < count)
		return 0;
	return err_set(err, ERR_FORMAT,
	               "launch %" PRIu32 " of the trace: group %" PRIu64
	               " has instructions of %u warps: expected at most %u, as its size says",
	               g->launch, group, number + 1, count);
}

/* Count the events of work-item i in first[i + 1]; lanes that are not there go. */
static uint64_t count_events(struct warp_group *g, uint64_t *first)
{
	struct warp_kept *kept = g->kept.data;
	uint64_t total = 0;

	for (size_t i = 0; i < g->kept.count; i++) {
		uint32_t lanes = lanes_of(g, kept[i].warp);

		for (unsigned lane = 0; lane < WARP_LANES; lane++) {
			bool is_active = !kept[i].mask || kept[i].mask >> lane & 1;

			if (is_active && lane < lanes) {
				first[(size_t)kept[i].warp * WARP_LANES + lane + 1]++;
				total++;
			} else if (is_active && kept[i].mask) {
				g->trace->stray_lanes++;
			}
		}
	}
	return total;
}

/* The number of a site in the table of the launch's kernel. */
static uint32_t site_number(const struct warp_group *g, uint32_t site)
{
	const struct warp_launch *launches = g->trace->launches.data;
	const struct warp_kernel *kernels = g->trace->kernels.data;
	const struct warp_site *sites = kernels[launches[g->launch].kernel].sites.data;

	return sites[site].number;
}

/* Put the events of an instruction behind those of its work-items, which end at next[item]. */
static void put_events(const struct warp_group *g, const struct warp_kept *k, uint32_t iteration,
                       uint64_t *next)
{
	const uint64_t *addresses = (const uint64_t *)g->addresses.data + k->address;
	uint32_t lanes = lanes_of(g, k->warp), point = EVENT_SITE | site_number(g, k->site);
	struct event *events = g->events.data;

	for (unsigned lane = 0; lane < lanes; lane++) {
		uint64_t *at = &next[(size_t)k->warp * WARP_LANES + lane];

		if (!k->mask)
			events[(*at)++] = (struct event){ 0, point, iteration };
		else if (k->mask >> lane & 1)
			events[(*at)++] = (struct event){ *addresses++, point, iteration };
	}
}

/* next[i] becomes where the events of work-item i end, which is where those of the next begin. */
static void fill(struct warp_group *g, uint64_t *next)
{
	const struct warp_kept *kept = g->kept.data;
	uint32_t iteration = 0;

	for (size_t i = 0; i < g->kept.count; i++) {
		iteration = i && kept[i].warp == kept[i - 1].warp ? iteration + 1 : 0;
		put_events(g, &kept[i], iteration, next);
	}
}

static int make(struct warp_group *g, struct group_events *out, struct err *err)
{
	static const struct event none;
	uint64_t *first, total;

	array_clear(&g->first);
	array_clear(&g->events);
	first = array_push(&g->first, (size_t)g->items + 2, err);
	if (!first)
		return err->code;
	/* One behind: while events are put, first[i + 1] goes from the begin of item i to its end.
	 */
	total = count_events(g, first + 1);
	for (uint32_t i = 0; i < g->items; i++)
		first[i + 2] += first[i + 1];
	if (total && !array_push(&g->events, total, err))
		return err->code;
	fill(g, first + 1);
	*out = (struct group_events){ g->items, first, total ? g->events.data : &none };
	return 0;
}

int warp_group_next(struct warp_group *g, uint32_t launch, uint64_t *group,
                    struct group_events *out, struct err *err)
{
	const struct warp_request *r = warp_sort_peek(g->trace->sort);
	const struct warp_launch *launches = g->trace->launches.data;
	uint32_t size[3];
	int ret;

	if (!r || r->launch != launch)
		return 0;
	*group = r->group;
	g->launch = launch;
	g->items = launch_shape_group_size(&launches[launch].shape, r->group, size);
	ret = gather(g, *group, err);
	if (!ret)
		ret = number_warps(g, *group, err);
	if (!ret)
		ret = make(g, out, err);
	return ret ? ret : 1;
}

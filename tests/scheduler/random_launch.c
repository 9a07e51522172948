/* SPDX-License-Identifier: Apache-2.0 */
#include "random_launch.h"

#include "cmocka_all.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct site sites[RANDOM_LAUNCH_SITES];
static struct companion companions[RANDOM_LAUNCH_SITES];
static uint64_t seed, latency_seed;
static uint32_t activity; /* work-items that come to an access, in eighths */

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c)
{
	struct random r = { (a * 31 + b) * 1000003 + c };

	return random_next(&r);
}

/* Barriers are for all; a few addresses, so that lines are shared. */
uint64_t random_launch_address(uint64_t group, uint32_t item, uint32_t site)
{
	uint64_t h = hash(seed + group, item, site);

	if (sites[site].kind == SITE_BARRIER)
		return 1;
	if ((h & 7) >= activity)
		return 0;
	return h & 8 ? 4096 + 4 * (h >> 8 & 127) : 8192 + 4 * item;
}

static void do_item(struct launch_play *p, uint64_t group, uint32_t item)
{
	for (uint32_t site = 0; site < p->table.site_count; site++) {
		uint64_t a = random_launch_address(group, item, site);

		if (a)
			launch_play_event(p, a == 1 ? 0 : a, site, 0);
	}
}

uint64_t random_launch_latency(const struct logged *r)
{
	uint64_t h = hash(latency_seed + r->group, r->line + r->warp, r->site);

	return h & 3 ? h >> 8 & 31 : h >> 8 & 255;
}

/* Sites of random kinds; some reads are companions of the access with words of its own before. */
static void make_table(struct kernel_table *t, struct random *r)
{
	static const enum site_kind kinds[] = { SITE_READ,  SITE_READ,   SITE_READ,
		                                SITE_WRITE, SITE_ATOMIC, SITE_BARRIER };
	uint32_t count = 1 + random_below(r, RANDOM_LAUNCH_SITES), leader = UINT32_MAX;

	t->sites = sites;
	t->site_count = count;
	t->companions = companions;
	t->companion_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		bool is_companion = leader != UINT32_MAX && random_below(r, 2);

		sites[i] = (struct site){ .kind = kinds[random_below(r, COUNT(kinds))],
			                  .space = 1,
			                  .loop = -1,
			                  .argument = -1 };
		if (sites[i].kind == SITE_BARRIER)
			continue;
		sites[i].bytes = 4;
		if (is_companion)
			companions[t->companion_count++] = (struct companion){
				.site = i, .leader = leader, .difference = -1, .after = leader
			};
		else
			leader = i;
	}
}

uint64_t random_launch_closed(const struct logged *r)
{
	uint64_t h = hash(latency_seed + r->cycle, r->line, r->site);

	return h & 3 ? 0 : h >> 8 & 4 ? h >> 11 & 7 : (h >> 11) % 101;
}

void random_launch_make(struct launch_play *p, struct random *r, const char *order, uint32_t groups)
{
	uint32_t items;

	seed = random_next(r);
	latency_seed = random_next(r);
	launch_play_init(p, do_item, random_launch_latency);
	assert_int_equal(issue_order_parse(&p->order, order, NULL), 0);
	p->gpu.warp_lanes = 4;
	p->gpu.schedulers = 1 + random_below(r, 4);
	p->gpu.l1_request_cycles = random_below(r, 2) ? random_below(r, 4) : 0;
	p->gpu.scoreboard = random_below(r, 2);
	activity = 1 + random_below(r, 8);
	make_table(&p->table, r);
	items = 1 + random_below(r, RANDOM_LAUNCH_ITEMS);
	launch_play_shape(p, 1 + random_below(r, groups), items);
	p->gpu.max_groups = 1 + random_below(r, RANDOM_LAUNCH_SLOTS);
}

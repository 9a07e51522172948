/* SPDX-License-Identifier: Apache-2.0 */
/* Each order against an SM that is simulated cycle by cycle from the definitions. */
#include "naive_sm.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct launch_play play;
static struct naive_launch naive;
static struct site sites[NAIVE_SITES];
static struct companion companions[NAIVE_SITES];
static uint64_t seed, latency_seed;
static uint32_t activity; /* work-items that come to an access, in eighths */

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c)
{
	struct random r = { (a * 31 + b) * 1000003 + c };

	return random_next(&r);
}

/* Barriers are for all; a few addresses, so that lines are shared. */
static uint64_t address(uint64_t group, uint32_t item, uint32_t site)
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
		uint64_t a = address(group, item, site);

		if (a)
			launch_play_event(p, a == 1 ? 0 : a, site, 0);
	}
}

static uint64_t latency(const struct logged *r)
{
	uint64_t h = hash(latency_seed + r->group, r->line + r->warp, r->site);

	return h & 3 ? h >> 8 & 31 : h >> 8 & 255;
}

/* Sites of random kinds; some reads are companions of the access with words of its own before. */
static void make_table(struct random *r)
{
	static const enum site_kind kinds[] = { SITE_READ,  SITE_READ,   SITE_READ,
		                                SITE_WRITE, SITE_ATOMIC, SITE_BARRIER };
	uint32_t count = 1 + random_below(r, NAIVE_SITES), leader = UINT32_MAX;

	play.table.sites = sites;
	play.table.site_count = count;
	play.table.companions = companions;
	play.table.companion_count = 0;
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
			companions[play.table.companion_count++] = (struct companion){
				.site = i, .leader = leader, .difference = -1, .after = leader
			};
		else
			leader = i;
	}
}

static void make_launch(struct random *r, const char *order)
{
	seed = random_next(r);
	latency_seed = random_next(r);
	launch_play_init(&play, do_item, latency);
	assert_int_equal(issue_order_parse(&play.order, order, NULL), 0);
	play.gpu.warp_lanes = 4;
	play.gpu.schedulers = 1 + random_below(r, 4);
	play.gpu.l1_request_cycles = random_below(r, 2) ? random_below(r, 4) : 0;
	play.gpu.scoreboard = random_below(r, 2);
	activity = 1 + random_below(r, 8);
	make_table(r);
	naive.play = &play;
	naive.address = address;
	naive.items = 1 + random_below(r, NAIVE_LANES);
	naive.groups = 1 + random_below(r, 8);
	play.gpu.max_groups = 1 + random_below(r, 4);
	naive.slots = naive.groups < play.gpu.max_groups ? naive.groups : play.gpu.max_groups;
	launch_play_shape(&play, naive.groups, naive.items);
}

static bool is_same(const struct logged *a, const struct logged *b)
{
	return a->cycle == b->cycle && a->group == b->group && a->line == b->line &&
	       a->warp == b->warp && a->site == b->site && a->lanes == b->lanes &&
	       a->kind == b->kind;
}

static void print_request(const char *who, const struct logged *r)
{
	print_error("%s: cycle %d group %d warp %d site %d line %d lanes %d\n", who, (int)r->cycle,
	            (int)r->group, (int)r->warp, (int)r->site, (int)r->line, (int)r->lanes);
}

static void check_against_naive(const char *order, uint32_t launch)
{
	struct err err = { 0 };
	uint32_t i = 0;

	if (launch_play(&play, &err))
		fail_msg("%s", err.msg);
	naive_play(&naive);
	while (i < play.log_count && i < naive.log_count && is_same(&play.log[i], &naive.log[i]))
		i++;
	if (i < play.log_count || i < naive.log_count) {
		print_error("%s, launch %u: request %u of %u and %u\n", order, launch, i,
		            play.log_count, naive.log_count);
		if (i < play.log_count)
			print_request("played", &play.log[i]);
		if (i < naive.log_count)
			print_request("naive ", &naive.log[i]);
		fail();
	}
	assert_int_equal(play.result.cycles, naive.cycles);
	assert_int_equal(play.result.lanes, play.accesses);
	schedule_result_release(&play.result);
}

static void each_order_issues_as_a_naive_sm_does(void **state)
{
	static const char *const orders[] = {
		"lrr",    "prr",        "gto",      "twolevel:1", "twolevel:2", "twolevel:3",
		"fifo",   "lwf:4",      "lwf:8",    "lwf:16",     "lwf:32",     "reorder",
		"random", "sequential", "random:0", "roundrobin",
	};
	struct random r = { 20261121 };

	(void)state;
	print_message("  seed %llu\n", (unsigned long long)r.state);
	for (size_t i = 0; i < COUNT(orders); i++)
		for (uint32_t launch = 0; launch < 150; launch++) {
			make_launch(&r, orders[i]);
			check_against_naive(orders[i], launch);
		}
}

/* --- the same requests under every order ------------------------------------------------------ */

/* What does not depend on the order. */
static int compare_requests(const void *a, const void *b)
{
	const struct logged *x = a, *y = b;
	const uint64_t keys[][2] = { { x->group, y->group },
		                     { x->site, y->site },
		                     { x->line, y->line },
		                     { x->warp, y->warp },
		                     { x->lanes, y->lanes } };

	for (size_t i = 0; i < COUNT(keys); i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

/* One request for each (group, site, line), with the lanes of all. */
static uint32_t merge_lanes(struct logged *log, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct logged *last = kept ? &log[kept - 1] : NULL;

		if (last && last->group == log[i].group && last->site == log[i].site &&
		    last->line == log[i].line)
			last->lanes += log[i].lanes;
		else
			log[kept++] = log[i];
	}
	return kept;
}

/* Play under an order; the log is sorted. */
static void play_sorted(const char *order)
{
	assert_int_equal(issue_order_parse(&play.order, order, NULL), 0);
	assert_int_equal(launch_play(&play, NULL), 0);
	qsort(play.log, play.log_count, sizeof(*play.log), compare_requests);
	schedule_result_release(&play.result);
}

/* The requests of warps are those of `log`, sorted; of others, lanes and lines are. */
static void check_order(const char *order, struct logged *log, uint32_t count)
{
	static struct logged merged[NAIVE_LOG];

	play_sorted(order);
	if (issue_order_unit(&play.order) == ISSUE_WARPS) {
		assert_int_equal(play.log_count, count);
		for (uint32_t k = 0; k < count; k++)
			assert_int_equal(compare_requests(&log[k], &play.log[k]), 0);
	}
	memcpy(merged, log, count * sizeof(*log));
	count = merge_lanes(merged, count);
	assert_int_equal(merge_lanes(play.log, play.log_count), count);
	for (uint32_t k = 0; k < count; k++) {
		assert_int_equal(play.log[k].line, merged[k].line);
		assert_int_equal(play.log[k].lanes, merged[k].lanes);
	}
}

static void every_order_asks_for_the_same(void **state)
{
	static const char *const orders[] = {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) #name,
#include "issue_orders.def"
#undef ISSUE_ORDER
	};
	static struct logged first[NAIVE_LOG];
	struct random r = { 7 };

	(void)state;
	for (uint32_t launch = 0; launch < 40; launch++) {
		uint32_t count;

		make_launch(&r, "lrr");
		play_sorted("lrr");
		count = play.log_count;
		memcpy(first, play.log, sizeof(*first) * count);
		for (size_t i = 0; i < COUNT(orders); i++)
			check_order(orders[i], first, count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_order_issues_as_a_naive_sm_does),
		cmocka_unit_test(every_order_asks_for_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

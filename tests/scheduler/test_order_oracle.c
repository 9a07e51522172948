/* SPDX-License-Identifier: Apache-2.0 */
/* Each order against an SM that is simulated cycle by cycle from the definitions. */
#include "later_port.h"
#include "naive_sm.h"
#include "random_launch.h"

#include "cmocka_all.h"
#include "err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct launch_play play;
static struct naive_launch naive;
static struct later_port port;

static void make_launch(struct random *r, const char *order)
{
	random_launch_make(&play, r, order, 8);
	naive.play = &play;
	naive.address = random_launch_address;
	naive.closed = NULL;
	naive.items = (uint32_t)play.shape.local[0];
	naive.groups = (uint32_t)launch_shape_group_count(&play.shape);
	naive.slots = naive.groups < play.gpu.max_groups ? naive.groups : play.gpu.max_groups;
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

/* What was played, as `log`, is what a naive SM does. */
static void check_against_naive(const char *what, const struct logged *log, uint32_t count)
{
	uint32_t i = 0;

	naive_play(&naive);
	while (i < count && i < naive.log_count && is_same(&log[i], &naive.log[i]))
		i++;
	if (i < count || i < naive.log_count) {
		print_error("%s: request %u of %u and %u\n", what, i, count, naive.log_count);
		if (i < count)
			print_request("played", &log[i]);
		if (i < naive.log_count)
			print_request("naive ", &naive.log[i]);
		fail();
	}
	assert_int_equal(play.result.cycles, naive.cycles);
	assert_int_equal(play.result.lanes, play.accesses);
}

static const char *const orders[] = {
	"lrr",    "prr",        "gto",      "twolevel:1", "twolevel:2", "twolevel:3",
	"fifo",   "lwf:4",      "lwf:8",    "lwf:16",     "lwf:32",     "reorder",
	"random", "sequential", "random:0", "roundrobin",
};

/* An order may differ in one launch of a hundred: launches of one seed can miss that. */
static const uint64_t seeds[] = { 20261121, 1000, 2000 };

static void play_each_order(struct random *r)
{
	print_message("  seed %llu\n", (unsigned long long)r->state);
	for (size_t i = 0; i < COUNT(orders); i++)
		for (uint32_t launch = 0; launch < 50; launch++) {
			struct err err = { 0 };

			make_launch(r, orders[i]);
			if (launch_play(&play, &err))
				fail_msg("%s", err.msg);
			check_against_naive(orders[i], play.log, play.log_count);
			schedule_result_release(&play.result);
		}
}

static void each_order_issues_as_a_naive_sm_does(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(seeds); i++)
		play_each_order(&(struct random){ seeds[i] });
}

static void play_with_ports(struct random *r)
{
	print_message("  seed %llu\n", (unsigned long long)r->state);
	for (uint32_t launch = 0; launch < COUNT(orders) * 50; launch++) {
		enum later_port_way way = launch % 3;

		make_launch(r, orders[launch / 3 % COUNT(orders)]);
		later_port_init(&port, &play, way, 2 + random_below(r, 60));
		if (random_below(r, 3))
			port.closed = naive.closed = random_launch_closed;
		later_port_play(&port);
		check_against_naive(orders[launch / 3 % COUNT(orders)], port.sms[0].log,
		                    port.sms[0].count);
		schedule_result_release(&play.result);
	}
}

static void an_sm_whose_port_closes_or_answers_later_is_a_naive_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(seeds); i++)
		play_with_ports(&(struct random){ seeds[i] });
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
	static const char *const names[] = {
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
		for (size_t i = 0; i < COUNT(names); i++)
			check_order(names[i], first, count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_order_issues_as_a_naive_sm_does),
		cmocka_unit_test(an_sm_whose_port_closes_or_answers_later_is_a_naive_one),
		cmocka_unit_test(every_order_asks_for_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

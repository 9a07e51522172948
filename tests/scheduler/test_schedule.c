/* SPDX-License-Identifier: Apache-2.0 */
/* Warp scheduling by hand: what each warp does, how long its reads take, and who issues when. */
#include "launch_play.h"

#include "cmocka_all.h"
#include "err.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct launch_play play;

/*
 * Warps as text: 'r' reads, 'w' writes, 'a' is atomic, 'b' a barrier, 'f' a fence, '2' a read of
 * two lines. Groups are separated by '/', warps by a blank.
 */
struct row {
	const char *name;
	const char *warps;
	uint32_t warps_per_group, schedulers, latency, slow_warp;
	const char *log; /* CYCLE:WARP of each request; groups count on: group 1 of 2 has 2, 3 */
	uint64_t cycles;
};

static const struct row *row;

static const char *text_of(uint64_t warp)
{
	const char *text = row->warps;

	for (; warp; warp--)
		text += strcspn(text, " /") + 1;
	return text;
}

static void do_warp(struct launch_play *p, uint64_t group, uint32_t item)
{
	static const char letters[] = "rrwabf"; /* by site */
	const char *text = text_of(group * row->warps_per_group + item / 4);

	for (; *text && !strchr(" /", *text); text++) {
		uint32_t site = *text == '2' ? 0 : (uint32_t)(strchr(letters, *text) - letters);

		launch_play_event(p, site < 4 ? 4096 + item * (*text == '2' ? 64 : 4) : 0, site, 0);
	}
}

static uint64_t latency(const struct logged *r)
{
	uint64_t warp = r->group * row->warps_per_group + r->warp;

	if (row->slow_warp == warp + 1)
		return 100;
	return r->line & 128 ? UINT64_C(2) * row->latency
	                     : row->latency; /* the second line of a '2' */
}

static const struct row rows[] = {
	/* One scheduler: the second warp issues a cycle after the first, both wait 10 cycles. */
	{ "two warps of three reads", "rrr rrr", 2, 1, 10, 0, "0:0 1:1 10:0 11:1 20:0 21:1", 31 },
	{ "on two schedulers", "rrr rrr", 2, 2, 10, 0, "0:0 0:1 10:0 10:1 20:0 20:1", 30 },
	/* Warps 0 and 2 belong to scheduler 0, 1 and 3 to scheduler 1. */
	{ "four on two", "r r r r", 4, 2, 10, 0, "0:0 0:1 1:2 1:3", 11 },
	{ "warp slots count on over groups", "r r r/r r r", 3, 2, 10, 0, "0:0 0:1 1:2 1:3 2:4 2:5",
	  12 },
	/* Ready in the next cycle: they take turns. */
	{ "in turn", "rrr rrr rrr", 3, 1, 1, 0, "0:0 1:1 2:2 3:0 4:1 5:2 6:0 7:1 8:2", 9 },
	/* Warp 0 waits for 100 cycles and is passed over; then the turn is after who was last. */
	{ "who waits is passed over", "rr rrr rrr", 3, 1, 1, 1, "0:0 1:1 2:2 3:1 4:2 5:1 6:2 100:0",
	  200 },
	{ "alone, a cycle at a time", "rr", 1, 1, 1, 0, "0:0 1:0", 2 },
	{ "a latency of none is a cycle", "rr", 1, 1, 0, 0, "0:0 1:0", 2 },
	/* The turn stays where it was while nobody is ready: after warp 1, so warp 2 is first. */
	{ "the turn outlasts a wait", "rr rr r", 3, 1, 3, 0, "0:0 1:1 2:2 3:0 4:1", 7 },
	{ "writes are not waited for", "www r", 2, 1, 10, 0, "0:0 1:1 2:0 3:0", 11 },
	{ "atomics are", "aa", 1, 1, 10, 0, "0:0 10:0", 20 },
	/* Two lines in one cycle, the second takes twice as long: the warp waits for it. */
	{ "the last data counts", "2r", 1, 1, 10, 0, "0:0 0:0 20:0", 30 },
	/* Warp 0 is at the barrier at 0, warp 1 at 11; both go on at 12. */
	{ "a barrier", "br rbr", 2, 1, 10, 0, "1:1 12:0 13:1", 23 },
	{ "a barrier on two schedulers", "br rbr", 2, 2, 10, 0, "0:1 11:0 11:1", 21 },
	/* Warp 1 has its data and is finished at 11; warp 0 goes on then. */
	{ "a finished warp holds no barrier", "br r", 2, 1, 10, 0, "1:1 11:0", 21 },
	{ "a warp without accesses holds none", "br ", 2, 1, 10, 0, "1:0", 11 },
	{ "a barrier is all that is left", "b r", 2, 1, 10, 0, "1:1", 11 },
	{ "barriers at the end", "rb b", 2, 1, 10, 0, "0:0", 11 },
	{ "two barriers", "bbr bbr", 2, 1, 10, 0, "4:0 5:1", 15 },
	/* Group 0 waits for its slow warp; group 1 passes its own barrier. */
	{ "a barrier is its group's", "br rbr/br rbr", 2, 1, 10, 2, "1:1 3:3 14:2 15:3 102:0 103:1",
	  203 },
	{ "fences take no time", "frfrf", 1, 1, 10, 0, "0:0 10:0", 20 },
	{ "nothing", "", 1, 1, 10, 0, "", 0 },
	{ "nothing but barriers", "b b b", 3, 1, 10, 0, "", 3 },
};

/* slots: groups resident at most. */
static const struct {
	const char *order;
	uint32_t slots;
	struct row row;
} order_rows[] = {
	/* Its data is there in the next cycle: warp 0 goes on to its end. */
	{ "gto", 16, { "greedy", "rrr rrr", 2, 1, 1, 0, "0:0 1:0 2:0 3:1 4:1 5:1", 6 } },
	{ "gto",
	  16,
	  { "greedy passes over who waits", "rr rrr rrr", 3, 1, 1, 1,
	    "0:0 1:1 2:1 3:1 4:2 5:2 6:2 100:0", 200 } },
	/* Warp 0 could go on at 2, but warp 1 still can. */
	{ "gto",
	  16,
	  { "greedy before older", "rr wwww", 2, 1, 2, 0, "0:0 1:1 2:1 3:1 4:1 5:0", 7 } },
	/* Warp 2 takes warp slot 0 at 1, but warp 1 is older. */
	{ "gto",
	  2,
	  { "older before lower", "r/rrr/rrr", 1, 1, 1, 0, "0:0 1:1 2:1 3:1 4:2 5:2 6:2", 7 } },
	/* Warp 0's turn comes at 3: it waits until 100, and at 103 until it has finished, at 200.
	 */
	{ "prr",
	  16,
	  { "strictly in turn", "rr rrr rrr", 3, 1, 1, 1,
	    "0:0 1:1 2:2 100:0 101:1 102:2 200:1 201:2", 202 } },
	{ "prr", 16, { "a barrier has no turn", "br rbr", 2, 1, 10, 0, "1:1 12:0 13:1", 23 } },
	/* Warps 1 and 3 are scheduler 1's and at barriers from 1 on, where it is warp 1's turn.
	 * Warp 2 opens warp 3's at 3, so the turn is warp 3's before warp 0 opens warp 1's at 4. */
	{ "prr",
	  16,
	  { "the turn is whose barrier opens first", "wwbw bw/wbw bw", 2, 2, 10, 0,
	    "0:0 1:2 2:0 4:3 5:2 5:1 6:0", 7 } },
	/* Warps 0 and 1 have their data after two cycles: they are never both waiting. */
	{ "twolevel:2",
	  16,
	  { "two levels", "rr rr rr rr", 4, 1, 2, 0, "0:0 1:1 2:0 3:1 4:2 5:3 6:2 7:3", 9 } },
	{ "twolevel:2",
	  16,
	  { "both wait", "rr rr rr rr", 4, 1, 10, 0, "0:0 1:1 2:2 3:3 10:0 11:1 12:2 13:3", 23 } },
	{ "twolevel:2",
	  16,
	  { "the last fetch group is smaller", "rr rr rr", 3, 1, 2, 0, "0:0 1:1 2:0 3:1 4:2 6:2",
	    8 } },
	{ "twolevel:8",
	  16,
	  { "one fetch group is lrr", "rrr rrr rrr", 3, 1, 1, 0,
	    "0:0 1:1 2:2 3:0 4:1 5:2 6:0 7:1 8:2", 9 } },
	/* At 8 warp 0 has been ready since 7 and warp 2 since 8; after warp 1 it is warp 2's turn.
	 * The two lines of warp 1 take 3 and 6 cycles. */
	{ "fifo",
	  16,
	  { "ready for longest", "wwwww 2r rrr", 3, 1, 3, 0,
	    "0:0 1:1 1:1 2:2 3:0 4:0 5:2 6:0 7:1 8:0 9:2", 12 } },
	{ "lrr",
	  16,
	  { "in turn would be", "wwwww 2r rrr", 3, 1, 3, 0,
	    "0:0 1:1 1:1 2:2 3:0 4:0 5:2 6:0 7:1 8:2 9:0", 11 } },
};

/* With a port that takes a request every second cycle. */
static const struct row port_rows[] = {
	/* A port that takes a request every second cycle: warp 1 waits for it. */
	{ "one port", "r r", 2, 1, 10, 0, "0:0 2:1", 12 },
	/* The second line goes at 2 and is there at 22; warp 1 has the port at 4. */
	{ "a line after the other", "2r r", 2, 1, 10, 0, "0:0 2:0 4:1 22:0", 32 },
	/* Who took the port comes last when it is free again: nobody starves. */
	{ "schedulers share the port", "rr rr", 2, 2, 1, 0, "0:0 2:1 4:0 6:1", 7 },
	/* Warp 1 passes its barrier at 0, which takes no port: it is still first at 2. */
	{ "a barrier takes no turn at the port", "rr/brr", 1, 2, 1, 0, "0:0 2:1 4:0 6:1", 7 },
	/* Warp 1 is at its barrier at 1 although the port is taken, warp 0 at 10: both go on at 11.
	 */
	{ "a barrier needs no port", "rbr br", 2, 1, 10, 0, "0:0 11:1 13:0", 23 },
};

static uint64_t groups_of(const char *warps)
{
	uint64_t groups = 1;

	for (; *warps; warps++)
		groups += *warps == '/';
	return groups;
}

static void check_row(const struct row *wanted)
{
	struct err err = { 0 };
	char text[256] = "";
	size_t at = 0;

	row = wanted;
	print_message("  %s\n", row->name);
	play.gpu.schedulers = row->schedulers;
	launch_play_shape(&play, groups_of(row->warps), UINT64_C(4) * row->warps_per_group);
	assert_int_equal(launch_play(&play, &err), 0);
	for (uint32_t k = 0; k < play.log_count; k++)
		at += (size_t)snprintf(
			text + at, sizeof(text) - at, "%s%d:%d", k ? " " : "",
			(int)play.log[k].cycle,
			(int)(play.log[k].group * row->warps_per_group + play.log[k].warp));
	assert_string_equal(text, row->log);
	assert_int_equal(play.result.cycles, row->cycles);
	schedule_result_release(&play.result);
}

static void warps_issue_when_derived_by_hand(void **state)
{
	(void)state;
	launch_play_init(&play, do_warp, latency);
	for (size_t i = 0; i < COUNT(rows); i++)
		check_row(&rows[i]);
}

static void each_order_issues_as_derived_by_hand(void **state)
{
	(void)state;
	launch_play_init(&play, do_warp, latency);
	for (size_t i = 0; i < COUNT(order_rows); i++) {
		print_message("  %s:", order_rows[i].order);
		assert_int_equal(issue_order_parse(&play.order, order_rows[i].order, NULL), 0);
		play.gpu.max_groups = order_rows[i].slots;
		check_row(&order_rows[i].row);
	}
}

#define NAMES " lrr prr gto twolevel:N fifo lwf:N reorder sequential random:SEED roundrobin"

static void orders_are_named(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "rr", "unknown order 'rr'; there are:" NAMES },
		{ "", "unknown order ''; there are:" NAMES },
		{ "gt", "unknown order 'gt'; there are:" NAMES },
		{ "gtoo", "unknown order 'gtoo'; there are:" NAMES },
		{ "gto:4", "'gto:4': gto takes no number" },
		{ "reorder:1", "'reorder:1': reorder takes no number" },
		{ "lwf:0", "lwf:0: 0 is outside 1..1024" },
		{ "lwf:1025", "lwf:1025: 1025 is outside 1..1024" },
		{ "random:-1", "random:-1: '-1' is not a number" },
		{ "random:18446744073709551616",
		  "random:18446744073709551616: 18446744073709551616 is outside 0.."
		  "18446744073709551615" },
		{ "twolevel:0", "twolevel:0: 0 is outside 1..1024" },
		{ "twolevel:", "twolevel:: '' is not a number" },
	};
	char text[ISSUE_ORDER_BYTES];
	struct issue_order o;

	(void)state;
	assert_int_equal(issue_order_parse(&o, "twolevel", NULL), 0);
	assert_int_equal(o.kind, ISSUE_ORDER_twolevel);
	assert_int_equal(o.number, 8);
	assert_int_equal(issue_order_parse(&o, "twolevel:3", NULL), 0);
	assert_int_equal(o.number, 3);
	assert_string_equal(issue_order_text(text, &o), "twolevel:3");
	assert_int_equal(issue_order_parse(&o, "gto", NULL), 0);
	assert_string_equal(issue_order_text(text, &o), "gto");
	assert_int_equal(issue_order_parse(&o, "lwf", NULL), 0);
	assert_int_equal(o.number, 256); /* as in the paper */
	assert_int_equal(issue_order_parse(&o, "random:18446744073709551615", NULL), 0);
	assert_true(o.number == UINT64_MAX);
	assert_string_equal(issue_order_text(text, &o), "random:18446744073709551615");
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err err = { 0 };

		assert_int_equal(issue_order_parse(&o, bad[i].text, &err), ERR_USAGE);
		assert_string_equal(err.msg, bad[i].message);
	}
}

static void accesses_wait_for_the_memory_port(void **state)
{
	(void)state;
	launch_play_init(&play, do_warp, latency);
	play.gpu.l1_request_cycles = 2;
	for (size_t i = 0; i < COUNT(port_rows); i++)
		check_row(&port_rows[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warps_issue_when_derived_by_hand),
		cmocka_unit_test(each_order_issues_as_derived_by_hand),
		cmocka_unit_test(orders_are_named),
		cmocka_unit_test(accesses_wait_for_the_memory_port),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

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

static void check_rows(const struct row *all, size_t count, uint32_t request_cycles)
{
	for (size_t i = 0; i < count; i++) {
		struct err err = { 0 };
		char text[256] = "";
		uint64_t groups = 1;
		size_t at = 0;

		row = &all[i];
		for (const char *t = row->warps; *t; t++)
			groups += *t == '/';
		print_message("  %s\n", row->name);
		play.table = launch_play_table();
		play.gpu = launch_play_gpu();
		play.gpu.schedulers = row->schedulers;
		play.gpu.l1_request_cycles = request_cycles;
		play.item = do_warp;
		play.latency = latency;
		launch_play_shape(&play, groups, UINT64_C(4) * row->warps_per_group);
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
}

static void warps_issue_when_derived_by_hand(void **state)
{
	(void)state;
	check_rows(rows, COUNT(rows), 0);
}

static void accesses_wait_for_the_memory_port(void **state)
{
	(void)state;
	check_rows(port_rows, COUNT(port_rows), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warps_issue_when_derived_by_hand),
		cmocka_unit_test(accesses_wait_for_the_memory_port),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

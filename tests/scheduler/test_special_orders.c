/* SPDX-License-Identifier: Apache-2.0 */
/* Orders on work-items, large warps, static reordering, and scoreboards, by hand. */
#include "launch_play.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct launch_play play;

/*
 * Work-items as text: 'r' and 's' read (two sites), 'w' writes, 'b' is a barrier, '.' nothing;
 * letters stand in columns, one for each site in that order, so that the same column is the same
 * site: "r.w" reads and writes, ".s" only reads at the second site. Items are separated by a blank,
 * groups by '/'. Each item has a line of its own. Every read takes 10 cycles.
 */
struct row {
	const char *name, *order, *items;
	uint32_t items_per_group, schedulers, slots;
	const char *log; /* CYCLE:UNIT.SITE of each request; units count on over groups */
	uint64_t cycles;
};

static const struct row *row;

static const char *text_of(uint64_t item)
{
	const char *text = row->items;

	for (; item; item--)
		text += strcspn(text, " /") + 1;
	return text;
}

static void do_item(struct launch_play *p, uint64_t group, uint32_t item)
{
	const char *text = text_of(group * row->items_per_group + item);

	for (uint32_t site = 0; *text && !strchr(" /", *text); text++, site++)
		if (*text != '.')
			launch_play_event(p, *text == 'b' ? 0 : 4096 + UINT64_C(128) * item, site,
			                  0);
}

static uint64_t ten_cycles(const struct logged *r)
{
	return 10;
}

/* Sites: read, read, write, barrier, read, barrier. */
static struct site sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_WRITE, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_BARRIER, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_BARRIER, .space = 1, .loop = -1, .argument = -1 },
};

/* Warps of two lanes. */
static const struct row rows[] = {
	/* Each to its end, in the order of ids; a read takes 10 cycles, a write 1. */
	{ "one after the other", "sequential", "rs r rsw r", 4, 2, 16,
	  "0:0.0 10:0.1 20:1.0 30:2.0 40:2.1 50:2.2 51:3.0", 61 },
	/* 0 comes to the barrier at 10 and 1 at 21; both pass at 22. The barrier takes a cycle. */
	{ "a barrier lets the next one run", "sequential", "r..br r..br", 2, 1, 16,
	  "0:0.0 11:1.0 22:0.4 32:1.4", 42 },
	/* Groups 0 and 1 are resident; group 2 comes when group 0 has ended, and has its slot. */
	{ "group after group", "sequential", "r r/rs r/rs r", 2, 1, 2,
	  "0:0.0 10:1.0 20:2.0 30:2.1 40:3.0 50:4.0 60:4.1 70:5.0", 80 },
	{ "an access each", "roundrobin", "rs r rsw r", 4, 2, 16,
	  "0:0.0 10:1.0 20:2.0 30:3.0 40:0.1 50:2.1 60:2.2", 61 },
	/* Item 0 is at the barrier at 10 and has no turn; 1 at 21; then 0's turn comes first. */
	{ "who is at a barrier has no turn", "roundrobin", "r..br rs.br", 2, 1, 16,
	  "0:0.0 10:1.0 21:1.1 32:0.4 42:1.4", 52 },
	/* Lanes 0 and 2 stand in column 0, 1 and 3 in column 1. At site 0 all are active: two
	 * sub-warps {0 1} and {2 3}, a cycle after the other, two lines each; the data of the last
	 * is there at 11. At site 1 lanes 0 and 2 are: both in column 0, so two sub-warps of one.
	 */
	{ "a column gives one lane at a time", "lwf:4", "rs r rs r", 4, 1, 16,
	  "0:0.0 0:0.0 1:0.0 1:0.0 11:0.1 12:0.1", 22 },
	/* At site 1 lanes 0 and 3: columns 0 and 1, one sub-warp. */
	{ "lanes of different columns go together", "lwf:4", "rs r r rs", 4, 1, 16,
	  "0:0.0 0:0.0 1:0.0 1:0.0 11:0.1 11:0.1", 21 },
	/* Two large warps on a scheduler: the sub-warps of the first are not parted. */
	{ "sub-warps stay together", "lwf:4", "r r r r r r r r", 8, 1, 16,
	  "0:0.0 0:0.0 1:0.0 1:0.0 2:1.0 2:1.0 3:1.0 3:1.0", 13 },
	/* The last large warp of a group is smaller; its two lanes are one sub-warp. */
	{ "a partial large warp", "lwf:4", "r r r r r r", 6, 1, 16,
	  "0:0.0 0:0.0 1:0.0 1:0.0 2:1.0 2:1.0", 12 },
	/* Large warp 1 comes to the barrier at 2 and 0 at 11, once for all its lanes: both pass at
	 * 12, when it is 1's turn. */
	{ "a barrier is no access", "lwf:4", "r..br r..br r..br r..br ...br ...br", 6, 1, 16,
	  "0:0.0 0:0.0 1:0.0 1:0.0 12:1.4 12:1.4 13:0.4 13:0.4 14:0.4 14:0.4", 24 },
	/* Warp 0 has no first read: it issues its second at 0, which waits for the first of warps 1
	 * and 2. Those issue at 1 and 2 and go to the cache at once; warp 0 follows at 2. Warp 1's
	 * second access issues at 11 and goes. */
	{ "a place after the other", "reorder", ".s .s rs rs r r", 6, 1, 16,
	  "1:1.0 1:1.0 2:2.0 2:2.0 2:0.1 2:0.1 11:1.1 11:1.1", 21 },
	/* One order for all groups. That of group 0 is its last access: the unit waits until it has
	 * ended, for group 3, which does not come. */
	{ "places of resident groups together", "reorder", "rs r/.s r/rs r", 2, 1, 16,
	  "0:0.0 0:0.0 1:1.0 2:2.0 2:2.0 10:0.1 20:1.1 20:2.1", 30 },
	/* One slot: group 1 begins when group 0 has ended. */
	{ "groups that are not resident do not count", "reorder", "rs r/r r", 2, 1, 1,
	  "0:0.0 0:0.0 10:0.1 20:1.0 20:1.0", 30 },
	/* What is behind a barrier comes after all that is before one, in another group as well:
	 * group 0 passes its barrier at 11, but it is group 1's turn, which issues at 11 and ends
	 * at 21; until then no group may join. */
	{ "barriers part", "reorder", "r..br r..br/rs rs", 2, 1, 16,
	  "0:0.0 0:0.0 1:1.0 1:1.0 11:1.1 11:1.1 21:0.4 21:0.4", 31 },
	/* The same read behind warp 0's barrier and before warp 1's. Warp 0 could not come to it
	 * first: warp 1 reads at 1, and at 12 both have passed. */
	{ "who waits at another barrier comes later", "reorder", "...br ...br ....rb ....rb", 4, 1,
	  16, "1:1.4 1:1.4 12:0.4 12:0.4", 22 },
};

static void check_row(const struct row *wanted)
{
	struct err err = { 0 };
	char text[512] = "";
	size_t at = 0;
	uint64_t groups = 1;
	uint32_t lanes, units;

	row = wanted;
	print_message("  %s: %s\n", row->order, row->name);
	assert_int_equal(issue_order_parse(&play.order, row->order, NULL), 0);
	play.table.sites = sites;
	play.table.site_count = COUNT(sites);
	play.gpu.warp_lanes = 2;
	play.gpu.schedulers = row->schedulers;
	play.gpu.max_groups = row->slots;
	for (const char *t = row->items; *t; t++)
		groups += *t == '/';
	launch_play_shape(&play, groups, row->items_per_group);
	if (launch_play(&play, &err))
		fail_msg("%s", err.msg);
	lanes = issue_order_lanes(&play.order, 2);
	units = (row->items_per_group + lanes - 1) / lanes;
	for (uint32_t k = 0; k < play.log_count; k++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d:%d.%d", k ? " " : "",
		                       (int)play.log[k].cycle,
		                       (int)(play.log[k].group * units + play.log[k].warp),
		                       (int)play.log[k].site);
	assert_string_equal(text, row->log);
	assert_int_equal(play.result.cycles, row->cycles);
	schedule_result_release(&play.result);
}

static void accesses_come_when_derived_by_hand(void **state)
{
	(void)state;
	launch_play_init(&play, do_item, ten_cycles);
	for (size_t i = 0; i < COUNT(rows); i++)
		check_row(&rows[i]);
}

/* Site 1's address is site 0's plus a constant: in order, it need not wait for site 0's data. */
static void in_order_goes_on_with_reads_of_known_address(void **state)
{
	static struct companion companions[] = {
		{ .site = 1, .leader = 0, .offset = 4, .difference = -1, .after = 0 },
		{ .site = 2, .leader = 0, .offset = 8, .difference = -1, .after = 0 },
	};
	static const struct row in_order[] = {
		/* The second read a cycle after the first; the write of unknown data waits for
		   both. */
		{ "the read goes on, the write waits", "lrr", "rsw rsw", 2, 1, 16,
		  "0:0.0 0:0.0 1:0.1 1:0.1 11:0.2 11:0.2", 12 },
		/* The barrier waits, from 11, and takes a cycle. */
		{ "a barrier waits", "lrr", "rs.br rs.br", 2, 1, 16,
		  "0:0.0 0:0.0 1:0.1 1:0.1 12:0.4 12:0.4", 22 },
		/* Site 4 is nobody's companion. */
		{ "what is not known waits", "lrr", "rs..r rs..r", 2, 1, 16,
		  "0:0.0 0:0.0 1:0.1 1:0.1 11:0.4 11:0.4", 21 },
		{ "the end waits", "lrr", "rs rs/r r", 2, 1, 1,
		  "0:0.0 0:0.0 1:0.1 1:0.1 11:1.0 11:1.0", 21 },
		{ "work-items wait for each read", "roundrobin", "rs r", 2, 1, 16,
		  "0:0.0 10:1.0 20:0.1", 30 },
	};
	static const struct row each_load = { "by default reads wait",
		                              "lrr",
		                              "rsw rsw",
		                              2,
		                              1,
		                              16,
		                              "0:0.0 0:0.0 10:0.1 10:0.1 20:0.2 20:0.2",
		                              21 };
	/* The address prefetched may come from the data that is on its way: a prefetch does not
	 * wait. */
	static const struct row prefetched = {
		"a prefetch proves nothing", "lrr", "rs..r rs..r", 2, 1, 16,
		"0:0.1 0:0.1 10:0.4 10:0.4", 20
	};

	(void)state;
	launch_play_init(&play, do_item, ten_cycles);
	play.table.companions = companions;
	play.table.companion_count = COUNT(companions);
	check_row(&each_load);
	play.gpu.scoreboard = GPU_SCOREBOARD_IN_ORDER;
	for (size_t i = 0; i < COUNT(in_order); i++)
		check_row(&in_order[i]);
	companions[0] = (struct companion){ .site = 4, .difference = -1 };
	play.table.companion_count = 1;
	sites[0].kind = SITE_PREFETCH;
	check_row(&prefetched);
	sites[0].kind = SITE_READ;
	sites[0].space = SPACE_CONSTANT; /* beside L1 */
	check_row(&prefetched);
	sites[0].space = SPACE_GLOBAL;
}

/* --- reorder: whatever the interleaving ------------------------------------------------------- */

enum { LOOP_ITEMS = 32, LOOP_GROUPS = 6, INTERLEAVINGS = 1000 };

static uint64_t latency_seed;

static uint64_t any_latency(const struct logged *r)
{
	struct random h = { latency_seed * 1000003 + r->line * 31 + UINT64_C(7) * r->site +
		            r->group + r->warp };

	return random_next(&h) % 300;
}

/* Iterations of a warp of four work-items: 0..4. */
static uint32_t trips(uint64_t group, uint32_t warp)
{
	return (uint32_t)((group * 7 + UINT64_C(3) * warp) % 5);
}

/* Site 0, a loop of sites 1 and 2, a barrier, site 4: a work-item of an odd group has no loop. */
static void do_loop(struct launch_play *p, uint64_t group, uint32_t item)
{
	launch_play_event(p, 4096 + 4 * item, 0, 0);
	for (uint32_t i = 0; group % 2 == 0 && i < trips(group, item / 4); i++) {
		launch_play_event(p, 8192 + UINT64_C(512) * i + UINT64_C(4) * item, 1, i);
		launch_play_event(p, 16384 + UINT64_C(512) * i + UINT64_C(4) * item, 2, i);
	}
	launch_play_event(p, 0, 3, 0);
	launch_play_event(p, 32768 + 4 * item, 4, 0);
}

/* What stands in the order: site 0 before all iterations, these before site 4. */
static int compare_static(const void *a, const void *b)
{
	const struct logged *x = a, *y = b;
	const uint64_t key[][2] = {
		{ x->site == 4, y->site == 4 },
		{ x->site != 0, y->site != 0 },
		{ x->site % 4 ? x->line / 512 % 8 : 0, y->site % 4 ? y->line / 512 % 8 : 0 },
		{ x->site, y->site },
		{ x->group, y->group },
		{ x->warp, y->warp },
	};

	for (size_t i = 0; i < COUNT(key); i++)
		if (key[i][0] != key[i][1])
			return key[i][0] < key[i][1] ? -1 : 1;
	return 0;
}

static struct logged expected[PLAY_LOG / 64];

/* All accesses of all groups, sorted; each is one request. */
static uint32_t expect(void)
{
	uint32_t count = 0;

	for (uint64_t g = 0; g < LOOP_GROUPS; g++)
		for (uint32_t w = 0; w < LOOP_ITEMS / 4; w++) {
			uint64_t own = UINT64_C(16) * w / 128 * 128;

			expected[count++] = (struct logged){
				.group = g, .warp = w, .site = 0, .line = 4096 + own
			};
			for (uint32_t i = 0; g % 2 == 0 && i < trips(g, w); i++)
				for (uint32_t site = 1; site < 3; site++)
					expected[count++] =
						(struct logged){ .group = g,
						                 .warp = w,
						                 .site = site,
						                 .line = 8192 * site + 512 * i +
						                         own };
			expected[count++] = (struct logged){
				.group = g, .warp = w, .site = 4, .line = 32768 + own
			};
		}
	qsort(expected, count, sizeof(*expected), compare_static);
	return count;
}

static void check_sequence(uint32_t count)
{
	assert_int_equal(play.log_count, count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(play.log[i].group, expected[i].group);
		assert_int_equal(play.log[i].warp, expected[i].warp);
		assert_int_equal(play.log[i].site, expected[i].site);
		assert_int_equal(play.log[i].line, expected[i].line);
	}
}

static void set_up_loop(void)
{
	static struct loop loops[] = { { .parent = -1, .depth = 1 } };
	static struct site in_loop[COUNT(sites)];

	memcpy(in_loop, sites, sizeof(sites));
	in_loop[1].loop = in_loop[2].loop = 0;
	launch_play_init(&play, do_loop, any_latency);
	play.table.sites = in_loop;
	play.table.site_count = COUNT(sites);
	play.table.loops = loops;
	play.table.loop_count = COUNT(loops);
	play.gpu.warp_lanes = 4;
	launch_play_shape(&play, LOOP_GROUPS, LOOP_ITEMS);
	assert_int_equal(issue_order_parse(&play.order, "reorder", NULL), 0);
}

static void the_sequence_is_the_same_for_any_interleaving(void **state)
{
	struct random r = { 1 };
	uint32_t count = expect();
	uint64_t cycles = 0, others = 0;

	(void)state;
	set_up_loop();
	for (uint32_t i = 0; i < INTERLEAVINGS; i++) {
		latency_seed = random_next(&r);
		play.gpu.schedulers = 1 + random_below(&r, 4);
		play.gpu.l1_request_cycles = random_below(&r, 3);
		play.gpu.scoreboard = random_below(&r, 2);
		assert_int_equal(launch_play(&play, NULL), 0);
		check_sequence(count);
		others += cycles != play.result.cycles;
		cycles = play.result.cycles;
		schedule_result_release(&play.result);
	}
	print_message("  %d sequences of %u requests, %d times other cycles than before\n",
	              INTERLEAVINGS, count, (int)others);
	assert_true(others > INTERLEAVINGS / 2);
}

/* Two groups resident: a group joins the order when one before it has made its last access. */
static void groups_join_the_order_at_a_fixed_place(void **state)
{
	static struct logged first[PLAY_LOG / 64];
	struct random r = { 2 };

	(void)state;
	set_up_loop();
	play.gpu.max_groups = 2;
	for (uint32_t i = 0; i < 100; i++) {
		latency_seed = random_next(&r);
		play.gpu.schedulers = 1 + random_below(&r, 4);
		assert_int_equal(launch_play(&play, NULL), 0);
		assert_true(play.log_count <= COUNT(first));
		for (uint32_t k = 0; k < play.log_count; k++)
			play.log[k].cycle = 0;
		if (!i)
			memcpy(first, play.log, sizeof(*first) * play.log_count);
		assert_true(launch_play_is_same_log(first, play.log, play.log_count));
		schedule_result_release(&play.result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses_come_when_derived_by_hand),
		cmocka_unit_test(in_order_goes_on_with_reads_of_known_address),
		cmocka_unit_test(the_sequence_is_the_same_for_any_interleaving),
		cmocka_unit_test(groups_join_the_order_at_a_fixed_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

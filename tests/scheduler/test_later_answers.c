/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that come later: rounds of SMs, and that they change nothing but when it is computed. */
#include "later_port.h"
#include "random_launch.h"

#include "cmocka_all.h"
#include "err.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { GROUPS = 30 };

static const char *const orders[] = {
	"lrr",    "prr",     "gto",       "twolevel:2", "fifo",       "lwf:8",
	"lwf:16", "reorder", "random:77", "sequential", "roundrobin",
};

static const char *const dispatches[] = {
#define DISPATCH_ORDER(name, ...) #name,
#include "dispatch_orders.def"
#undef DISPATCH_ORDER
};

static struct launch_play play;
static struct later_port at_once, later;

static void assert_equal_results(const struct schedule_result *a, const struct schedule_result *b)
{
	for (uint32_t sm = 0; sm < play.gpu.sm_count; sm++) {
		assert_int_equal(a->sm_is_played[sm], b->sm_is_played[sm]);
		assert_int_equal(a->sm_groups[sm], b->sm_groups[sm]);
		assert_int_equal(a->sm_requests[sm], b->sm_requests[sm]);
		assert_int_equal(a->sm_reads[sm], b->sm_reads[sm]);
	}
	assert_int_equal(a->groups, b->groups);
	assert_int_equal(a->cycles, b->cycles);
	assert_int_equal(a->lanes, b->lanes);
	assert_int_equal(a->instructions, b->instructions);
	assert_int_equal(a->requests, b->requests);
}

/* The launch through both ports: each SM asks for the same, at the same cycles. */
static void check_equal(const char *order, uint32_t jobs)
{
	struct schedule_result first;

	play.jobs = 1;
	later_port_play(&at_once);
	first = play.result;
	play.jobs = jobs;
	later_port_play(&later);
	for (uint32_t sm = 0; sm < LATER_PORT_SMS; sm++) {
		const struct later_sm *a = &at_once.sms[sm], *b = &later.sms[sm];

		if (a->count != b->count || !launch_play_is_same_log(a->log, b->log, a->count))
			fail_msg("%s, %u threads, SM %u: %u and %u requests", order, jobs, sm,
			         a->count, b->count);
	}
	assert_equal_results(&first, &play.result);
	schedule_result_release(&first);
	schedule_result_release(&play.result);
}

static void make_launch(struct random *r, const char *order, const char *dispatch)
{
	random_launch_make(&play, r, order, GROUPS);
	assert_int_equal(dispatch_order_parse(&play.dispatch, dispatch, NULL), 0);
	play.gpu.sm_count = 1 + random_below(r, LATER_PORT_SMS);
	play.sms = random_below(r, 3) ? 0 : 1 + random_below(r, play.gpu.sm_count);
}

static void answers_that_come_later_change_nothing(void **state)
{
	struct random r = { 20261121 };

	(void)state;
	print_message("  seed %llu\n", (unsigned long long)r.state);
	for (uint32_t i = 0; i < COUNT(orders) * COUNT(dispatches) * 24; i++) {
		const char *order = orders[i % COUNT(orders)];
		enum later_port_way way =
			random_below(&r, 4) ? LATER_PORT_LATER : LATER_PORT_ROUNDS_AT_ONCE;

		make_launch(&r, order, dispatches[i / COUNT(orders) % COUNT(dispatches)]);
		later_port_init(&at_once, &play, LATER_PORT_AT_ONCE, 0);
		later_port_init(&later, &play, way, 2 + random_below(&r, 60));
		if (random_below(&r, 2))
			at_once.closed = later.closed = random_launch_closed;
		check_equal(order, 1 + random_below(&r, 4));
	}
}

static void they_change_nothing_where_warps_are_many(void **state)
{
	/* So many that they are fetched into the processor's caches at each round. */
	static const char *const some[] = { "lrr", "prr", "reorder", "fifo" };
	const uint32_t groups = 12, items = 384, warps = 192;
	struct random r = { 7 };

	(void)state;
	for (uint32_t i = 0; i < COUNT(some) * 3; i++) {
		random_launch_make(&play, &r, some[i % COUNT(some)], 1);
		launch_play_shape(&play, groups, items);
		play.gpu.sm_count = LATER_PORT_SMS;
		play.gpu.warp_lanes = items / warps;
		play.gpu.max_warps = 4 * warps;
		play.gpu.max_groups = 4;
		later_port_init(&at_once, &play, LATER_PORT_AT_ONCE, 0);
		later_port_init(&later, &play, LATER_PORT_LATER, 40);
		at_once.closed = later.closed = i % 2 ? random_launch_closed : NULL;
		check_equal(some[i % COUNT(some)], 1 + i % 2);
		assert_true(play.result.residency.groups * warps * LATER_PORT_SMS >= 2048);
	}
}

/* --- by hand ---------------------------------------------------------------------------------- */

static uint64_t twenty_five(const struct logged *r)
{
	(void)r;
	return 25;
}

/* Each item reads a line of its own, then writes it. */
static void read_and_write(struct launch_play *p, uint64_t group, uint32_t item)
{
	launch_play_event(p, 4096 + 128 * (group * 4 + item), 0, 0);
	launch_play_event(p, 4096 + 128 * (group * 4 + item), 2, 0);
}

static void make_one_warp(uint64_t request_cycles, uint64_t horizon)
{
	launch_play_init(&play, read_and_write, twenty_five);
	launch_play_shape(&play, 1, 4);
	play.gpu.l1_request_cycles = (uint32_t)request_cycles;
	later_port_init(&later, &play, LATER_PORT_LATER, horizon);
	later.is_prompt = true;
}

static void check_cycles(const uint64_t *cycles, uint32_t count)
{
	assert_int_equal(later.sms[0].count, count);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(later.sms[0].log[i].cycle, cycles[i]);
}

static void check_untils(const uint64_t *until, uint32_t count)
{
	assert_int_equal(later.rounds, count);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(later.until[i], until[i]);
}

static void rounds_end_one_cycle_before_the_horizon(void **state)
{
	/* Four reads in cycle 0, of which the SM knows nothing at 9. They come at 25: until then
	 * nothing can be asked, so the next round begins there. The writes go, and the warp is done
	 * in the next cycle, before that round ends. */
	static const uint64_t cycles[] = { 0, 0, 0, 0, 25, 25, 25, 25 };
	static const uint64_t until[] = { 9, 25, UINT64_MAX };

	(void)state;
	make_one_warp(0, 10);
	later_port_play(&later);
	check_cycles(cycles, COUNT(cycles));
	check_untils(until, COUNT(until));
	assert_int_equal(play.result.cycles, 26);
	schedule_result_release(&play.result);
}

static void what_an_access_asks_beyond_the_end_of_a_round_waits_for_the_next(void **state)
{
	/* Every 6 cycles: 0 and 6 in the first round, up to 9; 12 and 18 in the second. The last
	 * comes at 18 + 25 = 43, which is known when all up to 27 has been asked. Of the writes
	 * those of 43 and 49 go out in the round up to 52, and what answers those is known before
	 * the others do, though the launch has ended meanwhile. */
	static const uint64_t cycles[] = { 0, 6, 12, 18, 43, 49, 55, 61 };
	static const uint64_t until[] = { 9, 18, 27, 43, 55, UINT64_MAX };

	(void)state;
	make_one_warp(6, 10);
	later_port_play(&later);
	check_cycles(cycles, COUNT(cycles));
	check_untils(until, COUNT(until));
	/* Nobody waits for writes: done at 44, while the last of them go out until 61. */
	assert_int_equal(play.result.cycles, 44);
	schedule_result_release(&play.result);
}

static void do_nothing(struct launch_play *p, uint64_t group, uint32_t item)
{
	(void)p;
	(void)group;
	(void)item;
}

static void a_launch_that_asks_for_nothing_settles_once(void **state)
{
	static const uint64_t until[] = { UINT64_MAX };

	(void)state;
	make_one_warp(1, 10);
	play.item = do_nothing;
	later_port_play(&later);
	check_untils(until, COUNT(until));
	schedule_result_release(&play.result);
}

static void a_horizon_of_one_cycle_is_refused(void **state)
{
	struct err err = { 0 };

	(void)state;
	make_one_warp(1, 1);
	play.port = &later.port;
	assert_int_equal(launch_play(&play, &err), ERR_CONFIG);
	assert_string_equal(err.msg,
	                    "what lies below L1 answers after 1 cycles: expected at least 2");
	schedule_result_release(&play.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_that_come_later_change_nothing),
		cmocka_unit_test(they_change_nothing_where_warps_are_many),
		cmocka_unit_test(rounds_end_one_cycle_before_the_horizon),
		cmocka_unit_test(what_an_access_asks_beyond_the_end_of_a_round_waits_for_the_next),
		cmocka_unit_test(a_launch_that_asks_for_nothing_settles_once),
		cmocka_unit_test(a_horizon_of_one_cycle_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of every launch: on each GPU that is described, under each order. */
#include "flow_launch.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"

#include <glob.h>
#include <string.h>

static struct flow_program program;
static struct flow_launch launch;

static const char *const orders[] = {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) #name,
#include "issue_orders.def"
#undef ISSUE_ORDER
};

enum { ORDERS = sizeof(orders) / sizeof(orders[0]) };

/* Up to three dimensions, the last group of each smaller. */
static struct launch_shape random_shape(struct random *r)
{
	struct launch_shape s = { .dimensions = 1 + random_below(r, 3),
		                  .global = { 1, 1, 1 },
		                  .local = { 1, 1, 1 } };
	uint32_t items = 8 + random_below(r, 150), groups = LAUNCH_GROUPS / 2;

	for (uint32_t d = s.dimensions; d-- > 0;) {
		uint32_t along = d ? 1 + random_below(r, groups < 5 ? groups : 5) : groups;

		s.local[d] = d ? 1 + random_below(r, items < 8 ? items : 8) : items;
		s.global[d] = s.local[d] * along - random_below(r, (uint32_t)s.local[d]);
		items /= (uint32_t)s.local[d];
		groups /= along;
	}
	return s;
}

/* Let all work-items decide alike. */
static void keep_together(void)
{
	for (int n = 0; n < program.node_count; n++)
		program.nodes[n].share = FLOW_OF_ALL;
}

static void make(struct random *r)
{
	struct launch_shape shape;
	uint64_t seed;

	for (;;) {
		seed = random_next(r);
		shape = random_shape(r);
		flow_program_make(&program, seed, random_below(r, 4) != 0);
		if (random_below(r, 2))
			keep_together();
		if (flow_launch_make(&launch, &program, &shape, seed) && launch.accesses > 500 &&
		    launch.accesses < 20000)
			return;
		flow_launch_release(&launch);
	}
}

/* Fewer groups at once than would fit, mostly. */
static void load(const char *file, struct random *r)
{
	struct err err = { 0 };

	if (gpu_load(&launch.gpu, file, NULL, &err))
		fail_msg("%s", err.msg);
	assert_true(launch.gpu.sm_count <= LAUNCH_SMS);
	launch.gpu.sm_count = 1 + random_below(r, 4);
	if (random_below(r, 3))
		launch.gpu.max_groups = 1 + random_below(r, 3);
}

/*
 * Played again: the same requests at the same cycles, whether somebody is told of the accesses or
 * not, whether the events are packed or not, and with any number of threads.
 */
static void play_again(void)
{
	uint64_t cycles = 0, hash = 0;

	for (int time = 0; time < 5; time++) {
		uint64_t now;

		launch.is_quiet = time & 1;
		launch.is_packed = time & 2;
		launch.input.jobs = (uint32_t)time;
		now = flow_launch_play(&launch);
		if (time && (now != hash || launch.result.cycles != cycles))
			fail_msg("program %#jx is played otherwise by %d threads%s%s",
			         (uintmax_t)program.seed, time,
			         launch.is_quiet ? ", with nobody told" : "",
			         launch.is_packed ? ", from packed events" : "");
		hash = now;
		cycles = launch.result.cycles;
		schedule_result_release(&launch.result);
	}
}

static const char *const dispatches[] = {
#define DISPATCH_ORDER(name, takes_seed, text) #name,
#include "dispatch_orders.def"
#undef DISPATCH_ORDER
};

enum { DISPATCHES = sizeof(dispatches) / sizeof(dispatches[0]) };

/* One launch of the kind at hand, dispatched in any way. */
static void check_launch(struct random *r, const char *gpu, const char *order)
{
	const char *dispatch = dispatches[random_below(r, DISPATCHES)];

	make(r);
	load(gpu, r);
	launch.input = (struct schedule_input){ 0 };
	assert_int_equal(issue_order_parse(&launch.input.order, order, NULL), 0);
	assert_int_equal(dispatch_order_parse(&launch.input.dispatch, dispatch, NULL), 0);
	play_again();
	flow_launch_release(&launch);
}

static void nothing_is_lost_on_any_gpu_under_any_order(void **state)
{
	struct random r = { 20261121 };
	uint64_t accesses = 0;
	glob_t files;

	(void)state;
	assert_int_equal(glob(SOURCE_DIR "/gpus/*.conf", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		print_message("  %s\n", strrchr(files.gl_pathv[i], '/') + 1);
		for (int order = 0; order < ORDERS; order++) {
			check_launch(&r, files.gl_pathv[i], orders[order]);
			accesses += launch.accesses;
		}
	}
	globfree(&files);
	print_message("  %llu accesses\n", (unsigned long long)accesses);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_on_any_gpu_under_any_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

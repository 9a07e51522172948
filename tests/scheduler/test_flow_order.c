/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order inside a warp against three oracles over random structured programs, of groups of one
 * to three dimensions and warps of 8 to 128 lanes, the last of them partial:
 *
 *   - SEMANTICS 2 read literally, for every program;
 *   - a stack that joins at immediate post-dominators (Fung 2007), for programs without jumps, and
 *     for those with jumps of which each branch still joins where it is written to;
 *   - the same stack with instructions to break, continue and return, for every program whose
 *     sites are numbered as they are written, in the loops in which they are written.
 *
 * For the others it is known how they differ: the sites that are numbered elsewhere come elsewhere,
 * all else is the same; and lanes that the stack has together the former has together.
 */
#include "cmocka_all.h"

#include "err.h"
#include "flow_run.h"
#include "random.h"
#include "random_cases.h"
#include "warp_former.h"

#include <string.h>

static struct flow_program program;
static struct flow_run run;
static struct flow_step formed[FLOW_STEPS], literal[FLOW_STEPS];
static uint32_t formed_count, literal_count;

/* --- SEMANTICS 2, literally ------------------------------------------------------------------ */

/* The loops around a site, from outside in. */
static int loops_around(int site, int loops[FLOW_DEPTH])
{
	int depth = 0, loop = program.sites[site].loop;

	if (loop >= 0)
		depth = (int)program.loops[loop].depth;
	for (int d = depth; d-- > 0; loop = program.loops[loop].parent)
		loops[d] = loop;
	return depth;
}

/* "A loop standing at its header's place": where its first site is. */
static int place_of_loop(int loop)
{
	int site = 0;

	while (!flow_program_holds(&program, loop, program.sites[site].loop))
		site++;
	return site;
}

/* At each level by position, then by iteration; at the innermost by site. */
static int compare_visits(const struct flow_visit *a, const struct flow_visit *b)
{
	int loops_a[FLOW_DEPTH], loops_b[FLOW_DEPTH];
	int depth_a = loops_around(a->site, loops_a), depth_b = loops_around(b->site, loops_b);

	for (int d = 0;; d++) {
		bool is_common = d < depth_a && d < depth_b && loops_a[d] == loops_b[d];
		int at_a = d < depth_a ? place_of_loop(loops_a[d]) : a->site;
		int at_b = d < depth_b ? place_of_loop(loops_b[d]) : b->site;

		if (!is_common)
			return at_a - at_b;
		if (a->iterations[d] != b->iterations[d])
			return a->iterations[d] < b->iterations[d] ? -1 : 1;
	}
}

static enum site_kind kind_of(const struct flow_visit *v)
{
	return program.sites[v->site].kind;
}

static bool is_silent(const struct flow_visit *v)
{
	return kind_of(v) == SITE_FENCE || kind_of(v) == SITE_PREFETCH;
}

/* Candidates of a warp: where each lane stands. */
struct candidates {
	uint32_t at[FLOW_LANES], end[FLOW_LANES], lanes;
};

/* The lane with the least candidate, of those that may go on; at_barrier: all stand at one. */
static uint32_t find_least(const struct candidates *c, bool *at_barrier)
{
	uint32_t least = c->lanes;

	for (int barriers = 0; barriers < 2 && least == c->lanes; barriers++) {
		*at_barrier = barriers;
		for (uint32_t i = 0; i < c->lanes; i++) {
			const struct flow_visit *v = &run.visits[c->at[i]];

			if (c->at[i] == c->end[i] || (kind_of(v) == SITE_BARRIER) != barriers)
				continue;
			if (least == c->lanes || compare_visits(v, &run.visits[c->at[least]]) < 0)
				least = i;
		}
	}
	return least;
}

static void go_literally(uint32_t first_item, uint32_t lanes)
{
	struct candidates c = { .lanes = lanes };
	bool at_barrier;
	uint32_t least;

	memcpy(c.at, run.first_visit + first_item, lanes * sizeof(c.at[0]));
	memcpy(c.end, run.first_visit + first_item + 1, lanes * sizeof(c.end[0]));
	for (literal_count = 0; (least = find_least(&c, &at_barrier)) < lanes;) {
		const struct flow_visit *place = &run.visits[c.at[least]];
		struct flow_step *s = &literal[literal_count];

		*s = (struct flow_step){ .site = place->site };
		for (uint32_t i = 0; i < lanes; i++)
			if (c.at[i] < c.end[i] &&
			    (at_barrier || compare_visits(&run.visits[c.at[i]], place) == 0)) {
				lane_set_add(&s->lanes, i);
				c.at[i]++;
			}
		literal_count += !is_silent(place);
	}
}

/* --- the former ------------------------------------------------------------------------------ */

/* Its steps; each lane does what it did alone, with the same addresses, and nothing is left. */
static void form(struct warp_former *f, uint32_t first_item, uint32_t lanes)
{
	static struct warp_step step;
	uint32_t at[FLOW_LANES];
	struct err err = { 0 };

	memcpy(at, run.first_visit + first_item, lanes * sizeof(at[0]));
	if (warp_former_start(f, &(struct group_items){ .events = run.group }, first_item, lanes,
	                      &err))
		fail_msg("%s", err.msg);
	for (formed_count = 0;; formed_count++) {
		assert_int_equal(warp_former_next(f, &step, &err), 0);
		if (!step.lane_count)
			break;
		formed[formed_count] = (struct flow_step){ .site = (int)step.site };
		for (uint32_t i = 0; i < step.lane_count; i++) {
			uint32_t lane = step.lane[i];

			while (is_silent(&run.visits[at[lane]]))
				at[lane]++;
			assert_int_equal(run.visits[at[lane]].site, step.site);
			if (program.sites[step.site].kind != SITE_BARRIER)
				assert_int_equal(run.visits[at[lane]].value, step.address[i]);
			at[lane]++;
			lane_set_add(&formed[formed_count].lanes, lane);
		}
	}
	for (uint32_t i = 0; i < lanes; i++)
		for (; at[i] < run.first_visit[first_item + i + 1]; at[i]++)
			assert_true(is_silent(&run.visits[at[i]]));
}

static bool is_same(const struct flow_step *a, const struct flow_step *b)
{
	return a->site == b->site && !memcmp(&a->lanes, &b->lanes, sizeof(a->lanes));
}

static bool are_formed(const struct flow_step *steps, uint32_t count)
{
	uint32_t i = 0;

	while (i < count && i < formed_count && is_same(&steps[i], &formed[i]))
		i++;
	return i == count && i == formed_count;
}

static uint32_t past_moved(const struct flow_step *steps, uint32_t count, uint32_t i)
{
	while (i < count && flow_program_is_moved(&program, steps[i].site))
		i++;
	return i;
}

/* Whether both do the same but for sites that are moved. */
static bool only_moved_sites_differ(void)
{
	uint32_t a = 0, b = 0;

	for (;; a++, b++) {
		a = past_moved(formed, formed_count, a);
		b = past_moved(run.steps, run.step_count, b);
		if (a == formed_count || b == run.step_count)
			return a == formed_count && b == run.step_count;
		if (!is_same(&formed[a], &run.steps[b]))
			return false;
	}
}

/* Whether the lanes of each step of the stack are in one step of the former. */
static bool stack_is_never_wider(void)
{
	static uint32_t step_of[FLOW_LANES][FLOW_STEPS / 8]; /* of each lane's visits */
	uint32_t done[FLOW_LANES] = { 0 };

	for (uint32_t s = 0; s < formed_count; s++)
		for (uint32_t i = 0; i < FLOW_LANES; i++)
			if (lane_set_has(&formed[s].lanes, i)) {
				assert_true(done[i] < FLOW_STEPS / 8);
				step_of[i][done[i]++] = s;
			}
	memset(done, 0, sizeof(done));
	for (uint32_t s = 0; s < run.step_count; s++) {
		uint32_t together = UINT32_MAX;

		for (uint32_t i = 0; i < FLOW_LANES; i++) {
			if (!lane_set_has(&run.steps[s].lanes, i))
				continue;
			if (together != UINT32_MAX && step_of[i][done[i]] != together)
				return false;
			together = step_of[i][done[i]++];
		}
	}
	return true;
}

/* --- programs -------------------------------------------------------------------------------- */

struct tally {
	uint32_t programs, warps, partial;
	uint64_t steps, lanes;
	uint32_t in_text_order;               /* programs */
	uint32_t join_as_written;             /* of these */
	uint32_t graph_differs, text_differs; /* warps whose steps are others than with the stack */
};

static void check_stacks(uint32_t first, uint32_t lanes, struct tally *t)
{
	bool in_text_order = flow_program_is_in_text_order(&program);
	bool joins = in_text_order && flow_program_joins_as_written(&program);
	uint64_t seed = program.seed;

	flow_run_warp(&run, FLOW_STACK_TEXT, first, lanes);
	if (!are_formed(run.steps, run.step_count)) {
		t->text_differs++;
		if (in_text_order)
			fail_msg("program %#jx differs from the stack with jumps", (uintmax_t)seed);
	}
	assert_true(stack_is_never_wider());
	if (!only_moved_sites_differ())
		fail_msg("program %#jx differs in a site that is not moved", (uintmax_t)seed);
	flow_run_warp(&run, FLOW_STACK_GRAPH, first, lanes);
	if (!are_formed(run.steps, run.step_count)) {
		t->graph_differs++;
		if (joins)
			fail_msg("program %#jx differs from the stack", (uintmax_t)seed);
	}
	assert_true(stack_is_never_wider());
}

static void count_warp(struct tally *t)
{
	t->warps++;
	t->steps += formed_count;
	for (uint32_t i = 0; i < formed_count; i++)
		t->lanes += (uint64_t)__builtin_popcountll(formed[i].lanes.bits[0]) +
		            (uint64_t)__builtin_popcountll(formed[i].lanes.bits[1]);
}

/* All warps of a group of a program that run holds. */
static void check_group(uint32_t warp_lanes, struct tally *t)
{
	struct warp_former *f;

	assert_int_equal(warp_former_create(&f, &program.table, NULL), 0);
	for (uint32_t first = 0; first < run.item_count; first += warp_lanes) {
		uint32_t left = run.item_count - first;
		uint32_t lanes = left < warp_lanes ? left : warp_lanes;

		t->partial += lanes < warp_lanes;
		form(f, first, lanes);
		go_literally(first, lanes);
		if (!are_formed(literal, literal_count))
			fail_msg("program %#jx differs from SEMANTICS 2", (uintmax_t)program.seed);
		check_stacks(first, lanes, t);
		count_warp(t);
	}
	warp_former_free(f);
}

/* A size of up to three dimensions, of one and a half to three and a half warps. */
static void random_size(struct random *r, uint32_t warp_lanes, uint32_t size[3])
{
	uint32_t dimensions = 1 + random_below(r, 3);
	uint32_t items = warp_lanes + warp_lanes / 2 + random_below(r, warp_lanes * 3 / 2);

	size[0] = size[1] = size[2] = 1;
	for (uint32_t d = dimensions; d-- > 1;) {
		size[d] = 1 + random_below(r, items < 12 ? items : 12);
		items /= size[d];
	}
	size[0] = items;
}

static void check_programs(uint64_t seed, uint32_t count, bool has_jumps, struct tally *t)
{
	struct err err = { 0 };

	*t = (struct tally){ 0 };
	print_message("  seeds from %#jx\n", (uintmax_t)seed);
	for (uint32_t i = 0; i < count; i++) {
		struct random r = { ~(seed + i) };
		uint32_t warp_lanes = 8u << random_below(&r, 5), size[3];

		random_size(&r, warp_lanes, size);
		flow_program_make(&program, seed + i, has_jumps);
		if (kernel_table_check(&program.table, &err))
			fail_msg("program %#jx: %s", (uintmax_t)(seed + i), err.msg);
		flow_run_items(&run, &program, size);
		if (run.is_too_long)
			continue;
		t->programs++;
		t->in_text_order += flow_program_is_in_text_order(&program);
		t->join_as_written += flow_program_is_in_text_order(&program) &&
		                      flow_program_joins_as_written(&program);
		check_group(warp_lanes, t);
	}
	print_message("  %u programs, %u warps, %u partial, %.0f steps a warp, %.1f lanes a step\n",
	              t->programs, t->warps, t->partial, (double)t->steps / t->warps,
	              (double)t->lanes / (double)t->steps);
	print_message("  in text order %u, of which join as written %u; warps that differ from the "
	              "stack %u, from that with jumps %u\n",
	              t->in_text_order, t->join_as_written, t->graph_differs, t->text_differs);
}

enum { PROGRAMS = RANDOM_CASES(300) };

static void without_jumps_warps_go_as_with_a_stack_of_post_dominators(void **state)
{
	struct tally t;

	(void)state;
	check_programs(0x1000, PROGRAMS, false, &t);
	assert_int_equal(t.in_text_order, t.programs);
	assert_int_equal(t.join_as_written, t.programs);
	assert_int_equal(t.graph_differs + t.text_differs, 0);
	assert_true(t.programs > PROGRAMS / 2 && t.partial > PROGRAMS / 4);
}

static void with_jumps_warps_go_as_with_a_stack_that_takes_lanes_away(void **state)
{
	struct tally t;

	(void)state;
	check_programs(0x100000, 4 * PROGRAMS, true, &t);
	/* Each class has its share. */
	assert_true(t.in_text_order > PROGRAMS / 4 && t.join_as_written > PROGRAMS / 8);
	assert_true(t.in_text_order < t.programs && t.join_as_written < t.in_text_order);
	assert_true(t.graph_differs > t.text_differs && t.text_differs > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_jumps_warps_go_as_with_a_stack_of_post_dominators),
		cmocka_unit_test(with_jumps_warps_go_as_with_a_stack_that_takes_lanes_away),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

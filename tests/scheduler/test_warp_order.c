/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order inside a warp against two oracles over random kernels: a reconvergence stack, which
 * says what hardware does, and SEMANTICS 2 read literally, which says what was asked for.
 */
#include "cmocka_all.h"

#include "err.h"
#include "random_kernel.h"
#include "warp_former.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32 };

static struct random_kernel kernel;

/* --- SEMANTICS 2, literally ------------------------------------------------------------------ */

/* Where a lane stands: its loops from outside in, with iterations, and its site. */
struct standing {
	int loops[DEPTH];
	uint64_t iterations[DEPTH];
	uint64_t value;
	uint64_t end; /* the event after it */
	uint32_t site;
	int depth;
};

/* Iterations of all loops as a lane's events up to `at` give them, and the next site. */
static bool find_standing(const struct group_events *g, uint32_t lane, uint64_t at,
                          struct standing *p)
{
	uint64_t outer[KERNEL_LOOPS] = { 0 }, high[KERNEL_LOOPS] = { 0 };
	int chain[DEPTH], depth = 0;

	for (uint64_t i = g->first[lane]; i < g->first[lane + 1]; i++) {
		const struct event *e = &g->events[i];
		uint32_t id = e->point & EVENT_ID_MASK;

		if ((e->point & EVENT_KIND_MASK) == EVENT_LOOP) {
			outer[kernel.loops[id].parent] = e->value;
			high[id] = 0;
		} else if ((e->point & EVENT_KIND_MASK) == EVENT_EPOCH) {
			high[id] = (uint32_t)(e->value >> 32);
		} else if (i >= at) {
			for (int l = kernel.sites[id].loop; l >= 0; l = kernel.loops[l].parent)
				chain[depth++] = l;
			*p = (struct standing){
				.depth = depth, .site = id, .value = e->value, .end = i + 1
			};
			for (int d = 0; d < depth; d++) {
				int l = chain[depth - 1 - d];

				p->loops[d] = l;
				p->iterations[d] = d == depth - 1
				                           ? (uint64_t)high[l] << 32 | e->iteration
				                           : outer[l];
			}
			return true;
		}
	}
	return false;
}

/* The site that a loop has at its head: the position of the loop among its neighbours. */
static uint32_t head(int loop)
{
	for (uint32_t s = 0; s < kernel.table.site_count; s++)
		for (int l = kernel.sites[s].loop; l >= 0; l = kernel.loops[l].parent)
			if (l == loop)
				return s;
	return UINT32_MAX;
}

/* At each level by position, then by iteration. */
static int compare_standings(const struct standing *a, const struct standing *b)
{
	for (int d = 0;; d++) {
		uint32_t at_a = d < a->depth ? head(a->loops[d]) : a->site;
		uint32_t at_b = d < b->depth ? head(b->loops[d]) : b->site;
		bool same_loop = d < a->depth && d < b->depth && a->loops[d] == b->loops[d];

		if (!same_loop)
			return at_a < at_b ? -1 : at_a > at_b;
		if (a->iterations[d] != b->iterations[d])
			return a->iterations[d] < b->iterations[d] ? -1 : 1;
	}
}

/* The lanes of `mask` that stand at the least place; all of them at a barrier. */
static uint32_t least_lanes(const struct standing *at, uint32_t mask, bool at_barrier, int *least)
{
	uint32_t result = 0;

	*least = -1;
	for (int i = 0; i < KERNEL_LANES; i++)
		if (mask >> i & 1 && (*least < 0 || compare_standings(&at[i], &at[*least]) < 0))
			*least = i;
	for (int i = 0; i < KERNEL_LANES; i++)
		if (mask >> i & 1 && (at_barrier || !compare_standings(&at[i], &at[*least])))
			result |= UINT32_C(1) << i;
	return result;
}

static void literal_steps(struct random_kernel *k)
{
	uint64_t at[KERNEL_LANES];
	struct standing standings[KERNEL_LANES];

	memcpy(at, k->first, sizeof(at));
	for (k->step_count = 0;; k->step_count++) {
		uint32_t unfinished = 0, free = 0, mask;
		int least;

		for (uint32_t i = 0; i < KERNEL_LANES; i++)
			if (find_standing(&k->group, i, at[i], &standings[i])) {
				unfinished |= UINT32_C(1) << i;
				if (k->sites[standings[i].site].kind != SITE_BARRIER)
					free |= UINT32_C(1) << i;
			}
		if (!unfinished)
			return;
		mask = least_lanes(standings, free ? free : unfinished, !free, &least);
		k->steps[k->step_count] =
			(struct kernel_step){ standings[least].site, mask,
			                      standings[__builtin_ctz(mask)].value };
		for (uint32_t i = 0; i < KERNEL_LANES; i++)
			if (mask >> i & 1)
				at[i] = standings[i].end;
	}
}

/* --- comparison ------------------------------------------------------------------------------ */

static uint32_t mask_of(const struct warp_step *step)
{
	uint32_t mask = 0;

	for (uint32_t i = 0; i < step->lane_count; i++) {
		assert_true(!i || step->lane[i - 1] < step->lane[i]);
		mask |= UINT32_C(1) << step->lane[i];
	}
	return mask;
}

/* Steps of the former that differ from those expected, 0 or 1: it stops at the first. */
static int count_differences(const struct random_kernel *k, uint64_t *lanes)
{
	static struct warp_step step;
	struct warp_former *f;
	struct err err = { 0 };
	int differences = 0;
	uint32_t i = 0;

	assert_int_equal(kernel_table_check(&k->table, &err), 0);
	assert_int_equal(warp_former_create(&f, &k->table, NULL), 0);
	assert_int_equal(warp_former_start(f, &k->group, 0, KERNEL_LANES, &err), 0);
	for (; !differences; i++) {
		assert_int_equal(warp_former_next(f, &step, &err), 0);
		if (!step.lane_count)
			break;
		*lanes += step.lane_count;
		differences = i >= k->step_count || k->steps[i].site != step.site ||
		              k->steps[i].mask != mask_of(&step) ||
		              (step.bytes && k->steps[i].value != step.address[0]);
	}
	warp_former_free(f);
	return differences || i != k->step_count;
}

enum { KERNELS = 2000 };

static void random_kernels_run_as_with_a_reconvergence_stack(void **state)
{
	uint64_t steps = 0, lanes = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= KERNELS; seed++) {
		random_kernel_make(&kernel, seed, false);
		random_kernel_run_lanes(&kernel);
		random_kernel_run_warp(&kernel);
		if (count_differences(&kernel, &lanes))
			fail_msg("kernel of seed %llu differs", (unsigned long long)seed);
		steps += kernel.step_count;
	}
	print_message("  %d kernels, %llu steps, %.1f lanes a step\n", KERNELS,
	              (unsigned long long)steps, (double)lanes / (double)steps);
	assert_true(steps > 10 * (uint64_t)KERNELS);
}

static void random_kernels_run_in_the_literal_order(void **state)
{
	int differ_from_stack = 0;
	uint64_t lanes = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= KERNELS; seed++) {
		random_kernel_make(&kernel, seed + 1000000, true);
		random_kernel_run_lanes(&kernel);
		random_kernel_run_warp(&kernel);
		differ_from_stack += count_differences(&kernel, &lanes);
		if (kernel.first[KERNEL_LANES] > 20000)
			continue; /* the oracle is quadratic */
		literal_steps(&kernel);
		if (count_differences(&kernel, &lanes))
			fail_msg("kernel of seed %llu differs", (unsigned long long)seed + 1000000);
	}
	/* SEMANTICS 2 puts an access before a break after the loop; the stack has it at once. */
	print_message("  %d of %d kernels with accesses before a break are not as with a stack\n",
	              differ_from_stack, KERNELS);
	assert_true(differ_from_stack > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_kernels_run_as_with_a_reconvergence_stack),
		cmocka_unit_test(random_kernels_run_in_the_literal_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_run.h"

#include "cmocka_all.h"
#include "request.h"

#include <inttypes.h>

static void note_served(void *context, const struct request *r, const struct l1_outcome *o)
{
	struct l1_run *run = context;

	assert_true(run->outcome_count < L1_RUN_STEPS);
	run->outcomes[run->outcome_count++] = *o;
}

static void note_left(void *context, const struct l1_residency *x)
{
	struct l1_run *run = context;

	assert_true(run->left_count < sizeof(run->left) / sizeof(run->left[0]));
	run->left[run->left_count++] = *x;
}

#define SAME(field)                                                                                \
	if (got->field != want->field)                                                             \
	fail_msg("%s %zu: " #field " is %" PRIu64 ", expected %" PRIu64, what, i,                  \
	         (uint64_t)got->field, (uint64_t)want->field)

static void compare_outcomes(size_t i, const struct l1_outcome *got, const struct l1_outcome *want)
{
	const char *what = "outcome";

	SAME(event);
	SAME(set);
	SAME(cycle);
	SAME(stall_cycles);
	SAME(sectors);
	SAME(bytes_fetched);
}

static void compare_stays(size_t i, const struct l1_residency *got, const struct l1_residency *want)
{
	const char *what = "line that left";

	SAME(line);
	SAME(group);
	SAME(warp);
	SAME(site);
	SAME(buffer);
	SAME(set);
	SAME(bytes_moved);
	SAME(first_bytes_used);
	SAME(bytes_used);
	SAME(uses);
	SAME(writes);
	SAME(in_cycles);
	SAME(out_cycles);
	SAME(reason);
}

#undef SAME

struct l1_observer l1_run_observer(struct l1_run *run)
{
	return (struct l1_observer){ run, note_served, note_left };
}

struct counters l1_run_total(const struct l1_run *run)
{
	struct counters sum = { 0 };

	for (size_t i = 0; i < L1_RUN_SITES; i++)
		counters_add(&sum, &run->sites[i]);
	return sum;
}

/* All bytes fetched came with a line that left in the end. */
static void check_moved(const struct l1_run *run)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < run->left_count; i++)
		bytes += run->left[i].bytes_moved;
	assert_int_equal(bytes, l1_run_total(run).bytes_from_l2);
}

void l1_run_compare(const struct l1_run *got, const struct l1_run *want, bool is_observed)
{
	for (size_t i = 0; i < L1_RUN_STEPS; i++)
		if (!want->is_write[i] && got->data[i] != want->data[i])
			fail_msg("step %zu: data at %" PRIu64 ", expected %" PRIu64, i,
			         got->data[i], want->data[i]);
	for (size_t i = 0; i < L1_RUN_SITES; i++) {
		const struct counters *a = &got->sites[i], *b = &want->sites[i];

#define COUNTER(name, unit, text)                                                                  \
	if (a->name != b->name)                                                                    \
		fail_msg("site %zu: " #name " %" PRIu64 ", expected %" PRIu64, i, a->name, b->name);
#include "counters.def"
#undef COUNTER
	}
	assert_int_equal(got->port_free, want->port_free);
	if (!is_observed)
		return;
	assert_int_equal(got->outcome_count, L1_RUN_STEPS);
	for (size_t i = 0; i < L1_RUN_STEPS; i++)
		compare_outcomes(i, &got->outcomes[i], &want->outcomes[i]);
	check_moved(got);
	assert_int_equal(got->left_count, want->left_count);
	for (size_t i = 0; i < got->left_count; i++)
		compare_stays(i, &got->left[i], &want->left[i]);
}

void l1_run_check_sums(const struct counters *c)
{
	assert_int_equal(counters_requests(c), L1_RUN_STEPS);
	assert_int_equal(c->read_hits + c->pending_hits + c->read_misses, c->reads);
	assert_int_equal(c->cold + c->coherence + c->capacity + c->conflict + c->sector,
	                 c->read_misses);
}

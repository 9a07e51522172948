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

/* A number of something observed. */
struct pair {
	const char *name;
	uint64_t got, want;
};

static void compare_pairs(const char *what, size_t number, const struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (pairs[i].got != pairs[i].want)
			fail_msg("%s %zu: %s is %" PRIu64 ", expected %" PRIu64, what, number,
			         pairs[i].name, pairs[i].got, pairs[i].want);
}

static void compare_outcomes(size_t i, const struct l1_outcome *got, const struct l1_outcome *want)
{
	const struct pair pairs[] = {
		{ "event", (uint64_t)got->event, (uint64_t)want->event },
		{ "set", (uint64_t)got->set, (uint64_t)want->set },
		{ "cycle", (uint64_t)got->cycle, (uint64_t)want->cycle },
		{ "stall_cycles", (uint64_t)got->stall_cycles, (uint64_t)want->stall_cycles },
		{ "sectors", (uint64_t)got->sectors, (uint64_t)want->sectors },
		{ "counts.hit", got->counts.hit, want->counts.hit },
		{ "counts.missed", got->counts.missed, want->counts.missed },
		{ "counts.promoted", got->counts.promoted, want->counts.promoted },
		{ "counts.promoted_hit", got->counts.promoted_hit, want->counts.promoted_hit },
		{ "bytes_fetched", (uint64_t)got->bytes_fetched, (uint64_t)want->bytes_fetched },
	};

	compare_pairs("outcome", i, pairs, sizeof(pairs) / sizeof(pairs[0]));
}

static void compare_stays(size_t i, const struct l1_residency *got, const struct l1_residency *want)
{
	const struct pair pairs[] = {
		{ "line", (uint64_t)got->line, (uint64_t)want->line },
		{ "group", (uint64_t)got->group, (uint64_t)want->group },
		{ "warp", (uint64_t)got->warp, (uint64_t)want->warp },
		{ "site", (uint64_t)got->site, (uint64_t)want->site },
		{ "buffer", (uint64_t)got->buffer, (uint64_t)want->buffer },
		{ "set", (uint64_t)got->set, (uint64_t)want->set },
		{ "bytes_moved", (uint64_t)got->bytes_moved, (uint64_t)want->bytes_moved },
		{ "first_bytes_used", (uint64_t)got->first_bytes_used,
		  (uint64_t)want->first_bytes_used },
		{ "bytes_used", (uint64_t)got->bytes_used, (uint64_t)want->bytes_used },
		{ "uses", (uint64_t)got->uses, (uint64_t)want->uses },
		{ "writes", (uint64_t)got->writes, (uint64_t)want->writes },
		{ "in_cycles", (uint64_t)got->in_cycles, (uint64_t)want->in_cycles },
		{ "out_cycles", (uint64_t)got->out_cycles, (uint64_t)want->out_cycles },
		{ "reason", (uint64_t)got->reason, (uint64_t)want->reason },
	};

	compare_pairs("line that left", i, pairs, sizeof(pairs) / sizeof(pairs[0]));
}

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

/* All bytes fetched came with a line that left in the end, but for what went past; and no more were
 * used. */
static void check_moved(const struct l1_run *run)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < run->left_count; i++) {
		bytes += run->left[i].bytes_moved;
		assert_true(run->left[i].bytes_used <= run->left[i].bytes_moved);
	}
	assert_int_equal(bytes, l1_run_total(run).bytes_from_l2 - l1_run_total(run).bytes_bypassed);
}

static void compare_counters(size_t site, const struct counters *got, const struct counters *want)
{
	static const char *const names[] = {
#define COUNTER(name, unit, text) #name,
#include "counters.def"
#undef COUNTER
	};
	const uint64_t *a = (const uint64_t *)got, *b = (const uint64_t *)want;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (a[i] != b[i])
			fail_msg("site %zu: %s %" PRIu64 ", expected %" PRIu64, site, names[i],
			         a[i], b[i]);
}

static void compare_observed(const struct l1_run *got, const struct l1_run *want)
{
	assert_int_equal(got->outcome_count, L1_RUN_STEPS);
	for (size_t i = 0; i < L1_RUN_STEPS; i++)
		compare_outcomes(i, &got->outcomes[i], &want->outcomes[i]);
	check_moved(got);
	assert_int_equal(got->left_count, want->left_count);
	for (size_t i = 0; i < got->left_count; i++)
		compare_stays(i, &got->left[i], &want->left[i]);
}

void l1_run_compare(const struct l1_run *got, const struct l1_run *want, bool is_observed)
{
	for (size_t i = 0; i < L1_RUN_STEPS; i++)
		if (!want->is_write[i] && got->data[i] != want->data[i])
			fail_msg("step %zu: data at %" PRIu64 ", expected %" PRIu64, i,
			         got->data[i], want->data[i]);
	for (size_t i = 0; i < L1_RUN_SITES; i++)
		compare_counters(i, &got->sites[i], &want->sites[i]);
	assert_int_equal(got->port_free, want->port_free);
	if (is_observed)
		compare_observed(got, want);
}

void l1_run_check_sums(const struct counters *c)
{
	assert_int_equal(counters_requests(c), L1_RUN_STEPS);
	assert_int_equal(c->read_hits + c->pending_hits + c->read_misses, c->reads);
	assert_int_equal(c->cold + c->coherence + c->capacity + c->conflict + c->sector,
	                 c->read_misses);
}

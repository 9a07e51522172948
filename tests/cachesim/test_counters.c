/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "counters.h"

/* 100, 101, ...: a value of its own for every counter. */
static struct counters numbered(uint64_t from)
{
	struct counters c;

#define COUNTER(name, unit, text) c.name = from++;
#include "counters.def"
#undef COUNTER
	return c;
}

static void every_counter_is_added(void **state)
{
	struct counters sum = numbered(100), more = numbered(1000);
	uint64_t want = 1100;

	counters_add(&sum, &more);
#define COUNTER(name, unit, text)                                                                  \
	assert_int_equal(sum.name, want);                                                          \
	want += 2;
#include "counters.def"
#undef COUNTER
}

static void requests_are_reads_bypasses_writes_and_atomics(void **state)
{
	const struct counters c = {
		.reads = 5, .read_hits = 5, .writes = 30, .atomics = 200, .bypasses = 1000
	};

	assert_int_equal(counters_requests(&c), 1235);
}

static void a_pending_hit_is_not_a_miss(void **state)
{
	static const struct {
		struct counters c;
		double rate;
	} rows[] = {
		{ { 0 }, 0 },
		{ { .writes = 3 }, 0 },
		{ { .reads = 4, .read_hits = 1, .read_misses = 1, .pending_hits = 2 }, 0.25 },
		{ { .reads = 2, .read_misses = 2 }, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_true(counters_miss_rate(&rows[i].c) == rows[i].rate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_counter_is_added),
		cmocka_unit_test(requests_are_reads_bypasses_writes_and_atomics),
		cmocka_unit_test(a_pending_hit_is_not_a_miss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

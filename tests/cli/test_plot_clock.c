/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in the order of time, against a sorted list. */
#include "cmocka_all.h"

#include "plot_clock.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { ISSUES = 2000, SMS = 5, ROUNDS = 30 };

static const uint64_t FIRST_SEED = 85;

/* Some accesses of an SM, as they come. */
struct issue {
	uint64_t span, count, number; /* the number that it was given */
	uint32_t sm, place;           /* among the SM's own */
};

static int by_time(const void *left, const void *right)
{
	const struct issue *a = left, *b = right;

	if (a->span != b->span)
		return a->span < b->span ? -1 : 1;
	if (a->sm != b->sm)
		return a->sm < b->sm ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

/* One SM runs ahead of the next; cycles of an SM do not go back. */
static void make_issues(struct random *r, struct issue *issues, uint64_t cycles[ISSUES],
                        uint64_t longest)
{
	uint32_t i = 0;

	for (uint32_t sm = 0; sm < SMS; sm++) {
		uint64_t now = random_next(r) % 10;

		for (uint32_t k = 0; k < ISSUES / SMS; k++, i++) {
			now += random_next(r) % 3 ? 0 : random_next(r) % longest;
			cycles[i] = now;
			issues[i] = (struct issue){ 0, random_next(r) % 33, 0, sm, k };
		}
	}
}

static void check_round(uint64_t seed, uint64_t longest)
{
	static struct issue issues[ISSUES];
	static uint64_t cycles[ISSUES];
	struct random random = { seed };
	uint64_t next = 0, total = 0;
	struct plot_clock c;

	print_message("  seed %llu\n", (unsigned long long)seed);
	make_issues(&random, issues, cycles, longest);
	assert_int_equal(plot_clock_init(&c, SMS, NULL), 0);
	for (size_t i = 0; i < ISSUES; i++) {
		plot_clock_count(&c, issues[i].sm, cycles[i], issues[i].count);
		total += issues[i].count;
	}
	assert_int_equal(c.total, total);
	if (longest <= 1000)
		assert_int_equal(c.shift, 0); /* a short launch has exact cycles */
	plot_clock_start(&c);
	for (size_t i = 0; i < ISSUES; i++) {
		issues[i].number = plot_clock_take(&c, issues[i].sm, cycles[i], issues[i].count);
		issues[i].span = cycles[i] >> c.shift;
	}
	plot_clock_release(&c);
	qsort(issues, ISSUES, sizeof(issues[0]), by_time);
	for (size_t i = 0; i < ISSUES; i++) {
		assert_int_equal(issues[i].number, next);
		next += issues[i].count;
	}
}

static void numbers_follow_time_then_sm_then_arrival(void **unused)
{
	(void)unused;
	for (uint64_t round = 0; round < ROUNDS; round++)
		check_round(FIRST_SEED + round, round % 2 ? 1000 : UINT64_C(1) << (4 + round));
}

static void spans_are_short_beside_the_columns_of_a_picture(void **unused)
{
	static const uint32_t sms[] = { 1, 15, 132, 1024 };

	(void)unused;
	for (size_t i = 0; i < sizeof(sms) / sizeof(sms[0]); i++) {
		struct plot_clock c;

		assert_int_equal(plot_clock_init(&c, sms[i], NULL), 0);
		assert_true(c.spans >= 4096);
		assert_true(c.spans * sms[i] * sizeof(*c.counts) <= 32 << 20);
		plot_clock_count(&c, sms[i] - 1, UINT64_MAX, 7);
		plot_clock_count(&c, 0, UINT64_MAX / 2, 5);
		plot_clock_start(&c);
		assert_int_equal(plot_clock_take(&c, sms[i] - 1, UINT64_MAX, 7), 5);
		assert_int_equal(plot_clock_take(&c, 0, UINT64_MAX / 2, 5), 0);
		plot_clock_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_follow_time_then_sm_then_arrival),
		cmocka_unit_test(spans_are_short_beside_the_columns_of_a_picture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

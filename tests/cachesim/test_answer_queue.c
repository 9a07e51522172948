/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "hierarchy.h"
#include "l1_play.h"

enum { ANSWERS = 2000 };

static void put(struct answer_queue *q, uint64_t cycle, uint64_t token, bool is_late)
{
	answer_queue_put(q, &(struct below_answer){ cycle, token, ANSWER_DATA }, is_late);
}

static void answers_come_out_by_cycle_and_late_ones_first(void **state)
{
	static const struct {
		uint64_t cycle;
		bool is_late;
		size_t place; /* at which it comes out */
	} rows[] = {
		{ 30, false, 1 }, { 90, true, 6 },  { 40, false, 4 }, { 20, true, 0 },
		{ 40, true, 2 },  { 50, false, 5 }, { 40, true, 3 },
	};
	enum { COUNT = sizeof(rows) / sizeof(rows[0]) };
	const struct below_answer *a;
	struct answer_queue q;
	size_t count;

	answer_queue_init(&q);
	assert_true(answer_queue_next(&q) == UINT64_MAX);
	for (size_t i = 0; i < COUNT; i++)
		put(&q, rows[i].cycle, i, rows[i].is_late);
	assert_int_equal(answer_queue_next(&q), 20);
	a = answer_queue_take(&q, UINT64_MAX, &count);
	assert_int_equal(count, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(a[rows[i].place].token_or_line, i);
		assert_int_equal(a[rows[i].place].cycle, rows[i].cycle);
	}
	assert_int_equal(answer_queue_status(&q, NULL), 0);
	answer_queue_release(&q);
}

static void what_is_not_before_the_cycle_stays(void **state)
{
	struct answer_queue q;
	size_t count;

	answer_queue_init(&q);
	put(&q, 10, 0, false);
	put(&q, 11, 1, true);
	put(&q, 12, 2, false);
	assert_int_equal(answer_queue_take(&q, 11, &count)[0].token_or_line, 0);
	assert_int_equal(count, 1);
	answer_queue_take(&q, 11, &count);
	assert_int_equal(count, 0);
	put(&q, 11, 3, true);
	assert_int_equal(answer_queue_take(&q, 12, &count)[1].token_or_line, 3);
	assert_int_equal(count, 2);
	assert_int_equal(answer_queue_next(&q), 12);
	answer_queue_release(&q);
}

/* Time goes on: answers are of the cycles from now on, and taken as far as now. None is lost, none
 * comes twice, and cycles ascend from call to call. */
static void nothing_is_lost_as_time_goes_on(void **state)
{
	static bool is_out[ANSWERS];
	uint64_t random = 7, now = 0, last = 0, sent = 0, taken = 0;
	struct answer_queue q;
	size_t count;

	answer_queue_init(&q);
	while (taken < ANSWERS) {
		for (uint64_t n = random_below(&random, 6); n && sent < ANSWERS; n--) {
			bool is_late = random_below(&random, 2);

			put(&q, now + (is_late ? random_below(&random, 50) : 5), sent++, is_late);
		}
		now += random_below(&random, 9);
		for (const struct below_answer *a = answer_queue_take(&q, now, &count); count;
		     a++, count--, taken++) {
			assert_true(a->cycle < now && a->cycle >= last);
			assert_false(is_out[a->token_or_line]);
			is_out[a->token_or_line] = true;
			last = a->cycle;
		}
	}
	assert_true(answer_queue_next(&q) == UINT64_MAX);
	answer_queue_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_come_out_by_cycle_and_late_ones_first),
		cmocka_unit_test(what_is_not_before_the_cycle_stays),
		cmocka_unit_test(nothing_is_lost_as_time_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

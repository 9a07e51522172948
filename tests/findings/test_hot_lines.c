/* SPDX-License-Identifier: Apache-2.0 */
#include "hot_lines.h"

#include "cmocka_all.h"
#include "random.h"
#include "request.h"

#include <string.h>

enum { LINES = 300, SMS = 4, REQUESTS = 20000, ROUNDS = 8 };

/* Few lines are asked for often: line 0 half of the time, 1 a quarter, and so on. */
static uint32_t draw_line(struct random *r)
{
	uint32_t line = 0;

	if (random_below(r, 2)) /* many lines that push each other out */
		return random_below(r, 8) ? random_below(r, LINES) : 0;
	while (line < 6 && random_below(r, 2))
		line++;
	return line < 6 ? line : 6 + random_below(r, LINES - 6);
}

/* Of a line that is kept, at most total / 65 is missing; and one with more is kept. */
static void compare(const struct hot_lines *h, const uint64_t *exact)
{
	uint64_t total = 0, slack;
	uint64_t kept[LINES] = { 0 };

	for (size_t i = 0; i < LINES; i++)
		total += exact[i];
	slack = total / (HOT_LINES + 1);
	assert_int_equal(h->total, total);
	for (size_t i = 0; i < HOT_LINES; i++)
		if (h->lines[i].requests)
			kept[h->lines[i].line / 128] += h->lines[i].requests;
	for (size_t i = 0; i < LINES; i++) {
		assert_true(kept[i] <= exact[i]);
		assert_true(kept[i] + slack >= exact[i]);
	}
}

static void no_line_with_a_share_is_missed_whatever_is_merged(void **state)
{
	struct random r = { 20261121 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct hot_lines sms[SMS], sum;
		uint64_t exact[LINES] = { 0 };

		memset(sms, 0, sizeof(sms));
		memset(&sum, 0, sizeof(sum));
		for (int i = 0; i < REQUESTS; i++) {
			uint32_t line = draw_line(&r);
			const struct request q = { .line = UINT64_C(128) * line, .lanes = 1 };
			const struct l1_outcome o = { .event = L1_WRITE };

			hot_lines_served(&sms[random_below(&r, SMS)], &q, &o, 4);
			exact[line]++;
		}
		for (int i = 0; i < SMS; i++)
			hot_lines_add(&sum, &sms[i]);
		hot_lines_sort(&sum);
		compare(&sum, exact);
		assert_int_equal(sum.lines[0].line, 0);
		for (int i = 0; i < SMS; i++)
			hot_lines_release(&sms[i]);
		hot_lines_release(&sum);
	}
}

static void only_what_no_cache_could_serve_counts(void **state)
{
	static const struct {
		enum l1_event event;
		uint64_t requests, atomics;
	} rows[] = {
		{ L1_HIT, 0, 0 },       { L1_PENDING, 0, 0 },   { L1_COLD, 0, 0 },
		{ L1_COHERENCE, 1, 0 }, { L1_CAPACITY, 0, 0 },  { L1_CONFLICT, 0, 0 },
		{ L1_SECTOR, 0, 0 },    { L1_WRITE_HIT, 1, 0 }, { L1_WRITE, 1, 0 },
		{ L1_ATOMIC, 1, 1 },    { L1_BYPASS, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct request q = {
			.line = 128, .bytes_used = 4, .lanes = 5, .site = 3, .buffer = 2
		};
		const struct l1_outcome o = { .event = rows[i].event };
		struct hot_lines h = { 0 };

		hot_lines_served(&h, &q, &o, 4);
		assert_int_equal(h.total, rows[i].requests);
		assert_int_equal(h.atomics, rows[i].atomics);
		assert_int_equal(h.atomic_lanes, 5 * rows[i].atomics);
		assert_int_equal(h.atomic_turns, 5 * rows[i].atomics);
		assert_int_equal(h.lines[0].requests, rows[i].requests);
		assert_int_equal(h.count, rows[i].requests);
		if (rows[i].requests) {
			assert_int_equal(h.lines[0].site_count, 1);
			assert_int_equal(h.lines[0].sites[0].site, 3);
			assert_int_equal(h.lines[0].sites[0].turns, rows[i].atomics ? 5 : 1);
		}
		hot_lines_release(&h);
	}
}

/* 32 atomics on one word wait for one another, on as many words for none. */
static void only_atomics_on_one_word_take_turns(void **state)
{
	static const struct {
		uint32_t lanes, bytes_used, bytes;
		uint64_t turns;
	} rows[] = {
		{ 32, 4, 4, 32 }, { 32, 128, 4, 1 }, { 32, 64, 4, 2 }, { 32, 60, 4, 3 },
		{ 16, 8, 8, 16 }, { 32, 128, 0, 1 }, { 1, 4, 4, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct request q = { .line = 128,
			                   .lanes = rows[i].lanes,
			                   .bytes_used = rows[i].bytes_used };
		const struct l1_outcome o = { .event = L1_ATOMIC };
		struct hot_lines h = { 0 };

		hot_lines_served(&h, &q, &o, rows[i].bytes);
		assert_int_equal(h.atomic_turns, rows[i].turns);
		assert_int_equal(h.lines[0].turns, rows[i].turns);
		hot_lines_release(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_line_with_a_share_is_missed_whatever_is_merged),
		cmocka_unit_test(only_what_no_cache_could_serve_counts),
		cmocka_unit_test(only_atomics_on_one_word_take_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

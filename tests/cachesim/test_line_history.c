/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "l1_play.h"
#include "miss_classes.h"

/* One array with every line that can occur, against the table. */
static void it_remembers_what_an_array_remembers(void **state)
{
	enum { LINES = 5000, STEPS = 60000 };
	static enum line_past past[LINES];
	uint64_t random = 4711;
	struct line_history h;

	print_message("seed 4711\n");
	assert_int_equal(line_history_init(&h, NULL), 0);
	for (size_t t = 0; t < STEPS; t++) {
		uint64_t i = random_below(&random, LINES);
		/* half of them dense, half of them one in a page, up to near 2^60 */
		uint64_t line = i < LINES / 2 ? i : i * 0x3a1f00000000;

		if (past[i] == LINE_READ && random_below(&random, 3) == 0) {
			line_history_take(&h, line);
			past[i] = LINE_TAKEN;
		} else {
			assert_int_equal(line_history_read(&h, line), past[i]);
			past[i] = LINE_READ;
		}
	}
	line_history_release(&h);
}

/* 64 entries at first, at most half used: 300,000 scattered lines make it double 14 times. */
static void it_grows(void **state)
{
	enum { LINES = 300000 };
	struct line_history h;

	assert_int_equal(line_history_init(&h, NULL), 0);
	for (enum line_past want = LINE_NEW; want <= LINE_READ; want++)
		for (uint64_t i = 0; i < LINES; i++)
			assert_int_equal(line_history_read(&h, i * 1000), want);
	assert_int_equal(h.pages.count, LINES);
	assert_int_equal(h.bits, 20);
	line_history_release(&h);
}

static void without_memory_it_answers_and_says_so(void **state)
{
	struct miss_classes m;
	struct err err = { 0 };

	assert_int_equal(miss_classes_init(&m, 4, NULL), 0);
	assert_int_equal(miss_classes_status(&m, &err), 0);
	m.history.is_failed = true; /* as after a failed growth */
	for (uint64_t i = 0; i < 5000; i++)
		miss_classes_miss(&m, i * 32);
	assert_int_equal(m.history.pages.count, 0);
	assert_int_equal(miss_classes_status(&m, &err), ERR_NOMEM);
	assert_non_null(strstr(err.msg, "out of memory"));
	miss_classes_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_remembers_what_an_array_remembers),
		cmocka_unit_test(it_grows),
		cmocka_unit_test(without_memory_it_answers_and_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

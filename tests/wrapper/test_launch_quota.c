/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "launch_filter.h"
#include "recorder_settings.h"

#include <stdio.h>
#include <string.h>

enum { LAUNCHES = 40, KERNELS = 5 };

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A program's launches, and what the user asked for. */
struct story {
	uint32_t kernel[LAUNCHES];
	uint64_t when_ns[LAUNCHES];
	struct recorder_settings settings;
};

/* Whether as many launches of the kernel as --per-kernel lets through came before, and were taken.
 */
static bool is_kernel_full(const struct story *s, const enum quota_answer *answers, int launch)
{
	uint64_t taken = 0;

	for (int i = 0; i < launch; i++)
		taken += s->kernel[i] == s->kernel[launch] &&
		         (answers[i] == QUOTA_GRANTED || answers[i] == QUOTA_ENDED);
	return s->settings.per_kernel && taken >= s->settings.per_kernel;
}

/*
 * The header's five steps over the whole story: each step is a list of the launches that came
 * through, and the next step looks at the places in that list.
 */
static void tell(const struct story *s, enum quota_answer answers[LAUNCHES])
{
	int list[LAUNCHES], left[LAUNCHES], count = 0, kept = 0;

	for (int i = 0; i < LAUNCHES; i++) {
		answers[i] = (uint64_t)i < s->settings.skip ? QUOTA_PASSED_OVER : QUOTA_LEFT_OUT;
		if ((uint64_t)i >= s->settings.skip)
			list[count++] = i;
	}
	for (int i = 0; i < count; i++) {
		uint64_t before = 0;

		for (int j = 0; j < i; j++)
			before += s->kernel[list[j]] == s->kernel[list[i]];
		if (!s->settings.per_kernel || before < s->settings.per_kernel)
			left[kept++] = list[i];
	}
	for (int i = 0; i < kept; i++) {
		if (s->settings.max_launches && (uint64_t)i >= s->settings.max_launches) {
			answers[left[i]] = QUOTA_FULL;
			continue;
		}
		answers[left[i]] = s->settings.duration_ns && s->when_ns[left[i]] - 1000 >=
		                                                      s->settings.duration_ns
		                           ? QUOTA_ENDED
		                           : QUOTA_GRANTED;
	}
}

/* Where --per-kernel and --max-launches both leave a launch out, the former is named if it would do
 * so by itself. */
static void name_reasons(const struct story *s, enum quota_answer answers[LAUNCHES])
{
	for (int i = 0; i < LAUNCHES; i++)
		if (answers[i] == QUOTA_LEFT_OUT || answers[i] == QUOTA_FULL)
			answers[i] = is_kernel_full(s, answers, i) ? QUOTA_LEFT_OUT : QUOTA_FULL;
}

static void random_story(struct story *s, uint64_t *random)
{
	uint64_t now = 1000;

	memset(s, 0, sizeof(*s));
	for (int i = 0; i < LAUNCHES; i++) {
		s->kernel[i] = (uint32_t)(next(random) % KERNELS);
		now += next(random) % 10;
		s->when_ns[i] = now;
	}
	s->settings.skip = next(random) % 8;
	s->settings.per_kernel = next(random) % 5;
	s->settings.max_launches = next(random) % 2 ? next(random) % 20 : 0;
	s->settings.duration_ns = next(random) % 2 ? next(random) % 200 : 0;
}

static void answers_follow_the_five_steps(void **state)
{
	uint64_t random = 20261121;

	print_message("seed %llu\n", (unsigned long long)random);
	for (int round = 0; round < 2000; round++) {
		struct launch_quota q;
		struct story s;
		enum quota_answer expected[LAUNCHES];

		bool is_spent = false;

		random_story(&s, &random);
		tell(&s, expected);
		name_reasons(&s, expected);
		launch_quota_init(&q, &s.settings, 1000);
		for (int i = 0; i < LAUNCHES; i++) {
			enum quota_answer got = launch_quota_ask(&q, s.kernel[i], s.when_ns[i]);

			/* A spent quota grants nothing, whatever comes. */
			if (is_spent && got == QUOTA_GRANTED)
				fail_msg("round %d, launch %d: spent, but granted", round, i);
			is_spent = is_spent || launch_quota_is_spent(&q, s.when_ns[i]);
			if (got != expected[i])
				fail_msg("round %d, launch %d: %d, expected %d", round, i, got,
				         expected[i]);
		}
		launch_quota_release(&q);
	}
}

/* With calls that the driver refuses in between, the others get what they get without them. */
static void a_refused_launch_leaves_no_trace(void **state)
{
	uint64_t random = 7;

	for (int round = 0; round < 2000; round++) {
		struct launch_quota plain, disturbed;
		struct story s;

		random_story(&s, &random);
		launch_quota_init(&plain, &s.settings, 1000);
		launch_quota_init(&disturbed, &s.settings, 1000);
		for (int i = 0; i < LAUNCHES; i++) {
			uint32_t other = (uint32_t)(next(&random) % KERNELS);

			launch_quota_take_back(&disturbed, other,
			                       launch_quota_ask(&disturbed, other, s.when_ns[i]));
			assert_int_equal(launch_quota_ask(&disturbed, s.kernel[i], s.when_ns[i]),
			                 launch_quota_ask(&plain, s.kernel[i], s.when_ns[i]));
		}
		launch_quota_release(&plain);
		launch_quota_release(&disturbed);
	}
}

/* What is certain without asking is what asking would have said, refused launches between or not.
 */
static void what_is_kept_is_what_asking_says(void **state)
{
	uint64_t random = 20261122;
	unsigned kept_answers = 0;

	for (int round = 0; round < 2000; round++) {
		atomic_uint_fast64_t kept[KERNELS] = { 0 };
		enum quota_answer late[LAUNCHES] = { QUOTA_NOT_ASKED };
		struct launch_quota plain, quick;
		struct story s;

		random_story(&s, &random);
		launch_quota_init(&plain, &s.settings, 1000);
		launch_quota_init(&quick, &s.settings, 1000);
		for (int i = 0; i < LAUNCHES; i++) {
			uint32_t kernel = s.kernel[i];
			uint64_t returns = atomic_load(&quick.returns);
			enum quota_answer said = launch_quota_ask(&plain, kernel, s.when_ns[i]);
			enum quota_answer got = launch_quota_foresee(&quick, &kept[kernel]);

			kept_answers += got == QUOTA_LEFT_OUT || got == QUOTA_FULL;
			if (got == QUOTA_NOT_ASKED) {
				got = launch_quota_ask(&quick, kernel, s.when_ns[i]);
				launch_quota_keep_answer(&kept[kernel], got, returns);
			}
			assert_int_equal(got, said);
			if (next(&random) % 4 == 0)
				late[i] = said;
			/* The driver refuses a launch while others of its kernel come. */
			if (i >= 3 && late[i - 3] != QUOTA_NOT_ASKED) {
				launch_quota_take_back(&plain, s.kernel[i - 3], late[i - 3]);
				launch_quota_take_back(&quick, s.kernel[i - 3], late[i - 3]);
			}
		}
		launch_quota_release(&plain);
		launch_quota_release(&quick);
	}
	assert_true(kept_answers > 1000);
}

static void bytes_never_exceed_their_limit(void **state)
{
	const struct recorder_settings settings = { .max_bytes = 100 };
	char end[LAUNCH_QUOTA_TEXT_BYTES];
	struct launch_quota q;

	launch_quota_init(&q, &settings, 0);
	assert_true(launch_quota_keep(&q, 60));
	assert_true(launch_quota_allows(&q, 40));
	assert_true(launch_quota_keep(&q, 40)); /* 100 of 100 */
	assert_false(launch_quota_has_ended(&q, 0));
	assert_int_equal(launch_quota_ask(&q, 0, 0), QUOTA_GRANTED);
	assert_false(launch_quota_is_spent(&q, 0));
	assert_false(launch_quota_allows(&q, 1));
	assert_true(launch_quota_has_ended(&q, 0));
	assert_int_equal(launch_quota_ask(&q, 0, 0), QUOTA_ENDED);
	launch_quota_end(&q, end);
	assert_string_equal(end, "the recording had reached its 100 bytes (--max-bytes)");
	assert_false(launch_quota_keep(&q, UINT64_MAX));
	launch_quota_release(&q);
}

static void the_end_by_time_is_told_in_seconds(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{ 1, "the recording's 0.000000001 s were over (--duration)" },
		{ 1500000000, "the recording's 1.5 s were over (--duration)" },
		{ 20000000000, "the recording's 20 s were over (--duration)" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct recorder_settings settings = { .duration_ns = rows[i].ns };
		char end[LAUNCH_QUOTA_TEXT_BYTES];
		struct launch_quota q;

		launch_quota_init(&q, &settings, 5);
		launch_quota_end(&q, end);
		assert_string_equal(end, "");
		assert_false(launch_quota_has_ended(&q, 5 + rows[i].ns - 1));
		assert_true(launch_quota_has_ended(&q, 5 + rows[i].ns));
		launch_quota_end(&q, end);
		assert_string_equal(end, rows[i].text);
		assert_true(launch_quota_allows(&q, UINT64_MAX));
		launch_quota_release(&q);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_follow_the_five_steps),
		cmocka_unit_test(a_refused_launch_leaves_no_trace),
		cmocka_unit_test(what_is_kept_is_what_asking_says),
		cmocka_unit_test(bytes_never_exceed_their_limit),
		cmocka_unit_test(the_end_by_time_is_told_in_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

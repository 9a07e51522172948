/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "group_selection.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED   7u
#define ROUNDS 2000
#define END    200u /* the oracle marks numbers below this */

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

static struct group_selection *parse(const char *text)
{
	struct group_selection *s = NULL;
	struct err err = { 0 };

	if (group_selection_parse(&s, text, "--groups", &err) != 0)
		fail_msg("'%s': %s", text, err.msg);
	return s;
}

static void each_form_chooses_what_it_says(void **state)
{
	static const struct {
		const char *text;
		const char *chosen; /* of 0..9, one digit each */
	} rows[] = {
		{ "3", "3" },
		{ "0", "0" },
		{ "2..5", "2345" },
		{ "2..2", "2" },
		{ "7..", "789" },
		{ "..2", "012" },
		{ "2..9/3", "258" },
		{ "2../4", "26" },
		{ "..6/3", "036" },
		{ "/4", "048" },
		{ "/1", "0123456789" },
		{ "1,8,3", "138" },
		{ "0..3,2..5", "012345" },
		{ "/5,4", "045" },
		{ "0x8..", "89" },
		{ "1k", "" },
		{ "18446744073709551615", "" },
		{ "8../18446744073709551615", "8" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct group_selection *s = parse(rows[i].text);

		print_message("%s\n", rows[i].text);
		for (uint64_t g = 0; g < 10; g++)
			assert_int_equal(group_selection_has(s, g),
			                 strchr(rows[i].chosen, (int)('0' + g)) != NULL);
		group_selection_free(s);
	}
}

static void what_is_no_list_of_ranges_is_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "", "'' is not a range; expected N, A..B" },
		{ ",", "'' is not a range" },
		{ "1,", "'' is not a range" },
		{ "..", "'..' is not a range" },
		{ "x", "'x' is not a number" },
		{ "-1", "'-1' is not a number" },
		{ "5..2", "5..2 ends before it begins" },
		{ "1...3", "'.3' is not a number" },
		{ "1.3", "'1.3' is not a number" },
		{ "1..3/0", "0 is outside 1.." },
		{ "1..3/", "'' is not a number" },
		{ "/", "'' is not a number" },
		{ "3/2", "'3/2' is not a range" },
		{ "1/2..3", "'1/2..3' is not a range" },
		{ "../2/2", "'2/2' is not a number" },
		{ "18446744073709551616", "is outside" },
		{ "1 ..3", "'1 ' is not a number" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct group_selection *s = NULL;
		struct err err = { 0 };

		assert_int_equal(group_selection_parse(&s, rows[i].text, "--groups", &err),
		                 ERR_USAGE);
		assert_null(s);
		if (strncmp(err.msg, "--groups: ", 10) != 0 || !strstr(err.msg, rows[i].message))
			fail_msg("'%s' gave '%s'", rows[i].text, err.msg);
	}
}

static void too_many_parts_are_a_limit(void **state)
{
	size_t length = 2 * (GROUP_SELECTION_LIMIT + 1) - 1;
	char *text = malloc(length + 1);
	struct group_selection *s = NULL;
	struct err err = { 0 };

	assert_non_null(text);
	for (size_t i = 0; i < length; i++)
		text[i] = i % 2 ? ',' : '1';
	text[length] = '\0';
	assert_int_equal(group_selection_parse(&s, text, "--groups", &err), ERR_LIMIT);
	text[length - 2] = '\0';
	group_selection_free(parse(text));
	free(text);
}

/* Append a random part and mark what it chooses, number by number from its definition. */
static void add_part(struct str *text, bool chosen[END])
{
	uint32_t first = random_below(END), last = first + random_below(END - first);
	uint32_t step = 1 + random_below(20), form = random_below(5);
	const char *comma = text->length ? "," : "";

	if (form == 0)
		str_printf(text, NULL, "%s%" PRIu32, comma, last = first);
	else if (form == 1)
		str_printf(text, NULL, "%s%" PRIu32 "..%" PRIu32 "/%" PRIu32, comma, first, last,
		           step);
	else if (form == 2)
		str_printf(text, NULL, "%s%" PRIu32 "../%" PRIu32, comma, first, step);
	else if (form == 3)
		str_printf(text, NULL, "%s..%" PRIu32, comma, last);
	else
		str_printf(text, NULL, "%s/%" PRIu32, comma, step);
	first = form < 3 ? first : 0;
	last = form == 2 || form == 4 ? END - 1 : last;
	step = form == 0 || form == 3 ? 1 : step;
	for (uint32_t g = 0, since = 0; g < END; g++) {
		if (g < first || g > last)
			continue;
		chosen[g] = chosen[g] || since == 0;
		since = since + 1 == step ? 0 : since + 1;
	}
}

static void random_lists_choose_what_their_definition_says(void **state)
{
	print_message("seed %u\n", SEED);
	for (int round = 0; round < ROUNDS; round++) {
		bool chosen[END] = { false };
		struct group_selection *s;
		struct str text;
		uint32_t parts = 1 + random_below(4), end = random_below(END + 1);
		uint64_t next = end;

		str_init(&text, 4096);
		for (uint32_t i = 0; i < parts; i++)
			add_part(&text, chosen);
		s = parse(text.text);
		for (uint32_t g = end; g-- > 0;) {
			if (group_selection_has(s, g) != chosen[g])
				fail_msg("'%s': %" PRIu32, text.text, g);
			next = chosen[g] ? g : next;
			assert_int_equal(group_selection_next(s, g, end), next);
		}
		group_selection_free(s);
		str_release(&text);
	}
}

static void the_ends_of_the_numbers_do_not_overflow(void **state)
{
	struct group_selection *s = parse("18446744073709551600../10");

	assert_true(group_selection_has(s, UINT64_MAX - 15));
	assert_true(group_selection_has(s, UINT64_MAX - 5));
	assert_false(group_selection_has(s, UINT64_MAX));
	assert_int_equal(group_selection_next(s, 0, UINT64_MAX), UINT64_MAX - 15);
	assert_int_equal(group_selection_next(s, UINT64_MAX - 14, UINT64_MAX), UINT64_MAX - 5);
	assert_int_equal(group_selection_next(s, UINT64_MAX - 4, UINT64_MAX), UINT64_MAX);
	group_selection_free(s);
	group_selection_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_chooses_what_it_says),
		cmocka_unit_test(what_is_no_list_of_ranges_is_refused_with_a_sentence),
		cmocka_unit_test(too_many_parts_are_a_limit),
		cmocka_unit_test(random_lists_choose_what_their_definition_says),
		cmocka_unit_test(the_ends_of_the_numbers_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

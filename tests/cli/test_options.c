/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "manual.h"
#include "options.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

struct settings {
	bool loud;
	const char *name;
	const char *mark; /* a text without a value */
	struct option_number number;
	uint32_t format;
	struct option_list set;
};

static const struct option_row rows[] = {
	{ .name = "loud",
	  .letter = 'l',
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct settings, loud) },
	{ .name = "name",
	  .letter = 'n',
	  .argument = "NAME",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct settings, name) },
	{ .name = "mark", .kind = OPTION_TEXT, .offset = offsetof(struct settings, mark) },
	{ .name = "number",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct settings, number),
	  .max = 9 },
	{ .name = "format",
	  .argument = "FORMAT",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct settings, format),
	  .words = "text|json" },
	{ .name = "set",
	  .argument = "KEY=VALUE",
	  .kind = OPTION_LIST,
	  .offset = offsetof(struct settings, set) },
};
static const struct option_table table = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct settings) };

/* Split `line` at blanks and parse it; what it gives is written back in one canonical line. */
static int parse(const char *line, bool stops, char *result, size_t bytes, struct err *err)
{
	char *argv[32], *copy = strdup(line), *rest = copy, *word;
	struct settings s = { 0 };
	struct operands operands;
	int used, ret;
	size_t count = 0;

	while ((word = strsep(&rest, " "))) {
		if (*word)
			argv[count++] = word;
	}
	argv[count] = NULL;
	ret = options_parse(&table, argv, stops, &s, &operands, err);
	used = snprintf(result, bytes, "loud=%d name=%s number=%d/%d format=%u", s.loud,
	                s.name ? s.name : "-", s.number.is_given, (int)s.number.value, s.format);
	if (s.mark)
		used += snprintf(result + used, bytes - (size_t)used, " mark=%s", s.mark);
	for (size_t i = 0; i < s.set.count; i++)
		used += snprintf(result + used, bytes - (size_t)used, " set:%s", s.set.items[i]);
	for (size_t i = 0; i < operands.count; i++)
		used += snprintf(result + used, bytes - (size_t)used, " [%s]", operands.items[i]);
	if (operands.wants_help)
		snprintf(result + used, bytes - (size_t)used, " help");
	free(copy);
	return ret;
}

static void a_command_line_fills_the_settings(void **state)
{
	static const struct {
		const char *line;
		bool stops;
		const char *result;
	} cases[] = {
		{ "", false, "loud=0 name=- number=0/0 format=0" },
		{ "--loud a", false, "loud=1 name=- number=0/0 format=0 [a]" },
		{ "-l a b", false, "loud=1 name=- number=0/0 format=0 [a] [b]" },
		{ "a --name x b", false, "loud=0 name=x number=0/0 format=0 [a] [b]" },
		{ "--mark a", false, "loud=0 name=- number=0/0 format=0 mark=1 [a]" },
		{ "--name=x", false, "loud=0 name=x number=0/0 format=0" },
		{ "--name=x=y", false, "loud=0 name=x=y number=0/0 format=0" },
		{ "-nx", false, "loud=0 name=x number=0/0 format=0" },
		{ "-n x", false, "loud=0 name=x number=0/0 format=0" },
		{ "-n --loud", false, "loud=0 name=--loud number=0/0 format=0" },
		{ "--number 0", false, "loud=0 name=- number=1/0 format=0" },
		{ "--number=9", false, "loud=0 name=- number=1/9 format=0" },
		{ "--format json", false, "loud=0 name=- number=0/0 format=1" },
		{ "--set a=1 --set b=2", false,
		  "loud=0 name=- number=0/0 format=0 set:a=1 set:b=2" },
		{ "-- --loud", false, "loud=0 name=- number=0/0 format=0 [--loud]" },
		{ "-", false, "loud=0 name=- number=0/0 format=0 [-]" },
		{ "-l app --name x", true, "loud=1 name=- number=0/0 format=0 [app] [--name] [x]" },
		{ "-- app -- x", true, "loud=0 name=- number=0/0 format=0 [app] [--] [x]" },
		{ "app --help", true, "loud=0 name=- number=0/0 format=0 [app] [--help]" },
		{ "--help --nonsense", false, "loud=0 name=- number=0/0 format=0 help" },
		{ "a -h", false, "loud=0 name=- number=0/0 format=0 [a] help" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };
		char result[256];

		assert_int_equal(parse(cases[i].line, cases[i].stops, result, sizeof(result), &err),
		                 0);
		assert_string_equal(result, cases[i].result);
	}
}

/* They are of every command that has none of that name itself. */
static void common_options_stand_in_no_table(void **state)
{
	char quiet[] = "-q", pager[] = "--no-pager", colour[] = "--colour=never", dir[] = "d";
	char *argv[] = { quiet, pager, dir, colour, NULL };
	static const struct option_row own[] = { { .name = "quiet",
		                                   .letter = 'q',
		                                   .kind = OPTION_FLAG,
		                                   .offset = offsetof(struct settings, loud) } };
	const struct option_table with_own = { own, 1, sizeof(struct settings) };
	struct settings s = { 0 };
	struct operands o;
	struct err err = { 0 };

	assert_int_equal(options_parse(&table, argv, false, &s, &o, &err), 0);
	assert_true(o.common.is_quiet && o.common.is_unpaged);
	assert_int_equal(o.common.colour_when, COLOUR_NEVER);
	assert_int_equal(o.count, 1);
	assert_false(s.loud);
	argv[0] = quiet;
	argv[1] = NULL;
	assert_int_equal(options_parse(&with_own, argv, false, &s, &o, &err), 0);
	assert_true(s.loud);
	assert_false(o.common.is_quiet || o.common.is_unpaged);
}

static void a_wrong_command_line_gives_one_sentence(void **state)
{
	static const struct {
		const char *line, *message;
	} cases[] = {
		{ "--silence", "unknown option '--silence'" },
		{ "--color always", "unknown option '--color'; is --colour meant?" },
		{ "--colour blue", "--colour: 'blue' is not one of auto, always, never" },
		{ "--laud", "unknown option '--laud'; is --loud meant?" },
		{ "--lodu", "unknown option '--lodu'; is --loud meant?" },
		{ "--nam=x", "unknown option '--nam'; is --name meant?" },
		{ "--hepl", "unknown option '--hepl'; is --help meant?" },
		{ "-x", "unknown option '-x'" },
		{ "--loud=1", "--loud: takes no value" },
		{ "-lx", "-l: takes no value" },
		{ "--name", "--name: expected NAME" },
		{ "-n", "-n: expected NAME" },
		{ "--name=", "--name: expected NAME, not an empty string" },
		{ "--number x", "--number: 'x' is not a number" },
		{ "--number -1", "--number: '-1' is not a number" },
		{ "--number 10", "--number: 10 is outside 0..9" },
		{ "--format xml", "--format: 'xml' is not one of text, json" },
		{ "--format tex", "--format: 'tex' is not one of text, json" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };
		char result[256];

		assert_int_equal(parse(cases[i].line, false, result, sizeof(result), &err),
		                 ERR_USAGE);
		assert_string_equal(err.msg, cases[i].message);
	}
}

static void an_option_given_too_often_is_refused(void **state)
{
	struct err err = { 0 };
	char *argv[2 * OPTION_LIST_LIMIT + 3];
	struct settings s = { 0 };
	struct operands operands;
	char option[] = "--set", value[] = "k=1";

	(void)state;
	for (size_t i = 0; i < OPTION_LIST_LIMIT + 1; i++) {
		argv[2 * i] = option;
		argv[2 * i + 1] = value;
	}
	argv[2 * OPTION_LIST_LIMIT + 2] = NULL;
	assert_int_equal(options_parse(&table, argv, false, &s, &operands, &err), ERR_USAGE);
	assert_string_equal(err.msg, "--set: given more than 64 times");
}

/* One blank for what is between words. */
static void join_lines(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ' && *from != '\n')
			*to++ = *from;
		else if (to == text || to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

static void help_names_every_option_of_every_command(void **state)
{
	size_t count;
	const struct command *list = command_list(&count);

	(void)state;
	assert_true(count >= 7);
	for (size_t c = 0; c < count; c++) {
		char *text = NULL, name[64];
		size_t length;
		FILE *out = open_memstream(&text, &length);

		manual_help(out, &list[c]);
		fclose(out);
		join_lines(text);
		assert_true(strstr(text, list[c].summary) != NULL);
		assert_true(strstr(text, list[c].synopsis) != NULL);
		for (size_t i = 0; i < list[c].options->count; i++) {
			const struct option_row *row = &list[c].options->rows[i];

			snprintf(name, sizeof(name), "--%s%s%s", row->name,
			         row->argument ? " " : "", row->argument ? row->argument : "");
			assert_true(strstr(text, name) != NULL);
			assert_true(strstr(text, row->text) != NULL);
		}
		free(text);
	}
}

static void tables_are_consistent(void **state)
{
	size_t count;
	const struct command *list = command_list(&count);

	(void)state;
	for (size_t c = 0; c < count; c++) {
		const struct option_table *t = list[c].options;

		for (size_t i = 0; i < t->count; i++) {
			assert_true(t->rows[i].offset < t->settings_bytes);
			if (t->rows[i].kind != OPTION_TEXT)
				assert_true((t->rows[i].argument == NULL) ==
				            (t->rows[i].kind == OPTION_FLAG));
			assert_true((t->rows[i].words != NULL) ==
			            (t->rows[i].kind == OPTION_CHOICE));
			assert_true((t->rows[i].max != 0) == (t->rows[i].kind == OPTION_NUMBER));
			for (size_t k = 0; k < i; k++)
				assert_string_not_equal(t->rows[i].name, t->rows[k].name);
		}
		for (size_t k = 0; k < c; k++)
			assert_string_not_equal(list[c].name, list[k].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_line_fills_the_settings),
		cmocka_unit_test(a_wrong_command_line_gives_one_sentence),
		cmocka_unit_test(common_options_stand_in_no_table),
		cmocka_unit_test(an_option_given_too_often_is_refused),
		cmocka_unit_test(help_names_every_option_of_every_command),
		cmocka_unit_test(tables_are_consistent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

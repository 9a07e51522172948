/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "manual.h"
#include "pager.h"

#include "cmocka_all.h"

#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void every_command_has_a_text_and_an_example(void **state)
{
	size_t count, example_count;
	const struct command *list = command_list(&count);
	const struct manual_example *examples = manual_examples(&example_count);

	for (size_t i = 0; i < count; i++) {
		size_t found = 0;

		for (size_t e = 0; e < example_count; e++)
			found += !strcmp(examples[e].command, list[i].name);
		if (!found)
			fail_msg("%s: has no example in examples.def", list[i].name);
		assert_true(list[i].text[strlen(list[i].text) - 1] == '.');
	}
	for (size_t e = 0; e < example_count; e++)
		assert_non_null(command_find(examples[e].command, NULL));
}

/* Cut a line into words as a shell does, as far as examples go: quotes, and an end at ">". */
static size_t split(char *line, char *words[16])
{
	size_t count = 0;
	char *from = line, *to = line;

	while (*from && *from != '>' && count < 15) {
		bool is_quoted = false;

		words[count++] = to;
		for (; *from && (is_quoted || *from != ' '); from++)
			if (*from == '\'')
				is_quoted = !is_quoted;
			else
				*to++ = *from;
		from += *from == ' ';
		*to++ = '\0';
	}
	words[count] = NULL;
	return count;
}

/* What follows "warpline" is a command that there is, with options that it takes. */
static void check_example(const char *text)
{
	char *line = strdup(text), *words[16] = { NULL };
	const struct command *c;
	struct operands o;
	struct err err = { 0 };
	void *settings;

	assert_non_null(line);
	split(line, words);
	c = command_find(words[1], &err);
	if (c) {
		settings = calloc(1, c->options->settings_bytes + 1);
		if (options_parse(c->options, words + 2, c->is_stopped_by_operand, settings, &o,
		                  &err))
			fail_msg("%s: %s", text, err.msg);
		assert_in_range(o.count, c->min_operands, c->max_operands);
		free(settings);
	}
	free(line);
	if (!c)
		fail_msg("%s: %s", text, err.msg);
}

static void examples_are_right_command_lines(void **state)
{
	size_t count, checked = 0;
	const struct manual_example *examples = manual_examples(&count);

	for (size_t i = 0; i < count; i++) {
		if (strncmp(examples[i].line, "warpline ", 9) != 0)
			continue;
		check_example(examples[i].line);
		checked++;
	}
	assert_in_range(checked, 15, count);
}

static void values_are_completed_by_what_they_are(void **state)
{
	static const struct {
		const char *command, *option;
		enum manual_value value;
		bool is_list;
		const char *first; /* word */
	} rows[] = {
		{ "replay", "gpu", MANUAL_GPU, false, NULL },
		{ "replay", "l2", MANUAL_WORDS, false, "on" },
		{ "replay", "schedule", MANUAL_WORDS, false, "lrr" },
		{ "replay", "stats", MANUAL_WORDS, true, "all" },
		{ "replay", "bypass", MANUAL_FILE, true, NULL },
		{ "replay", "launch", MANUAL_ANYTHING, false, NULL },
		{ "replay", "json", MANUAL_FILE, false, NULL },
		{ "replay", "colour", MANUAL_WORDS, false, "auto" },
		{ "replay", "help", MANUAL_NO_VALUE, false, NULL },
		{ "plot", "colour", MANUAL_WORDS, false, "item" }, /* its own */
		{ "import", "output", MANUAL_DIR, false, NULL },
		{ "record", "spaces", MANUAL_WORDS, true, "constant" },
		{ "dump", "format", MANUAL_WORDS, false, "text" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct command *c = command_find(rows[i].command, NULL);
		const struct option_row *o, *found = NULL;
		const char *words, *word;
		size_t length, times = 0;

		for (size_t at = 0; (o = manual_option(c, at)); at++)
			if (!strcmp(o->name, rows[i].option)) {
				found = o;
				times++;
			}
		assert_int_equal(times, 1);
		assert_int_equal(manual_value_of(found), rows[i].value);
		assert_int_equal(manual_is_list(found), rows[i].is_list);
		if (!rows[i].first)
			continue;
		words = manual_words(found);
		word = manual_next_word(&words, &length);
		assert_int_equal(length, strlen(rows[i].first));
		assert_memory_equal(word, rows[i].first, length);
	}
}

static void rows_of_a_text_are_those_of_the_terminal(void **state)
{
	static const struct {
		const char *text;
		size_t columns, rows;
	} rows[] = {
		{ "", 80, 0 },
		{ "a\n", 80, 1 },
		{ "a", 80, 1 },
		{ "\n\n", 80, 2 },
		{ "1234567890", 10, 1 },
		{ "1234567890\n", 10, 1 },
		{ "12345678901\n", 10, 2 },
		{ "123456789012345678901", 10, 3 },
		{ "\033[1;31m1234567890\033[0m\n", 10, 1 },
		{ "äöüäöüäöüä\n", 10, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(pager_rows(rows[i].text, strlen(rows[i].text), rows[i].columns),
		                 rows[i].rows);
}

/* In a child, on a terminal of ten rows: so many lines. */
static _Noreturn void print_lines(int count, const char *pager)
{
	struct pager p = { -1, -1 };

	setenv("TERM", "xterm", 1);
	setenv("WARPLINE_PAGER", pager, 1);
	pager_begin(&p);
	for (int i = 0; i < count; i++)
		printf("line %d\n", i);
	pager_end(&p);
	fflush(stdout);
	_exit(0);
}

/* What a terminal of ten rows gets. */
static size_t shown(int count, const char *pager, char *bytes, size_t limit)
{
	const struct winsize size = { 10, 80, 0, 0 };
	size_t length = 0;
	ssize_t got;
	int master, status;
	pid_t child = forkpty(&master, NULL, NULL, &size);

	if (!child)
		print_lines(count, pager);
	assert_true(child > 0);
	while (length + 1 < limit && (got = read(master, bytes + length, limit - 1 - length)) > 0)
		length += (size_t)got;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(master);
	bytes[length] = '\0';
	return length;
}

static void what_is_longer_than_the_terminal_goes_to_the_pager(void **state)
{
	static const struct {
		int count;
		const char *pager, *begin;
	} rows[] = {
		{ 9, "sed s/^/paged:/", "line 0\r\nline 1\r\n" },
		{ 10, "sed s/^/paged:/", "paged:line 0\r\npaged:line 1\r\n" },
		{ 10, "", "line 0\r\n" },
		{ 10, "cat", "line 0\r\n" },
		{ 10, "exec /nowhere/pager 2>/dev/null", "line 0\r\n" }, /* 127: shown as it is */
	};
	char bytes[4096], last[32];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		shown(rows[i].count, rows[i].pager, bytes, sizeof(bytes));
		if (strncmp(bytes, rows[i].begin, strlen(rows[i].begin)) != 0)
			fail_msg("%d lines to '%s' begin with '%s'", rows[i].count, rows[i].pager,
			         bytes);
		snprintf(last, sizeof(last), "line %d\r\n", rows[i].count - 1);
		assert_non_null(strstr(bytes, last));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_has_a_text_and_an_example),
		cmocka_unit_test(examples_are_right_command_lines),
		cmocka_unit_test(values_are_completed_by_what_they_are),
		cmocka_unit_test(rows_of_a_text_are_those_of_the_terminal),
		cmocka_unit_test(what_is_longer_than_the_terminal_goes_to_the_pager),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

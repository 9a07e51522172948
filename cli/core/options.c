/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "err.h"
#include "number.h"
#include "suggest.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct option_row common_rows[] = {
	{ .name = "quiet",
	  .letter = 'q',
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct option_common, is_quiet),
	  .text = "no progress line" },
	{ .name = "colour",
	  .argument = "WHEN",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct option_common, colour_when),
	  .words = COLOUR_WORDS,
	  .text = "colour the text (default: auto, on a terminal unless NO_COLOR is set)" },
	{ .name = "no-pager",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct option_common, is_unpaged),
	  .text = "never start a pager" },
};

const struct option_table option_common_table = { common_rows,
	                                          sizeof(common_rows) / sizeof(common_rows[0]),
	                                          sizeof(struct option_common) };

const struct option_row option_rows_of_its_own[1] = { { .name = "" } };

/* A command line being read. `shown` is the option as the user wrote it. */
struct option_scan {
	const struct option_table *table;
	char **next; /* the argument to read next */
	void *settings;
	struct option_common *common;
	char shown[64];
};

/* Index of `word` in "a|b|c", or -1. */
static int words_find(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (int i = 0;; i++) {
		size_t span = strcspn(words, "|");

		if (span == length && !memcmp(words, word, length))
			return i;
		if (!words[span])
			return -1;
		words += span + 1;
	}
}

/* Write "a, b, c" to `text`, truncated if it does not fit. Returns `text`. */
static const char *words_list(const char *words, char *text, size_t text_bytes)
{
	size_t used = 0;

	text[0] = '\0';
	for (; *words && used + 3 < text_bytes; words++) {
		if (*words == '|') {
			text[used++] = ',';
			text[used++] = ' ';
		} else {
			text[used++] = *words;
		}
		text[used] = '\0';
	}
	return text;
}

static int set_list(struct option_list *list, const char *shown, const char *value, struct err *err)
{
	if (list->count == OPTION_LIST_LIMIT)
		return err_set(err, ERR_USAGE, "%s: given more than %d times", shown,
		               OPTION_LIST_LIMIT);
	list->items[list->count++] = value;
	return 0;
}

static int set_choice(uint32_t *target, const struct option_row *row, const char *shown,
                      const char *value, struct err *err)
{
	char list[128];
	int at = words_find(row->words, value);

	if (at < 0)
		return err_set(err, ERR_USAGE, "%s: '%s' is not one of %s", shown, value,
		               words_list(row->words, list, sizeof(list)));
	*target = (uint32_t)at;
	return 0;
}

static bool is_common(const struct option_row *row)
{
	return row >= common_rows && row < common_rows + option_common_table.count;
}

static int set_value(const struct option_row *row, const struct option_scan *scan,
                     const char *value, struct err *err)
{
	char *target =
		(is_common(row) ? (char *)scan->common : (char *)scan->settings) + row->offset;
	struct option_number *number;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)target = true;
		return 0;
	case OPTION_TEXT:
		if (!*value)
			return err_set(err, ERR_USAGE, "%s: expected %s, not an empty string",
			               scan->shown, row->argument ? row->argument : "a value");
		memcpy(target, &value, sizeof(value));
		return 0;
	case OPTION_NUMBER:
		number = (struct option_number *)(void *)target;
		number->is_given = true;
		return number_parse(value, scan->shown, 0, row->max, &number->value, err);
	case OPTION_CHOICE:
		return set_choice((uint32_t *)(void *)target, row, scan->shown, value, err);
	case OPTION_LIST:
		return set_list((struct option_list *)(void *)target, scan->shown, value, err);
	}
	return 0;
}

/* Set the value of `row`: `attached` if it is in the same argument, else the next argument. */
static int take_value(const struct option_row *row, struct option_scan *scan, const char *attached,
                      struct err *err)
{
	if (!row->argument && attached)
		return err_set(err, ERR_USAGE, "%s: takes no value", scan->shown);
	if (!row->argument)
		return set_value(row, scan, row->kind == OPTION_TEXT ? "1" : "", err);
	if (!attached && !*scan->next)
		return err_set(err, ERR_USAGE, "%s: expected %s", scan->shown, row->argument);
	return set_value(row, scan, attached ? attached : *scan->next++, err);
}

/* Returns row `i` of a table followed by the common rows; NULL at the end. */
static const struct option_row *row_at(const struct option_table *table, size_t i)
{
	if (i < table->count)
		return &table->rows[i];
	i -= table->count;
	return i < option_common_table.count ? &common_rows[i] : NULL;
}

static int unknown_option(const struct option_scan *scan, struct err *err)
{
	const struct option_row *row;
	struct suggestion s;

	suggestion_init(&s, scan->shown + strspn(scan->shown, "-"));
	suggestion_offer(&s, "help");
	for (size_t i = 0; (row = row_at(scan->table, i)); i++)
		suggestion_offer(&s, row->name);
	if (s.best)
		return err_set(err, ERR_USAGE, "unknown option '%s'; is --%s meant?", scan->shown,
		               s.best);
	return err_set(err, ERR_USAGE, "unknown option '%s'", scan->shown);
}

/* The option of that name, or NULL. */
static const struct option_row *find_long(const struct option_table *table, const char *name,
                                          size_t length)
{
	const struct option_row *row;

	for (size_t i = 0; (row = row_at(table, i)); i++)
		if (strlen(row->name) == length && !memcmp(row->name, name, length))
			return row;
	return NULL;
}

static const struct option_row *find_short(const struct option_table *table, char letter)
{
	const struct option_row *row;

	for (size_t i = 0; (row = row_at(table, i)); i++)
		if (row->letter == letter)
			return row;
	return NULL;
}

static int parse_long(struct option_scan *scan, const char *argument, struct err *err)
{
	const char *equals = strchr(argument, '=');
	size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
	const struct option_row *row;

	snprintf(scan->shown, sizeof(scan->shown), "%.*s", (int)length, argument);
	row = find_long(scan->table, argument + 2, length - 2);
	if (row)
		return take_value(row, scan, equals ? equals + 1 : NULL, err);
	if (!strcmp(scan->shown, "--help"))
		return err_set(err, ERR_USAGE, "--help: takes no value");
	return unknown_option(scan, err);
}

static int parse_short(struct option_scan *scan, const char *argument, struct err *err)
{
	const struct option_row *row = find_short(scan->table, argument[1]);

	snprintf(scan->shown, sizeof(scan->shown), "-%c", argument[1]);
	if (row)
		return take_value(row, scan, argument[2] ? argument + 2 : NULL, err);
	snprintf(scan->shown, sizeof(scan->shown), "%s", argument);
	return unknown_option(scan, err);
}

static bool asks_for_help(const char *argument)
{
	return !strcmp(argument, "-h") || !strcmp(argument, "--help");
}

/* Take all arguments as operands; only the first may ask for help. */
static void take_all(char **argv, struct operands *operands)
{
	operands->wants_help = argv[0] && asks_for_help(argv[0]);
	while (argv[operands->count])
		operands->count++;
}

int options_parse(const struct option_table *table, char **argv, bool stops_at_operand,
                  void *settings, struct operands *operands, struct err *err)
{
	struct option_scan scan = {
		.table = table, .next = argv, .settings = settings, .common = &operands->common
	};
	bool is_ended = false;
	int ret = 0;

	*operands = (struct operands){ .items = argv };
	if (table->rows == option_rows_of_its_own) {
		take_all(argv, operands);
		return 0;
	}
	while (!ret && *scan.next) {
		char *argument = *scan.next++;

		if (is_ended || argument[0] != '-' || !argument[1]) {
			argv[operands->count++] = argument;
			is_ended = is_ended || stops_at_operand;
		} else if (!strcmp(argument, "--")) {
			is_ended = true;
		} else if (asks_for_help(argument)) {
			operands->wants_help = true;
			return 0;
		} else if (argument[1] == '-') {
			ret = parse_long(&scan, argument, err);
		} else {
			ret = parse_short(&scan, argument, err);
		}
	}
	argv[operands->count] = NULL;
	return ret;
}

uint32_t options_jobs(const struct option_number *jobs)
{
	cpu_set_t set;
	long count;

	if (jobs->value)
		return (uint32_t)jobs->value;
	/* the set is too small on machines with more processors than it has bits */
	count = sched_getaffinity(0, sizeof(set), &set) ? sysconf(_SC_NPROCESSORS_ONLN)
	                                                : CPU_COUNT(&set);
	if (count < 1)
		return 1;
	return count < JOBS_MAX ? (uint32_t)count : JOBS_MAX;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "err.h"
#include "number.h"
#include "suggest.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

/* A command line being read. `shown` is the option as the user wrote it. */
struct option_scan {
	const struct option_table *table;
	char **next; /* the argument to read next */
	void *settings;
	char shown[64];
};

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
		return err_set(err, ERR_USAGE, "%s: '%s' is none of %s", shown, value,
		               words_list(row->words, list, sizeof(list)));
	*target = (uint32_t)at;
	return 0;
}

static int set_value(const struct option_row *row, const struct option_scan *scan,
                     const char *value, struct err *err)
{
	char *target = (char *)scan->settings + row->offset;
	struct option_number *number;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)target = true;
		return 0;
	case OPTION_TEXT:
		if (!*value)
			return err_set(err, ERR_USAGE, "%s: expected %s, not an empty text",
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

/* Give `row` its value: `attached` when it stands in the same argument, else the next argument. */
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

static int unknown_option(const struct option_scan *scan, struct err *err)
{
	struct suggestion s;

	suggestion_init(&s, scan->shown + strspn(scan->shown, "-"));
	suggestion_offer(&s, "help");
	for (size_t i = 0; i < scan->table->count; i++)
		suggestion_offer(&s, scan->table->rows[i].name);
	if (s.best)
		return err_set(err, ERR_USAGE, "unknown option '%s'; is --%s meant?", scan->shown,
		               s.best);
	return err_set(err, ERR_USAGE, "unknown option '%s'", scan->shown);
}

static int parse_long(struct option_scan *scan, const char *argument, struct err *err)
{
	const char *equals = strchr(argument, '=');
	size_t length = equals ? (size_t)(equals - argument) : strlen(argument);

	snprintf(scan->shown, sizeof(scan->shown), "%.*s", (int)length, argument);
	for (size_t i = 0; i < scan->table->count; i++) {
		const struct option_row *row = &scan->table->rows[i];

		if (strlen(row->name) == length - 2 && !memcmp(row->name, argument + 2, length - 2))
			return take_value(row, scan, equals ? equals + 1 : NULL, err);
	}
	if (!strcmp(scan->shown, "--help"))
		return err_set(err, ERR_USAGE, "--help: takes no value");
	return unknown_option(scan, err);
}

static int parse_short(struct option_scan *scan, const char *argument, struct err *err)
{
	snprintf(scan->shown, sizeof(scan->shown), "-%c", argument[1]);
	for (size_t i = 0; i < scan->table->count; i++) {
		const struct option_row *row = &scan->table->rows[i];

		if (row->letter == argument[1])
			return take_value(row, scan, argument[2] ? argument + 2 : NULL, err);
	}
	snprintf(scan->shown, sizeof(scan->shown), "%s", argument);
	return unknown_option(scan, err);
}

static bool asks_for_help(const char *argument)
{
	return !strcmp(argument, "-h") || !strcmp(argument, "--help");
}

int options_parse(const struct option_table *table, char **argv, bool stops_at_operand,
                  void *settings, struct operands *operands, struct err *err)
{
	struct option_scan scan = { .table = table, .next = argv, .settings = settings };
	bool is_ended = false;
	int ret = 0;

	*operands = (struct operands){ .items = argv };
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

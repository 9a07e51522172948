/* SPDX-License-Identifier: Apache-2.0 */
#include "manual.h"

#include "options.h"

#include <string.h>

static const struct manual_example examples[] = {
#define EXAMPLE(name, line, words) { #name, line, words },
#include "examples.def"
#undef EXAMPLE
};

/* Words that begin a value, of options that take more than words. */
static const struct {
	const char *option, *words;
} values[] = {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) "|" #name
	{
		"schedule",
#include "issue_orders.def"
	},
#undef ISSUE_ORDER
#define DISPATCH_ORDER(name, has_seed, text) "|" #name
	{
		"dispatch",
#include "dispatch_orders.def"
	},
#undef DISPATCH_ORDER
#define REPLACEMENT(NAME, word, text) "|" word
	{
		"l1-policy",
#include "replacement.def"
	},
#undef REPLACEMENT
#define STATS_SECTION(name, text) "|" #name
	{ "stats", "all"
#include "stats_sections.def"
	},
#undef STATS_SECTION
#define BYPASS_WAY(name, text) "|" #name
	{
		"by",
#include "bypass_ways.def"
	},
#undef BYPASS_WAY
#define BYPASS_OBJECTIVE(NAME, word, unit, value, text) "|" word
	{
		"objective",
#include "bypass_objectives.def"
	},
#undef BYPASS_OBJECTIVE
	{ "index", "modulo|fermi|xor|bits:" },
	{ "l1-write", "through_evict|through_update|through_allocate|back_allocate" },
	{ "spaces", "constant|local|sample|global|all" },
};

static const struct option_row help = { .name = "help", .letter = 'h', .text = "show this help" };

const char *manual_task_title(enum command_task task)
{
	static const char *const titles[] = {
		[TASK_RECORD] = "make a recording",
		[TASK_FIND] = "find what is slow, and what would help",
		[TASK_LOOK] = "look at what was recorded",
		[TASK_EXCHANGE] = "exchange, check and trim recordings",
		[TASK_ASK] = "ask about GPUs and about Warpline",
	};

	return titles[task];
}

const struct manual_example *manual_examples(size_t *count)
{
	*count = sizeof(examples) / sizeof(examples[0]);
	return examples;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* The words of an option whose row has none; NULL: none are known. */
static const char *known_values(const char *option)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (!strcmp(values[i].option, option))
			return values[i].words;
	return NULL;
}

/* Whether the value of an option is a file or rules, which no table records. */
static bool is_file_or_rules(const char *name)
{
	return !strcmp(name, "bypass") || !strcmp(name, "apply") || !strcmp(name, "list");
}

enum manual_value manual_value_of(const struct option_row *row)
{
	if (!row->argument)
		return MANUAL_NO_VALUE;
	if (row->words || row->values || known_values(row->name) || strchr(row->argument, '|'))
		return MANUAL_WORDS;
	if (!strcmp(row->name, "gpu"))
		return MANUAL_GPU;
	if (begins(row->argument, "FILE") || begins(row->argument, "IN") ||
	    is_file_or_rules(row->name))
		return MANUAL_FILE;
	return begins(row->argument, "DIR") ? MANUAL_DIR : MANUAL_ANYTHING;
}

enum manual_value manual_operand_of(const struct command *c)
{
	static const struct {
		const char *word;
		enum manual_value value;
	} kinds[] = { { "APP", MANUAL_PROGRAM },
		      { "COMMAND", MANUAL_COMMAND },
		      { "FILE", MANUAL_FILE },
		      { "DIR", MANUAL_DIR },
		      { "NAME", MANUAL_GPU } };

	for (size_t i = 0; c->max_operands && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strstr(c->operands, kinds[i].word))
			return kinds[i].value;
	return c->max_operands ? MANUAL_FILE : MANUAL_ANYTHING;
}

const char *manual_words(const struct option_row *row)
{
	if (row->values)
		return row->values;
	if (row->words)
		return row->words;
	return known_values(row->name) ? known_values(row->name) : row->argument;
}

const char *manual_next_word(const char **words, size_t *length)
{
	const char *word;

	do {
		word = *words;
		*length = strcspn(word, "|");
		*words += *length + (word[*length] == '|');
	} while (!*length && *word);
	return *length ? word : NULL;
}

bool manual_is_list(const struct option_row *row)
{
	return row->argument && (!strcmp(row->argument, "LIST") || strchr(row->argument, ','));
}

const struct option_row *manual_option(const struct command *c, size_t i)
{
	size_t skipped = 0;

	if (i < c->options->count)
		return &c->options->rows[i];
	i -= c->options->count;
	if (c->options->rows == option_rows_of_its_own)
		return i ? NULL : &help;
	for (size_t at = 0; at < option_common_table.count; at++) {
		const struct option_row *row = &option_common_table.rows[at];
		bool is_own = false;

		for (size_t own = 0; own < c->options->count; own++)
			is_own |= !strcmp(c->options->rows[own].name, row->name);
		skipped += is_own;
		if (!is_own && at - skipped == i)
			return row;
	}
	return i == option_common_table.count - skipped ? &help : NULL;
}

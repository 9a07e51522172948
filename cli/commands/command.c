/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include "err.h"
#include "interrupt.h"
#include "manual.h"
#include "out_file.h"
#include "pager.h"
#include "recording_dir.h"
#include "say.h"
#include "suggest.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPERAND_DIR "DIR, the directory of a recording (default: " RECORDING_DIR_DEFAULT ")"

static const struct command commands[] = {
#define COMMAND(name, ...) COMMAND_AS(name, #name, __VA_ARGS__)
#define COMMAND_AS(id, name, task, paged, synopsis, summary, min, max, wanted, stop, text)         \
	{ name, TASK_##task, paged,  synopsis, summary,       text,                                \
	  min,  max,         wanted, stop,     &id##_options, cmd_##id },
#include "commands.def"
#undef COMMAND
#undef COMMAND_AS
};

enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) };

const struct command *command_list(size_t *count)
{
	*count = COMMAND_COUNT;
	return commands;
}

const struct command *command_find(const char *name, struct err *err)
{
	struct suggestion s;

	suggestion_init(&s, name);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
		suggestion_offer(&s, commands[i].name);
	}
	if (s.best)
		err_set(err, ERR_USAGE, "unknown command '%s'; is '%s' meant?", name, s.best);
	else
		err_set(err, ERR_USAGE, "unknown command '%s'; 'warpline help' lists them", name);
	return NULL;
}

const char *command_default_dir(struct err *err)
{
	if (!access(RECORDING_DIR_DEFAULT, F_OK))
		return RECORDING_DIR_DEFAULT;
	err_set(err, ERR_USAGE,
	        "expected DIR, the directory of a recording; without it " RECORDING_DIR_DEFAULT
	        " is read, which is not here");
	return NULL;
}

/* Add the default of an optional operand. */
static int add_default(const struct command *c, struct operands *o, struct err *err)
{
	static char dir[] = RECORDING_DIR_DEFAULT, *items[] = { dir, NULL };

	if (o->count || strcmp(c->operands, OPERAND_DIR) != 0)
		return 0;
	o->items = items;
	o->count = 1;
	return command_default_dir(err) ? 0 : err->code;
}

static int check_operands(const struct command *c, const struct operands *o, struct err *err)
{
	if (o->count < c->min_operands)
		return err_set(err, ERR_USAGE, "expected %s", c->operands);
	/* an empty name cannot be a file; a program to run may have such arguments */
	for (size_t i = 0; i < o->count && i < c->max_operands && !c->is_stopped_by_operand; i++)
		if (!*o->items[i])
			return err_set(err, ERR_USAGE, "expected %s, not an empty string",
			               c->operands);
	if (o->count > c->max_operands)
		return err_set(err, ERR_USAGE, "unexpected argument '%s'; expected %s",
		               o->items[c->max_operands], c->operands);
	return 0;
}

/* Refuse files that cannot be written before anything is replayed for them. */
static int check_outputs(const struct command *c, const void *settings, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->options->count && !ret; i++) {
		const struct option_row *row = &c->options->rows[i];
		const char *name;

		if (!row->is_output)
			continue;
		memcpy(&name, (const char *)settings + row->offset, sizeof(name));
		if (name && *name)
			ret = out_file_check(name, row->name, err);
	}
	return ret;
}

static int run(const struct command *c, const void *settings, struct operands *operands,
               struct err *err)
{
	int ret;

	if (operands->wants_help) {
		manual_help(stdout, c);
		return say_flush(stdout, "standard output", err);
	}
	ret = add_default(c, operands, err);
	if (!ret)
		ret = check_operands(c, operands, err);
	if (!ret)
		ret = check_outputs(c, settings, err);
	return ret ? ret : c->run(settings, operands, err);
}

int command_run(const struct command *c, int argc, char **argv, struct err *err)
{
	struct operands operands;
	void *settings = calloc(1, c->options->settings_bytes ? c->options->settings_bytes : 1);
	int ret;

	if (!settings)
		return err_set(err, ERR_NOMEM, "out of memory for %d arguments", argc);
	/* a file that becomes too large gives an error, except in a program that is run */
	if (!c->is_stopped_by_operand)
		signal(SIGXFSZ, SIG_IGN);
	if (!c->is_stopped_by_operand)
		interrupt_begin();
	ret = options_parse(c->options, argv, c->is_stopped_by_operand, settings, &operands, err);
	operands.common.colour =
		colour_make((enum colour_when)operands.common.colour_when, STDOUT_FILENO);
	if (!ret) {
		bool is_paged = operands.wants_help || c->is_paged;
		struct pager pager = { -1, -1 };

		if (is_paged && !operands.common.is_unpaged)
			pager_begin(&pager);
		ret = run(c, settings, &operands, err);
		pager_end(&pager);
	}
	free(settings);
	return ret;
}

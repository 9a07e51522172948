/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"

#include <string.h>

const struct option_table help_options = { NULL, 0, 0 };

enum { OPTION_COLUMN = 26 };

static void help_option(FILE *out, const struct option_row *row)
{
	char left[64];
	int used = row->letter ? snprintf(left, sizeof(left), "-%c, --%s", row->letter, row->name)
	                       : snprintf(left, sizeof(left), "    --%s", row->name);

	if (row->argument && used > 0 && (size_t)used < sizeof(left))
		snprintf(left + used, sizeof(left) - (size_t)used, " %s", row->argument);
	if (strlen(left) > OPTION_COLUMN)
		fprintf(out, "  %s\n  %-*s %s\n", left, OPTION_COLUMN, "", row->text);
	else
		fprintf(out, "  %-*s %s\n", OPTION_COLUMN, left, row->text);
	if (row->words)
		fprintf(out, "  %-*s one of: %s\n", OPTION_COLUMN, "", row->words);
}

void command_help(FILE *out, const struct command *c)
{
	static const struct option_row help = { .name = "help",
		                                .letter = 'h',
		                                .text = "show this help" };

	fprintf(out, "usage: warpline %s %s\n\n%s\n\noptions:\n", c->name, c->synopsis, c->summary);
	for (size_t i = 0; i < c->options->count; i++)
		help_option(out, &c->options->rows[i]);
	help_option(out, &help);
}

void command_help_all(FILE *out)
{
	size_t count;
	const struct command *list = command_list(&count);

	fprintf(out,
	        "usage: warpline COMMAND [ARG...]\n\n"
	        "Records the global-memory accesses of OpenCL programs and replays them through\n"
	        "the caches of a GPU.\n\ncommands:\n");
	for (size_t i = 0; i < count; i++)
		fprintf(out, "  %-9s %s\n", list[i].name, list[i].summary);
	fprintf(out,
	        "\n'warpline COMMAND --help' tells more; 'warpline --version' prints the version.\n"
	        "\nexit status:\n");
#define EXIT_CODE(NAME, value, text) fprintf(out, "  %-8d %s\n", value, text);
#include "exit_codes.def"
#undef EXIT_CODE
}

int cmd_help(const void *settings, const struct operands *operands, struct err *err)
{
	const struct command *c;

	(void)settings;
	if (!operands->count) {
		command_help_all(stdout);
		return command_flush(stdout, "standard output", err);
	}
	c = command_find(operands->items[0], err);
	if (!c)
		return ERR_USAGE;
	command_help(stdout, c);
	return command_flush(stdout, "standard output", err);
}

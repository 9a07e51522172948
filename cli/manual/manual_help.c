/* SPDX-License-Identifier: Apache-2.0 */
#include "manual.h"
#include "options.h"
#include "say.h"

#include "recording_dir.h"

#include <string.h>

enum { WIDTH = 79, OPTION_COLUMN = 29, COMMAND_COLUMN = 13 };

/* Print words up to column WIDTH, in lines that begin at `indent`; the first one is at `column`
 * already. */
static void wrap(FILE *out, const char *text, size_t column, size_t indent)
{
	bool is_first = true;

	while (*text) {
		size_t length = strcspn(text, " ");

		if (!is_first && column + 1 + length > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			is_first = true;
		}
		fprintf(out, "%s%.*s", is_first ? "" : " ", (int)length, text);
		column += length + !is_first;
		is_first = false;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void row(FILE *out, const char *left, size_t indent, const char *text)
{
	size_t used = 2 + strlen(left);

	fprintf(out, "  %s", left);
	if (used >= indent)
		fprintf(out, "\n%*s", (int)indent, "");
	else
		fprintf(out, "%*s", (int)(indent - used), "");
	wrap(out, text, indent, indent);
}

static void show_words(FILE *out, const char *words)
{
	char text[512] = "one of";
	size_t used = strlen(text), length;
	const char *word;

	while ((word = manual_next_word(&words, &length)) && used + length + 3 < sizeof(text))
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %.*s",
		                         used > 6 ? "," : ":", (int)length, word);
	fprintf(out, "%*s", OPTION_COLUMN, "");
	wrap(out, text, OPTION_COLUMN, OPTION_COLUMN);
}

static void help_option(FILE *out, const struct option_row *o)
{
	char left[64];
	int used = o->letter ? snprintf(left, sizeof(left), "-%c, --%s", o->letter, o->name)
	                     : snprintf(left, sizeof(left), "    --%s", o->name);

	if (o->argument && used > 0 && (size_t)used < sizeof(left))
		snprintf(left + used, sizeof(left) - (size_t)used, " %s", o->argument);
	row(out, left, OPTION_COLUMN, o->text);
	if (o->words)
		show_words(out, o->words);
}

static void help_examples(FILE *out, const char *command)
{
	size_t count;
	const struct manual_example *list = manual_examples(&count);
	bool is_first = true;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i].command, command) != 0)
			continue;
		fprintf(out, "%s  %s\n      %s\n", is_first ? "\nexamples:\n" : "", list[i].line,
		        list[i].text);
		is_first = false;
	}
}

void manual_help(FILE *out, const struct command *c)
{
	const struct option_row *o;

	fprintf(out, "usage: warpline %s %s\n\n", c->name, c->synopsis);
	wrap(out, c->summary, 0, 0);
	fputc('\n', out);
	wrap(out, c->text, 0, 0);
	for (size_t i = 0; (o = manual_option(c, i)); i++) {
		if (!i && c->options->count)
			fputs("\noptions:\n", out);
		if (i == c->options->count)
			fputs("\noptions of every command:\n", out);
		help_option(out, o);
	}
	help_examples(out, c->name);
}

static void help_task(FILE *out, enum command_task task, const struct command *list, size_t count)
{
	fprintf(out, "\n%s:\n", manual_task_title(task));
	for (size_t i = 0; i < count; i++) {
		if (list[i].task == task)
			row(out, list[i].name, COMMAND_COLUMN, list[i].summary);
	}
}

void manual_help_all(FILE *out, const struct command *list, size_t count)
{
	fprintf(out, "usage: warpline COMMAND [ARG...]\n\n"
	             "Records the memory accesses of OpenCL and CUDA programs and replays them\n"
	             "through the caches of a GPU.\n");
	for (enum command_task task = 0; task < COMMAND_TASKS; task++)
		help_task(out, task, list, count);
	fprintf(out, "\n'warpline help COMMAND' prints more, with examples; 'warpline --version' "
	             "prints\n"
	             "the version.\n"
	             "\nexit status:\n");
#define EXIT_CODE(NAME, value, text) row(out, #value, COMMAND_COLUMN, text);
#include "exit_codes.def"
#undef EXIT_CODE
}

void manual_next_step(FILE *out)
{
	bool is_there = recording_dir_is_recording(RECORDING_DIR_DEFAULT);

	fputs("Warpline records the memory accesses of OpenCL and CUDA programs and\n"
	      "replays them through the caches of a GPU.\n\n",
	      out);
	if (is_there)
		fputs("There is a recording here, " RECORDING_DIR_DEFAULT ":\n\n", out);
	row(out, "warpline record ./app ARG...", OPTION_COLUMN + 8, "run a program and record it");
	row(out, "warpline report warpline.data", OPTION_COLUMN + 8,
	    is_there ? "what is slow in it, and where" : "then: what is slow in it, and where");
	row(out, "warpline help", OPTION_COLUMN + 8, "all commands");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "manual.h"
#include "options.h"
#include "say.h"

#include <ctype.h>
#include <string.h>

enum { SOURCE_WIDTH = 78 };

/* Print a word for roff: dashes can be copied, and nothing is a request. */
static size_t put_word(FILE *out, const char *word, size_t length)
{
	size_t written = 0;

	for (size_t i = 0; i < length; i++) {
		if (word[i] == '-')
			written += (size_t)fprintf(out, "\\-");
		else if (word[i] == '\\')
			written += (size_t)fprintf(out, "\\e");
		else if (!i && (word[i] == '.' || word[i] == '\''))
			written += (size_t)fprintf(out, "\\&%c", word[i]);
		else
			written += (size_t)fprintf(out, "%c", word[i]);
	}
	return written;
}

/* Print text in lines of the source, the first one from `column` on, and a newline. Each sentence
 * begins on a new line. */
static void put_text_from(FILE *out, size_t column, const char *text)
{
	bool is_first = true;

	while (*text) {
		size_t length = strcspn(text, " ");
		bool ends = length && strchr(".?!", text[length - 1]) && text[length] &&
		            isupper((unsigned char)text[length + 1]);

		if (column && column + 1 + length > SOURCE_WIDTH) {
			fputc('\n', out);
			column = 0;
		}
		if (column && !is_first)
			column += (size_t)fprintf(out, " ");
		is_first = false;
		column += put_word(out, text, length);
		text += length;
		text += strspn(text, " ");
		if (ends && *text) {
			fputc('\n', out);
			column = 0;
		}
	}
	fputc('\n', out);
}

static void put_text(FILE *out, const char *text)
{
	put_text_from(out, 0, text);
}

/* Without a newline: more follows on the line. */
static void put_bold(FILE *out, const char *text)
{
	fputs("\\fB", out);
	put_word(out, text, strlen(text));
	fputs("\\fR", out);
}

static void put_italic(FILE *out, const char *text)
{
	fputs("\\fI", out);
	put_word(out, text, strlen(text));
	fputs("\\fR", out);
}

static void put_capitals(FILE *out, const char *name)
{
	for (const char *c = name; *c; c++)
		fprintf(out, "%s%c", *c == '-' ? "\\" : "", toupper((unsigned char)*c));
}

static void man_head(FILE *out, const char *name, const char *summary)
{
	size_t length;

	fputs(".\\\" Made by 'warpline help --man': change the tables of the program "
	      "instead.\n.TH ",
	      out);
	put_capitals(out, name);
	fputs(" 1 " MANUAL_DATE " \"Warpline " WARPLINE_VERSION "\" \"Warpline\"\n.SH NAME\n", out);
	length = put_word(out, name, strlen(name));
	fputs(" \\- ", out);
	put_text_from(out, length + 4, summary);
}

static void man_option(FILE *out, const struct option_row *o)
{
	const char *words = o->words;
	const char *word, *between = "One of";
	size_t length;
	char letter[3] = { '-', o->letter, '\0' }, name[64];

	fputs(".TP\n", out);
	if (o->letter) {
		put_bold(out, letter);
		fputs(", ", out);
	}
	snprintf(name, sizeof(name), "--%s", o->name);
	put_bold(out, name);
	if (o->argument) {
		fputc(' ', out);
		put_italic(out, o->argument);
	}
	fputc('\n', out);
	put_text(out, o->text);
	if (!words)
		return;
	fputs(".br\n", out);
	while ((word = manual_next_word(&words, &length))) {
		fprintf(out, "%s ", between);
		put_word(out, word, length);
		between = ",";
	}
	fputc('\n', out);
}

static void man_options(FILE *out, const struct command *c)
{
	const struct option_row *o;

	fputs(".SH OPTIONS\n", out);
	for (size_t i = 0; (o = manual_option(c, i)); i++) {
		if (i == c->options->count)
			fputs(".SS Of every command\n", out);
		man_option(out, o);
	}
}

static void man_examples(FILE *out, const char *command)
{
	size_t count;
	const struct manual_example *list = manual_examples(&count);
	bool is_first = true;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i].command, command) != 0)
			continue;
		if (is_first)
			fputs(".SH EXAMPLES\n", out);
		is_first = false;
		fputs(".TP\n", out);
		put_bold(out, list[i].line);
		fputc('\n', out);
		put_text(out, list[i].text);
	}
}

static void man_statuses(FILE *out)
{
	fputs(".SH EXIT STATUS\n", out);
#define EXIT_CODE(NAME, value, text)                                                               \
	fputs(".TP\n" #value "\n", out);                                                           \
	put_text(out, text);
#include "exit_codes.def"
#undef EXIT_CODE
}

void manual_man(FILE *out, const struct command *c)
{
	char name[64];

	snprintf(name, sizeof(name), "warpline-%s", c->name);
	man_head(out, name, c->summary);
	fputs(".SH SYNOPSIS\n", out);
	put_bold(out, "warpline");
	fputc(' ', out);
	put_bold(out, c->name);
	fputc('\n', out);
	put_text(out, c->synopsis);
	fputs(".SH DESCRIPTION\n", out);
	put_text(out, c->text);
	man_options(out, c);
	man_examples(out, c->name);
	man_statuses(out);
	fputs(".SH SEE ALSO\n.BR warpline (1)\n", out);
}

static void man_task(FILE *out, enum command_task task, const struct command *list, size_t count)
{
	const char *title = manual_task_title(task);

	fprintf(out, ".SS %c", toupper((unsigned char)title[0]));
	put_text(out, title + 1);
	for (size_t i = 0; i < count; i++) {
		if (list[i].task != task)
			continue;
		fputs(".TP\n.BR warpline\\-", out);
		fprintf(out, "%s (1)\n", list[i].name);
		put_text(out, list[i].summary);
	}
}

static void man_variable(FILE *out, const char *name, const char *text)
{
	fputs(".TP\n", out);
	put_bold(out, name);
	fputc('\n', out);
	put_text(out, text);
}

static void man_variables(FILE *out)
{
	/* The variables that the program reads; the recorder's come from its own table. */
	static const struct {
		const char *name, *text;
	} variables[] = {
		{ "NO_COLOR", "if set and not empty: no colours, unless --colour always is given" },
		{ "WARPLINE_PAGER", "the pager for text longer than the terminal; cat or an empty "
		                    "value: no pager (default: PAGER, then less)" },
		{ "PAGER", "the pager of all programs, if WARPLINE_PAGER is not set" },
		{ "TERM", "dumb: no colours, no progress line, no pager" },
		{ "TMPDIR", "the folder for temporary files (default: /tmp)" },
	};

	fputs(".SH ENVIRONMENT\n", out);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		man_variable(out, variables[i].name, variables[i].text);
	fputs(".SS Of the recorder\n", out);
#define SETTING(kind, field, variable, fallback, text) man_variable(out, variable, text);
#define OTHER(variable, text)                          man_variable(out, variable, text);
#include "recorder_settings.def"
#undef SETTING
#undef OTHER
}

void manual_man_all(FILE *out, const struct command *list, size_t count)
{
	man_head(out, "warpline",
	         "record memory accesses of OpenCL and CUDA programs and replay them");
	fputs(".SH SYNOPSIS\n", out);
	put_bold(out, "warpline");
	fputc(' ', out);
	put_italic(out, "COMMAND");
	fputs(" [", out);
	put_italic(out, "ARG");
	fputs("...]\n.SH DESCRIPTION\n", out);
	put_text(out,
	         "Records the memory accesses of unmodified OpenCL and CUDA programs, and replays "
	         "them in the order of a GPU's warps through models of its caches. Each "
	         "command has a page of its own.");
	fputs(".SH COMMANDS\n", out);
	for (enum command_task task = 0; task < COMMAND_TASKS; task++)
		man_task(out, task, list, count);
	fputs(".SH EXAMPLES\n.nf\nwarpline record ./app\nwarpline report warpline.data\n.fi\n",
	      out);
	man_variables(out);
	man_statuses(out);
}

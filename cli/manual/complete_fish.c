/* SPDX-License-Identifier: Apache-2.0 */
#include "manual.h"
#include "options.h"

static const char head[] =
	"# fish completion for warpline. Made by 'warpline help --completion fish'.\n"
	"\n"
	"function __warpline_has_no_command\n"
	"    test (count (commandline -opc)) -eq 1\n"
	"end\n"
	"function __warpline_in\n"
	"    set -l words (commandline -opc)\n"
	"    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
	"end\n"
	"function __warpline_gpus\n"
	"    warpline gpus --colour never 2>/dev/null | tail -n +2 | cut -d ' ' -f 1\n"
	"end\n"
	"# Comma-separated values: all but the last one stay.\n"
	"function __warpline_list\n"
	"    set -l value (string replace -r '^--[^=]*=' '' -- (commandline -ct))\n"
	"    set -l before (string match -r '.*,' -- $value)\n"
	"    printf '%s\\n' \"$before\"$argv\n"
	"end\n"
	"\n"
	"complete -c warpline -f\n"
	"complete -c warpline -n __warpline_has_no_command -l help -d 'show help'\n"
	"complete -c warpline -n __warpline_has_no_command -l version -d 'print the version'\n";

/* Text between quotes. */
static void put_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('\'', out);
}

static void put_words(FILE *out, const struct option_row *o)
{
	const char *words = manual_words(o), *word;
	size_t length;

	fprintf(out, " -x -a '%s", manual_is_list(o) ? "(__warpline_list" : "");
	while ((word = manual_next_word(&words, &length)))
		fprintf(out, " %.*s", (int)length, word);
	fputs(manual_is_list(o) ? ")'" : "'", out);
}

static void put_option(FILE *out, const char *command, const struct option_row *o)
{
	static const char *const values[] = {
		[MANUAL_NO_VALUE] = "",
		[MANUAL_ANYTHING] = " -x",
		[MANUAL_WORDS] = "",
		[MANUAL_FILE] = " -r -F",
		[MANUAL_DIR] = " -x -a '(__fish_complete_directories)'",
		[MANUAL_GPU] = " -r -F -a '(__warpline_gpus)'",
		[MANUAL_COMMAND] = "",
		[MANUAL_PROGRAM] = "",
	};
	enum manual_value value = manual_value_of(o);

	fprintf(out, "complete -c warpline -n '__warpline_in %s' -l %s", command, o->name);
	if (o->letter)
		fprintf(out, " -s %c", o->letter);
	if (value == MANUAL_WORDS)
		put_words(out, o);
	else
		fputs(values[value], out);
	fputs(" -d ", out);
	put_quoted(out, o->text);
	fputc('\n', out);
}

static void put_operand(FILE *out, const struct command *c)
{
	static const char *const operands[] = {
		[MANUAL_NO_VALUE] = NULL,
		[MANUAL_ANYTHING] = NULL,
		[MANUAL_WORDS] = NULL,
		[MANUAL_FILE] = "-F",
		[MANUAL_DIR] = "-a '(__fish_complete_directories)'",
		[MANUAL_GPU] = "-a '(__warpline_gpus)'",
		[MANUAL_COMMAND] = NULL, /* below */
		[MANUAL_PROGRAM] = "-F -a '(__fish_complete_command)'",
	};
	const char *operand = operands[manual_operand_of(c)];

	if (operand)
		fprintf(out, "complete -c warpline -n '__warpline_in %s' %s\n", c->name, operand);
}

void complete_fish(FILE *out, const struct command *list, size_t count)
{
	const struct option_row *o;

	fputs(head, out);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "complete -c warpline -n __warpline_has_no_command -a %s -d ",
		        list[i].name);
		put_quoted(out, list[i].summary);
		fputc('\n', out);
		put_operand(out, &list[i]);
		for (size_t at = 0; (o = manual_option(&list[i], at)); at++)
			put_option(out, list[i].name, o);
	}
	fputs("complete -c warpline -n '__warpline_in help' -a '", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? " " : "", list[i].name);
	fputs("'\n", out);
}

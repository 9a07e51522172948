/* SPDX-License-Identifier: Apache-2.0 */
#include "manual.h"
#include "options.h"

#include <string.h>

static const char head[] =
	"#compdef warpline\n"
	"# zsh completion for warpline. Made by 'warpline help --completion zsh'.\n"
	"\n"
	"_warpline_gpus() {\n"
	"\tlocal -a gpus\n"
	"\tgpus=(${${(f)\"$(warpline gpus --colour never 2>/dev/null)\"}[2,-1]%% *})\n"
	"\t_alternative 'gpus:GPU:compadd -a gpus' 'files:file:_files'\n"
	"}\n"
	"\n"
	"_warpline() {\n"
	"\tlocal -a commands\n"
	"\tcommands=(\n";

static const char middle[] = "\t)\n"
			     "\tif (( CURRENT == 2 )); then\n"
			     "\t\t_describe -t commands command commands\n"
			     "\t\tcompadd -- --help --version\n"
			     "\t\treturn\n"
			     "\tfi\n"
			     "\tshift words\n"
			     "\t(( CURRENT-- ))\n"
			     "\tcase $words[1] in\n";

/* Text between quotes in which the characters of `special` have a backslash in front. */
static void put_text(FILE *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", out);
		else if (strchr(special, *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void put_words(FILE *out, const struct option_row *o)
{
	const char *words = manual_words(o), *word, *between = "";
	size_t length;

	fputs(manual_is_list(o) ? "_values -s , word " : "(", out);
	while ((word = manual_next_word(&words, &length))) {
		fprintf(out, "%s%.*s", between, (int)length, word);
		between = " ";
	}
	if (!manual_is_list(o))
		fputc(')', out);
}

/* How _arguments completes a value of a kind. */
static const char *action_of(enum manual_value value)
{
	static const char *const actions[] = {
		[MANUAL_NO_VALUE] = "",
		[MANUAL_ANYTHING] = " ",
		[MANUAL_WORDS] = "",
		[MANUAL_FILE] = "_files",
		[MANUAL_DIR] = "_files -/",
		[MANUAL_GPU] = "_warpline_gpus",
		[MANUAL_COMMAND] = "_describe -t commands command commands",
		[MANUAL_PROGRAM] = "_command_names -e",
	};

	return actions[value];
}

/* '(-o --output)'{-o+,--output=}'[text]:FILE:_files', or less of it. */
static void put_option(FILE *out, const struct option_row *o)
{
	enum manual_value value = manual_value_of(o);
	bool has_value = value != MANUAL_NO_VALUE;

	fputs(" \\\n\t\t\t", out);
	if (o->kind == OPTION_LIST)
		fputs("'*'", out);
	if (o->letter)
		fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter,
		        has_value ? "+" : "", o->name, has_value ? "=" : "");
	else
		fprintf(out, "'--%s%s[", o->name, has_value ? "=" : "");
	put_text(out, o->text, "[]\\:");
	fputc(']', out);
	if (has_value) {
		fputc(':', out);
		put_text(out, o->argument, "[]\\:");
		fputc(':', out);
		if (value == MANUAL_WORDS)
			put_words(out, o);
		else
			fputs(action_of(value), out);
	}
	fputc('\'', out);
}

static void put_command(FILE *out, const struct command *c)
{
	const struct option_row *o;
	const char *action = action_of(manual_operand_of(c));

	fprintf(out, "\t%s)\n\t\t_arguments -s -S", c->name);
	for (size_t i = 0; (o = manual_option(c, i)); i++)
		put_option(out, o);
	if (c->is_stopped_by_operand)
		fprintf(out, " \\\n\t\t\t'1:program:%s' \\\n\t\t\t'*::argument:_normal'", action);
	else if (c->max_operands)
		fprintf(out, " \\\n\t\t\t'*:operand:%s'", action);
	fputs("\n\t\t;;\n", out);
}

void complete_zsh(FILE *out, const struct command *list, size_t count)
{
	fputs(head, out);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "\t\t'%s:", list[i].name);
		put_text(out, list[i].summary, "\\:");
		fputs("'\n", out);
	}
	fputs(middle, out);
	for (size_t i = 0; i < count; i++)
		put_command(out, &list[i]);
	fputs("\tesac\n}\n\n_warpline \"$@\"\n", out);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "manual.h"
#include "options.h"

static const char head[] =
	"# bash completion for warpline. Made by 'warpline help --completion bash'.\n"
	"\n"
	"_warpline_words() { mapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$cur\"); }\n"
	"_warpline_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f "
	"-- "
	"\"$cur\"); }\n"
	"_warpline_dirs() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d "
	"-- "
	"\"$cur\"); }\n"
	"_warpline_programs() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen "
	"-c "
	"-- \"$cur\"; compgen -f -- \"$cur\"); }\n"
	"_warpline_gpus() { mapfile -t COMPREPLY < <(compgen -W \"$(warpline gpus --colour never "
	"2>/dev/null | tail -n +2 | cut -d ' ' -f 1)\" -- \"$cur\"; compgen -f -- \"$cur\"); }\n"
	"# Comma-separated values: all but the last one stay.\n"
	"_warpline_list() {\n"
	"\tlocal before=\n"
	"\tcase $cur in *,*) before=${cur%,*},; cur=${cur##*,} ;; esac\n"
	"\tcompopt -o nospace 2>/dev/null\n"
	"\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$*\" -- \"$cur\")\n"
	"}\n"
	"\n"
	"_warpline() {\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command= i\n"
	"\tCOMPREPLY=()\n"
	"\t# --option=value is three words\n"
	"\tif [ \"$cur\" = = ]; then cur=\n"
	"\telif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tcase ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac\n"
	"\tdone\n";

/* Returns the call of a function above that completes a value of this kind. */
static const char *call_of(enum manual_value value)
{
	static const char *const calls[] = {
		[MANUAL_NO_VALUE] = ":",
		[MANUAL_ANYTHING] = ":",
		[MANUAL_WORDS] = "_warpline_words",
		[MANUAL_FILE] = "_warpline_files",
		[MANUAL_DIR] = "_warpline_dirs",
		[MANUAL_GPU] = "_warpline_gpus",
		[MANUAL_COMMAND] = "_warpline_words $commands",
		[MANUAL_PROGRAM] = "_warpline_programs",
	};

	return calls[value];
}

static void put_values(FILE *out, const struct command *c)
{
	const struct option_row *o;

	for (size_t i = 0; (o = manual_option(c, i)); i++) {
		enum manual_value value = manual_value_of(o);
		const char *words = value == MANUAL_WORDS ? manual_words(o) : "", *word;
		size_t length;

		if (value == MANUAL_NO_VALUE)
			continue;
		fprintf(out, "\t'%s --%s'", c->name, o->name);
		if (o->letter)
			fprintf(out, " | '%s -%c'", c->name, o->letter);
		fprintf(out, ") %s",
		        value == MANUAL_WORDS && manual_is_list(o) ? "_warpline_list"
		                                                   : call_of(value));
		while ((word = manual_next_word(&words, &length)))
			fprintf(out, " %.*s", (int)length, word);
		fputs("; return ;;\n", out);
	}
}

static void put_options(FILE *out, const struct command *c)
{
	const struct option_row *o;

	fprintf(out, "\t'%s -'*) _warpline_words", c->name);
	for (size_t i = 0; (o = manual_option(c, i)); i++)
		fprintf(out, " --%s", o->name);
	fputs(" ;;\n", out);
	fprintf(out, "\t'%s '*) %s ;;\n", c->name, call_of(manual_operand_of(c)));
}

void complete_bash(FILE *out, const struct command *list, size_t count)
{
	fprintf(out, "%s\tlocal commands='", head);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? " " : "", list[i].name);
	fputs("'\n\tif [ -z \"$command\" ]; then\n"
	      "\t\t_warpline_words \"$commands\" --help --version\n"
	      "\t\treturn\n\tfi\n"
	      "\tcase \"$command $prev\" in\n",
	      out);
	for (size_t i = 0; i < count; i++)
		put_values(out, &list[i]);
	fputs("\tesac\n\tcase \"$command $cur\" in\n", out);
	for (size_t i = 0; i < count; i++)
		put_options(out, &list[i]);
	fputs("\tesac\n}\ncomplete -F _warpline warpline\n", out);
}

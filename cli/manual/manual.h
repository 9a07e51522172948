/*
 * manual - help, manual pages and completions, made from the table of commands and their options:
 * the titles of tasks, examples (examples.def), and what the value of an option can be.
 *
 * All strings are static storage.
 */
#ifndef MANUAL_H
#define MANUAL_H

#include "options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The date in the heading of manual pages. */
#define MANUAL_DATE "2026-11-21"

struct command;

/* The title of a section of help. */
const char *manual_task_title(enum command_task task);

struct manual_example {
	const char *command, *line, *text;
};

const struct manual_example *manual_examples(size_t *count);

/* How the value of an option, or an operand, can be completed. */
enum manual_value {
	MANUAL_NO_VALUE, /* a flag */
	MANUAL_ANYTHING, /* there is nothing to offer */
	MANUAL_WORDS,    /* of manual_words() */
	MANUAL_FILE,
	MANUAL_DIR,
	MANUAL_GPU,
	MANUAL_COMMAND,
	MANUAL_PROGRAM,
};

enum manual_value manual_value_of(const struct option_row *row);

/* How the operands of a command can be completed. */
enum manual_value manual_operand_of(const struct command *c);

/* The words of an option of MANUAL_WORDS, "a|b|c"; an empty one may be among them. */
const char *manual_words(const struct option_row *row);

/* The next of these words, and its length; NULL at the end. Moves *words. */
const char *manual_next_word(const char **words, size_t *length);

/* Whether a value is a comma-separated list of them. */
bool manual_is_list(const struct option_row *row);

/* Option `i` of a command: its own, then the common ones, then --help; NULL at the end. */
const struct option_row *manual_option(const struct command *c, size_t i);

/* Write the help or the manual page of a command, or those of the program, which has `count`
 * commands in the order of `list`. */
void manual_help(FILE *out, const struct command *c);
void manual_help_all(FILE *out, const struct command *list, size_t count);
void manual_man(FILE *out, const struct command *c);
void manual_man_all(FILE *out, const struct command *list, size_t count);

/* Write the first steps: what `warpline` prints without arguments. */
void manual_next_step(FILE *out);

/* Write the completion for a shell. */
void complete_bash(FILE *out, const struct command *list, size_t count);
void complete_zsh(FILE *out, const struct command *list, size_t count);
void complete_fish(FILE *out, const struct command *list, size_t count);

#endif

/*
 * manual - what help, manual pages and completions say, beside the tables of options: the task of
 * each command, a text, examples, and what a value can be.
 *
 * The tables are tasks.def, pages.def and examples.def. Everything is static storage.
 */
#ifndef MANUAL_H
#define MANUAL_H

#include "options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* When the pages were last read over, for their headings. */
#define MANUAL_DATE "2026-11-21"

struct command;

enum manual_task {
#define TASK(NAME, title) TASK_##NAME,
#include "tasks.def"
#undef TASK
	MANUAL_TASKS
};

/* Its title. */
const char *manual_task_title(enum manual_task task);

struct manual_page {
	const char *command;
	enum manual_task task;
	bool is_paged;
	const char *text;
};

/* The page of a command; NULL when pages.def has no row. */
const struct manual_page *manual_page_of(const char *command);

struct manual_example {
	const char *command, *line, *text;
};

const struct manual_example *manual_examples(size_t *count);

/* What the value of an option, or an operand, can be completed to. */
enum manual_value {
	MANUAL_NO_VALUE, /* a flag */
	MANUAL_ANYTHING, /* nothing can be offered */
	MANUAL_WORDS,    /* of manual_words() */
	MANUAL_FILE,
	MANUAL_DIR,
	MANUAL_GPU,
	MANUAL_COMMAND,
	MANUAL_PROGRAM,
};

enum manual_value manual_value_of(const struct option_row *row);

/* Of what kind the operands of a command are. */
enum manual_value manual_operand_of(const struct command *c);

/* The words of an option of MANUAL_WORDS, "a|b|c"; an empty one may be among them. */
const char *manual_words(const struct option_row *row);

/* The next of such words, and its length; NULL at the end. *words is moved. */
const char *manual_next_word(const char **words, size_t *length);

/* Whether a value is several of them, with commas. */
bool manual_is_list(const struct option_row *row);

/* Option `i` of a command: its own, then the common ones, then --help; NULL at the end. */
const struct option_row *manual_option(const struct command *c, size_t i);

/* Write the help or the manual page of a command, or those of the program, which has `count`
 * commands in the order of `list`. */
void manual_help(FILE *out, const struct command *c);
void manual_help_all(FILE *out, const struct command *list, size_t count);
void manual_man(FILE *out, const struct command *c);
void manual_man_all(FILE *out, const struct command *list, size_t count);

/* Write what to do first. */
void manual_next_step(FILE *out);

/* Write the completion for a shell. */
void complete_bash(FILE *out, const struct command *list, size_t count);
void complete_zsh(FILE *out, const struct command *list, size_t count);
void complete_fish(FILE *out, const struct command *list, size_t count);

#endif

/*
 * command - the commands of the program: one table, made from commands.def.
 *
 * A command is a table of options, a struct of settings that they fill, and a
 * function. It prints its result on stdout and what the user must know besides
 * on stderr; errors it returns.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct completeness;
struct err;
struct recording;

enum exit_code {
#define EXIT_CODE(NAME, value, text) EXIT_##NAME = (value),
#include "exit_codes.def"
#undef EXIT_CODE
};

#define COMMAND_ANY_OPERANDS ((size_t)-1)

/* Where record writes when nothing else is said, and other commands read. */
#define RECORDING_DIR_DEFAULT "warpline.data"
#define OPERAND_DIR           "DIR, the directory of a recording (default: " RECORDING_DIR_DEFAULT ")"

struct command {
	const char *name;
	const char *synopsis;
	const char *summary; /* one line, no full stop */
	size_t min_operands, max_operands;
	const char *operands; /* what is expected */
	bool is_stopped_by_operand;
	const struct option_table *options;
	/* Returns an exit_code, or any status of a recorded program, or a negative ERR_*. */
	int (*run)(const void *settings, const struct operands *operands, struct err *err);
};

#define COMMAND(name, ...) COMMAND_AS(name, #name, __VA_ARGS__)
#define COMMAND_AS(id, name, synopsis, summary, min, max, wanted, stop)                            \
	extern const struct option_table id##_options;                                             \
	int cmd_##id(const void *settings, const struct operands *operands, struct err *err);
#include "commands.def"
#undef COMMAND
#undef COMMAND_AS

/* All commands, in the order of help; *count of them. Static storage. */
const struct command *command_list(size_t *count);

/* The command of that name. NULL with ERR_USAGE, which suggests a near name. */
const struct command *command_find(const char *name, struct err *err);

/*
 * Run a command on the arguments after its name; --help prints its help instead. Returns an exit
 * status 0..255, or a negative ERR_*.
 */
int command_run(const struct command *c, int argc, char **argv, struct err *err);

/* The recording that is meant where no DIR is given. NULL with ERR_USAGE when there is none here.
 */
const char *command_default_dir(struct err *err);

/* One line on stderr: "warpline COMMAND: ...". For what is not an error; errors are returned. */
void command_say(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * What a command that read all it was asked for returns: EXIT_DONE, or EXIT_INCOMPLETE or
 * EXIT_LIMITED after saying on stderr what the recording lacks; the second judges by the manifest
 * alone.
 */
int command_say_missing(const char *command, const struct recording *r,
                        const struct completeness *c);
int command_verdict(const char *command, const struct recording *r);

/* Flush `out`. Returns 0, or ERR_IO when anything written to it was lost; `name` is for the
 * message. */
int command_flush(FILE *out, const char *name, struct err *err);

#endif

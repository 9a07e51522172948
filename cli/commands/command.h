/*
 * command - the commands of the program: one table, made from commands.def.
 *
 * A command is a table of options, a struct of settings that they fill, and a
 * function. It prints its result on stdout, prints other messages on stderr,
 * and returns errors.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "options.h"

#define COMMAND(name, ...) COMMAND_AS(name, #name, __VA_ARGS__)
#define COMMAND_AS(id, name, task, paged, synopsis, summary, min, max, wanted, stop, text)         \
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

/* The default DIR. NULL with ERR_USAGE if it does not exist. */
const char *command_default_dir(struct err *err);

#endif

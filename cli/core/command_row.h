/*
 * command_row - a command of the program: a row of commands.def.
 */
#ifndef COMMAND_ROW_H
#define COMMAND_ROW_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct operands;
struct option_table;

#define COMMAND_ANY_OPERANDS ((size_t)-1)

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

#endif

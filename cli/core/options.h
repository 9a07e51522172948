/*
 * options - the options and operands of commands: tables of them, and the command line read by one.
 *
 * Knows --name VALUE, --name=VALUE, --name, -x VALUE, -xVALUE, -x, and -- which
 * ends the options. Options and operands may be mixed. -h and --help belong to
 * every command and are in no table. So are the options of option_common, unless a
 * table has one of the same name. Every failure is one sentence.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "colour.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct operands;
struct option_table;

enum option_kind {
	OPTION_FLAG,   /* bool */
	OPTION_TEXT,   /* const char *; NULL when not given, "1" where no value is taken */
	OPTION_NUMBER, /* struct option_number */
	OPTION_CHOICE, /* uint32_t: index of one of `words`; 0 when not given */
	OPTION_LIST,   /* struct option_list: may be repeated */
};

enum { OPTION_LIST_LIMIT = 64 };

enum { TOP_BY_DEFAULT = 10 }; /* --top: how many findings, kernels, lines and the like are listed */

struct option_number {
	bool is_given;
	uint64_t value;
};

/* The number, or NULL where the option was not given. */
static inline const uint64_t *option_number_given(const struct option_number *n)
{
	return n->is_given ? &n->value : NULL;
}

struct option_list {
	const char *items[OPTION_LIST_LIMIT];
	size_t count;
};

struct option_row {
	const char *name;     /* without the dashes */
	const char *argument; /* the value's name in help; NULL for a flag */
	const char *words;    /* CHOICE: "a|b|c" */
	const char *values;   /* "a|b|c", for completion: not checked; NULL: those of `words` */
	const char *text;     /* what it does; no full stop */
	size_t offset;        /* of the target in the command's settings */
	uint64_t max;         /* NUMBER: the largest value */
	enum option_kind kind;
	bool is_output; /* TEXT: a file to write, checked by command_run() */
	char letter;    /* of the short form, or 0 */
};

struct option_table {
	const struct option_row *rows;
	size_t count;
	size_t settings_bytes; /* of the settings, which begin as zeros */
};

/* The rows of a command that reads its options itself: there are none, and every argument is an
 * operand. */
extern const struct option_row option_rows_of_its_own[1];

/* The settings of the options that every command has. */
struct option_common {
	bool is_quiet;        /* no progress line */
	bool is_unpaged;      /* --no-pager */
	uint32_t colour_when; /* enum colour_when */
	struct colour colour; /* of stdout; command_run() decides */
};

/* These options. */
extern const struct option_table option_common_table;

/* The rest of the command line; borrowed from argv. */
struct operands {
	char **items; /* count of them, then NULL */
	size_t count;
	struct option_common common;
	bool wants_help; /* -h or --help was given: nothing else was checked */
};

/*
 * Read argv (the arguments after the command's name, NULL-terminated) into *settings, which must be
 * zeroed. Operands are moved to the front of argv, in order. When `stops_at_operand`, everything
 * from the first operand on is an operand. With option_rows_of_its_own, everything but a first
 * --help is an operand. Returns 0 or ERR_USAGE.
 */
int options_parse(const struct option_table *table, char **argv, bool stops_at_operand,
                  void *settings, struct operands *operands, struct err *err);

enum { JOBS_MAX = 256 };

/* The row of --jobs, for settings of the type with a struct option_number as `member`. */
#define JOBS_ROW(settings, member)                                                                 \
	{ .name = "jobs",                                                                          \
	  .argument = "N",                                                                         \
	  .kind = OPTION_NUMBER,                                                                   \
	  .offset = offsetof(settings, member),                                                    \
	  .max = JOBS_MAX,                                                                         \
	  .text = "threads (default: one per processor); the result is the same for any "          \
		  "number" }

/* The number given to --jobs; without it, or for 0, the number of processors on which this process
 * may run, at most JOBS_MAX. */
uint32_t options_jobs(const struct option_number *jobs);

#define COMMAND_ANY_OPERANDS ((size_t)-1)

/* What commands are for; the sections of `warpline help`, in their order. */
enum command_task {
	TASK_RECORD,
	TASK_FIND,
	TASK_LOOK,
	TASK_EXCHANGE,
	TASK_ASK,
	COMMAND_TASKS,
};

/* A command of the program: a row of commands.def. */
struct command {
	const char *name;
	enum command_task task;
	bool is_paged; /* output longer than the terminal goes through a pager */
	const char *synopsis;
	const char *summary; /* one line, no full stop */
	const char *text;    /* what it does, in a few sentences */
	size_t min_operands, max_operands;
	const char *operands; /* what is expected */
	bool is_stopped_by_operand;
	const struct option_table *options;
	/* Returns an exit_code, or any status of a recorded program, or a negative ERR_*. */
	int (*run)(const void *settings, const struct operands *operands, struct err *err);
};

#endif

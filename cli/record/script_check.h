/*
 * script_check - what in a script's text keeps the recorder out of the programs that it starts.
 *
 * Looks for words at the beginning of commands, line by line; knows no shell's grammar, so that it
 * may find what is never run, and miss what is made up at run time.
 */
#ifndef SCRIPT_CHECK_H
#define SCRIPT_CHECK_H

#include <stdbool.h>

struct err;
struct program_check;

/*
 * The interpreter in the first line of `path`: its file on the heap, sought in PATH when the line
 * goes by env, and *clears says whether that env drops the environment. NULL when it is no script.
 */
char *script_check_interpreter(const char *path, bool *clears);

/* Add a finding for each sort of line in the script `path` that drops the environment. Returns 0,
 * ERR_NOMEM; a file that cannot be read has none. */
int script_check_text(struct program_check *c, const char *path, struct err *err);

#endif

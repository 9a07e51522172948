/*
 * program_check - why the recorder may never have been called in a program.
 *
 * Reads the program's file, the libraries that it is linked with and, for a script, its text; runs
 * nothing. Each finding is a sentence that names a file. What a program does at run time is not
 * known: a finding is a reason to check, not a proof.
 */
#ifndef PROGRAM_CHECK_H
#define PROGRAM_CHECK_H

#include "array.h"

#include <stdbool.h>

struct err;

struct program_check {
	struct array findings; /* char *, the most likely first */
};

/*
 * Check `path`, which was run with the arguments argv (NULL-terminated, the program's name
 * first); release *c in every case. Returns 0, ERR_NOMEM.
 */
int program_check_make(struct program_check *c, const char *path, char *const argv[],
                       struct err *err);

/* Add a finding. Returns 0, ERR_NOMEM. */
int program_check_say(struct program_check *c, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Add a finding for each kind of line in the script `path` that drops the environment. Looks for
 * words at the beginning of commands, line by line, without a shell's grammar: it may find what is
 * never run, and miss what is put together at run time. Returns 0, ERR_NOMEM; a file that cannot be
 * read has no findings.
 */
int program_check_script(struct program_check *c, const char *path, struct err *err);

/*
 * The interpreter in the first line of `path`, as a path on the heap; if the line runs it through
 * env, it is looked up in PATH, and *clears is set if that env drops the environment. NULL if it is
 * not a script.
 */
char *program_check_interpreter(const char *path, bool *clears);

/* Free what it owns. Accepts a zeroed struct. */
void program_check_release(struct program_check *c);

#endif

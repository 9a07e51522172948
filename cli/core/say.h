/*
 * say - what a command reports beside its result: lines on stderr, and its exit status.
 */
#ifndef SAY_H
#define SAY_H

#include <stdio.h>

struct completeness;
struct err;
struct gpu;
struct player_outcome;
struct recording;

enum exit_code {
#define EXIT_CODE(NAME, value, text) EXIT_##NAME = (value),
#include "exit_codes.def"
#undef EXIT_CODE
};

/* Print one line on stderr: "warpline COMMAND: ...". Not for errors, which are returned. */
void say_line(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Report on stderr what the recording lacks. Returns the exit status of a command that has
 * succeeded otherwise: EXIT_DONE, EXIT_INCOMPLETE or EXIT_LIMITED. `lack` is what is missing from
 * the files that were read, such as "a launch's file lacks groups", or NULL; it is reported if
 * nothing else is. say_verdict() judges only by the manifest.
 */
int say_missing(const char *command, const struct recording *r, const struct completeness *c,
                const char *lack);
int say_verdict(const char *command, const struct recording *r, const char *lack);

/*
 * Report what is missing, as say_verdict() does, and return the command's result: that of
 * say_verdict(), EXIT_INCOMPLETE if a launch's file lacks accesses, or ERR_CONFIG with the number
 * of launches that were refused.
 */
int say_player_verdict(const char *command, const struct recording *r,
                       const struct player_outcome *o, const struct gpu *gpu, struct err *err);

/* Flush `out`. Returns 0, or ERR_IO if any write to it has failed; `name` is for the message. */
int say_flush(FILE *out, const char *name, struct err *err);

#endif

/*
 * program_macros - what a device's compiler defines for each part of a program that is text.
 *
 * Known answers come from the session's store; the instrumenter says what else is to be asked.
 */
#ifndef PROGRAM_MACROS_H
#define PROGRAM_MACROS_H

#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct program_code;
struct session;
struct str;

/*
 * macro_probe - asks a device's compiler which names are macros, and what they become.
 *
 * `names` is what warpline-instrument wants to know (passes/front/device_macros.h): a line each,
 * NAME, NAME(2 or NAME=EXPRESSION. The answers are lines, too, and none for a name that is no
 * macro.
 */

/*
 * Append code to a program's text so that a name which is a macro shows in it: it then has a kernel
 * more, for macro_probe_has_found(). With an expression it always has. Returns 0, ERR_LIMIT or
 * ERR_NOMEM.
 */
int macro_probe_append(struct str *text, const char *names, struct err *err);

/* Whether the program, which is built, has that kernel. */
bool macro_probe_has_found(cl_program program);

struct part_macros {
	char *key, *options; /* that the answers hang on; NULL: the part is no text */
	char *answers;       /* "": nothing has been asked yet */
};

struct program_macros {
	struct session *session;
	cl_device_id device;
	struct part_macros *parts;
	size_t part_count;
	char *identity; /* of the instrumenter, whose questions they are */
};

/*
 * Take what is known. `instrumenter` is its path. Release in every case. Returns 0, ERR_NOMEM;
 * ERR_USAGE for options that cannot be read, ERR_UNSUPPORTED for some that the device cannot be
 * asked with.
 */
int program_macros_init(struct program_macros *m, struct session *s, cl_device_id device,
                        const struct program_code *code, const char *instrumenter, struct err *err);

/* Whether each text's device has been asked for something. */
bool program_macros_are_known(const struct program_macros *m);

/*
 * Ask about these names (program_macros.h), and take the answers. *is_more: there were some.
 * Returns 0, or the errors of macro_probe_ask() and of program_macros_init().
 */
int program_macros_ask(struct program_macros *m, const struct program_code *code, const char *names,
                       bool *is_more, struct err *err);

/* Accepts a zeroed struct. */
void program_macros_release(struct program_macros *m);

#endif

/*
 * program_macros - the macros that a device's compiler defines for each source part of a program.
 *
 * Known answers come from the session's store; the instrumenter names the other questions.
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
 * macro_probe - asks a device's compiler which names are macros, and for their expansions.
 *
 * `names` are the questions of warpline-instrument (passes/front/device_macros.h), one a line:
 * NAME, NAME(2 or NAME=EXPRESSION. The answers are lines, too; a name that is not a macro has none.
 */

/*
 * Append code to a program's text so that it has another kernel, for macro_probe_has_found(), if
 * one of the names is a macro; always if there is an expression. Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int macro_probe_append(struct str *text, const char *names, struct err *err);

/* Whether a built program has that kernel. */
bool macro_probe_has_found(cl_program program);

struct part_macros {
	char *key, *options; /* on which the answers depend; NULL: the part is not source */
	char *answers;       /* "": nothing has been asked yet */
};

struct program_macros {
	struct session *session;
	cl_device_id device;
	struct part_macros *parts;
	size_t part_count;
	char *identity; /* of the instrumenter that asks */
};

/*
 * Begin with the known answers. `instrumenter` is its path. Release it in every case. Returns 0 or
 * ERR_NOMEM; ERR_USAGE for options that cannot be read; ERR_UNSUPPORTED for options with which the
 * device cannot be asked.
 */
int program_macros_init(struct program_macros *m, struct session *s, cl_device_id device,
                        const struct program_code *code, const char *instrumenter, struct err *err);

/* Whether the device has been asked about every source part. */
bool program_macros_are_known(const struct program_macros *m);

/*
 * Ask about these names and take the answers. Sets *is_more if there were any. Fails as
 * program_macros_init() does, and with ERR_DEVICE or ERR_LIMIT.
 */
int program_macros_ask(struct program_macros *m, const struct program_code *code, const char *names,
                       bool *is_more, struct err *err);

/* Accepts a zeroed struct. */
void program_macros_release(struct program_macros *m);

#endif

/*
 * macro_probe - asks a device's compiler which names are macros, and what they become.
 *
 * `names` is what warpline-instrument wants to know (passes/front/device_macros.h): a line each,
 * NAME, NAME(2 or NAME=EXPRESSION. The answers are lines, too, and none for a name that is no
 * macro.
 */
#ifndef MACRO_PROBE_H
#define MACRO_PROBE_H

#include "opencl.h"

#include <stdbool.h>

struct err;
struct str;

/*
 * Append code to a program's text so that a name which is a macro shows in it: it then has a kernel
 * more, for macro_probe_has_found(). With an expression it always has. Returns 0, ERR_LIMIT or
 * ERR_NOMEM.
 */
int macro_probe_append(struct str *text, const char *names, struct err *err);

/* Whether the program, which is built, has that kernel. */
bool macro_probe_has_found(cl_program program);

/*
 * Build a program with `options`, in a context of our own, and run it on the device unless it shows
 * that nothing is found. Appends to *answers. Returns 0; ERR_DEVICE with what the driver said;
 * ERR_LIMIT, ERR_NOMEM.
 */
int macro_probe_ask(cl_device_id device, const char *options, const char *names,
                    struct str *answers, struct err *err);

#endif

/*
 * subprocess - run a program over texts in memory: input on its standard input,
 * what it writes on standard output and error comes back.
 *
 * No shell, no files, no pipes: the streams are anonymous files in memory, so
 * that neither side can wait for the other.
 */
#ifndef SUBPROCESS_H
#define SUBPROCESS_H

#include "str.h"

struct err;

/*
 * Run argv[0], sought in PATH, with the environment of this process less LD_PRELOAD and
 * OPENCL_LAYERS (a recorder must not follow us into a compiler), and wait for it. Appends to
 * *output and *errors. *status gets its exit status, or 128 + the signal that ended it.
 * Returns 0 also when the program failed; ERR_SUBPROCESS when it cannot be started; ERR_IO;
 * ERR_LIMIT when it wrote more than output or errors may hold; ERR_NOMEM.
 */
int subprocess_run(char *const argv[], const struct str *input, struct str *output,
                   struct str *errors, int *status, struct err *err);

#endif

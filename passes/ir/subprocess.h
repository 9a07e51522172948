/*
 * subprocess - run a program on strings in memory: they become its standard input, and its standard
 * output and error come back.
 *
 * No shell, no named files, no pipes: the streams are anonymous files in memory, so neither side
 * can wait for the other.
 */
#ifndef SUBPROCESS_H
#define SUBPROCESS_H

#include "str.h"

struct err;

/*
 * Run argv[0], searched for in PATH, and wait for it. The child gets this process's environment
 * without LD_PRELOAD and OPENCL_LAYERS (a recorder must not follow us into a compiler). Appends to
 * *output and *errors. *status is its exit status, or 128 + the signal that ended it. Returns 0
 * even if the program failed; ERR_SUBPROCESS when it cannot be started; ERR_IO; ERR_LIMIT when it
 * wrote more than output or errors may hold; ERR_NOMEM.
 */
int subprocess_run(char *const argv[], const struct str *input, struct str *output,
                   struct str *errors, int *status, struct err *err);

#endif

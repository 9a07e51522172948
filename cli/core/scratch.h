/*
 * scratch - a file in memory, without a name, that is gone with its last descriptor.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "str.h"

struct err;

/* A descriptor, closed by the caller; ERR_IO. `what` is for messages. */
int scratch_open(const char *what, struct err *err);

/* Append all that is in it to *out. Returns 0, ERR_IO, ERR_LIMIT or ERR_NOMEM. */
int scratch_take(int fd, struct str *out, struct err *err);

#endif

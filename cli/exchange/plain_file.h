/*
 * plain_file - a file to read that has an end, and can be read twice: no pipe, no device.
 *
 * Of "-", standard input, everything is kept in a temporary file first.
 */
#ifndef PLAIN_FILE_H
#define PLAIN_FILE_H

#include <stdio.h>

struct err;

/* Open a file of bytes. NULL with ERR_IO, also for one that is not plain. */
FILE *plain_file_open(const char *path, struct err *err);

#endif

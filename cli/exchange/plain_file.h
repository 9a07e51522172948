/*
 * plain_file - an input file that has an end and can be read twice: not a pipe, not a device.
 *
 * "-" is standard input, all of which is first copied to a temporary file.
 */
#ifndef PLAIN_FILE_H
#define PLAIN_FILE_H

#include <stdio.h>

struct err;

/* Open a file of bytes. NULL with ERR_IO, also for one that is not plain. */
FILE *plain_file_open(const char *path, struct err *err);

#endif

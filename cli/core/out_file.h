/*
 * out_file - a result that is written while it is made, and takes its place when all of it is
 * there.
 *
 * Until then it is beside its place, without a name where the file system can do that: whatever
 * happens, a signal too, what was at its place stays, and nothing else is left behind. A symbolic
 * link is followed; the mode of an older file is kept. "-" is standard output. What is no plain
 * file (devices, pipes, all of /dev and /proc), and a file in a folder in which nothing can be
 * made, is written to as it is.
 */
#ifndef OUT_FILE_H
#define OUT_FILE_H

#include "str.h"

#include <stdbool.h>
#include <stdio.h>

struct err;

struct out_file {
	FILE *stream;     /* to write to; who writes need not look for errors */
	const char *name; /* for messages; borrowed */
	char *place;      /* that it is to take; NULL: it is written to as it is */
	char *beside;     /* where it is until then; NULL: it has no name */
	int kept;         /* the same for a signal's handler: interrupt.h */
	bool is_stdout;
};

/* Whether a name is that of standard output: "-", or any of the file that it is. */
bool out_file_is_stdout(const char *name);

/* Whether two names are those of one plain file, or of the same new one. */
bool out_file_is_same(const char *a, const char *b);

/*
 * Whether a file of that name can be expected to be written: it is there, or its folder is, and may
 * be written to. Makes nothing. Returns 0, or ERR_IO with "OPTION NAME: ..." and what to do.
 */
int out_file_check(const char *name, const char *option, struct err *err);

/* Open. Release it in every case. Returns 0, ERR_IO (also for a file that may not be written to) or
 * ERR_NOMEM. */
int out_file_open(struct out_file *f, const char *name, struct err *err);

/* All is written: put it in its place. Returns 0, ERR_NOMEM, or ERR_IO when anything was lost. */
int out_file_end(struct out_file *f, struct err *err);

/* Close; without out_file_end() as if nothing had been written. Accepts a zeroed struct. */
void out_file_release(struct out_file *f);

/* Open a file in memory, without a name, which is gone when it is closed. Returns a descriptor,
 * which the caller closes, or ERR_IO. `what` is for messages. */
int out_file_in_memory(const char *what, struct err *err);

/* Append the contents of a file in memory to *out. Returns 0, ERR_IO, ERR_LIMIT or ERR_NOMEM. */
int out_file_take(int fd, struct str *out, struct err *err);

#endif

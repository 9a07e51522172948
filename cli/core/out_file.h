/*
 * out_file - an output file that replaces its target atomically once it is complete.
 *
 * Until then it lies beside the target, without a name if the file system supports that. Whatever
 * happens, a signal included, the old target stays and nothing else is left behind. A symbolic link
 * is followed; the mode of an older file is kept. "-" is standard output. Devices, pipes, all of
 * /dev and /proc, and files in a folder where nothing can be created, are written in place.
 */
#ifndef OUT_FILE_H
#define OUT_FILE_H

#include "str.h"

#include <stdbool.h>
#include <stdio.h>

struct err;

struct out_file {
	FILE *stream;     /* to write to; callers need not check for write errors */
	const char *name; /* for messages; borrowed */
	char *place;      /* the target; NULL: it is written in place */
	char *beside;     /* the name until then; NULL: none */
	int kept;         /* of interrupt_keep(), for `beside` */
	bool is_stdout;
};

/* Whether a name means standard output: "-", or a name of the same file. */
bool out_file_is_stdout(const char *name);

/* Whether two names mean the same regular file, or the same new one. */
bool out_file_is_same(const char *a, const char *b);

/*
 * Check that the file can probably be written: it, or else its folder, exists and is writable.
 * Creates nothing. Returns 0, or ERR_IO with "OPTION NAME: ..." and what to do.
 */
int out_file_check(const char *name, const char *option, struct err *err);

/* Open. Release it in every case. Returns 0, ERR_IO (also for a file that is not writable) or
 * ERR_NOMEM. */
int out_file_open(struct out_file *f, const char *name, struct err *err);

/* Everything is written: replace the target. Returns 0, ERR_NOMEM, or ERR_IO if a write failed. */
int out_file_end(struct out_file *f, struct err *err);

/* Close; without out_file_end(), the target does not change. Accepts a zeroed struct. */
void out_file_release(struct out_file *f);

/* Open a file in memory, without a name, which is gone when it is closed. Returns a descriptor,
 * which the caller closes, or ERR_IO. `what` is for messages. */
int out_file_in_memory(const char *what, struct err *err);

/* Append the contents of a file in memory to *out. Returns 0, ERR_IO, ERR_LIMIT or ERR_NOMEM. */
int out_file_take(int fd, struct str *out, struct err *err);

#endif

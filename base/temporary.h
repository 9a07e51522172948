/*
 * temporary - our files and folders in the temporary folder, and the removal of those that killed
 * processes left there.
 *
 * The process that makes one holds a lock on it (flock). One that is no longer locked, and an hour
 * old, is abandoned. The hour is for file systems without locks, and for programs that close files
 * they did not open.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <stdbool.h>

struct err;

/* What it is for, which its name shows: warpline-XXXXXX, warpline-seen-XXXXXX, ... */
enum temporary_sort {
	TEMPORARY_PROGRAM, /* folder: a program being instrumented */
	TEMPORARY_SEEN,    /* file: what recorders report to `warpline record` */
	TEMPORARY_NVCC,    /* folder: what `warpline nvcc` compiles */
	TEMPORARY_SORTS
};

struct temporary {
	char *path; /* NULL: none */
	int lock;   /* a file descriptor, or -1 */
};

/*
 * Make an empty folder, or file, that only this user may read, below file_temporary_folder().
 * Returns 0, or ERR_IO or ERR_NOMEM, after which there is nothing to remove.
 */
int temporary_make_folder(struct temporary *t, enum temporary_sort sort, struct err *err);
int temporary_make_file(struct temporary *t, enum temporary_sort sort, struct err *err);

/* Remove it with its contents, and free the struct's memory. Accepts a zeroed struct. */
void temporary_remove(struct temporary *t);

/* Leave it to the user as warpline-kept-XXXXXX, which is never swept; free the struct's memory. */
void temporary_keep(struct temporary *t);

/* Remove, as far as possible, what this user's processes abandoned. */
void temporary_sweep(void);

#endif

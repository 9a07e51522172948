/*
 * temporary - files and folders of ours in the temporary folder, and the removal of those that
 * killed processes have left there.
 *
 * Each is locked (flock) by the process that made it: one that nobody locks any more, and that is
 * an hour old, is nobody's. The hour is for file systems without locks, and for programs that close
 * files which they have not opened.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <stdbool.h>

struct err;

/* What a name says that it is for: warpline-XXXXXX, warpline-seen-XXXXXX, ... */
enum temporary_sort {
	TEMPORARY_PROGRAM, /* folder: a program on its way through the instrumenter */
	TEMPORARY_SEEN,    /* file: what recorders tell `warpline record` */
	TEMPORARY_NVCC,    /* folder: what `warpline nvcc` compiles */
	TEMPORARY_SORTS
};

struct temporary {
	char *path; /* NULL: none */
	int lock;   /* a file descriptor, or -1 */
};

/*
 * Make an empty folder, or file, that only this user may read, under file_temporary_folder().
 * Returns 0; ERR_IO with its path, ERR_NOMEM: then there is nothing to remove.
 */
int temporary_make_folder(struct temporary *t, enum temporary_sort sort, struct err *err);
int temporary_make_file(struct temporary *t, enum temporary_sort sort, struct err *err);

/* Remove it with all that is in it, and free. Accepts a zeroed struct. */
void temporary_remove(struct temporary *t);

/* Leave it to the user, as warpline-kept-XXXXXX, which is never swept; and free. */
void temporary_keep(struct temporary *t);

/* Remove what processes of this user have left behind, as far as that can be done. */
void temporary_sweep(void);

#endif

/*
 * library_walk - the libraries that a program is linked with, directly or through others, and the
 * libOpenCL among them.
 *
 * Searches as the dynamic linker does: the run paths of the file and of the program, then
 * LD_LIBRARY_PATH, then the usual directories; but not its cache. Runs nothing.
 */
#ifndef LIBRARY_WALK_H
#define LIBRARY_WALK_H

#include "array.h"

#include <stdbool.h>

struct err;

struct library_walk {
	char *opencl;       /* the libOpenCL that is linked; NULL: none, or not found */
	bool is_linked;     /* some file is linked with libOpenCL, found or not */
	bool is_bundled;    /* `opencl` was found by a run path, not in the system's directories */
	char *names_opencl; /* the first file that contains its name, perhaps for dlopen(); or
	                       NULL */
	struct array files; /* of char *: the program, then the libraries that were found */
	size_t not_found;   /* libraries */
};

/* Begin at the program `path`; release *w in every case. Returns 0, ERR_NOMEM. */
int library_walk_make(struct library_walk *w, const char *path, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void library_walk_release(struct library_walk *w);

#endif

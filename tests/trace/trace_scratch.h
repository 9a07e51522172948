/*
 * trace_scratch - a directory of its own for a test, and files as bytes.
 */
#ifndef TRACE_SCRATCH_H
#define TRACE_SCRATCH_H

#include <stddef.h>

/* Make a new empty directory; the path lies in `dir` until scratch_remove(). */
struct scratch_dir {
	char path[64];
};

void scratch_make(struct scratch_dir *s);

/* Remove it with all that is in it. */
void scratch_remove(const struct scratch_dir *s);

/* `name` in the directory; static storage, good until the next call. */
const char *scratch_path(const struct scratch_dir *s, const char *name);

/* All bytes of a file, on the heap, with a NUL behind them. */
unsigned char *scratch_read(const char *path, size_t *length);

#endif

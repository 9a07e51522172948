/*
 * file - whole files in and out, with messages that name them.
 *
 * For small files (sources, descriptions, manifests). Nothing here follows a
 * partial write: file_write() goes through a temporary name and renames, but
 * for devices and pipes, which are written to.
 */
#ifndef FILE_H
#define FILE_H

#include <stddef.h>

struct err;
struct str;

/*
 * Append the contents of `path` to *out (already initialised; its limit is the
 * limit on the file). Returns 0, ERR_IO, ERR_LIMIT or ERR_NOMEM.
 */
int file_read(const char *path, struct str *out, struct err *err);

/* Create or replace `path` with `length` bytes. Returns 0, ERR_IO or ERR_NOMEM. */
int file_write(const char *path, const void *bytes, size_t length, struct err *err);

/* `dir`/`name` on the heap, freed by the caller; NULL with ERR_NOMEM. */
char *file_path(const char *dir, const char *name, struct err *err);

/* Where temporary files go: $TMPDIR when it is a folder that we may write to, else /tmp. Borrowed.
 */
const char *file_temporary_folder(void);

#endif

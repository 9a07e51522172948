/*
 * file - reads and writes whole files, and opens files below a folder. Messages name the file.
 *
 * For small files (sources, descriptions, lists). A reader never sees half a file: file_write()
 * writes to a new temporary name and renames it. Devices and pipes are written to directly.
 *
 *
 * Only regular files are read. A FIFO, a socket or a device is refused without waiting for it: a
 * hostile recording may have one in the place of a file. The exception is what the process has
 * open already, named /dev/stdin, /dev/fd/N or /proc/self/fd/N, as by a shell's `<(command)`.
 */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

/*
 * Append the contents of `path` to *out (already initialised; its limit is the
 * limit on the file). Returns 0, ERR_IO, ERR_LIMIT or ERR_NOMEM.
 */
int file_read(const char *path, struct str *out, struct err *err);

/* The same for an open file, from its current position; it stays open. `name` is for messages. */
int file_read_open(int fd, const char *name, struct str *out, struct err *err);

/* Open a regular file for reading. Returns its descriptor or ERR_IO. */
int file_open(const char *path, struct err *err);

/* Whether `path` names something below a folder: it is relative, and no component of it is empty,
 * "." or "..". */
bool file_is_below(const char *path);

/*
 * Open the regular file `path` below the folder `dir`, with the flags of open(2). The user names
 * `dir`, which may be a symbolic link; `path` comes from a file, and no component of it may be one:
 * so nothing outside the folder is ever opened. Returns a descriptor, or ERR_IO.
 */
int file_open_below(const char *dir, const char *path, int flags, struct err *err);

/* Open the folder `path` below `dir` under the same rules, to read its entries. */
int file_open_folder_below(const char *dir, const char *path, struct err *err);

/* Create or replace `path` with `length` bytes. Returns 0, ERR_IO or ERR_NOMEM. */
int file_write(const char *path, const void *bytes, size_t length, struct err *err);

/* `dir`/`name` on the heap, freed by the caller; NULL with ERR_NOMEM. */
char *file_path(const char *dir, const char *name, struct err *err);

/* The folder for temporary files: $TMPDIR if it is a folder and writable, else /tmp. Borrowed.
 */
const char *file_temporary_folder(void);

#endif

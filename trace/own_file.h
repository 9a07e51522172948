/*
 * own_file - a new file that grows at its end, in a process that is not ours.
 *
 * Other code of the process may close our descriptor, or close it and open a
 * file of its own that gets the same number: before each write the descriptor
 * is looked at, and opened again when it is no longer the file's. It has a high
 * number, so that the process's own files get the numbers that they would get
 * without us. One object, one thread at a time. Messages leave it to the caller to name the file.
 */
#ifndef OWN_FILE_H
#define OWN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * fd_write - bytes to a descriptor, all of them or an error; private to trace/.
 */

struct err;

/* Write all bytes, going on after short writes and signals; none is raised. Returns 0 or ERR_IO. */
int fd_write(int fd, const void *bytes, size_t length, struct err *err);

struct own_file {
	char *path; /* NULL: there is no file */
	int fd;
	dev_t device;
	ino_t inode;
	bool is_locked;
};

/* Create `path`, which must not exist. Returns 0, ERR_IO or ERR_NOMEM; then *f has no file. */
int own_file_create(struct own_file *f, const char *path, struct err *err);

/* A descriptor of the file, until the next call. Negative: ERR_IO, the file cannot be had again. */
int own_file_fd(struct own_file *f, struct err *err);

/*
 * Hold a lock on the whole file (fcntl(2), F_SETLK) until it is closed or the process ends, so that
 * others see that it is being written. Not a forked child's. Where locks cannot be had there is
 * none.
 */
void own_file_lock(struct own_file *f);

/* Append. Returns 0 or ERR_IO. */
int own_file_write(struct own_file *f, const void *bytes, size_t length, struct err *err);

/* Cut it to `length` bytes. Returns 0 or ERR_IO. */
int own_file_cut(struct own_file *f, uint64_t length, struct err *err);

/* Give it another name in the same folder, in the place of any file there. ERR_IO, ERR_NOMEM. */
int own_file_rename(struct own_file *f, const char *path, struct err *err);

/* Close; a file that was never created is allowed. Returns 0 or ERR_IO. */
int own_file_close(struct own_file *f, struct err *err);

#endif

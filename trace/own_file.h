/*
 * own_file - a new file to append to, in a process that is not ours.
 *
 * Other code of the process may close our descriptor, and even open a file that then gets the same
 * number. So before each write the descriptor is checked, and the file opened again if it is no
 * longer ours. The descriptor has a high number, so that the process's own files get the numbers
 * that they would get without us. One thread at a time may use an object. Error messages do not
 * name the file; the caller adds its name.
 */
#ifndef OWN_FILE_H
#define OWN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;

/* Write all bytes to a descriptor, continuing after short writes and signals; raises no SIGPIPE.
 * Returns 0 or ERR_IO. */
int fd_write(int fd, const void *bytes, size_t length, struct err *err);

struct own_file {
	char *path; /* NULL: no file */
	int fd;
	dev_t device;
	ino_t inode;
	bool is_locked;
};

/* Create `path`, which must not exist. Returns 0, ERR_IO or ERR_NOMEM; then *f has no file. */
int own_file_create(struct own_file *f, const char *path, struct err *err);

/* Returns a descriptor of the file, valid until the next call; negative, with ERR_IO, if the file
 * cannot be opened again. */
int own_file_fd(struct own_file *f, struct err *err);

/*
 * Lock the whole file (fcntl(2), F_SETLK) until it is closed or the process ends, so that others
 * see that it is being written. A forked child does not inherit the lock. If the file system has no
 * locks, nothing happens.
 */
void own_file_lock(struct own_file *f);

/* Append. Returns 0 or ERR_IO. */
int own_file_write(struct own_file *f, const void *bytes, size_t length, struct err *err);

/* Truncate it to `length` bytes. Returns 0 or ERR_IO. */
int own_file_cut(struct own_file *f, uint64_t length, struct err *err);

/* Rename it within its folder, replacing any file of that name. Returns 0, ERR_IO, ERR_NOMEM. */
int own_file_rename(struct own_file *f, const char *path, struct err *err);

/* Close; a file that was never created is allowed. Returns 0 or ERR_IO. */
int own_file_close(struct own_file *f, struct err *err);

#endif

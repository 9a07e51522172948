/* SPDX-License-Identifier: Apache-2.0 */
#include "own_file.h"

#include "err.h"
#include "quiet_signals.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, const unsigned char *at, size_t length, struct err *err)
{
	while (length) {
		ssize_t put = write(fd, at, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return err_set(err, ERR_IO, "%s",
			               put ? strerror(errno) : "nothing could be written");
		at += put;
		length -= (size_t)put;
	}
	return 0;
}

int fd_write(int fd, const void *bytes, size_t length, struct err *err)
{
	struct quiet_signals quiet;
	int ret;

	quiet_signals_begin(&quiet);
	ret = write_all(fd, bytes, length, err);
	quiet_signals_end(&quiet, ret < 0);
	return ret;
}

/* Above the descriptors that programs use, below the usual limit, and always above the standard
 * streams. */
#define HIGH_FD  200
#define FIRST_FD 3

/* Move the descriptor to a high number, if one is free. */
static int move_up(int fd)
{
	static const int lowest[] = { HIGH_FD, FIRST_FD };

	for (size_t i = 0; i < sizeof(lowest) / sizeof(lowest[0]); i++) {
		int moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest[i]);

		if (moved < 0)
			continue;
		close(fd);
		return moved;
	}
	return fd;
}

static int open_up(const char *path, int flags, struct err *err)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0666);

	if (fd < 0)
		return err_set(err, ERR_IO, "%s", strerror(errno));
	return move_up(fd);
}

int own_file_create(struct own_file *f, const char *path, struct err *err)
{
	struct stat facts;

	*f = (struct own_file){ .path = str_copy(path, err), .fd = -1 };
	if (!f->path)
		return ERR_NOMEM;
	f->fd = open_up(path, O_CREAT | O_EXCL, err);
	if (f->fd >= 0 && fstat(f->fd, &facts) == 0) {
		f->device = facts.st_dev;
		f->inode = facts.st_ino;
		return 0;
	}
	if (f->fd >= 0) {
		err_set(err, ERR_IO, "%s", strerror(errno));
		close(f->fd);
	}
	free(f->path);
	*f = (struct own_file){ .fd = -1 };
	return ERR_IO;
}

static bool is_ours(const struct own_file *f, int fd)
{
	struct stat facts;

	return fd >= 0 && fstat(fd, &facts) == 0 && facts.st_dev == f->device &&
	       facts.st_ino == f->inode;
}

static void lock(int fd)
{
	const struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	(void)fcntl(fd, F_SETLK, &whole);
}

void own_file_lock(struct own_file *f)
{
	f->is_locked = true;
	if (is_ours(f, f->fd))
		lock(f->fd);
}

int own_file_fd(struct own_file *f, struct err *err)
{
	int fd;

	if (is_ours(f, f->fd))
		return f->fd;
	f->fd = -1; /* it may belong to the application by now */
	fd = open_up(f->path, 0, err);
	if (fd < 0)
		return fd;
	if (!is_ours(f, fd)) {
		close(fd);
		return err_set(err, ERR_IO, "another file has taken its place");
	}
	f->fd = fd;
	/* closing the descriptor ended the lock */
	if (f->is_locked)
		lock(fd);
	return fd;
}

int own_file_write(struct own_file *f, const void *bytes, size_t length, struct err *err)
{
	int fd = own_file_fd(f, err);

	return fd < 0 ? fd : fd_write(fd, bytes, length, err);
}

int own_file_cut(struct own_file *f, uint64_t length, struct err *err)
{
	int fd = own_file_fd(f, err);

	if (fd >= 0 && ftruncate(fd, (off_t)length))
		return err_set(err, ERR_IO, "%s", strerror(errno));
	return fd < 0 ? fd : 0;
}

int own_file_rename(struct own_file *f, const char *path, struct err *err)
{
	char *copy = str_copy(path, err);

	if (!copy)
		return ERR_NOMEM;
	if (rename(f->path, path)) {
		free(copy);
		return err_set(err, ERR_IO, "%s", strerror(errno));
	}
	free(f->path);
	f->path = copy;
	return 0;
}

int own_file_close(struct own_file *f, struct err *err)
{
	int ret = 0;

	if (f->path && is_ours(f, f->fd) && close(f->fd))
		ret = err_set(err, ERR_IO, "%s", strerror(errno));
	free(f->path);
	*f = (struct own_file){ .fd = -1 };
	return ret;
}

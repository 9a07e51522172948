/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

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

/* The name of a file type. */
static const char *kind_name(mode_t mode)
{
	return S_ISDIR(mode)    ? "a folder"
	       : S_ISFIFO(mode) ? "a FIFO"
	       : S_ISSOCK(mode) ? "a socket"
	                        : "a device";
}

/* Whether the path names an open descriptor of this process. */
static bool is_own_descriptor(const char *path)
{
	static const char *const heads[] = { "/dev/fd/", "/proc/self/fd/" };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strncmp(path, heads[i], strlen(heads[i])))
			return true;
	return !strcmp(path, "/dev/stdin");
}

/* Refuse a file that is not regular, and clear O_NONBLOCK, with which it was opened. Takes
 * ownership of fd. Returns fd or ERR_IO. */
static int settle(int fd, const char *dir, const char *path, bool is_own, struct err *err)
{
	const char *slash = dir ? "/" : "";
	struct stat facts;
	int flags = -1;

	dir = dir ? dir : "";
	if (!fstat(fd, &facts))
		flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		err_set(err, ERR_IO, "%s%s%s: %s", dir, slash, path, strerror(errno));
	else if (S_ISREG(facts.st_mode) || (is_own && !S_ISDIR(facts.st_mode)))
		return fd;
	else
		err_set(err, ERR_IO, "%s%s%s: is %s: expected a regular file", dir, slash, path,
		        kind_name(facts.st_mode));
	close(fd);
	return ERR_IO;
}

int file_open(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	return settle(fd, NULL, path, is_own_descriptor(path), err);
}

bool file_is_below(const char *path)
{
	for (;;) {
		size_t length = strcspn(path, "/");

		if (length == 0 || (length <= 2 && strspn(path, ".") >= length))
			return false;
		path += length;
		if (!*path++)
			return true;
	}
}

static int below_failed(const char *dir, const char *path, struct err *err)
{
	const char *why = strerror(errno);

	if (errno == ELOOP)
		why = "is a symbolic link: nothing outside the folder is opened through it";
	if (errno == ENOTDIR)
		why = "a folder of this path is a symbolic link, or no folder";
	return err_set(err, ERR_IO, "%s/%s: %s", dir, path, why);
}

/* Open the folder of the last component of `path` without following a link; *last becomes that
 * component. */
static int open_parent(const char *dir, const char *path, const char **last)
{
	const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
	int fd = open(dir, flags), next;
	char name[256];

	for (size_t length; fd >= 0 && path[length = strcspn(path, "/")]; path += length + 1) {
		if (length >= sizeof(name)) {
			close(fd);
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(name, path, length);
		name[length] = '\0';
		next = openat(fd, name, flags | O_NOFOLLOW);
		close(fd);
		fd = next;
	}
	*last = path;
	return fd;
}

static int open_below(const char *dir, const char *path, int flags, struct err *err)
{
	const char *last;
	int parent, fd, why;

	if (!file_is_below(path))
		return err_set(err, ERR_IO, "%s/%s: is not below the folder", dir, path);
	parent = open_parent(dir, path, &last);
	if (parent < 0)
		return below_failed(dir, path, err);
	fd = openat(parent, last, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	why = errno;
	close(parent);
	errno = why;
	return fd < 0 ? below_failed(dir, path, err) : fd;
}

int file_open_below(const char *dir, const char *path, int flags, struct err *err)
{
	int fd = open_below(dir, path, flags, err);

	return fd < 0 ? fd : settle(fd, dir, path, false, err);
}

int file_open_folder_below(const char *dir, const char *path, struct err *err)
{
	return open_below(dir, path, O_RDONLY | O_DIRECTORY, err);
}

int file_read_open(int fd, const char *name, struct str *out, struct err *err)
{
	char buffer[16384];
	ssize_t got;
	int ret = 0;

	while (!ret && (got = read(fd, buffer, sizeof(buffer)))) {
		if (got > 0)
			ret = str_append(out, buffer, (size_t)got, NULL);
		else if (errno != EINTR)
			return err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
	}
	if (!ret)
		ret = str_append(out, "", 0, NULL);
	if (ret == ERR_LIMIT)
		return err_set(err, ERR_LIMIT, "%s: larger than the limit of %zu bytes", name,
		               out->limit_bytes);
	return ret ? err_set(err, ERR_NOMEM, "%s: out of memory while reading", name) : 0;
}

int file_read(const char *path, struct str *out, struct err *err)
{
	int fd = file_open(path, err), ret;

	if (fd < 0)
		return fd;
	ret = file_read_open(fd, path, out, err);
	close(fd);
	return ret;
}

/* Write all bytes to `fd` and close it; `name` is for messages. */
static int write_to(int fd, const char *name, const void *bytes, size_t length, struct err *err)
{
	FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
	int ret = 0;

	if (!out)
		ret = err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
	if (!out && fd >= 0)
		close(fd);
	if (out && fwrite(bytes, 1, length, out) != length)
		ret = err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
	if (out && fclose(out) && !ret)
		ret = err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
	return ret;
}

/* Whether the path is a device or a pipe, which must not be replaced. */
static bool is_special(const char *path)
{
	struct stat facts;

	return !stat(path, &facts) && !S_ISREG(facts.st_mode);
}

/* Create a new file in the folder of `path`; *name becomes its name, on the heap. Others may write
 * to the folder, so an existing file is never opened. */
static int open_beside(const char *path, char **name, struct err *err)
{
	enum { TRIES = 100 };
	int fd = -1;

	for (int i = 0; fd < 0 && i < TRIES; i++) {
		*name = str_format(err, "%s.%ld.%d.tmp", path, (long)gettid(), i);
		if (!*name)
			return ERR_NOMEM;
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (fd >= 0)
			break;
		free(*name);
		*name = NULL;
		if (errno != EEXIST)
			break;
	}
	return fd < 0 ? err_set(err, ERR_IO, "%s: %s", path, strerror(errno)) : fd;
}

static int replace(const char *path, const void *bytes, size_t length, struct err *err)
{
	char *temporary = NULL;
	int fd = open_beside(path, &temporary, err), ret;

	if (fd < 0)
		return fd;
	ret = write_to(fd, path, bytes, length, err);
	if (!ret && rename(temporary, path))
		ret = err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (ret)
		unlink(temporary);
	free(temporary);
	return ret;
}

int file_write(const char *path, const void *bytes, size_t length, struct err *err)
{
	struct quiet_signals quiet;
	int ret;

	quiet_signals_begin(&quiet);
	ret = is_special(path)
	              ? write_to(open(path, O_WRONLY | O_CLOEXEC), path, bytes, length, err)
	              : replace(path, bytes, length, err);
	quiet_signals_end(&quiet, ret < 0);
	return ret;
}

char *file_path(const char *dir, const char *name, struct err *err)
{
	return str_format(err, "%s/%s", dir, name);
}

const char *file_temporary_folder(void)
{
	const char *given = getenv("TMPDIR");
	struct stat facts;

	if (given && !stat(given, &facts) && S_ISDIR(facts.st_mode) && !access(given, W_OK | X_OK))
		return given;
	return "/tmp";
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "out_file.h"

#include "err.h"
#include "interrupt.h"
#include "say.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEW_FILE_MODE = 0666, MODE_BITS = 0777 };

static int refuse(const struct out_file *f, struct err *err)
{
	if (errno == ENOENT)
		return err_set(err, ERR_IO, "%s: its folder does not exist; create it first",
		               f->name);
	return err_set(err, ERR_IO, "%s: %s", f->name, strerror(errno ? errno : EIO));
}

/* Returns the path of the file `name`, existing or new. NULL: out of memory. */
static char *find_place(const char *name, struct err *err)
{
	char *place = realpath(name, NULL);

	return place ? place : str_copy(name, err);
}

static bool is_below(const char *path, const char *folder)
{
	return !strncmp(path, folder, strlen(folder));
}

/* Whether `name` is a regular file, or does not exist yet; *mode is the file's mode, or that of a
 * new one. */
static bool is_plain(const char *name, mode_t *mode)
{
	struct stat facts;

	if (is_below(name, "/dev/") || is_below(name, "/proc/"))
		return false;
	if (stat(name, &facts))
		return errno == ENOENT;
	*mode = facts.st_mode & MODE_BITS;
	return S_ISREG(facts.st_mode);
}

bool out_file_is_stdout(const char *name)
{
	struct stat named, own;

	return !strcmp(name, "-") || (!stat(name, &named) && !fstat(STDOUT_FILENO, &own) &&
	                              named.st_dev == own.st_dev && named.st_ino == own.st_ino);
}

bool out_file_is_same(const char *a, const char *b)
{
	struct stat one, other;

	if (stat(a, &one) || stat(b, &other))
		return !strcmp(a, b);
	return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Check the folder of a file that does not exist yet. */
static int check_folder(const char *name, const char *option, struct err *err)
{
	const char *slash = strrchr(name, '/');
	char *folder = slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
	int ret = 0;

	if (!folder)
		return err_set(err, ERR_NOMEM, "out of memory for the name of a folder");
	if (access(folder, W_OK | X_OK))
		ret = err_set(err, ERR_IO, "--%s %s: %s", option, name,
		              errno == ENOENT ? "its folder does not exist; create it first"
		                              : strerror(errno));
	free(folder);
	return ret;
}

int out_file_check(const char *name, const char *option, struct err *err)
{
	struct stat facts;

	if (out_file_is_stdout(name))
		return 0;
	if (stat(name, &facts))
		return errno == ENOENT
		               ? check_folder(name, option, err)
		               : err_set(err, ERR_IO, "--%s %s: %s", option, name, strerror(errno));
	if (S_ISDIR(facts.st_mode))
		return err_set(err, ERR_IO, "--%s %s: it is a folder; expected a file", option,
		               name);
	if (access(name, W_OK))
		return err_set(err, ERR_IO, "--%s %s: %s", option, name, strerror(errno));
	return 0;
}

/* Create a file in the folder of f->place, without a name if possible. Returns a descriptor or -1.
 */
static int make_beside(struct out_file *f, mode_t mode)
{
	const char *slash = strrchr(f->place, '/');
	char folder[PATH_MAX] = ".";
	sigset_t before;
	int fd;

	if (slash && slash - f->place + 1 < PATH_MAX)
		memcpy(folder, f->place, (size_t)(slash - f->place + 1));
	fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	if (fd >= 0)
		return fd;
	f->beside = str_format(NULL, "%s.%ld.tmp", f->place, (long)getpid());
	if (!f->beside)
		return -1;
	interrupt_hold(&before);
	fd = open(f->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd >= 0)
		f->kept = interrupt_keep(f->beside, INTERRUPT_FILE);
	interrupt_let(&before);
	return fd;
}

static int open_beside(struct out_file *f, mode_t mode)
{
	bool is_there = !access(f->place, F_OK);
	bool is_denied;
	int fd;

	if (is_there && access(f->place, W_OK))
		return -1;
	fd = make_beside(f, mode);
	is_denied = fd < 0 && (errno == EACCES || errno == EROFS || errno == EPERM);
	if (fd >= 0 && is_there)
		(void)fchmod(fd, mode);
	if (is_there && is_denied) {
		free(f->place);
		f->place = NULL;
		fd = open(f->name, O_WRONLY | O_TRUNC | O_CLOEXEC);
	}
	if (fd < 0) { /* no file was created */
		free(f->beside);
		f->beside = NULL;
	}
	return fd;
}

int out_file_open(struct out_file *f, const char *name, struct err *err)
{
	mode_t mode = NEW_FILE_MODE;
	int fd;

	*f = (struct out_file){ .name = name, .is_stdout = out_file_is_stdout(name) };
	if (f->is_stdout) {
		f->name = "standard output";
		f->stream = stdout;
		return 0;
	}
	if (is_plain(name, &mode)) {
		f->place = find_place(name, err);
		if (!f->place)
			return ERR_NOMEM;
		fd = open_beside(f, mode);
	} else {
		fd = open(name, O_WRONLY | O_CLOEXEC);
	}
	f->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (f->stream)
		return 0;
	refuse(f, err);
	if (fd >= 0)
		close(fd);
	return ERR_IO;
}

/* Give the nameless file a name beside its target. */
static int name_it(struct out_file *f, struct err *err)
{
	char own[64];

	f->beside = str_format(err, "%s.%ld.tmp", f->place, (long)getpid());
	if (!f->beside)
		return ERR_NOMEM;
	snprintf(own, sizeof(own), "/proc/self/fd/%d", fileno(f->stream));
	if (!linkat(AT_FDCWD, own, AT_FDCWD, f->beside, AT_SYMLINK_FOLLOW))
		return 0;
	refuse(f, err);
	free(f->beside);
	f->beside = NULL;
	return ERR_IO;
}

/* Close it and replace the target, with signals blocked. */
static int put_in_place(struct out_file *f, struct err *err)
{
	int ret = 0, code;

	if (f->place && !f->beside)
		ret = name_it(f, err);
	code = fclose(f->stream);
	f->stream = NULL;
	if (!ret && code)
		ret = refuse(f, err);
	if (!ret && f->place && rename(f->beside, f->place))
		ret = refuse(f, err);
	if (!ret) { /* the target was replaced */
		free(f->beside);
		f->beside = NULL;
	}
	return ret;
}

int out_file_end(struct out_file *f, struct err *err)
{
	int ret = say_flush(f->stream, f->name, err);
	sigset_t before;

	if (f->is_stdout)
		return ret;
	if (ret) {
		fclose(f->stream);
		f->stream = NULL;
		return ret;
	}
	interrupt_hold(&before);
	ret = put_in_place(f, err);
	if (!ret) {
		interrupt_forget(f->kept);
		f->kept = 0;
	}
	interrupt_let(&before);
	return ret;
}

void out_file_release(struct out_file *f)
{
	if (f->beside)
		unlink(f->beside);
	interrupt_forget(f->kept);
	if (f->stream && !f->is_stdout)
		fclose(f->stream);
	free(f->beside);
	free(f->place);
	*f = (struct out_file){ 0 };
}

int out_file_in_memory(const char *what, struct err *err)
{
	int fd = memfd_create(what, MFD_CLOEXEC);

	return fd >= 0 ? fd : err_set(err, ERR_IO, "no room for %s: %s", what, strerror(errno));
}

int out_file_take(int fd, struct str *out, struct err *err)
{
	char part[1 << 16];
	off_t at = 0;

	for (;;) {
		ssize_t count = pread(fd, part, sizeof(part), at);
		int ret;

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return err_set(err, ERR_IO, "reading back: %s", strerror(errno));
		if (!count)
			return 0;
		ret = str_append(out, part, (size_t)count, err);
		if (ret)
			return ret;
		at += count;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "temporary.h"

#include "err.h"
#include "file.h"
#include "str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_LEFT 3600
#define OPEN_FOLDERS 16

static const char prefix[] = "warpline-", marks[] = "XXXXXX";

static const char *const words[TEMPORARY_SORTS] = {
	[TEMPORARY_PROGRAM] = "",
	[TEMPORARY_SEEN] = "seen-",
	[TEMPORARY_NVCC] = "nvcc-",
};

static int fail(struct temporary *t, struct err *err)
{
	int ret = err_set(err, ERR_IO, "%s: %s", t->path, strerror(errno));

	free(t->path);
	t->path = NULL;
	return ret;
}

static int name(struct temporary *t, enum temporary_sort sort, struct err *err)
{
	*t = (struct temporary){ .lock = -1 };
	t->path = str_format(err, "%s/%s%s%s", file_temporary_folder(), prefix, words[sort], marks);
	return t->path ? 0 : ERR_NOMEM;
}

/* Lock it against removal. Without a lock, its age decides. */
static void lock(struct temporary *t)
{
	if (t->lock >= 0)
		(void)flock(t->lock, LOCK_SH | LOCK_NB);
}

int temporary_make_folder(struct temporary *t, enum temporary_sort sort, struct err *err)
{
	if (name(t, sort, err))
		return ERR_NOMEM;
	if (!mkdtemp(t->path))
		return fail(t, err);
	t->lock = open(t->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	lock(t);
	return 0;
}

int temporary_make_file(struct temporary *t, enum temporary_sort sort, struct err *err)
{
	if (name(t, sort, err))
		return ERR_NOMEM;
	t->lock = mkostemp(t->path, O_CLOEXEC);
	if (t->lock < 0)
		return fail(t, err);
	lock(t);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
	(void)st;
	(void)kind;
	(void)place;
	(void)remove(path);
	return 0;
}

static void remove_all(const char *path)
{
	(void)nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static void release(struct temporary *t)
{
	if (t->path && t->lock >= 0)
		close(t->lock);
	free(t->path);
	*t = (struct temporary){ .lock = -1 };
}

void temporary_remove(struct temporary *t)
{
	if (t->path)
		remove_all(t->path);
	release(t);
}

void temporary_keep(struct temporary *t)
{
	const char *end = t->path ? t->path + strlen(t->path) - strlen(marks) : NULL;
	char *path = NULL;

	if (end)
		path = str_format(NULL, "%.*skept-%s", (int)(end - t->path), t->path, end);
	if (path)
		(void)rename(t->path, path);
	free(path);
	release(t);
}

/* Whether this program gives such names. */
static bool is_ours(const char *entry)
{
	const size_t head = strlen(prefix), tail = strlen(marks);

	if (strncmp(entry, prefix, head) != 0 || strlen(entry) < head + tail)
		return false;
	for (size_t i = 0; i < TEMPORARY_SORTS; i++) {
		size_t word = strlen(words[i]);

		if (strlen(entry) == head + word + tail && !strncmp(entry + head, words[i], word) &&
		    !strchr(entry + head + word, '-'))
			return true;
	}
	return false;
}

/* Whether it is this user's, old, and not locked by a process. */
static bool is_left(int folder, const char *entry)
{
	int file = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat facts;
	bool is_left_now;

	is_left_now = file >= 0 && !fstat(file, &facts) && facts.st_uid == geteuid() &&
	              (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) &&
	              facts.st_mtime < time(NULL) - SECONDS_LEFT && !flock(file, LOCK_EX | LOCK_NB);
	if (file >= 0)
		close(file);
	return is_left_now;
}

void temporary_sweep(void)
{
	const char *where = file_temporary_folder();
	DIR *folder = opendir(where);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		char *path;

		if (!is_ours(entry->d_name) || !is_left(dirfd(folder), entry->d_name))
			continue;
		path = file_path(where, entry->d_name, NULL);
		if (path)
			remove_all(path);
		free(path);
	}
	if (folder)
		closedir(folder);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_dir.h"

#include "err.h"
#include "file.h"
#include "recording_name.h"
#include "str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char manifest[] = "manifest.jsonl";

bool recording_dir_is_recording(const char *dir)
{
	char *path = file_path(dir, manifest, NULL);
	bool is_there = path && !access(path, F_OK);

	free(path);
	return is_there;
}

static bool begins_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Whether a recording has a file of this name, in its `sources` or beside them. */
static bool is_ours(const char *name, bool is_sources)
{
	if (is_sources)
		return begins_with(name, "program-");
	return begins_with(name, "launch-") || !strcmp(name, manifest) ||
	       !strcmp(name, "launches.wlb") || !strcmp(name, "open.wlb") ||
	       !strcmp(name, "bypass.txt") || !strcmp(name, "applied.txt");
}

/* Whether every directory has the entry, or it is checked separately. */
static bool is_passed_over(const char *name, bool is_sources)
{
	return !strcmp(name, ".") || !strcmp(name, "..") ||
	       (!is_sources && !strcmp(name, "sources"));
}

/* The folder whose entries are checked and removed: `dir`, or its `sources`. */
static DIR *open_folder(const char *dir, bool is_sources, struct err *err)
{
	int fd = is_sources ? file_open_folder_below(dir, "sources", err)
	                    : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *handle = fd < 0 ? NULL : fdopendir(fd);

	if (!handle)
		err_set(err, ERR_IO, "%s: %s", dir, strerror(errno));
	if (!handle && fd >= 0)
		close(fd);
	return handle;
}

/* ERR_USAGE if `dir` holds anything that is not part of a recording; with `removes`, remove the
 * rest. */
static int go_over(const char *dir, bool is_sources, bool removes, struct err *err)
{
	DIR *handle = open_folder(dir, is_sources, err);
	const struct dirent *entry;
	int ret = 0;

	if (!handle)
		return ERR_IO;
	while (!ret && (entry = readdir(handle))) {
		if (is_passed_over(entry->d_name, is_sources))
			continue;
		if (!is_ours(entry->d_name, is_sources))
			ret = err_set(err, ERR_USAGE,
			              "%s: holds %s, which is not part of a recording, and is not "
			              "removed",
			              dir, entry->d_name);
		else if (removes)
			unlinkat(dirfd(handle), entry->d_name, 0);
	}
	closedir(handle);
	return ret;
}

/* ERR_USAGE if a running program is writing the recording: see own_file_lock(). */
static int check_finished(const char *dir, struct err *err)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = file_open_below(dir, manifest, O_RDONLY, NULL), ret = 0;

	if (fd >= 0 && !fcntl(fd, F_GETLK, &whole) && whole.l_type != F_UNLCK)
		ret = err_set(err, ERR_USAGE,
		              "%s: process %ld is being recorded there; wait for it, or choose "
		              "another -o DIR",
		              dir, (long)whole.l_pid);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Whether there is something named `sources`; it is refused unless it is a real folder. */
static bool has_sources(const char *dir)
{
	char *sources = file_path(dir, "sources", NULL);
	struct stat facts;
	bool has = sources && !lstat(sources, &facts);

	free(sources);
	return has;
}

int recording_dir_check(const char *dir, struct err *err)
{
	int ret = check_finished(dir, err);

	if (!ret)
		ret = go_over(dir, false, false, err);
	if (!ret && has_sources(dir))
		ret = go_over(dir, true, false, err);
	return ret;
}

/* Remove the files of a recording, then its folders. */
static int remove_all(const char *dir, struct err *err)
{
	char *sources = file_path(dir, "sources", err);
	int ret = sources ? 0 : ERR_NOMEM;

	if (!ret && has_sources(dir)) {
		ret = go_over(dir, true, true, err);
		if (!ret && rmdir(sources))
			ret = err_set(err, ERR_IO, "%s: cannot be removed: %s", sources,
			              strerror(errno));
	}
	if (!ret)
		ret = go_over(dir, false, true, err);
	if (!ret && rmdir(dir))
		ret = err_set(err, ERR_IO, "%s: cannot be removed: %s", dir, strerror(errno));
	free(sources);
	return ret;
}

int recording_dir_remove(const char *dir, struct err *err)
{
	struct stat facts;
	/* Nothing is removed before everything is known to be part of a recording. */
	int ret = recording_dir_check(dir, err);

	if (!ret && !lstat(dir, &facts) && S_ISLNK(facts.st_mode))
		ret = err_set(err, ERR_USAGE, "%s: is a link to a recording, which is not removed",
		              dir);
	return ret ? ret : remove_all(dir, err);
}

static int move_away(const char *dir, struct err *err)
{
	char *old = str_format(err, "%.*s.old", (int)(strlen(dir) - (dir[strlen(dir) - 1] == '/')),
	                       dir);
	struct stat facts;
	int ret = old ? 0 : ERR_NOMEM;

	if (!ret && !lstat(old, &facts)) {
		if (recording_dir_is_recording(old))
			ret = recording_dir_remove(old, err);
		else
			ret = err_set(err, ERR_USAGE,
			              "%s: in the way of the older recording, and not a recording "
			              "itself",
			              old);
	}
	if (!ret && rename(dir, old))
		ret = err_set(err, ERR_IO, "%s: cannot be moved to %s: %s", dir, old,
		              strerror(errno));
	free(old);
	return ret;
}

/* Apply `act` to DIR.2 and so on, of the other processes of an earlier program. */
static int for_others(const char *dir, int (*act)(const char *dir, struct err *err),
                      struct err *err)
{
	bool is_there = true;
	int ret = 0;

	for (int i = 2; !ret && is_there; i++) {
		char *other = str_format(err, "%s.%d", dir, i);

		if (!other)
			return ERR_NOMEM;
		is_there = recording_dir_is_recording(other);
		if (is_there)
			ret = act(other, err);
		free(other);
	}
	return ret;
}

int recording_dir_make_room(const char *dir, struct err *err)
{
	struct stat facts;
	int ret;

	if (!*dir)
		return err_set(err, ERR_USAGE, "the directory of a recording needs a name");
	/* Nothing is moved before everything is known to be movable. */
	ret = check_finished(dir, err);
	if (!ret)
		ret = for_others(dir, check_finished, err);
	if (!ret)
		ret = for_others(dir, move_away, err);
	if (ret || lstat(dir, &facts))
		return ret;
	if (recording_dir_is_recording(dir))
		return move_away(dir, err);
	if (S_ISDIR(facts.st_mode) && !rmdir(dir))
		return 0;
	return err_set(err, ERR_USAGE, "%s: exists and is not a recording; choose another -o DIR",
	               dir);
}

int recording_dir_replace(const char *made, const char *dir, struct err *err)
{
	int ret = recording_dir_make_room(dir, err);

	if (!ret && rename(made, dir))
		ret = err_set(err, ERR_IO, "%s: cannot be moved to %s: %s", made, dir,
		              strerror(errno));
	return ret;
}

/* Returns the pattern of the current directory. */
static char *here(struct err *err)
{
	char dir[PATH_MAX];

	if (getcwd(dir, sizeof(dir)))
		return recording_name_escape(dir, err);
	err_set(err, ERR_IO, "the current directory: %s", strerror(errno));
	return NULL;
}

char *recording_dir_pattern(const char *given, struct err *err)
{
	const char *pattern = given ? given : RECORDING_DIR_DEFAULT;
	char *dir, *whole = NULL;

	if (recording_name_check(pattern, "-o", err))
		return NULL;
	if (pattern[0] == '/')
		return str_copy(pattern, err);
	dir = here(err);
	if (dir)
		whole = str_format(err, "%s/%s", dir, pattern);
	free(dir);
	return whole;
}

/* ERR_USAGE if nothing can be created in the folder of the first recording. */
static int check_folder(const char *pattern, struct err *err)
{
	char *name = recording_name_make(pattern, 0, 1, err), *slash;
	struct stat facts;
	int ret = 0;

	if (!name)
		return err->code;
	while ((slash = strrchr(name, '/')) && slash > name && !slash[1])
		*slash = '\0'; /* a trailing slash separates nothing */
	if (slash && slash > name) {
		*slash = '\0';
		if (stat(name, &facts))
			ret = err_set(err, ERR_USAGE, "-o: %s: %s; expected a folder", name,
			              strerror(errno));
		else if (!S_ISDIR(facts.st_mode))
			ret = err_set(err, ERR_USAGE, "-o: %s: is not a folder", name);
		else if (access(name, W_OK | X_OK))
			ret = err_set(err, ERR_USAGE, "-o: %s: %s", name, strerror(errno));
	}
	free(name);
	return ret;
}

/* Whether the folder in a pattern depends on the recorded process. */
static bool has_own_folder(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	char *folder = slash ? str_format(NULL, "%.*s", (int)(slash - pattern), pattern) : NULL;
	bool is_own = folder && recording_name_has(folder, 'p');

	free(folder);
	return is_own;
}

int recording_dir_make_room_for(const char *pattern, struct err *err)
{
	char *dir;
	int ret = has_own_folder(pattern) ? 0 : check_folder(pattern, err);

	if (ret || recording_name_has(pattern, 'p') || recording_name_has(pattern, 'n'))
		return ret;
	dir = recording_name_make(pattern, 0, 1, err);
	ret = dir ? recording_dir_make_room(dir, err) : err->code;
	free(dir);
	return ret;
}

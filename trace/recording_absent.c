/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_absent.h"

#include "err.h"
#include "file.h"
#include "str.h"
#include "suggest.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char manifest[] = "manifest.jsonl";

static bool is_recording(const char *dir)
{
	char *path = file_path(dir, manifest, NULL);
	bool is_there = path && !access(path, F_OK);

	free(path);
	return is_there;
}

/* The recording in `folder` with the name nearest to `wrong`; NULL: none is near. `prefix`, the
 * letters that name the folder, is written before it. */
static char *find_near(const char *folder, const char *prefix, const char *wrong)
{
	DIR *handle = opendir(folder);
	const struct dirent *entry;
	char *found = NULL;
	unsigned least = 0;

	while (handle && (entry = readdir(handle))) {
		struct suggestion s;
		char *path;

		suggestion_init(&s, wrong);
		suggestion_offer(&s, entry->d_name);
		if (!s.best || (found && s.distance > least))
			continue;
		path = str_format(NULL, "%s%s", prefix, entry->d_name);
		if (path && is_recording(path) &&
		    (!found || s.distance < least || strcmp(path, found) < 0)) {
			free(found);
			found = path;
			least = s.distance;
		} else {
			free(path);
		}
	}
	if (handle)
		closedir(handle);
	return found;
}

static char *near_name(const char *dir)
{
	const char *slash = strrchr(dir, '/');
	char *prefix = str_format(NULL, "%.*s", slash ? (int)(slash - dir + 1) : 0, dir);
	char *found =
		prefix ? find_near(slash ? prefix : ".", prefix, slash ? slash + 1 : dir) : NULL;

	free(prefix);
	return found;
}

/* The recording that has the file `path`. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder =
		slash ? str_format(NULL, "%.*s", (int)(slash - path), path) : str_copy(".", NULL);

	if (folder && !is_recording(folder)) {
		free(folder);
		folder = NULL;
	}
	return folder;
}

static char *default_in(const char *dir)
{
	char *path = file_path(dir, RECORDING_DIR_DEFAULT, NULL);

	if (path && !is_recording(path)) {
		free(path);
		path = NULL;
	}
	return path;
}

int recording_absent(const char *dir, struct err *err)
{
	struct stat facts;
	const char *what = "is a folder without manifest.jsonl, so no recording";
	char *meant;
	int ret;

	if (stat(dir, &facts)) {
		if (errno != ENOENT)
			return 0;
		what = "there is no such recording";
		meant = near_name(dir);
	} else if (S_ISDIR(facts.st_mode)) {
		if (access(dir, X_OK) || is_recording(dir))
			return 0;
		meant = default_in(dir);
	} else {
		what = "is a file, and a recording is a folder";
		meant = folder_of(dir);
	}
	if (meant)
		ret = err_set(err, ERR_IO, "%s: %s; is %s meant?", dir, what, meant);
	else
		ret = err_set(err, ERR_IO, "%s: %s; 'warpline record -o DIR APP' makes one", dir,
		              what);
	free(meant);
	return ret;
}

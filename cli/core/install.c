/* SPDX-License-Identifier: Apache-2.0 */
#include "install.h"

#include "err.h"
#include "str.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const part_dirs[] = { ".", "../lib/warpline", "../lib", "../libexec/warpline" };

char *install_program_dir(struct err *err)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (length < 0) {
		err_set(err, ERR_IO, "/proc/self/exe: %s", strerror(errno));
		return NULL;
	}
	path[length] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		slash[slash == path] = '\0';
	return str_copy(path, err);
}

/* Returns the real path of dir/sub/name if it can be read, else NULL. */
static char *try_part(const char *dir, const char *sub, const char *name, struct err *err)
{
	char *path = str_format(err, "%s/%s/%s", dir, sub, name), *found;

	if (!path)
		return NULL;
	found = access(path, R_OK) ? NULL : realpath(path, NULL);
	free(path);
	return found;
}

char *install_part(const char *name, struct err *err)
{
	char *dir = install_program_dir(err), *found = NULL;

	for (size_t i = 0; dir && !found && i < sizeof(part_dirs) / sizeof(part_dirs[0]); i++)
		found = try_part(dir, part_dirs[i], name, err);
	if (dir && !found)
		err_set(err, ERR_IO,
		        "%s: not found beside the program in %s nor in ../lib/warpline", name, dir);
	free(dir);
	return found;
}

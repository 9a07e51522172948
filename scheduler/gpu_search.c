/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a GPU's description: gpu_load() of gpu.h. */
#include "err.h"
#include "file.h"
#include "gpu.h"
#include "str.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DESCRIPTION_LIMIT_BYTES = 1 << 20 };

static int load_file(struct gpu *gpu, const char *file, const char *l1, struct err *err)
{
	struct str text;
	int rc;

	str_init(&text, DESCRIPTION_LIMIT_BYTES);
	rc = file_read(file, &text, err);
	if (!rc && text.text && strlen(text.text) != text.length)
		rc = err_set(err, ERR_CONFIG, "%s: holds a NUL byte: expected text", file);
	if (!rc)
		rc = gpu_parse(gpu, file, text.text ? text.text : "", l1, err);
	str_release(&text);
	return rc;
}

static int is_description(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".conf");
}

/* Append " NAME" for each description in `dir`; a directory that cannot be read has none. */
static int list_names(const char *dir, struct str *names, struct err *err)
{
	struct dirent **entries = NULL;
	int count = scandir(dir, &entries, is_description, alphasort), rc = 0;

	for (int i = 0; i < count; i++) {
		int length = (int)strlen(entries[i]->d_name) - 5;

		if (!rc)
			rc = str_printf(names, err, " %.*s", length, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

/* The directories of `path` in turn: *found is dir/name.conf of the first that has it, or NULL. */
static int find_file(const char *path, const char *name, char **found, struct str *names,
                     struct err *err)
{
	int rc = 0;

	*found = NULL;
	while (!rc && !*found && *path) {
		size_t length = strcspn(path, ":");
		char *dir = str_format(err, "%.*s", (int)length, path), *file;

		file = dir ? str_format(err, "%s/%s.conf", dir, name) : NULL;
		if (!file)
			rc = ERR_NOMEM;
		else if (length && !access(file, F_OK))
			*found = file;
		else if (length)
			rc = list_names(dir, names, err);
		if (file != *found)
			free(file);
		free(dir);
		path += length + (path[length] == ':');
	}
	return rc;
}

int gpu_load(struct gpu *gpu, const char *path, const char *name, const char *l1, struct err *err)
{
	struct str names;
	char *file = NULL;
	int rc;

	if (strchr(name, '/'))
		return load_file(gpu, name, l1, err);
	str_init(&names, DESCRIPTION_LIMIT_BYTES);
	rc = find_file(path, name, &file, &names, err);
	if (!rc && !file)
		rc = err_set(err, ERR_CONFIG, "no GPU named '%s' in %s: there are%s", name,
		             *path ? path : "an empty path", names.text ? names.text : " none");
	if (!rc)
		rc = load_file(gpu, file, l1, err);
	free(file);
	str_release(&names);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_search.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "gpu.h"
#include "line_walk.h"
#include "str.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { NAME_LIMIT = 4096, DESCRIPTION_LIMIT_BYTES = 1 << 20 };

/* Length of NAME in "NAME.conf", or 0 for other files. */
static size_t name_length(const char *file)
{
	size_t length = strlen(file);

	if (length <= 5 || file[0] == '.' || strcmp(file + length - 5, ".conf") != 0)
		return 0;
	return length - 5;
}

static bool has_name(const struct array *names, const char *name, size_t length)
{
	char *const *list = names->data;

	for (size_t i = 0; i < names->count; i++) {
		if (strlen(list[i]) == length && !memcmp(list[i], name, length))
			return true;
	}
	return false;
}

static int add_dir(struct array *names, const char *dir, struct err *err)
{
	DIR *handle = opendir(dir);
	const struct dirent *entry;
	int ret = 0;

	while (handle && !ret && (entry = readdir(handle))) {
		size_t length = name_length(entry->d_name);
		char **slot;

		if (!length || has_name(names, entry->d_name, length))
			continue;
		slot = array_push(names, 1, err);
		if (!slot) {
			ret = err ? err->code : ERR_NOMEM;
			break;
		}
		*slot = str_format(err, "%.*s", (int)length, entry->d_name);
		if (!*slot)
			ret = ERR_NOMEM;
	}
	if (handle)
		closedir(handle);
	return ret;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int gpu_search_names(const char *path, struct array *names, struct err *err)
{
	char *copy = str_copy(path, err), *rest = copy, *dir;
	int ret = copy ? 0 : ERR_NOMEM;

	array_init(names, sizeof(char *), NAME_LIMIT, "GPU descriptions");
	while (!ret && (dir = strsep(&rest, ":")))
		ret = add_dir(names, dir, err);
	if (!ret && names->count)
		qsort(names->data, names->count, sizeof(char *), compare_names);
	free(copy);
	return ret;
}

void gpu_search_release(struct array *names)
{
	char **list = names->data;

	for (size_t i = 0; i < names->count; i++)
		free(list[i]);
	array_release(names);
}

/* Fail with ERR_USAGE and the available names. */
static int unknown_gpu(const char *path, const char *name, struct err *err)
{
	struct array names;
	struct str list;

	str_init(&list, sizeof(err->msg) / 2);
	if (!gpu_search_names(path, &names, err)) {
		for (size_t i = 0; i < names.count; i++)
			str_printf(&list, NULL, "%s%s", i ? ", " : "", ((char **)names.data)[i]);
		err_set(err, ERR_USAGE, "unknown GPU '%s'; there are: %s", name,
		        list.text ? list.text : "none");
	}
	gpu_search_release(&names);
	str_release(&list);
	return ERR_USAGE;
}

/* Returns the name in the case of its file, on the heap; NULL if no folder has it in any case. */
static char *name_in_any_case(const char *path, const char *name, struct err *err)
{
	struct array names;
	char *found = NULL;

	if (!gpu_search_names(path, &names, err)) {
		for (size_t i = 0; i < names.count && !found; i++) {
			if (!strcasecmp(((char **)names.data)[i], name))
				found = str_copy(((char **)names.data)[i], err);
		}
	}
	gpu_search_release(&names);
	return found;
}

/* Returns DIR/NAME.conf for the first folder that has it, on the heap; NULL if none has. */
static char *file_in_path(const char *path, const char *name, struct err *err)
{
	char *copy = str_copy(path, err), *rest = copy, *dir, *file = NULL;

	while (copy && !file && (dir = strsep(&rest, ":"))) {
		if (!*dir)
			continue;
		file = str_format(err, "%s/%s.conf", dir, name);
		if (file && access(file, R_OK)) {
			free(file);
			file = NULL;
		}
	}
	free(copy);
	return file;
}

char *gpu_search_find(const char *path, const char *name, struct err *err)
{
	char *file, *known;

	if (strchr(name, '/') || name_length(name))
		return str_copy(name, err);
	file = file_in_path(path, name, err);
	known = file ? NULL : name_in_any_case(path, name, err);
	if (known)
		file = file_in_path(path, known, err);
	free(known);
	if (!file)
		unknown_gpu(path, name, err);
	return file;
}

char *gpu_search_l1_list(const char *file, struct err *err)
{
	struct line_walk walk;
	struct str text, list;
	struct line line;
	int ret;

	str_init(&text, DESCRIPTION_LIMIT_BYTES);
	str_init(&list, DESCRIPTION_LIMIT_BYTES);
	ret = file_read(file, &text, err);
	if (!ret)
		ret = str_append(&list, "", 0, err);
	walk = line_walk_begin(text.text, text.length);
	while (!ret && line_walk_next(&walk, &line)) {
		const char *name = line.text + 4, *end = line.text + line.length, *stop;

		if (line.length < 4 || memcmp(line.text, "[l1 ", 4) != 0)
			continue;
		while (name < end && *name == ' ')
			name++;
		for (stop = name; stop < end && *stop && *stop != ' ' && *stop != ']';)
			stop++;
		ret = str_printf(&list, err, "%s%.*s", list.length ? ", " : "", (int)(stop - name),
		                 name);
	}
	str_release(&text);
	if (ret)
		str_release(&list);
	return str_take(&list);
}

/* Whether `word` is one of "a, b, c". */
static bool is_listed(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t span = strcspn(list, ",");

		if (span == length && !memcmp(list, word, length))
			return true;
		list += span + strspn(list + span, ", ");
	}
	return false;
}

int gpu_search_load(const char *path, struct gpu *gpu, const char *name, const char *l1,
                    struct err *err)
{
	char *file, *list = NULL;
	bool is_default = !name;
	int ret = 0;

	if (is_default)
		name = GPU_SEARCH_DEFAULT;
	file = gpu_search_find(path, name, err);
	if (file)
		list = gpu_search_l1_list(file, err);
	if (!list)
		ret = err->code;
	else if (l1 && !*list)
		ret = err_set(err, ERR_USAGE, "--l1: %s has only one L1", name);
	else if (l1 && !is_listed(list, l1))
		ret = err_set(err, ERR_USAGE, "--l1: unknown L1 '%s'; %s has %s", l1, name, list);
	else
		ret = gpu_load(gpu, file, l1, err);
	if (!ret)
		gpu->is_default = is_default;
	free(list);
	free(file);
	return ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "err.h"
#include "file.h"
#include "recording.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_named(const struct recording *r, const char *file)
{
	if (!strcmp(file, "manifest.jsonl") || (r->bypass.file && !strcmp(file, r->bypass.file)) ||
	    (r->applied.file && !strcmp(file, r->applied.file)))
		return true;
	for (size_t i = 0; i < r->bundle_count; i++) {
		if (!strcmp(file, r->bundles[i].file))
			return true;
	}
	for (size_t i = 0; i < r->program_count; i++) {
		if (r->programs[i].source_file && !strcmp(file, r->programs[i].source_file))
			return true;
	}
	return false;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files of launches, sorted; *count of them, borrowed from the recording. */
static char **launch_files(const struct recording *r, size_t *count, struct err *err)
{
	char **files = array_alloc(r->launch_count, sizeof(*files), "files", err);

	*count = 0;
	for (size_t i = 0; files && i < r->launch_count; i++) {
		if (r->launches[i].file && !r->launches[i].bundle)
			files[(*count)++] = r->launches[i].file;
	}
	if (files && *count)
		qsort(files, *count, sizeof(*files), compare_texts);
	return files;
}

/* Two launches that share a file. */
static int check_shared(struct verify *v, char **files, size_t count, struct err *err)
{
	int ret = 0;

	for (size_t i = 1; !ret && i < count; i++) {
		if (!strcmp(files[i - 1], files[i]))
			ret = verify_add(v, VERIFY_DAMAGE, err, files[i],
			                 "is the file of two launches");
	}
	return ret;
}

/* The files of a folder of the recording, "" or "sources/", that nothing names. */
static int check_folder(struct verify *v, const char *folder, char **files, size_t count,
                        struct err *err)
{
	const char *dir = v->recording->dir;
	int fd = *folder ? file_open_folder_below(dir, folder, NULL)
	                 : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *handle = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int ret = 0;

	while (handle && !ret && (entry = readdir(handle))) {
		char name[512], *key = name;

		(void)snprintf(name, sizeof(name), "%s%s%s", folder, *folder ? "/" : "",
		               entry->d_name);
		if (entry->d_name[0] == '.' || !strcmp(name, "sources") ||
		    is_named(v->recording, name) ||
		    bsearch(&key, files, count, sizeof(*files), compare_texts))
			continue;
		ret = verify_add(v, VERIFY_REMARK, err, name, "is not named in manifest.jsonl");
	}
	if (handle)
		closedir(handle);
	else if (fd >= 0)
		close(fd);
	return ret;
}

int verify_files(struct verify *v, struct err *err)
{
	size_t count;
	char **files = launch_files(v->recording, &count, err);
	int ret = files ? check_shared(v, files, count, err) : ERR_NOMEM;

	if (!ret)
		ret = check_folder(v, "", files, count, err);
	if (!ret)
		ret = check_folder(v, "sources", files, count, err);
	free(files);
	return ret;
}

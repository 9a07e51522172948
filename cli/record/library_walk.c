/* SPDX-License-Identifier: Apache-2.0 */
#include "library_walk.h"

#include "elf_facts.h"
#include "err.h"
#include "str.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More libraries are not read: programs have a few dozen. */
#define FILES_LIMIT 512

static const char *const usual[] = {
	"/lib/*-linux-gnu", "/usr/lib/*-linux-gnu", "/lib64", "/usr/lib64", "/lib",
	"/usr/lib",         "/usr/local/lib"
};

/* Where a library was found. */
struct found {
	char *path; /* NULL: not found */
	bool by_run_path;
};

/* `name` in one of the directories of a colon-separated list, on the heap. */
static char *in_list(const char *list, const char *name)
{
	while (list && *list) {
		size_t length = strcspn(list, ":");
		char *path = str_format(NULL, "%.*s/%s", (int)length, list, name);

		if (path && length && !access(path, R_OK))
			return path;
		free(path);
		list += length + (list[length] == ':');
	}
	return NULL;
}

/* `name` in one of the usual directories, on the heap. */
static char *in_usual(const char *name)
{
	char *found = NULL;

	for (size_t i = 0; !found && i < sizeof(usual) / sizeof(usual[0]); i++) {
		char *pattern = str_format(NULL, "%s/%s", usual[i], name);
		glob_t g = { 0 };

		if (pattern && !glob(pattern, 0, NULL, &g) && g.gl_pathc)
			found = str_copy(g.gl_pathv[0], NULL);
		globfree(&g);
		free(pattern);
	}
	return found;
}

static struct found find(const char *name, const char *run_path, const char *program_run_path)
{
	struct found f = { 0 };

	if (strchr(name, '/')) {
		f.path = access(name, R_OK) ? NULL : str_copy(name, NULL);
		return f;
	}
	f.path = in_list(run_path, name);
	if (!f.path)
		f.path = in_list(program_run_path, name);
	f.by_run_path = f.path;
	if (!f.path)
		f.path = in_list(getenv("LD_LIBRARY_PATH"), name);
	if (!f.path)
		f.path = in_usual(name);
	return f;
}

/* Whether the walk has reached this file already. */
static bool is_known(const struct library_walk *w, const char *path)
{
	char *const *files = w->files.data;

	for (size_t i = 0; i < w->files.count; i++)
		if (!strcmp(files[i], path))
			return true;
	return false;
}

/* Add a file to read; takes ownership of `path`. */
static int add_file(struct library_walk *w, char *path, struct err *err)
{
	char **slot;

	if (is_known(w, path) || w->files.count == FILES_LIMIT) {
		free(path);
		return 0;
	}
	slot = array_push(&w->files, 1, err);
	if (!slot) {
		free(path);
		return ERR_NOMEM;
	}
	*slot = path;
	return 0;
}

/* Follow a library that a file needs. */
static int follow(struct library_walk *w, const char *name, const char *run_path,
                  const char *program_run_path, struct err *err)
{
	bool is_opencl = !strncmp(name, "libOpenCL", strlen("libOpenCL"));
	struct found f = find(name, run_path, program_run_path);

	w->is_linked = w->is_linked || is_opencl;
	if (!f.path) {
		w->not_found++;
		return 0;
	}
	if (!is_opencl)
		return add_file(w, f.path, err);
	if (w->opencl) {
		free(f.path);
		return 0;
	}
	w->opencl = f.path;
	w->is_bundled = f.by_run_path;
	return 0;
}

/* Read file number `i`. A file that cannot be read adds nothing. */
static int look(struct library_walk *w, size_t i, char **program_run_path, struct err *err)
{
	const char *path = ((char *const *)w->files.data)[i];
	struct elf_facts facts;
	char **needed;
	int ret = 0;

	(void)elf_facts_read(&facts, path, NULL);
	if (facts.names_opencl && !elf_facts_opencl(&facts) && !w->names_opencl)
		w->names_opencl = str_copy(path, NULL);
	if (!i && facts.run_path)
		*program_run_path = str_copy(facts.run_path, NULL);
	needed = facts.needed.data;
	for (size_t n = 0; !ret && n < facts.needed.count; n++)
		ret = follow(w, needed[n], facts.run_path, *program_run_path, err);
	elf_facts_release(&facts);
	return ret;
}

int library_walk_make(struct library_walk *w, const char *path, struct err *err)
{
	char *program = str_copy(path, err), *run_path = NULL;
	int ret;

	memset(w, 0, sizeof(*w));
	array_init(&w->files, sizeof(char *), FILES_LIMIT, "libraries");
	ret = program ? add_file(w, program, err) : ERR_NOMEM;
	for (size_t i = 0; !ret && i < w->files.count; i++)
		ret = look(w, i, &run_path, err);
	free(run_path);
	return ret;
}

void library_walk_release(struct library_walk *w)
{
	char **files = w->files.data;

	for (size_t i = 0; i < w->files.count; i++)
		free(files[i]);
	array_release(&w->files);
	free(w->opencl);
	free(w->names_opencl);
	memset(w, 0, sizeof(*w));
}

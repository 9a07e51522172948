/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_environment.h"

#include "elf_facts.h"
#include "err.h"
#include "install.h"
#include "library_walk.h"
#include "say.h"
#include "str.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEEDED_LIMIT = 64 };

/* Whether a name is `base`, with or without a version. */
static bool is_of(const char *name, const char *base)
{
	return !strncmp(name, base, strlen(base));
}

static bool is_cuda(const char *name)
{
	return is_of(name, "libcudart.so") || is_of(name, "libcuda.so") ||
	       is_of(name, "libnvrtc.so");
}

static bool is_known(const struct cuda_program *p, const char *name)
{
	char *const *names = p->needed.data;

	for (size_t i = 0; i < p->needed.count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static int add(struct cuda_program *p, const char *name, struct err *err)
{
	char **slot;

	if (!is_cuda(name) || is_known(p, name))
		return 0;
	slot = array_push(&p->needed, 1, err);
	if (slot)
		*slot = str_copy(name, err);
	return slot && *slot ? 0 : ERR_NOMEM;
}

/* Add what one file uses. CUDA's own libraries do not count. */
static int look(struct cuda_program *p, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct elf_facts facts;
	char *const *needed;
	int ret = 0;

	if (is_cuda(slash ? slash + 1 : path))
		return 0;
	(void)elf_facts_read(&facts, path, NULL);
	p->has_code = p->has_code || facts.has_cuda_code;
	needed = facts.needed.data;
	for (size_t i = 0; !ret && i < facts.needed.count; i++)
		ret = add(p, needed[i], err);
	elf_facts_release(&facts);
	return ret;
}

int cuda_program_read(struct cuda_program *p, const char *path, struct err *err)
{
	struct library_walk w;
	char *const *files;
	int ret = library_walk_make(&w, path, err);

	memset(p, 0, sizeof(*p));
	array_init(&p->needed, sizeof(char *), NEEDED_LIMIT, "libraries of CUDA");
	files = w.files.data;
	for (size_t i = 0; !ret && i < w.files.count; i++)
		ret = look(p, files[i], err);
	library_walk_release(&w);
	return ret;
}

/* Whether a needed library has that name. */
static bool needs(const struct cuda_program *p, const char *base)
{
	char *const *names = p->needed.data;

	for (size_t i = 0; i < p->needed.count; i++)
		if (is_of(names[i], base))
			return true;
	return false;
}

bool cuda_program_is_static(const struct cuda_program *p)
{
	return p->has_code && !needs(p, "libcudart.so") && !needs(p, "libcuda.so");
}

void cuda_program_release(struct cuda_program *p)
{
	char **names = p->needed.data;

	for (size_t i = 0; i < p->needed.count; i++)
		free(names[i]);
	array_release(&p->needed);
	memset(p, 0, sizeof(*p));
}

#define FIRST_LIBRARY "libcudart.so.12"

/* Where the driver's library is, apart from LD_LIBRARY_PATH. */
static const char *const driver_places[] = {
	"/usr/lib/x86_64-linux-gnu/libcuda.so.1",
	"/usr/lib/aarch64-linux-gnu/libcuda.so.1",
	"/usr/lib64/libcuda.so.1",
	"/usr/lib/libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
	"/run/opengl-driver/lib/libcuda.so.1",
	"/usr/local/cuda*/compat/libcuda.so.1",
};

static bool is_there(const char *pattern)
{
	glob_t g = { 0 };
	bool found = !glob(pattern, 0, NULL, &g) && g.gl_pathc;

	globfree(&g);
	return found;
}

bool cuda_has_gpu(void)
{
	if (access("/dev/nvidia0", F_OK) && access("/dev/dxg", F_OK))
		return false;
	for (size_t i = 0; i < sizeof(driver_places) / sizeof(driver_places[0]); i++)
		if (is_there(driver_places[i]))
			return true;
	return false;
}

static char *find_libraries(struct err *err)
{
	char *path = install_part("cuda/" FIRST_LIBRARY, err), *slash = NULL;

	if (path)
		slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	return path;
}

/* Preload our library of the name that the program needs. */
static int add_library(struct cuda_environment *e, const char *name, struct err *err)
{
	char *path = str_format(err, "%s/%s", e->libraries, name), *longer;
	int ret = 0;

	if (!path)
		return ERR_NOMEM;
	if (access(path, R_OK))
		ret = err_set(
			err, ERR_USAGE,
			"%s: the program needs this library of CUDA, and Warpline has none of "
			"that version in %s (it has libcudart.so.11.0, .12 and .13); build "
			"the program with one of these, or with 'warpline nvcc'",
			name, e->libraries);
	longer = !ret && e->preload ? str_format(err, "%s:%s", e->preload, path) : NULL;
	if (!ret && e->preload && !longer)
		ret = ERR_NOMEM;
	if (longer) {
		free(e->preload);
		e->preload = longer;
	} else if (!ret) {
		e->preload = path;
		return 0;
	}
	free(path);
	return ret;
}

static void put(struct cuda_environment *e, const char *name, const char *value)
{
	e->items[e->count++] = (struct app_variable){ name, value };
}

int cuda_environment_make(struct cuda_environment *e, const struct cuda_program *p, const char *gpu,
                          struct err *err)
{
	const char *search = getenv("LD_LIBRARY_PATH");
	char *const *needed = p->needed.data;
	int ret = 0;

	*e = (struct cuda_environment){ .libraries = find_libraries(err) };
	if (!e->libraries)
		return err->code;
	for (size_t i = 0; i < p->needed.count && !ret; i++)
		ret = add_library(e, needed[i], err);
	if (ret)
		return ret;
	e->search = search && *search ? str_format(err, "%s:%s", e->libraries, search)
	                              : str_copy(e->libraries, err);
	if (!e->search)
		return ERR_NOMEM;
	put(e, "LD_LIBRARY_PATH", e->search);
	if (gpu)
		put(e, "WARPLINE_CUDA_GPU", gpu);
	return 0;
}

void cuda_environment_release(struct cuda_environment *e)
{
	free(e->libraries);
	free(e->preload);
	free(e->search);
	memset(e, 0, sizeof(*e));
}

bool cuda_environment_warn(const char *command, const struct cuda_program *p, const char *path)
{
	if (!cuda_program_is_static(p))
		return false;
	say_line(command,
	         "%s has CUDA's runtime linked into it, which asks for NVIDIA's driver and cannot "
	         "run without a GPU; link it with 'nvcc -cudart shared', or build it with "
	         "'warpline nvcc'",
	         path);
	return true;
}

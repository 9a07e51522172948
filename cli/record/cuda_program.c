/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_program.h"

#include "elf_facts.h"
#include "err.h"
#include "library_walk.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

enum { NEEDED_LIMIT = 64 };

/* Whether a name is one of `base` with a version behind it or not. */
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

/* What one file has. CUDA's own libraries do not count. */
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

/* Whether one of the libraries needed is of that name. */
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

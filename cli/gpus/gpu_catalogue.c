/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_catalogue.h"

#include "array.h"
#include "err.h"
#include "install.h"
#include "str.h"

#include <stdlib.h>

/* Returns the colon-separated directories to search, on the heap. */
static char *search_path(struct err *err)
{
	const char *wanted = getenv("WARPLINE_GPUS");
	char *dir = install_program_dir(err), *path = NULL;

	if (dir)
		path = str_format(err, "%s:%s/gpus:%s/%s", wanted ? wanted : "", dir, dir,
		                  WARPLINE_GPUS_FROM_PROGRAM);
	free(dir);
	return path;
}

/* Set *name to the GPU that WARPLINE_GPU names, or NULL if it names none. Returns 0 or ERR_USAGE.
 */
static int users_gpu(const char *path, const char **name, struct err *err)
{
	struct err why = { 0 };
	char *file;

	*name = getenv("WARPLINE_GPU");
	if (!*name || !**name) {
		*name = NULL;
		return 0;
	}
	file = gpu_search_find(path, *name, &why);
	free(file);
	return file ? 0 : err_set(err, (enum err_code)why.code, "WARPLINE_GPU: %s", why.msg);
}

char *gpu_catalogue_find(const char *name, struct err *err)
{
	char *path = search_path(err), *file = NULL;

	if (path && (name || !users_gpu(path, &name, err)))
		file = gpu_search_find(path, name ? name : GPU_SEARCH_DEFAULT, err);
	free(path);
	return file;
}

int gpu_catalogue_names(struct array *names, struct err *err)
{
	char *path = search_path(err);
	int ret;

	*names = (struct array){ 0 };
	ret = path ? gpu_search_names(path, names, err) : err->code;
	free(path);
	return ret;
}

void gpu_catalogue_release(struct array *names)
{
	gpu_search_release(names);
}

char *gpu_catalogue_l1_list(const char *file, struct err *err)
{
	return gpu_search_l1_list(file, err);
}

int gpu_catalogue_load(struct gpu *gpu, const char *name, const char *l1, struct err *err)
{
	char *path = search_path(err);
	int ret = path ? 0 : err->code;

	if (!ret && !name)
		ret = users_gpu(path, &name, err);
	if (!ret)
		ret = gpu_search_load(path, gpu, name, l1, err);

	free(path);
	return ret;
}

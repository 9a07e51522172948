/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_catalogue.h"

#include "array.h"
#include "err.h"
#include "install.h"
#include "str.h"

#include <stdlib.h>

/* The colon-separated directories that are searched, on the heap. */
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

char *gpu_catalogue_find(const char *name, struct err *err)
{
	char *path = search_path(err);
	char *file = path ? gpu_search_find(path, name, err) : NULL;

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
	int ret = path ? gpu_search_load(path, gpu, name, l1, err) : err->code;

	free(path);
	return ret;
}

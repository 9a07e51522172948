/* SPDX-License-Identifier: Apache-2.0 */
/* dladdr() returns the library's path, and the descriptions are installed relative to it. */
#include "array.h"
#include "gpu_search.h"
#include "handles.h"
#include "str.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_LIMIT_BYTES = 1 << 20 };

/* The folder of the library, or of the program that it is linked into; on the heap, or NULL. */
static char *own_folder(void)
{
	static const char here;
	const char *slash;
	Dl_info info;

	if (!dladdr(&here, &info) || !info.dli_fname)
		return NULL;
	slash = strrchr(info.dli_fname, '/');
	return slash ? str_format(NULL, "%.*s", (int)(slash - info.dli_fname), info.dli_fname)
	             : NULL;
}

/* The folders that are searched, on the heap. */
static char *search_path(struct err *err)
{
	const char *wanted = getenv("WARPLINE_GPUS");
	char *own = own_folder();
	char *path = str_format(err, "%s:%s%s:%s", wanted ? wanted : "", own ? own : "",
	                        own ? "/" WARPLINE_GPUS_FROM_LIBRARY : "", WARPLINE_GPUS_INSTALLED);

	free(own);
	return path;
}

static struct warpline_gpu *make(struct err *err)
{
	return array_alloc(1, sizeof(struct warpline_gpu), "GPU", err);
}

/* Hand *made over, or free it. */
static int finish(struct warpline_gpu **out, struct warpline_gpu *made, int ret)
{
	*out = ret ? NULL : made;
	if (ret)
		warpline_gpu_free(made);
	return ret;
}

int warpline_gpu_create(struct warpline_gpu **out, const char *name, const char *l1,
                        struct warpline_error *error)
{
	struct err err = { 0 };
	struct warpline_gpu *made = make(&err);
	char *path = made ? search_path(&err) : NULL;
	int ret = path ? gpu_search_load(path, &made->gpu, name, l1, &err) : ERR_NOMEM;

	free(path);
	return warpline_error_give(error, finish(out, made, ret), &err);
}

int warpline_gpu_parse(struct warpline_gpu **out, const char *name, const char *text,
                       const char *l1, struct warpline_error *error)
{
	struct err err = { 0 };
	struct warpline_gpu *made = make(&err);
	int ret = made ? gpu_parse(&made->gpu, name, text, l1, &err) : ERR_NOMEM;

	return warpline_error_give(error, finish(out, made, ret), &err);
}

void warpline_gpu_free(struct warpline_gpu *gpu)
{
	if (!gpu)
		return;
	free(gpu->text);
	free(gpu);
}

int warpline_gpu_set(struct warpline_gpu *gpu, const char *key_value, struct warpline_error *error)
{
	struct err err = { 0 };

	return warpline_error_give(error, gpu_put(&gpu->gpu, key_value, &err), &err);
}

const char *warpline_gpu_text(struct warpline_gpu *gpu)
{
	struct str text;

	str_init(&text, TEXT_LIMIT_BYTES);
	free(gpu->text);
	gpu->text = gpu_print(&gpu->gpu, &text, NULL) ? NULL : str_take(&text);
	str_release(&text);
	return gpu->text;
}

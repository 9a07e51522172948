/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_gpu.h"

#include "err.h"
#include "gpu_search.h"
#include "residency.h"
#include "str.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* What the table has of a GPU. */
struct row {
	const char *name;
	int major, minor, clock_khz, memory_khz, bus_bits;
	unsigned memory_mib, shared_kib, optin_kib;
	int ratio;
};

static const struct row rows[] = {
#define CUDA_GPU(...) { __VA_ARGS__ },
#include "cuda_gpus.def"
};

static const struct row *row_of(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return &rows[0];
}

/* The folders with colons between them: the user's, then those from where this library lies. */
static char *search_path(struct err *err)
{
	const char *wanted = getenv("WARPLINE_GPUS"), *slash;
	Dl_info here;

	if (!dladdr(rows, &here) || !here.dli_fname || !(slash = strrchr(here.dli_fname, '/')))
		return str_copy(wanted ? wanted : "", err);
	return str_format(err, "%s:%.*s/../gpus:%.*s/../../../share/warpline/gpus",
	                  wanted ? wanted : "", (int)(slash - here.dli_fname), here.dli_fname,
	                  (int)(slash - here.dli_fname), here.dli_fname);
}

int cuda_gpu_init(struct cuda_gpu *g, const char *name, struct err *err)
{
	const struct gpu *gpu = &g->gpu;
	char *path = search_path(err);
	int rc = path ? gpu_search_load(path, &g->gpu, name && *name ? name : NULL, NULL, err)
	              : ERR_NOMEM;
	const struct row *row = rc ? NULL : row_of(g->gpu.name);

	free(path);
	if (rc)
		return rc;
	g->major = row->major;
	g->minor = row->minor;
	g->clock_khz = row->clock_khz;
	g->memory_khz = row->memory_khz;
	g->bus_bits = row->bus_bits;
	g->double_ratio = row->ratio;
	g->memory_bytes = (size_t)row->memory_mib << 20;
	g->sm_shared_bytes = (size_t)row->shared_kib << 10;
	g->group_shared_bytes = (size_t)row->optin_kib << 10;
	g->gpu.local_bytes = (uint32_t)g->sm_shared_bytes;
	g->l2_bytes = gpu->l2_bytes ? gpu->l2_bytes
	                            : (size_t)gpu->l2_slices * gpu->l2_sets * gpu->l2_ways *
	                                      gpu->l2_line_bytes;
	g->name_length = (int)strcspn(gpu->title, "(");
	while (g->name_length && gpu->title[g->name_length - 1] == ' ')
		g->name_length--;
	return 0;
}

int cuda_gpu_groups(const struct cuda_gpu *g, size_t items, size_t shared_bytes)
{
	const struct residency_need need = { .items = items, .local_bytes = shared_bytes };
	struct residency found;

	if (!items || items > CUDA_GROUP_ITEMS ||
	    residency_compute(&g->gpu, &need, &found, NULL) < 0)
		return 0;
	return (int)found.groups;
}

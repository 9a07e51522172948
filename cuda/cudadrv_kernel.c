/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, kernels and launches of the driver API. */
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"
#include "cudadrv.h"

#include <string.h>

/* Entries of `extra`, by number. */
enum { EXTRA_END, EXTRA_BUFFER, EXTRA_BYTES };

int cuda_driver_ModuleLoad(struct cuda_module **module, const char *path)
{
	return module && path ? cuda_module_from_file(path, module) : (int)cudaErrorInvalidValue;
}

int cuda_driver_ModuleLoadData(struct cuda_module **module, const void *image)
{
	return module && image ? cuda_module_from_memory(image, module)
	                       : (int)cudaErrorInvalidValue;
}

/* The options are for a compiler that is not called; log buffers stay unchanged. */
int cuda_driver_ModuleLoadDataEx(struct cuda_module **module, const void *image, unsigned count,
                                 const int *options, void *const *values)
{
	return cuda_driver_ModuleLoadData(module, image);
}

int cuda_driver_ModuleGetFunction(struct cuda_function **f, struct cuda_module *m, const char *name)
{
	return f ? cudart_LibraryGetKernel(f, m, name) : (int)cudaErrorInvalidValue;
}

int cuda_driver_ModuleGetLoadingMode(int *mode)
{
	if (!mode)
		return cudaErrorInvalidValue;
	*mode = 2; /* lazy: at the first use */
	return cudaSuccess;
}

int cuda_driver_LibraryGetModule(struct cuda_module **module, struct cuda_module *library)
{
	if (!module || !cuda_module_exists(library))
		return cudaErrorInvalidResourceHandle;
	*module = library;
	return cudaSuccess;
}

int cuda_driver_KernelGetFunction(struct cuda_function **f, struct cuda_function *kernel)
{
	if (!f || !cuda_function_exists(kernel))
		return cudaErrorInvalidResourceHandle;
	*f = kernel;
	return cudaSuccess;
}

int cuda_driver_KernelSetAttribute(int attribute, int value, struct cuda_function *f)
{
	return cudart_FuncSetAttribute(f, attribute, value);
}

int cuda_driver_FuncGetModule(struct cuda_module **module, struct cuda_function *f)
{
	if (!module || !cuda_function_exists(f))
		return cudaErrorInvalidResourceHandle;
	*module = f->module;
	return cudaSuccess;
}

int cuda_driver_FuncLoad(struct cuda_function *f)
{
	return cuda_function_exists(f) ? cuda_function_load(f)
	                               : (int)cudaErrorInvalidResourceHandle;
}

int cuda_driver_FuncIsLoaded(int *state, struct cuda_function *f)
{
	if (!state || !cuda_function_exists(f))
		return cudaErrorInvalidResourceHandle;
	*state = 1;
	return cudaSuccess;
}

int cuda_driver_FuncGetAttribute(int *value, int attribute, struct cuda_function *f)
{
	struct cuda_function_facts facts;
	int rc = value ? cuda_driver_FuncLoad(f) : (int)cudaErrorInvalidValue;

	if (rc)
		return rc;
	cuda_function_facts_get(f, &facts);
	{
		const int rows[] = { facts.max_items,
			             (int)facts.static_shared_bytes,
			             (int)facts.constant_bytes,
			             (int)facts.local_bytes,
			             facts.registers,
			             facts.architecture,
			             facts.architecture,
			             0,
			             facts.max_dynamic_bytes,
			             f->carveout,
			             0,
			             0,
			             0,
			             0,
			             0,
			             0 };

		if (attribute < 0 || attribute >= (int)(sizeof(rows) / sizeof(rows[0])))
			return cudaErrorInvalidValue;
		*value = rows[attribute];
	}
	return cudaSuccess;
}

/* Read a buffer of all parameters from pairs of a number and a value, ended by EXTRA_END. */
static int read_extra(void **extra, struct cuda_launch *l)
{
	if (!extra)
		return cudaSuccess;
	for (; (uintptr_t)extra[0] != EXTRA_END; extra += 2) {
		if ((uintptr_t)extra[0] == EXTRA_BUFFER)
			l->buffer = extra[1];
		else if ((uintptr_t)extra[0] == EXTRA_BYTES)
			memcpy(&l->buffer_bytes, extra[1], sizeof(l->buffer_bytes));
		else
			return cudaErrorInvalidValue;
	}
	return l->params && l->buffer ? (int)cudaErrorInvalidValue : (int)cudaSuccess;
}

static int launch(struct cuda_launch *l, struct cuda_stream *stream, void **extra)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc == cudaSuccess && !cuda_function_exists(l->function))
		rc = cudaErrorInvalidResourceHandle;
	if (rc == cudaSuccess)
		rc = read_extra(extra, l);
	return rc ? rc : cuda_launch_run(l, s);
}

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
int cuda_driver_LaunchKernel(struct cuda_function *f, unsigned grid_x, unsigned grid_y,
                             unsigned grid_z, unsigned group_x, unsigned group_y, unsigned group_z,
                             unsigned shared_bytes, struct cuda_stream *stream, void **params,
                             void **extra)
{
	struct cuda_launch l = { .function = f,
		                 .grid = { grid_x, grid_y, grid_z },
		                 .group = { group_x, group_y, group_z },
		                 .shared_bytes = shared_bytes,
		                 .params = params };

	return launch(&l, stream, extra);
}

int cuda_driver_LaunchCooperativeKernel(struct cuda_function *f, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, unsigned group_x, unsigned group_y,
                                        unsigned group_z, unsigned shared_bytes,
                                        struct cuda_stream *stream, void **params)
{
	struct cuda_launch l = { .function = f,
		                 .grid = { grid_x, grid_y, grid_z },
		                 .group = { group_x, group_y, group_z },
		                 .shared_bytes = shared_bytes,
		                 .params = params,
		                 .is_cooperative = true };

	return launch(&l, stream, NULL);
}
/* NOLINTEND(readability-function-size) */

int cuda_driver_LaunchKernelEx(const struct cuda_driver_launch *config, struct cuda_function *f,
                               void **params, void **extra)
{
	struct cuda_launch l = { .function = f, .params = params };

	if (!config)
		return cudaErrorInvalidValue;
	memcpy(l.grid, config->grid, sizeof(l.grid));
	memcpy(l.group, config->group, sizeof(l.group));
	l.shared_bytes = config->shared_bytes;
	for (unsigned i = 0; config->attributes && i < config->attribute_count; i++) {
		const struct cudart_launch_attribute *a = &config->attributes[i];

		if (a->id == CUDART_ATTRIBUTE_COOPERATIVE)
			l.is_cooperative = a->value.cooperative != 0;
		if (a->id == CUDART_ATTRIBUTE_CLUSTER &&
		    (a->value.cluster[0] > 1 || a->value.cluster[1] > 1 || a->value.cluster[2] > 1))
			return cudart_not_supported("a launch in clusters");
	}
	return launch(&l, config->stream, extra);
}

/* Find the largest group size, a multiple of the warp size, with the most resident work-items on an
 * SM. */
int cuda_driver_OccupancyMaxPotentialBlockSize(int *grid, int *group, struct cuda_function *f,
                                               size_t (*shared_of)(int), size_t shared_bytes,
                                               int limit)
{
	const struct cuda_gpu *g = &cuda_core()->gpu;
	int rc = cuda_driver_FuncLoad(f), best = 0;
	int most = CUDA_GROUP_ITEMS, warp;

	if (rc || !grid || !group)
		return rc ? rc : (int)cudaErrorInvalidValue;
	warp = (int)g->gpu.warp_lanes;
	most = f->entry->max_threads ? (int)f->entry->max_threads : most;
	most = limit > 0 && limit < most ? limit : most;
	*group = *grid = 0;
	for (int items = most; items > 0; items -= items % warp ? items % warp : warp) {
		size_t shared = shared_of ? shared_of(items) : shared_bytes;
		int groups =
			cuda_gpu_groups(g, (size_t)items, f->entry->static_shared_bytes + shared);

		if (groups * items <= best)
			continue;
		best = groups * items;
		*group = items;
		*grid = groups * (int)g->gpu.sm_count;
	}
	return best ? cudaSuccess : (int)cudaErrorInvalidValue;
}

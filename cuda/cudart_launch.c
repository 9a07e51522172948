/* SPDX-License-Identifier: Apache-2.0 */
/* Launches and properties of kernels in the runtime API. */
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"
#include "cudart.h"

#include <stdlib.h>
#include <string.h>

int cudart_function(const void *func, struct cuda_function **out)
{
	struct cuda_binding b;
	struct cuda_function *handle;

	memcpy(&handle, &func, sizeof(handle));
	if (cuda_binding_find_function(func, &b))
		handle = b.function;
	else if (!func || !cuda_function_exists(handle))
		return cudaErrorInvalidDeviceFunction;
	*out = handle;
	return cudaSuccess;
}

/* Find a kernel and load it. */
static int loaded(const void *func, struct cuda_function **out)
{
	int rc = cudart_function(func, out);

	return rc ? rc : cuda_function_load(*out);
}

static int launch(struct cuda_launch l, const void *func, struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc == cudaSuccess)
		rc = cudart_function(func, &l.function);
	return rc ? rc : cuda_launch_run(&l, s);
}

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
int cudart_LaunchKernel(const void *func, struct cudart_dim3 gridDim, struct cudart_dim3 blockDim,
                        void **args, size_t sharedMem, struct cuda_stream *stream)
{
	const struct cuda_launch l = { .grid = { gridDim.x, gridDim.y, gridDim.z },
		                       .group = { blockDim.x, blockDim.y, blockDim.z },
		                       .shared_bytes = sharedMem,
		                       .params = args };

	return launch(l, func, stream);
}

int cudart_LaunchCooperativeKernel(const void *func, struct cudart_dim3 gridDim,
                                   struct cudart_dim3 blockDim, void **args, size_t sharedMem,
                                   struct cuda_stream *stream)
{
	const struct cuda_launch l = { .grid = { gridDim.x, gridDim.y, gridDim.z },
		                       .group = { blockDim.x, blockDim.y, blockDim.z },
		                       .shared_bytes = sharedMem,
		                       .params = args,
		                       .is_cooperative = true };

	return launch(l, func, stream);
}

int cudart___cudaLaunchKernel(const void *func, struct cudart_dim3 gridDim,
                              struct cudart_dim3 blockDim, void **args, size_t sharedMem,
                              struct cuda_stream *stream)
{
	return cudart_keep(cudart_LaunchKernel(func, gridDim, blockDim, args, sharedMem, stream));
}

int cudart___cudaLaunchKernel_ptsz(const void *func, struct cudart_dim3 gridDim,
                                   struct cudart_dim3 blockDim, void **args, size_t sharedMem,
                                   struct cuda_stream *stream)
{
	return cudart___cudaLaunchKernel(func, gridDim, blockDim, args, sharedMem,
	                                 stream ? stream : CUDA_HANDLE_PER_THREAD);
}
/* NOLINTEND(readability-function-size) */

/* Clusters of more than one group are not supported. Attributes other than cooperation are
 * preferences. */
static int read_attributes(const struct cudart_launch_config *config, struct cuda_launch *l)
{
	for (unsigned i = 0; config->attributes && i < config->attribute_count; i++) {
		const struct cudart_launch_attribute *a = &config->attributes[i];
		const unsigned *cluster = a->value.cluster;

		if (a->id == CUDART_ATTRIBUTE_COOPERATIVE)
			l->is_cooperative = a->value.cooperative != 0;
		if (a->id == CUDART_ATTRIBUTE_CLUSTER &&
		    (cluster[0] > 1 || cluster[1] > 1 || cluster[2] > 1))
			return cudart_not_supported("a launch in clusters");
	}
	return cudaSuccess;
}

int cudart_LaunchKernelExC(const struct cudart_launch_config *config, const void *func, void **args)
{
	struct cuda_launch l = { .params = args };
	int rc;

	if (!config)
		return cudaErrorInvalidValue;
	memcpy(l.grid, &config->grid, sizeof(l.grid));
	memcpy(l.group, &config->group, sizeof(l.group));
	l.shared_bytes = config->shared_bytes;
	rc = read_attributes(config, &l);
	return rc ? rc : launch(l, func, config->stream);
}

unsigned cudart___cudaPushCallConfiguration(struct cudart_dim3 gridDim, struct cudart_dim3 blockDim,
                                            size_t sharedMem, void *stream)
{
	struct cuda_thread *t = cuda_thread();

	if (t->configuration_count == CUDA_THREAD_LEVELS)
		return cudaErrorMissingConfiguration;
	t->configurations[t->configuration_count++] =
		(struct cuda_configuration){ { gridDim.x, gridDim.y, gridDim.z },
		                             { blockDim.x, blockDim.y, blockDim.z },
		                             sharedMem,
		                             stream };
	return cudaSuccess;
}

int cudart___cudaPopCallConfiguration(struct cudart_dim3 *gridDim, struct cudart_dim3 *blockDim,
                                      size_t *sharedMem, void *stream)
{
	struct cuda_thread *t = cuda_thread();
	const struct cuda_configuration *c;

	if (!t->configuration_count)
		return cudart_keep(cudaErrorMissingConfiguration);
	c = &t->configurations[--t->configuration_count];
	*gridDim = (struct cudart_dim3){ c->grid[0], c->grid[1], c->grid[2] };
	*blockDim = (struct cudart_dim3){ c->group[0], c->group[1], c->group[2] };
	*sharedMem = c->shared_bytes;
	memcpy(stream, &c->stream, sizeof(c->stream));
	return cudaSuccess;
}

int cudart_FuncGetAttributes(struct cudart_function_attributes *attr, const void *func, int major)
{
	struct cudart_function_attributes all = { 0 };
	struct cuda_function_facts facts;
	struct cuda_function *f;
	int rc = attr ? loaded(func, &f) : (int)cudaErrorInvalidValue;

	if (rc)
		return rc;
	cuda_function_facts_get(f, &facts);
	all.shared_bytes = facts.static_shared_bytes;
	all.constant_bytes = facts.constant_bytes;
	all.local_bytes = facts.local_bytes;
	all.max_items = facts.max_items;
	all.registers = facts.registers;
	all.ptx_version = all.binary_version = facts.architecture;
	all.max_dynamic_shared_bytes = facts.max_dynamic_bytes;
	all.preferred_carveout = f->carveout;
	memcpy(attr, &all,
	       major >= 12 ? sizeof(all)
	                   : offsetof(struct cudart_function_attributes, must_set_cluster));
	return cudaSuccess;
}

int cudart_FuncSetAttribute(const void *func, int attr, int value)
{
	struct cuda_function *f;
	int rc = loaded(func, &f);

	return rc ? rc : cuda_function_facts_set(f, attr, value);
}

int cudart_FuncSetCacheConfig(const void *func, int cacheConfig)
{
	struct cuda_function *f;

	return cudart_function(func, &f);
}

int cudart_FuncSetSharedMemConfig(const void *func, int config)
{
	struct cuda_function *f;

	return cudart_function(func, &f);
}

int cudart_FuncGetName(const char **name, const void *func)
{
	struct cuda_function *f;
	int rc = name ? cudart_function(func, &f) : (int)cudaErrorInvalidValue;

	if (rc == cudaSuccess)
		*name = f->name;
	return rc;
}

int cudart_FuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset,
                            size_t *paramSize)
{
	struct cuda_function *f;
	int rc = loaded(func, &f);

	if (rc)
		return rc;
	if (!paramOffset || paramIndex >= f->entry->param_count)
		return cudaErrorInvalidValue;
	*paramOffset = f->entry->params[paramIndex].offset;
	if (paramSize)
		*paramSize = f->entry->params[paramIndex].bytes;
	return cudaSuccess;
}

int cudart_GetKernel(struct cuda_function **kernelPtr, const void *entryFuncAddr)
{
	return kernelPtr ? cudart_function(entryFuncAddr, kernelPtr) : (int)cudaErrorInvalidValue;
}

int cudart_GetFuncBySymbol(struct cuda_function **functionPtr, const void *symbolPtr)
{
	return cudart_GetKernel(functionPtr, symbolPtr);
}

int cudart___cudaGetKernel(struct cuda_function **kernel, const void *func)
{
	return cudart_keep(cudart_GetKernel(kernel, func));
}

int cudart_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                              int blockSize, size_t dynamicSMemSize,
                                                              unsigned flags)
{
	struct cuda_function *f;
	int rc = numBlocks && blockSize > 0 ? loaded(func, &f) : (int)cudaErrorInvalidValue;

	if (rc)
		return rc;
	*numBlocks = cuda_gpu_groups(&cuda_core()->gpu, (size_t)blockSize,
	                             f->entry->static_shared_bytes + dynamicSMemSize);
	return cudaSuccess;
}

int cudart_OccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                     int blockSize, size_t dynamicSMemSize)
{
	return cudart_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize,
	                                                                 dynamicSMemSize, 0);
}

int cudart_OccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
                                                 int numBlocks, int blockSize)
{
	struct cuda_function *f;
	int rc = dynamicSmemSize && numBlocks > 0 ? loaded(func, &f) : (int)cudaErrorInvalidValue;
	size_t share;

	if (rc)
		return rc;
	share = cuda_core()->gpu.sm_shared_bytes / (size_t)numBlocks;
	if (share > CUDA_GROUP_SHARED_BYTES && !f->dynamic_limit_bytes)
		share = CUDA_GROUP_SHARED_BYTES;
	*dynamicSmemSize =
		share > f->entry->static_shared_bytes ? share - f->entry->static_shared_bytes : 0;
	return cudaSuccess;
}

/* NOLINTBEGIN(readability-non-const-parameter): the interface's */
int cudart_SetDoubleForDevice(double *d)
{
	return d ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cudart_SetDoubleForHost(double *d)
{
	return d ? cudaSuccess : (int)cudaErrorInvalidValue;
}
/* NOLINTEND(readability-non-const-parameter) */

/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, and those functions that come in two forms. */
#include "mock_cuda_private.h"

#include <string.h>

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */

/* From one buffer: each at a multiple of its size, as CUDA lays them out. */
static bool read_buffer(struct mock_launch *l, unsigned count, void *const *extra)
{
	const unsigned char *buffer = NULL;
	size_t bytes = 0, offset = 0;

	for (; *extra; extra += 2) {
		if (*extra == CUDA_PARAM_BUFFER_POINTER)
			buffer = extra[1];
		else
			memcpy(&bytes, extra[1], sizeof(bytes));
	}
	for (unsigned i = 0; i < count; i++) {
		unsigned size = l->function->kernel->value_bytes[i];

		offset = (offset + size - 1) / size * size;
		if (!buffer || offset + size > bytes)
			return false;
		memcpy(&l->values[i], buffer + offset, size);
		offset += size;
	}
	return true;
}

/* The values are read now, as a driver does. */
static bool read_values(struct mock_launch *l, void *const *values, void *const *extra)
{
	unsigned count = l->function->kernel->value_count + l->function->module->is_shadow;

	memset(l->values, 0, sizeof(l->values));
	if (!values)
		return extra && read_buffer(l, count, extra);
	for (unsigned i = 0; i < count; i++)
		memcpy(&l->values[i], values[i], l->function->kernel->value_bytes[i]);
	return true;
}

static CUresult launch(struct mock_launch *l, unsigned shared_bytes, CUstream stream, void **values,
                       void **extra)
{
	for (int d = 0; d < 3; d++)
		if (!l->groups[d] || !l->items[d])
			return CUDA_ERROR_INVALID_VALUE;
	if (shared_bytes > 49152 && (int)shared_bytes > l->function->max_dynamic_shared)
		return CUDA_ERROR_INVALID_VALUE;
	if (!read_values(l, values, extra))
		return CUDA_ERROR_INVALID_VALUE;
	mock_enqueue_launch(stream, l);
	return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned group_x, unsigned group_y, unsigned group_z, unsigned shared_bytes,
                        CUstream stream, void **values, void **extra)
{
	struct mock_launch l = {
		(void *)function, { grid_x, grid_y, grid_z }, { group_x, group_y, group_z }, { 0 }
	};

	ENTER;
	LEAVE(launch(&l, shared_bytes, stream, values, extra));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned group_x, unsigned group_y,
                                   unsigned group_z, unsigned shared_bytes, CUstream stream,
                                   void **values)
{
	struct mock_launch l = {
		(void *)function, { grid_x, grid_y, grid_z }, { group_x, group_y, group_z }, { 0 }
	};

	ENTER;
	LEAVE(launch(&l, shared_bytes, stream, values, NULL));
}

CUresult cuLaunchKernelEx(const struct cuda_launch_config *config, CUfunction function,
                          void **values, void **extra)
{
	struct mock_launch l = { .function = (void *)function };

	ENTER;
	memcpy(l.groups, config->groups, sizeof(l.groups));
	memcpy(l.items, config->items, sizeof(l.items));
	LEAVE(launch(&l, config->shared_bytes, config->stream, values, extra));
}

CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuLaunchHostFunc(CUstream stream, void *call, void *context)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuStreamAddCallback(CUstream stream, void *call, void *context, unsigned flags)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                unsigned flags)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                unsigned flags)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count, void *operations, unsigned flags)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuWaitExternalSemaphoresAsync(const void *semaphores, const void *values, unsigned count,
                                       CUstream stream)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
	return cuMemAlloc_v2(address, bytes);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                 CUstream stream)
{
	return cuMemAlloc_v2(address, bytes);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
	return cuMemFree_v2(address);
}

/* Per-thread default streams: those of the mock are one. */
#define PER_THREAD(stream) ((stream) ? (stream) : mock_cuda_stream(2))

CUresult cuLaunchKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned group_x, unsigned group_y, unsigned group_z,
                             unsigned shared_bytes, CUstream stream, void **values, void **extra)
{
	return cuLaunchKernel(function, grid_x, grid_y, grid_z, group_x, group_y, group_z,
	                      shared_bytes, PER_THREAD(stream), values, extra);
}

CUresult cuLaunchCooperativeKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, unsigned group_x, unsigned group_y,
                                        unsigned group_z, unsigned shared_bytes, CUstream stream,
                                        void **values)
{
	return cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, group_x, group_y,
	                                 group_z, shared_bytes, PER_THREAD(stream), values);
}

CUresult cuLaunchKernelEx_ptsz(const struct cuda_launch_config *config, CUfunction function,
                               void **values, void **extra)
{
	struct cuda_launch_config own = *config;

	own.stream = PER_THREAD(config->stream);
	return cuLaunchKernelEx(&own, function, values, extra);
}

#define TWO_FORMS(name, params, args)                                                              \
	CUresult name##_ptsz params                                                                \
	{                                                                                          \
		return name args;                                                                  \
	}
/* clang-format off */
TWO_FORMS(cuGraphLaunch, (CUgraphExec graph, CUstream stream), (graph, stream))
TWO_FORMS(cuLaunchHostFunc, (CUstream stream, void *call, void *context), (stream, call, context))
TWO_FORMS(cuStreamAddCallback, (CUstream stream, void *call, void *context, unsigned flags), (stream, call, context, flags))
TWO_FORMS(cuStreamWaitValue32_v2, (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags), (stream, address, value, flags))
TWO_FORMS(cuStreamWaitValue64_v2, (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags), (stream, address, value, flags))
TWO_FORMS(cuStreamBatchMemOp_v2, (CUstream stream, unsigned count, void *operations, unsigned flags), (stream, count, operations, flags))
TWO_FORMS(cuWaitExternalSemaphoresAsync, (const void *semaphores, const void *values, unsigned count, CUstream stream), (semaphores, values, count, stream))
TWO_FORMS(cuMemAllocAsync, (CUdeviceptr *address, size_t bytes, CUstream stream), (address, bytes, stream))
TWO_FORMS(cuMemAllocFromPoolAsync, (CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream), (address, bytes, pool, stream))
TWO_FORMS(cuMemFreeAsync, (CUdeviceptr address, CUstream stream), (address, stream))
/* clang-format on */
/* NOLINTEND(readability-function-size) */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_templates.cuh - the runtime's calls as C++ spells them: typed pointers, kernels and
 * symbols by name, occupancy by a function of the group's size. Included by cuda_runtime.h.
 */
#ifndef WARPLINE_CUDA_TEMPLATES_CUH
#define WARPLINE_CUDA_TEMPLATES_CUH

/* Typed pointers. */
template <class T> static inline cudaError_t cudaMalloc(T **devPtr, size_t size)
{
	return ::cudaMalloc((void **)(void *)devPtr, size);
}

template <class T>
static inline cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
	return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}

template <class T> static inline cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
	return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}

template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags)
{
	return ::cudaHostGetDevicePointer((void **)(void *)pDevice, pHost, flags);
}

template <class T>
static inline cudaError_t cudaMallocManaged(T **devPtr, size_t size,
                                            unsigned int flags = cudaMemAttachGlobal)
{
	return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}

template <class T>
static inline cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height)
{
	return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **devPtr, size_t size, cudaStream_t stream)
{
	return ::cudaMallocAsync((void **)(void *)devPtr, size, stream);
}

template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t pool,
                                                  cudaStream_t stream)
{
	return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}

static inline cudaError_t cudaMallocHost(void **ptr, size_t size, unsigned int flags)
{
	return ::cudaHostAlloc(ptr, size, flags);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
	return ::cudaEventCreateWithFlags(event, flags);
}

/* Symbols by name. */
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}

template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
	return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}

template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}

template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0)
{
	return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}

template <class T> static inline cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol)
{
	return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}

template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
	return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

/* Kernels by name. */
template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                           size_t sharedMem = 0, cudaStream_t stream = 0)
{
	return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}

template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim,
                                                      void **args, size_t sharedMem = 0,
                                                      cudaStream_t stream = 0)
{
	return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem,
	                                     stream);
}

#if __cplusplus >= 201103L
template <typename... P, typename... A>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                             A &&...given)
{
	return [&](P... coerced) {
		void *args[] = { (void *)&coerced..., nullptr };
		return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
	}(static_cast<A &&>(given)...);
}
#endif

template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache cacheConfig)
{
	return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}

template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
	return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}

template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *entry)
{
	return ::cudaFuncGetAttributes(attr, (const void *)entry);
}

template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
	return ::cudaFuncSetAttribute((const void *)func, attr, value);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func,
                                                                        int blockSize,
                                                                        size_t dynamicSMemSize)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func,
	                                                       blockSize, dynamicSMemSize);
}

template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func, int blockSize,
                                                       size_t dynamicSMemSize, unsigned int flags)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}

/*
 * The largest group of whole warps with which a multiprocessor holds the most threads;
 * shared_bytes(n) are the dynamic shared bytes of a group of n threads.
 */
template <typename F, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
                                               F shared_bytes, int blockSizeLimit = 0)
{
	struct cudaFuncAttributes facts;
	int device = 0, processors = 0, best_threads = 0;
	cudaError_t error = ::cudaGetDevice(&device);

	if (error == cudaSuccess)
		error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
		                                 device);
	if (error == cudaSuccess)
		error = ::cudaFuncGetAttributes(&facts, (const void *)func);
	if (error != cudaSuccess)
		return error;
	if (blockSizeLimit <= 0 || blockSizeLimit > facts.maxThreadsPerBlock)
		blockSizeLimit = facts.maxThreadsPerBlock;
	for (int size = (blockSizeLimit + 31) / 32 * 32; size > 0; size -= 32) {
		int threads = size < blockSizeLimit ? size : blockSizeLimit, groups = 0;
		error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
			&groups, (const void *)func, threads, shared_bytes(threads));
		if (error != cudaSuccess)
			return error;
		if (groups * threads > best_threads) {
			best_threads = groups * threads;
			*blockSize = threads;
			*minGridSize = groups * processors;
		}
	}
	return cudaSuccess;
}

struct warpline_same_bytes {
	size_t bytes;
	size_t operator()(int) const
	{
		return bytes;
	}
};

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                                             T func, size_t dynamicSMemSize = 0,
                                                             int blockSizeLimit = 0)
{
	warpline_same_bytes bytes = { dynamicSMemSize };

	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, func, bytes,
	                                                      blockSizeLimit);
}

/* What newer programs write: a place instead of a device. */
static inline cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                               struct cudaMemLocation location, unsigned int flags,
                                               cudaStream_t stream = 0)
{
	(void)flags;
	return ::cudaMemPrefetchAsync(
		devPtr, count,
		location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id, stream);
}

static inline cudaError_t cudaMemAdvise(const void *devPtr, size_t count,
                                        enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location)
{
	return ::cudaMemAdvise(devPtr, count, advice,
	                       location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId
	                                                                : location.id);
}

/* What older programs write. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               cudaGraphNode_t *bad, char *log, size_t log_bytes)
{
	(void)bad;
	(void)log;
	(void)log_bytes;
	return ::cudaGraphInstantiateWithFlags(exec, graph, 0);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_core.h"
#include "cuda_device.h"
#include "cuda_error.h"
#include "cuda_module.h"
#include "cudart.h"
#include "device_memory.h"

#include <string.h>

/* Memory and its pools in the runtime API. */
#define PITCH_BYTES    512
#define MANAGED_GLOBAL 1u
#define MANAGED_HOST   2u

int cudart_Malloc(void **devPtr, size_t size)
{
	return devPtr ? cuda_memory_alloc(CUDA_MEMORY_DEVICE, size, 0, devPtr)
	              : (int)cudaErrorInvalidValue;
}

int cudart_HostAlloc(void **pHost, size_t size, unsigned flags)
{
	return pHost ? cuda_memory_alloc(CUDA_MEMORY_HOST, size, flags, pHost)
	             : (int)cudaErrorInvalidValue;
}

int cudart_MallocHost(void **ptr, size_t size)
{
	return cudart_HostAlloc(ptr, size, 0);
}

int cudart_MallocManaged(void **devPtr, size_t size, unsigned flags)
{
	if (!devPtr || !size || (flags != MANAGED_GLOBAL && flags != MANAGED_HOST))
		return cudaErrorInvalidValue;
	return cuda_memory_alloc(CUDA_MEMORY_MANAGED, size, flags, devPtr);
}

/* Allocate rows that begin at multiples of PITCH_BYTES. */
static int alloc_rows(void **memory, size_t *pitch, size_t width, size_t rows)
{
	size_t bytes;

	if (width > SIZE_MAX - PITCH_BYTES)
		return cudaErrorMemoryAllocation;
	*pitch = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
	if (__builtin_mul_overflow(*pitch, rows, &bytes))
		return cudaErrorMemoryAllocation;
	return cudart_Malloc(memory, bytes);
}

int cudart_MallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
	return devPtr && pitch ? alloc_rows(devPtr, pitch, width, height)
	                       : (int)cudaErrorInvalidValue;
}

int cudart_Malloc3D(struct cudart_pitched *pitchedDevPtr, struct cudart_extent extent)
{
	size_t rows;

	if (!pitchedDevPtr)
		return cudaErrorInvalidValue;
	if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
		return cudaErrorMemoryAllocation;
	pitchedDevPtr->x_size = extent.width;
	pitchedDevPtr->y_size = extent.height;
	return alloc_rows(&pitchedDevPtr->pointer, &pitchedDevPtr->pitch, extent.width, rows);
}

int cudart_Free(void *devPtr)
{
	int status = cuda_core()->status;

	if (status || !devPtr)
		return status;
	return cuda_memory_free(devPtr, 1u << CUDA_MEMORY_DEVICE | 1u << CUDA_MEMORY_MANAGED);
}

int cudart_FreeHost(void *ptr)
{
	int status = cuda_core()->status;

	return status || !ptr ? status : cuda_memory_free(ptr, 1u << CUDA_MEMORY_HOST);
}

int cudart_HostRegister(void *ptr, size_t size, unsigned flags)
{
	return cuda_memory_register(ptr, size, flags);
}

int cudart_HostUnregister(void *ptr)
{
	int rc = cuda_memory_free(ptr, 1u << CUDA_MEMORY_REGISTERED);

	return rc == cudaErrorInvalidValue ? (int)cudaErrorHostMemoryNotRegistered : rc;
}

static bool is_host_memory(const struct cuda_allocation *a)
{
	return (a->kind == CUDA_MEMORY_HOST && !a->is_plain) || a->kind == CUDA_MEMORY_REGISTERED;
}

int cudart_HostGetDevicePointer(void **pDevice, void *pHost, unsigned flags)
{
	struct cuda_allocation a;

	if (!pDevice || !cuda_memory_find(pHost, &a) || !is_host_memory(&a))
		return cudaErrorInvalidValue;
	*pDevice = pHost;
	return cudaSuccess;
}

int cudart_HostGetFlags(unsigned *pFlags, void *pHost)
{
	struct cuda_allocation a;

	if (!pFlags || !cuda_memory_find(pHost, &a) ||
	    (a.kind != CUDA_MEMORY_HOST && a.kind != CUDA_MEMORY_REGISTERED))
		return cudaErrorInvalidValue;
	*pFlags = a.flags;
	return cudaSuccess;
}

int cudart_MallocAsync(void **devPtr, size_t size, struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	return rc ? rc : cudart_Malloc(devPtr, size);
}

int cudart_MallocFromPoolAsync(void **ptr, size_t size, void *memPool, struct cuda_stream *stream)
{
	return cudart_MallocAsync(ptr, size, stream);
}

int cudart_FreeAsync(void *devPtr, struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	return rc ? rc : cudart_Free(devPtr);
}

int cudart_MemGetInfo(size_t *free, size_t *total)
{
	size_t free_bytes, total_bytes;
	int rc = cuda_device_memory(&free_bytes, &total_bytes);

	if (free)
		*free = free_bytes;
	if (total)
		*total = total_bytes;
	return rc;
}

/* There is one memory: nothing is moved, and advice has no effect. */
static int check_managed(const void *memory, size_t bytes)
{
	struct cuda_allocation a;

	if (!bytes || !cuda_memory_find(memory, &a))
		return cudaErrorInvalidValue;
	return cuda_memory_holds(memory, bytes) ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cudart_MemPrefetchAsync(const void *devPtr, size_t count, uint64_t location)
{
	return check_managed(devPtr, count);
}

int cudart_MemPrefetchAsync_v2(const void *devPtr, size_t count, uint64_t location)
{
	return check_managed(devPtr, count);
}

int cudart_MemAdvise(const void *devPtr, size_t count, int advice)
{
	return check_managed(devPtr, count);
}

int cudart_MemAdvise_v2(const void *devPtr, size_t count, int advice)
{
	return check_managed(devPtr, count);
}

int cudart_PointerGetAttributes(struct cudart_pointer *attributes, const void *ptr, int major)
{
	static const int types[] = { [CUDA_MEMORY_DEVICE] = CUDART_DEVICE,
		                     [CUDA_MEMORY_HOST] = CUDART_HOST,
		                     [CUDA_MEMORY_MANAGED] = CUDART_MANAGED,
		                     [CUDA_MEMORY_REGISTERED] = CUDART_HOST,
		                     [CUDA_MEMORY_SYMBOL] = CUDART_DEVICE };
	struct cuda_allocation a;
	void *pointer;

	if (!attributes)
		return cudaErrorInvalidValue;
	memcpy(&pointer, &ptr, sizeof(pointer)); /* the API returns it without const */
	memset(attributes, 0, offsetof(struct cudart_pointer, reserved));
	if (major >= 13)
		memset(attributes->reserved, 0, sizeof(attributes->reserved));
	attributes->device = -2; /* of none */
	if (!cuda_memory_find(ptr, &a)) {
		attributes->host_pointer = pointer;
		return cuda_core()->status;
	}
	attributes->device = 0;
	attributes->type =
		a.kind == CUDA_MEMORY_SYMBOL && a.is_shared ? CUDART_MANAGED : types[a.kind];
	attributes->device_pointer = a.is_plain ? NULL : pointer;
	attributes->host_pointer = a.is_shared || a.is_plain ? pointer : NULL;
	return cudaSuccess;
}

int cudart_DeviceGetDefaultMemPool(void **memPool, int device)
{
	int rc = cuda_device_check(device);

	if (rc == cudaSuccess && !memPool)
		rc = cudaErrorInvalidValue;
	if (rc == cudaSuccess)
		*memPool = cuda_pool_default();
	return rc;
}

int cudart_DeviceGetMemPool(void **memPool, int device)
{
	return cudart_DeviceGetDefaultMemPool(memPool, device);
}

int cudart_DeviceSetMemPool(int device, void *memPool)
{
	int rc = cuda_device_check(device);

	return rc || memPool ? rc : (int)cudaErrorInvalidValue;
}

int cudart_MemPoolCreate(void **memPool, const void *poolProps)
{
	return memPool && poolProps ? cuda_pool_create((struct cuda_pool **)memPool)
	                            : (int)cudaErrorInvalidValue;
}

int cudart_MemPoolDestroy(void *memPool)
{
	return cuda_pool_free(memPool);
}

int cudart_MemPoolTrimTo(void *memPool, size_t minBytesToKeep)
{
	return memPool ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cudart_MemPoolSetAttribute(void *memPool, int attr, void *value)
{
	return cuda_pool_set(memPool, attr, value);
}

int cudart_MemPoolGetAttribute(void *memPool, int attr, void *value)
{
	return cuda_pool_get(memPool, attr, value);
}

int cudart_MemPoolSetAccess(void *memPool, const struct cudart_pool_access *descList, size_t count)
{
	return memPool && (descList || !count) ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cudart_MemPoolGetAccess(int *flags, void *memPool, void *location)
{
	if (!flags || !memPool)
		return cudaErrorInvalidValue;
	*flags = 3; /* read and write */
	return cudaSuccess;
}

/* Copies, fills and variables in the runtime API. */
static int copy(struct cuda_copy c, struct cuda_stream *stream, bool is_waited_for)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	c.is_waited_for = is_waited_for;
	return rc ? rc : cuda_copy_run(&c, s);
}

static int fill(struct cuda_fill f, struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	f.value_bytes = 1;
	f.value &= 0xff;
	return rc ? rc : cuda_fill_run(&f, s);
}

int cudart_Memcpy(void *dst, const void *src, size_t count, int kind, struct cuda_stream *which)
{
	return copy(cuda_copy_line(dst, src, count, kind), which, true);
}

int cudart_MemcpyAsync(void *dst, const void *src, size_t count, int kind,
                       struct cuda_stream *stream)
{
	return copy(cuda_copy_line(dst, src, count, kind), stream, false);
}

int cudart_MemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
	if (dstDevice || srcDevice)
		return cudaErrorInvalidDevice;
	return cudart_Memcpy(dst, src, count, CUDA_COPY_DEFAULT, NULL);
}

int cudart_MemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                           struct cuda_stream *stream)
{
	if (dstDevice || srcDevice)
		return cudaErrorInvalidDevice;
	return cudart_MemcpyAsync(dst, src, count, CUDA_COPY_DEFAULT, stream);
}

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
static struct cuda_copy rows_of(void *dst, size_t dpitch, const void *src, size_t spitch,
                                size_t width, size_t height, int kind)
{
	return (struct cuda_copy){ .to = dst,
		                   .from = src,
		                   .to_pitch = dpitch,
		                   .from_pitch = spitch,
		                   .width = width,
		                   .height = height,
		                   .depth = 1,
		                   .kind = kind };
}

int cudart_Memcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                    size_t height, int kind, struct cuda_stream *which)
{
	return copy(rows_of(dst, dpitch, src, spitch, width, height, kind), which, true);
}

int cudart_Memcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, int kind, struct cuda_stream *stream)
{
	return copy(rows_of(dst, dpitch, src, spitch, width, height, kind), stream, false);
}
/* NOLINTEND(readability-function-size) */

static int copy_3d(const struct cudart_copy_3d *p, struct cuda_stream *stream, bool is_waited_for)
{
	struct cuda_copy c;

	if (!p || !p->to.pointer || !p->from.pointer)
		return cudaErrorInvalidValue;
	if (p->from_array || p->to_array)
		return cudart_not_supported("cudaMemcpy3D of an array");
	c = rows_of(p->to.pointer, p->to.pitch, p->from.pointer, p->from.pitch, p->extent.width,
	            p->extent.height, p->kind);
	c.depth = p->extent.depth;
	c.to_slice = p->to.pitch * p->to.y_size;
	c.from_slice = p->from.pitch * p->from.y_size;
	c.to = (char *)p->to.pointer + p->to_place.z * c.to_slice + p->to_place.y * c.to_pitch +
	       p->to_place.x;
	c.from = (const char *)p->from.pointer + p->from_place.z * c.from_slice +
	         p->from_place.y * c.from_pitch + p->from_place.x;
	return copy(c, stream, is_waited_for);
}

int cudart_Memcpy3D(const struct cudart_copy_3d *p, struct cuda_stream *which)
{
	return copy_3d(p, which, true);
}

int cudart_Memcpy3DAsync(const struct cudart_copy_3d *p, struct cuda_stream *stream)
{
	return copy_3d(p, stream, false);
}

int cudart_MemsetAsync(void *devPtr, int value, size_t count, struct cuda_stream *stream)
{
	return fill((struct cuda_fill){ .to = devPtr,
	                                .value = (unsigned)value,
	                                .width = count,
	                                .height = 1,
	                                .depth = 1 },
	            stream);
}

int cudart_Memset(void *devPtr, int value, size_t count, struct cuda_stream *which)
{
	return cudart_MemsetAsync(devPtr, value, count, which);
}

int cudart_Memset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                         struct cuda_stream *stream)
{
	return fill((struct cuda_fill){ .to = devPtr,
	                                .value = (unsigned)value,
	                                .pitch = pitch,
	                                .width = width,
	                                .height = height,
	                                .depth = 1 },
	            stream);
}

int cudart_Memset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                    struct cuda_stream *which)
{
	return cudart_Memset2DAsync(devPtr, pitch, value, width, height, which);
}

int cudart_Memset3DAsync(struct cudart_pitched pitchedDevPtr, int value,
                         struct cudart_extent extent, struct cuda_stream *stream)
{
	return fill((struct cuda_fill){ .to = pitchedDevPtr.pointer,
	                                .value = (unsigned)value,
	                                .pitch = pitchedDevPtr.pitch,
	                                .slice = pitchedDevPtr.pitch * pitchedDevPtr.y_size,
	                                .width = extent.width,
	                                .height = extent.height,
	                                .depth = extent.depth },
	            stream);
}

int cudart_Memset3D(struct cudart_pitched pitchedDevPtr, int value, struct cudart_extent extent,
                    struct cuda_stream *which)
{
	return cudart_Memset3DAsync(pitchedDevPtr, value, extent, which);
}

/* Find `bytes` at an offset in a variable of the program. */
static int find_symbol(const void *symbol, size_t offset, size_t bytes, char **memory)
{
	struct cuda_binding b;
	void *begin;
	size_t size;
	int rc;

	if (!cuda_binding_find_variable(symbol, &b))
		return cudaErrorInvalidSymbol;
	rc = cuda_module_variable(b.module, b.name, &begin, &size);
	if (rc)
		return rc;
	if (offset > size || bytes > size - offset)
		return cudaErrorInvalidValue;
	*memory = (char *)begin + offset;
	return cudaSuccess;
}

static int to_symbol(const void *symbol, struct cuda_copy c, size_t offset,
                     struct cuda_stream *stream, bool is_waited_for)
{
	char *memory = NULL;
	int rc = find_symbol(symbol, offset, c.width, &memory);

	c.to = memory;
	return rc ? rc : copy(c, stream, is_waited_for);
}

static int from_symbol(const void *symbol, struct cuda_copy c, size_t offset,
                       struct cuda_stream *stream, bool is_waited_for)
{
	char *memory = NULL;
	int rc = find_symbol(symbol, offset, c.width, &memory);

	c.from = memory;
	return rc ? rc : copy(c, stream, is_waited_for);
}

int cudart_MemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                          int kind, struct cuda_stream *which)
{
	return to_symbol(symbol, cuda_copy_line(NULL, src, count, kind), offset, which, true);
}

int cudart_MemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                               int kind, struct cuda_stream *stream)
{
	return to_symbol(symbol, cuda_copy_line(NULL, src, count, kind), offset, stream, false);
}

int cudart_MemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, int kind,
                            struct cuda_stream *which)
{
	return from_symbol(symbol, cuda_copy_line(dst, NULL, count, kind), offset, which, true);
}

int cudart_MemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                 int kind, struct cuda_stream *stream)
{
	return from_symbol(symbol, cuda_copy_line(dst, NULL, count, kind), offset, stream, false);
}

int cudart_GetSymbolAddress(void **devPtr, const void *symbol)
{
	char *memory = NULL;
	int rc = devPtr ? find_symbol(symbol, 0, 0, &memory) : (int)cudaErrorInvalidValue;

	if (rc == cudaSuccess)
		*devPtr = memory;
	return rc;
}

int cudart_GetSymbolSize(size_t *size, const void *symbol)
{
	struct cuda_binding b;
	void *memory;

	if (!size)
		return cudaErrorInvalidValue;
	if (!cuda_binding_find_variable(symbol, &b))
		return cudaErrorInvalidSymbol;
	return cuda_module_variable(b.module, b.name, &memory, size);
}

struct cudart_channel cudart_cudaCreateChannelDesc(int x, int y, int z, int w, int f)
{
	return (struct cudart_channel){ x, y, z, w, f };
}

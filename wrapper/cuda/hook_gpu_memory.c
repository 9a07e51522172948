/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks that allocate and free: each allocation gets its line in the recording. */
#include "cuda_driver.h"
#include "gpu_session.h"
#include "session_memory.h"

static CUresult remember(CUresult rc, uint64_t address, uint64_t bytes, bool is_copied)
{
	struct session *s = rc == CUDA_SUCCESS ? session_begin(&gpu_part) : NULL;

	if (s && address && address <= UINT64_MAX - bytes)
		session_memory_add(s, address, bytes, 0, is_copied);
	return rc;
}

/* Called before freeing: once freed, another thread may get the address. */
static void forget(uint64_t address)
{
	struct session *s = session_current();

	if (s)
		session_memory_end(s, address);
}

static uint64_t host_address(void *const *address)
{
	return (uint64_t)(uintptr_t)*address;
}

CUresult hook_cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
	CUresult rc = cuda_real()->cuMemAlloc_v2(address, bytes);

	return rc ? rc : remember(rc, *address, bytes, true);
}

CUresult hook_cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                                 unsigned element_bytes)
{
	CUresult rc = cuda_real()->cuMemAllocPitch_v2(address, pitch, width, height, element_bytes);

	return rc ? rc : remember(rc, *address, (uint64_t)*pitch * height, true);
}

CUresult hook_cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
	CUresult rc = cuda_real()->cuMemAllocManaged(address, bytes, flags);

	return rc ? rc : remember(rc, *address, bytes, true);
}

CUresult hook_cuMemFree_v2(CUdeviceptr address)
{
	forget(address);
	return cuda_real()->cuMemFree_v2(address);
}

CUresult hook_cuMemAllocHost_v2(void **address, size_t bytes)
{
	CUresult rc = cuda_real()->cuMemAllocHost_v2(address, bytes);

	return rc ? rc : remember(rc, host_address(address), bytes, false);
}

CUresult hook_cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
	CUresult rc = cuda_real()->cuMemHostAlloc(address, bytes, flags);

	return rc ? rc : remember(rc, host_address(address), bytes, false);
}

CUresult hook_cuMemFreeHost(void *address)
{
	forget((uint64_t)(uintptr_t)address);
	return cuda_real()->cuMemFreeHost(address);
}

CUresult hook_cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
	CUresult rc = cuda_real()->cuMemAllocAsync(address, bytes, stream);

	return rc ? rc : remember(rc, *address, bytes, true);
}

CUresult hook_cuMemAllocAsync_ptsz(CUdeviceptr *address, size_t bytes, CUstream stream)
{
	return hook_cuMemAllocAsync(address, bytes, cuda_hook_per_thread(stream));
}

CUresult hook_cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                      CUstream stream)
{
	CUresult rc = cuda_real()->cuMemAllocFromPoolAsync(address, bytes, pool, stream);

	return rc ? rc : remember(rc, *address, bytes, true);
}

CUresult hook_cuMemAllocFromPoolAsync_ptsz(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                           CUstream stream)
{
	return hook_cuMemAllocFromPoolAsync(address, bytes, pool, cuda_hook_per_thread(stream));
}

/* The driver frees in stream order, but no launch called later may use the memory. */
CUresult hook_cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
	forget(address);
	return cuda_real()->cuMemFreeAsync(address, stream);
}

CUresult hook_cuMemFreeAsync_ptsz(CUdeviceptr address, CUstream stream)
{
	return hook_cuMemFreeAsync(address, cuda_hook_per_thread(stream));
}

/* A mapping is an allocation: the driver does not copy across mappings of a reserved range. */
CUresult hook_cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, uint64_t handle,
                       uint64_t flags)
{
	CUresult rc = cuda_real()->cuMemMap(address, bytes, offset, handle, flags);

	return rc ? rc : remember(rc, address, bytes, false);
}

CUresult hook_cuMemUnmap(CUdeviceptr address, size_t bytes)
{
	forget(address);
	return cuda_real()->cuMemUnmap(address, bytes);
}

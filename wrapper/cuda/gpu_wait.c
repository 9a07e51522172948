/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_wait.h"

#include "clock.h"
#include "cuda_hook.h"
#include "gpu_engine.h"
#include "gpu_session.h"
#include "session.h"

#include <time.h>

#define GPU_WAIT_NS UINT64_C(2000000000)

#define PAUSE_NS 200000

/* A stream was told to wait for something that the program itself may have to do. */
static void gpu_wait_note(void)
{
	struct session *s = session_current();

	if (s)
		atomic_store_explicit(&gpu_session(s)->has_host_work, true, memory_order_relaxed);
}

bool gpu_wait_is_safe(struct session *s, CUstream stream)
{
	const struct timespec pause = { 0, PAUSE_NS };
	uint64_t since = clock_now_ns();

	if (!atomic_load_explicit(&gpu_session(s)->has_host_work, memory_order_relaxed))
		return true;
	while (cuda_real()->cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) {
		if (clock_now_ns() - since > GPU_WAIT_NS)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* What lets streams wait for the program, and contexts that end. */

CUresult hook_cuLaunchHostFunc(CUstream stream, void *call, void *context)
{
	gpu_wait_note();
	return cuda_real()->cuLaunchHostFunc(stream, call, context);
}

CUresult hook_cuLaunchHostFunc_ptsz(CUstream stream, void *call, void *context)
{
	return hook_cuLaunchHostFunc(cuda_hook_per_thread(stream), call, context);
}

CUresult hook_cuStreamAddCallback(CUstream stream, void *call, void *context, unsigned flags)
{
	gpu_wait_note();
	return cuda_real()->cuStreamAddCallback(stream, call, context, flags);
}

CUresult hook_cuStreamAddCallback_ptsz(CUstream stream, void *call, void *context, unsigned flags)
{
	return hook_cuStreamAddCallback(cuda_hook_per_thread(stream), call, context, flags);
}

CUresult hook_cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                     unsigned flags)
{
	gpu_wait_note();
	return cuda_real()->cuStreamWaitValue32_v2(stream, address, value, flags);
}

CUresult hook_cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr address, uint32_t value,
                                          unsigned flags)
{
	return hook_cuStreamWaitValue32_v2(cuda_hook_per_thread(stream), address, value, flags);
}

CUresult hook_cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                     unsigned flags)
{
	gpu_wait_note();
	return cuda_real()->cuStreamWaitValue64_v2(stream, address, value, flags);
}

CUresult hook_cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr address, uint64_t value,
                                          unsigned flags)
{
	return hook_cuStreamWaitValue64_v2(cuda_hook_per_thread(stream), address, value, flags);
}

CUresult hook_cuStreamBatchMemOp_v2(CUstream stream, unsigned count, void *operations,
                                    unsigned flags)
{
	gpu_wait_note();
	return cuda_real()->cuStreamBatchMemOp_v2(stream, count, operations, flags);
}

CUresult hook_cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned count, void *operations,
                                         unsigned flags)
{
	return hook_cuStreamBatchMemOp_v2(cuda_hook_per_thread(stream), count, operations, flags);
}

CUresult hook_cuWaitExternalSemaphoresAsync(const void *semaphores, const void *values,
                                            unsigned count, CUstream stream)
{
	gpu_wait_note();
	return cuda_real()->cuWaitExternalSemaphoresAsync(semaphores, values, count, stream);
}

CUresult hook_cuWaitExternalSemaphoresAsync_ptsz(const void *semaphores, const void *values,
                                                 unsigned count, CUstream stream)
{
	return hook_cuWaitExternalSemaphoresAsync(semaphores, values, count,
	                                          cuda_hook_per_thread(stream));
}

CUresult hook_cuCtxDestroy_v2(CUcontext context)
{
	struct session *s = session_current();

	/* Before the driver frees it: the handle may come again. */
	if (s)
		gpu_engine_end(s, context);
	return cuda_real()->cuCtxDestroy_v2(context);
}

/* All buffers of a primary context go when its last holder leaves, or at a reset. There is no way
 * to ask for its handle without holding it, so those of all contexts of the device are given up. */
static void end_engines(CUdevice device)
{
	struct session *s = session_current();
	unsigned flags;
	int is_active = 0;

	if (!s || !cuda_real()->cuDevicePrimaryCtxGetState)
		return;
	if (cuda_real()->cuDevicePrimaryCtxGetState(device, &flags, &is_active) || is_active)
		return;
	gpu_engine_end_device(s, device);
}

CUresult hook_cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	CUresult rc = cuda_real()->cuDevicePrimaryCtxRelease_v2(device);

	end_engines(device);
	return rc;
}

CUresult hook_cuDevicePrimaryCtxReset_v2(CUdevice device)
{
	CUresult rc = cuda_real()->cuDevicePrimaryCtxReset_v2(device);

	end_engines(device);
	return rc;
}

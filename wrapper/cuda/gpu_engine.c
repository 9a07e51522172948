/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_engine.h"

#include "err.h"
#include "gpu_session.h"

#include <stdlib.h>

#define LEAST_BYTES (UINT64_C(4) << 10)

struct gpu_buffer *gpu_engine_take(struct session *s, CUcontext context)
{
	const struct cuda_real *real = cuda_real();
	struct gpu_buffer *buffer = NULL;
	struct gpu_engine *e;

	session_lock(s);
	e = handle_map_get(&gpu_session(s)->engines, context);
	if (e && e->idle) {
		buffer = e->idle;
		e->idle = buffer->next;
	}
	session_unlock(s);
	if (buffer)
		return buffer;
	buffer = calloc(1, sizeof(*buffer));
	if (!buffer || real->cuEventCreate(&buffer->begin, 0) != CUDA_SUCCESS)
		return buffer;
	if (real->cuEventCreate(&buffer->end, 0) != CUDA_SUCCESS) {
		(void)real->cuEventDestroy_v2(buffer->begin);
		buffer->begin = NULL;
	}
	return buffer;
}

static void free_real(struct gpu_buffer *buffer)
{
	const struct cuda_real *real = cuda_real();

	if (buffer->memory)
		(void)real->cuMemFree_v2(buffer->memory);
	if (buffer->begin) {
		(void)real->cuEventDestroy_v2(buffer->begin);
		(void)real->cuEventDestroy_v2(buffer->end);
	}
	free(buffer);
}

/* Returns the context's engine, created if needed. Called with the lock held. */
static struct gpu_engine *engine_of(struct session *s, CUcontext context, CUdevice device)
{
	struct gpu_engine *e = handle_map_get(&gpu_session(s)->engines, context);

	if (e)
		return e;
	e = calloc(1, sizeof(*e));
	if (e)
		e->device = device;
	if (e && handle_map_put(&gpu_session(s)->engines, context, e, NULL, NULL) < 0) {
		free(e);
		return NULL;
	}
	return e;
}

void gpu_engine_give(struct session *s, CUcontext context, CUdevice device,
                     struct gpu_buffer *buffer)
{
	struct gpu_engine *e;

	if (!buffer)
		return;
	session_lock(s);
	e = engine_of(s, context, device);
	if (e) {
		buffer->next = e->idle;
		e->idle = buffer;
	}
	session_unlock(s);
	if (!e)
		free_real(buffer);
}

void gpu_engine_free(void *engine)
{
	struct gpu_engine *e = engine;
	struct gpu_buffer *next;

	for (struct gpu_buffer *b = e->idle; b; b = next) {
		next = b->next;
		free(b);
	}
	free(e);
}

void gpu_engine_end(struct session *s, CUcontext context)
{
	struct gpu_engine *e;

	session_lock(s);
	e = handle_map_remove(&gpu_session(s)->engines, context);
	session_unlock(s);
	if (e)
		gpu_engine_free(e);
}

/* Remove any engine of the device from the map. NULL: the device has none. */
static struct gpu_engine *take_any(struct session *s, CUdevice device)
{
	struct gpu_engine *found = NULL;

	session_lock(s);
	for (size_t i = 0; i < gpu_session(s)->engines.capacity && !found; i++) {
		struct gpu_engine *e = gpu_session(s)->engines.slots[i].key
		                               ? gpu_session(s)->engines.slots[i].value
		                               : NULL;

		if (e && e->device == device)
			found = handle_map_remove(&gpu_session(s)->engines,
			                          gpu_session(s)->engines.slots[i].key);
	}
	session_unlock(s);
	return found;
}

void gpu_engine_end_device(struct session *s, CUdevice device)
{
	struct gpu_engine *e;

	while ((e = take_any(s, device)))
		gpu_engine_free(e);
}

int gpu_buffer_reserve(struct gpu_buffer *buffer, uint64_t bytes, struct err *err)
{
	const struct cuda_real *real = cuda_real();
	CUresult rc = CUDA_ERROR_OUT_OF_MEMORY;

	for (; bytes >= LEAST_BYTES && bytes > buffer->bytes; bytes /= 2) {
		CUdeviceptr memory = 0;

		rc = real->cuMemAlloc_v2(&memory, bytes);
		if (rc != CUDA_SUCCESS)
			continue;
		if (buffer->memory)
			(void)real->cuMemFree_v2(buffer->memory);
		buffer->memory = memory;
		buffer->bytes = bytes;
	}
	if (buffer->memory)
		return 0;
	return err_set(err, ERR_DEVICE, "no device memory for records: %d", rc);
}

/* The hooks of calls that end contexts. */

CUresult hook_cuCtxDestroy_v2(CUcontext context)
{
	struct session *s = session_current();

	/* Before the driver frees it: the handle may be reused. */
	if (s)
		gpu_engine_end(s, context);
	return cuda_real()->cuCtxDestroy_v2(context);
}

/* The buffers of a primary context disappear when its last holder releases it, or at a reset.
 * Querying its handle would retain it, so the engines of all contexts of the device end.
 */
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

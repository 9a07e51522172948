/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and contexts of the driver API. */
#include "cuda_core.h"
#include "cuda_device.h"
#include "cuda_error.h"
#include "cudadrv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API_VERSION  3020
#define UUID_BYTES   16
#define CONTEXT_MARK 0x77617270u

/* A context handle; the primary one is static. */
struct cuda_context {
	unsigned mark, flags;
	uint64_t id;
};

static struct cuda_context *primary(void)
{
	static struct cuda_context context = { CONTEXT_MARK, 0, 1 };

	return &context;
}

int cuda_driver_code(int code)
{
	if (!code)
		code = cuda_stream_broken();
	switch (code) {
	case cudaErrorInvalidDeviceFunction:
		return cudaErrorInvalidResourceHandle;
	case cudaErrorInvalidSymbol:
		return cudaErrorSymbolNotFound;
	default:
		return cuda_error_driver_name(code) ? code : (int)cudaErrorInvalidValue;
	}
}

int cuda_driver_Init(unsigned flags)
{
	return flags ? (int)cudaErrorInvalidValue : cuda_core()->status;
}

int cuda_driver_GetErrorString(int error, const char **text)
{
	if (!text)
		return cudaErrorInvalidValue;
	*text = cuda_error_driver_name(error) ? cuda_error_text(error) : NULL;
	return *text ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cuda_driver_GetErrorName(int error, const char **name)
{
	if (!name)
		return cudaErrorInvalidValue;
	*name = cuda_error_driver_name(error);
	return *name ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cuda_driver_ProfilerInitialize(const char *file)
{
	return cuda_core()->status;
}

int cuda_driver_DeviceGet(int *device, int ordinal)
{
	int rc = cuda_device_check(ordinal);

	if (rc == cudaSuccess && device)
		*device = ordinal;
	return rc;
}

int cuda_driver_DeviceGetName(char *name, int length, int device)
{
	const struct cuda_gpu *g = &cuda_core()->gpu;
	int rc = cuda_device_check(device);

	if (rc || !name || length < 1)
		return rc ? rc : (int)cudaErrorInvalidValue;
	snprintf(name, (size_t)length, "%.*s", g->name_length, g->gpu.title);
	return cudaSuccess;
}

int cuda_driver_DeviceGetUuid(void *uuid, int device)
{
	char text[UUID_BYTES] = "warpline";
	int rc = cuda_device_check(device);

	if (rc == cudaSuccess && uuid)
		memcpy(uuid, text, sizeof(text));
	return rc;
}

int cuda_driver_DeviceTotalMem(size_t *bytes, int device)
{
	size_t free_bytes;
	int rc = cuda_device_check(device);

	if (rc || !bytes)
		return rc ? rc : (int)cudaErrorInvalidValue;
	return cuda_device_memory(&free_bytes, bytes);
}

int cuda_driver_DeviceComputeCapability(int *major, int *minor, int device)
{
	int rc = cuda_device_check(device);

	if (rc || !major || !minor)
		return rc ? rc : (int)cudaErrorInvalidValue;
	*major = cuda_core()->gpu.major;
	*minor = cuda_core()->gpu.minor;
	return cudaSuccess;
}

int cuda_driver_DevicePrimaryCtxRetain(struct cuda_context **context, int device)
{
	int rc = cuda_device_check(device);

	if (rc == cudaSuccess && context)
		*context = primary();
	return rc;
}

int cuda_driver_DevicePrimaryCtxRelease(int device)
{
	return cuda_device_check(device);
}

int cuda_driver_DevicePrimaryCtxReset(int device)
{
	int rc = cuda_device_check(device);

	return rc ? rc : cuda_device_reset();
}

int cuda_driver_DevicePrimaryCtxGetState(int device, unsigned *flags, int *is_active)
{
	int rc = cuda_device_check(device);

	if (rc == cudaSuccess && flags)
		*flags = 0;
	if (rc == cudaSuccess && is_active)
		*is_active = 1;
	return rc;
}

int cuda_driver_DevicePrimaryCtxSetFlags(int device, unsigned flags)
{
	return cuda_device_check(device);
}

int cuda_driver_CtxPushCurrent(struct cuda_context *context)
{
	struct cuda_thread *t = cuda_thread();

	if (!context || context->mark != CONTEXT_MARK)
		return cudaErrorDeviceUninitialized;
	if (t->context_count == CUDA_THREAD_LEVELS)
		return cudaErrorMemoryAllocation;
	t->contexts[t->context_count++] = context;
	return cudaSuccess;
}

int cuda_driver_CtxCreate(struct cuda_context **context, unsigned flags, int device)
{
	struct cuda_context *made;
	int rc = cuda_device_check(device);

	if (rc || !context)
		return rc ? rc : (int)cudaErrorInvalidValue;
	made = malloc(sizeof(*made));
	if (!made)
		return cudaErrorMemoryAllocation;
	*made = (struct cuda_context){ CONTEXT_MARK, flags, cuda_core_next_id() };
	*context = made;
	return cuda_driver_CtxPushCurrent(made);
}

int cuda_driver_CtxCreate_v3(struct cuda_context **context, void *params, int count, unsigned flags,
                             int device)
{
	return cuda_driver_CtxCreate(context, flags, device);
}

int cuda_driver_CtxCreate_v4(struct cuda_context **context, void *params, unsigned flags,
                             int device)
{
	return cuda_driver_CtxCreate(context, flags, device);
}

/* Also removes it from this thread's stack of contexts. */
int cuda_driver_CtxDestroy(struct cuda_context *context)
{
	struct cuda_thread *t = cuda_thread();
	size_t kept = 0;
	int rc;

	if (!context || context->mark != CONTEXT_MARK)
		return cudaErrorDeviceUninitialized;
	rc = cuda_stream_wait_all();
	for (size_t i = 0; i < t->context_count; i++)
		if (t->contexts[i] != context)
			t->contexts[kept++] = t->contexts[i];
	t->context_count = kept;
	if (context != primary()) {
		context->mark = 0;
		free(context);
	}
	return rc;
}

int cuda_driver_CtxPopCurrent(struct cuda_context **context)
{
	struct cuda_thread *t = cuda_thread();

	if (!t->context_count)
		return cudaErrorDeviceUninitialized;
	t->context_count--;
	if (context)
		*context = t->contexts[t->context_count];
	return cudaSuccess;
}

int cuda_driver_CtxSetCurrent(struct cuda_context *context)
{
	struct cuda_thread *t = cuda_thread();

	if (t->context_count)
		t->context_count--;
	return context ? cuda_driver_CtxPushCurrent(context) : (int)cudaSuccess;
}

int cuda_driver_CtxGetCurrent(struct cuda_context **context)
{
	const struct cuda_thread *t = cuda_thread();

	if (!context)
		return cudaErrorInvalidValue;
	*context = t->context_count ? t->contexts[t->context_count - 1] : NULL;
	return cudaSuccess;
}

int cuda_driver_CtxGetApiVersion(struct cuda_context *context, unsigned *version)
{
	if (!version)
		return cudaErrorInvalidValue;
	*version = API_VERSION;
	return cudaSuccess;
}

int cuda_driver_CtxGetId(struct cuda_context *context, unsigned long long *id)
{
	if (!id)
		return cudaErrorInvalidValue;
	*id = context && context->mark == CONTEXT_MARK ? context->id : primary()->id;
	return cudaSuccess;
}

int cuda_driver_StreamGetCtx(struct cuda_stream *stream, struct cuda_context **context)
{
	const struct cuda_thread *t = cuda_thread();
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc == cudaSuccess && context)
		*context = t->context_count ? t->contexts[t->context_count - 1] : primary();
	return rc;
}

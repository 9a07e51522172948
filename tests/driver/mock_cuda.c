/* SPDX-License-Identifier: Apache-2.0 */
/* Failures on request, the table, and what has nothing to do with streams. */
#include "mock_cuda_private.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A lock that ThreadSanitizer does not take for the recorder's. */
static atomic_flag lock = ATOMIC_FLAG_INIT;

#define MOST_THINGS 256

static size_t calls, fail_at = SIZE_MAX;
static const char *failed;
static int alive, captured;

static void hold(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		continue;
}

void mock_cuda_leave(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

bool mock_cuda_enter(const char *name)
{
	hold();
	if (calls++ != fail_at)
		return true;
	failed = name;
	mock_cuda_leave();
	return false;
}

void mock_cuda_fail(size_t number)
{
	hold();
	calls = 0;
	fail_at = number;
	failed = NULL;
	mock_cuda_leave();
}

size_t mock_cuda_calls(void)
{
	return calls;
}

const char *mock_cuda_failed(void)
{
	return failed;
}

/* What is alive; a context that ends takes it along. */
static void *things[MOST_THINGS];

void *mock_cuda_make(size_t bytes)
{
	for (size_t i = 0; i < MOST_THINGS; i++)
		if (!things[i]) {
			alive++;
			return things[i] = calloc(1, bytes);
		}
	abort();
}

void mock_cuda_free(void *thing)
{
	for (size_t i = 0; i < MOST_THINGS; i++)
		if (things[i] == thing) {
			free(thing);
			things[i] = NULL;
			alive--;
			return;
		}
	abort(); /* there is no such thing: freed twice */
}

int mock_cuda_alive(void)
{
	return alive;
}

void mock_cuda_capture(bool is_captured)
{
	captured = is_captured;
}

const struct cuda_real *mock_cuda(void)
{
	static const struct cuda_real table = {
#define CUDA_CALL(name, params) .name = (name),
#include "cuda_api.def"
	};

	return &table;
}

CUresult cuDriverGetVersion(int *version)
{
	ENTER;
	*version = 12040;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	ENTER;
	*context = (CUcontext)(void *)&calls;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	ENTER;
	*device = 0;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
	ENTER;
	for (size_t i = 0; i < MOST_THINGS; i++)
		if (things[i])
			mock_cuda_free(things[i]);
	LEAVE(context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	ENTER;
	LEAVE(device ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
	ENTER;
	LEAVE(device ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *is_active)
{
	ENTER;
	*flags = 0;
	*is_active = 1;
	LEAVE(device ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
	ENTER;
	snprintf(name, (size_t)bytes, "Mock GPU %d", device);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
	ENTER;
	*value = attribute == CUDA_DEVICE_CAPABILITY_MAJOR ? 9 : 0;
	LEAVE(device ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
	ENTER;
	*status = captured;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
	static _Thread_local int current;
	int before;

	ENTER;
	before = current;
	current = *mode;
	*mode = before;
	LEAVE(CUDA_SUCCESS);
}

/* What cuGetProcAddress() gives; of those with a form for per-thread streams that comes last. */
/* NOLINTNEXTLINE(readability-function-cognitive-complexity): a row for each function */
static void *find(const char *symbol, int version, uint64_t flags)
{
	bool wants_per_thread = flags & CUDA_PROC_ADDRESS_PER_THREAD;
	void *found = NULL;

#define TAKE(name, params, condition)                                                              \
	if (condition) {                                                                           \
		CUresult(*call) params = (name);                                                   \
                                                                                                   \
		memcpy(&found, &call, sizeof(found));                                              \
	}
#define CUDA_HOOK(name, asked, is_per_thread, since, until, params, args)                          \
	TAKE(name, params,                                                                         \
	     !strcmp(asked, symbol) && version >= (since) && version < (until) &&                  \
	             (!(is_per_thread) || wants_per_thread))
#define CUDA_CALL(name, params) TAKE(name, params, !strcmp(#name, symbol))
#include "cuda_api.def"
	return found;
}

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                             int *status)
{
	ENTER;
	*function = find(symbol, version, flags);
	if (status)
		*status = !*function;
	LEAVE(*function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags)
{
	return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

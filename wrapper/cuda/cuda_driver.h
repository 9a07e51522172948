/*
 * cuda_driver - the part of the CUDA driver API that the recorder needs, and the driver's own
 * functions.
 *
 * Declared here so that the CUDA toolkit is not needed. Names and numbers are those of cuda.h;
 * NVIDIA's "CUDA Driver API" documents them. Handles are opaque.
 */
#ifndef CUDA_DRIVER_H
#define CUDA_DRIVER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUmemPoolHandle_st *CUmemoryPool;

enum cuda_code {
	CUDA_SUCCESS = 0,
	CUDA_ERROR_INVALID_VALUE = 1,
	CUDA_ERROR_OUT_OF_MEMORY = 2,
	CUDA_ERROR_NOT_FOUND = 500,
	CUDA_ERROR_NOT_READY = 600,
	CUDA_ERROR_UNKNOWN = 999,
};

/* Stands for the calling thread's default stream. NULL is the default stream of all threads. */
#define CUDA_STREAM_PER_THREAD ((CUstream)(uintptr_t)2)

/* cuGetProcAddress(): the flag that requests functions for per-thread default streams. */
#define CUDA_PROC_ADDRESS_PER_THREAD UINT64_C(2)

/* Names in `extra` of a launch, each followed by its value; the last name is END. */
#define CUDA_PARAM_END            ((void *)0)
#define CUDA_PARAM_BUFFER_POINTER ((void *)1)
#define CUDA_PARAM_BUFFER_SIZE    ((void *)2)

enum cuda_device_attribute {
	CUDA_DEVICE_MULTIPROCESSORS = 16,
	CUDA_DEVICE_CAPABILITY_MAJOR = 75,
	CUDA_DEVICE_CAPABILITY_MINOR = 76,
};

enum cuda_function_attribute {
	CUDA_FUNCTION_MAX_ITEMS = 0, /* of a group */
	CUDA_FUNCTION_STATIC_SHARED = 1,
	CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8, /* can be set */
	CUDA_FUNCTION_CARVEOUT = 9,           /* can be set */
};

#define CUDA_CAPTURE_RELAXED 2 /* of cuThreadExchangeStreamCaptureMode() */
#define CUDA_JIT_INPUT_PTX   1 /* of cuLinkAddData() */

struct cuda_launch_attribute {
	int id;
	char padding[4];
	union {
		char bytes[64];
		int number;
		unsigned extent[3];
		uint64_t alignment;
	} value;
};

/* CUlaunchConfig: groups, work-items of a group. */
struct cuda_launch_config {
	unsigned groups[3], items[3];
	unsigned shared_bytes;
	CUstream stream;
	struct cuda_launch_attribute *attributes;
	unsigned attribute_count;
};

/* The driver's own functions; NULL where it has none. */
struct cuda_real {
#define CUDA_CALL(name, params) CUresult(*name) params;
#include "cuda_api.def"
};

/* Returns the driver of this process, which the first call finds. Never NULL. */
const struct cuda_real *cuda_real(void);

/* For tests: use another driver; NULL: the process's own again. */
void cuda_real_set(const struct cuda_real *real);

/* The C library's dlsym(). */
void *cuda_real_dlsym(void *handle, const char *name);

/*
 * cuda_hook - the recorder's functions that replace the driver's.
 *
 * Each returns what the driver would. Without a session it only forwards the call.
 */

#define CUDA_HOOK(name, asked, is_per_thread, since, until, params, args)                          \
	CUresult hook_##name params;

#include "cuda_api.def"
/* Returns the hook that replaces symbol `name` of the driver's library, or NULL if there is none.
 */
void *cuda_hook_of_symbol(const char *name);

/* Returns the hook that cuGetProcAddress() has to return for these arguments, or NULL. */
void *cuda_hook_asked(const char *name, int version, uint64_t flags);

/* Returns the stream that a function whose name ends in _ptsz uses: NULL means the per-thread one.
 */
static inline CUstream cuda_hook_per_thread(CUstream stream)
{
	return stream ? stream : CUDA_STREAM_PER_THREAD;
}

#endif

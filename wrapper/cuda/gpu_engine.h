/*
 * gpu_engine - the device buffers for records, of one context: each for one launch at a time.
 */
#ifndef GPU_ENGINE_H
#define GPU_ENGINE_H

#include "cuda_driver.h"

struct err;
struct session;

struct gpu_buffer {
	struct gpu_buffer *next;
	CUdeviceptr memory; /* 0: none yet */
	uint64_t bytes;
	CUevent begin, end; /* of a slice's kernel; NULL: times are not known */
};

struct gpu_engine {
	CUdevice device;
	struct gpu_buffer *idle;
};

/* Take a buffer of the current context, perhaps without memory yet. NULL: out of memory. */
struct gpu_buffer *gpu_engine_take(struct session *s, CUcontext context);

/* Give it back to a context of the device. NULL is allowed. */
void gpu_engine_give(struct session *s, CUcontext context, CUdevice device,
                     struct gpu_buffer *buffer);

/* The context ends: the driver frees what is in it. */
void gpu_engine_end(struct session *s, CUcontext context);

/* The same for all contexts of the device, or one whose handle is not known. */
void gpu_engine_end_device(struct session *s, CUdevice device);

/* Free an engine, without calls of the driver. */
void gpu_engine_free(void *engine);

/*
 * Make it at least `bytes` large if possible. It may come out smaller, but never smaller than it
 * was, and loses its contents. Nothing on the device may be using it. Returns 0, or ERR_DEVICE when
 * it has no memory at all.
 */
int gpu_buffer_reserve(struct gpu_buffer *buffer, uint64_t bytes, struct err *err);

#endif

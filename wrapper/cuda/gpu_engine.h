/*
 * gpu_engine - a context's device buffers for records. Each serves one launch at a time.
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

/* Take a buffer of the current context, which may have no memory yet. NULL: out of memory. */
struct gpu_buffer *gpu_engine_take(struct session *s, CUcontext context);

/* Return a buffer to a context of the device. NULL is allowed. */
void gpu_engine_give(struct session *s, CUcontext context, CUdevice device,
                     struct gpu_buffer *buffer);

/* The context is being destroyed: forget its buffers, which the driver frees. */
void gpu_engine_end(struct session *s, CUcontext context);

/* Forget the buffers of all contexts of the device: for a context whose handle is not known. */
void gpu_engine_end_device(struct session *s, CUdevice device);

/* Free an engine without calling the driver. */
void gpu_engine_free(void *engine);

/*
 * Make the buffer at least `bytes` large if possible. It may remain smaller, but never shrinks; its
 * contents are lost. Nothing on the device may be using it. Returns 0, or ERR_DEVICE when it has no
 * memory at all.
 */
int gpu_buffer_reserve(struct gpu_buffer *buffer, uint64_t bytes, struct err *err);

#endif

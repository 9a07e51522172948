/*
 * cudadrv - the functions that only CUDA's driver API has. Its other entry points call those of the
 * runtime API (cuda_driver_api.def). Semantics are those of NVIDIA's manual.
 *
 * Contexts are handles of the one device and isolate nothing. No call fails for lack of cuInit() or
 * of a current context.
 */
#ifndef CUDADRV_H
#define CUDADRV_H

#include "cudart.h"
#include "cudart_types.h"

#include <stddef.h>

struct cuda_context;
struct cuda_stream;

/*
 * cudadrv_types - types of CUDA's driver API that are passed by address, with our names.
 */

/* CUDA_MEMCPY2D, CUDA_MEMCPY3D. */
struct cuda_driver_side_2d {
	size_t x, y;
	int type; /* 1 host, 2 device, 3 array, 4 either */
	void *host, *device, *array;
	size_t pitch;
};

struct cuda_driver_copy_2d {
	struct cuda_driver_side_2d from, to;
	size_t width, height;
};

struct cuda_driver_side_3d {
	size_t x, y, z, level;
	int type;
	void *host, *device, *array, *reserved;
	size_t pitch, height;
};

struct cuda_driver_copy_3d {
	struct cuda_driver_side_3d from, to;
	size_t width, height, depth;
};

/* CUlaunchConfig. */
struct cuda_driver_launch {
	unsigned grid[3], group[3], shared_bytes;
	struct cuda_stream *stream;
	const struct cudart_launch_attribute *attributes;
	unsigned attribute_count;
};

/* Returns the code that an entry point returns: the driver's code for a runtime's one, or the error
 * that broke the device. */
int cuda_driver_code(int code);

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
int cuda_driver_Init(unsigned flags);
int cuda_driver_GetErrorString(int error, const char **text);
int cuda_driver_GetErrorName(int error, const char **name);
int cuda_driver_ProfilerInitialize(const char *file);
int cuda_driver_DeviceGet(int *device, int ordinal);
int cuda_driver_DeviceGetName(char *name, int length, int device);
int cuda_driver_DeviceGetUuid(void *uuid, int device);
int cuda_driver_DeviceTotalMem(size_t *bytes, int device);
int cuda_driver_DeviceComputeCapability(int *major, int *minor, int device);
int cuda_driver_DevicePrimaryCtxRetain(struct cuda_context **context, int device);
int cuda_driver_DevicePrimaryCtxRelease(int device);
int cuda_driver_DevicePrimaryCtxReset(int device);
int cuda_driver_DevicePrimaryCtxGetState(int device, unsigned *flags, int *is_active);
int cuda_driver_DevicePrimaryCtxSetFlags(int device, unsigned flags);
int cuda_driver_CtxCreate(struct cuda_context **context, unsigned flags, int device);
int cuda_driver_CtxCreate_v3(struct cuda_context **context, void *params, int count, unsigned flags,
                             int device);
int cuda_driver_CtxCreate_v4(struct cuda_context **context, void *params, unsigned flags,
                             int device);
int cuda_driver_CtxDestroy(struct cuda_context *context);
int cuda_driver_CtxPushCurrent(struct cuda_context *context);
int cuda_driver_CtxPopCurrent(struct cuda_context **context);
int cuda_driver_CtxSetCurrent(struct cuda_context *context);
int cuda_driver_CtxGetCurrent(struct cuda_context **context);
int cuda_driver_CtxGetApiVersion(struct cuda_context *context, unsigned *version);
int cuda_driver_CtxGetId(struct cuda_context *context, unsigned long long *id);
int cuda_driver_StreamGetCtx(struct cuda_stream *stream, struct cuda_context **context);
int cuda_driver_ModuleLoad(struct cuda_module **module, const char *path);
int cuda_driver_ModuleLoadData(struct cuda_module **module, const void *image);
int cuda_driver_ModuleLoadDataEx(struct cuda_module **module, const void *image, unsigned count,
                                 const int *options, void *const *values);
int cuda_driver_ModuleGetFunction(struct cuda_function **f, struct cuda_module *m,
                                  const char *name);
int cuda_driver_ModuleGetLoadingMode(int *mode);
int cuda_driver_LibraryGetModule(struct cuda_module **module, struct cuda_module *library);
int cuda_driver_KernelGetFunction(struct cuda_function **f, struct cuda_function *kernel);
int cuda_driver_KernelSetAttribute(int attribute, int value, struct cuda_function *f);
int cuda_driver_FuncGetAttribute(int *value, int attribute, struct cuda_function *f);
int cuda_driver_FuncGetModule(struct cuda_module **module, struct cuda_function *f);
int cuda_driver_FuncLoad(struct cuda_function *f);
int cuda_driver_FuncIsLoaded(int *state, struct cuda_function *f);
int cuda_driver_LaunchKernel(struct cuda_function *f, unsigned grid_x, unsigned grid_y,
                             unsigned grid_z, unsigned group_x, unsigned group_y, unsigned group_z,
                             unsigned shared_bytes, struct cuda_stream *stream, void **params,
                             void **extra);
int cuda_driver_LaunchCooperativeKernel(struct cuda_function *f, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, unsigned group_x, unsigned group_y,
                                        unsigned group_z, unsigned shared_bytes,
                                        struct cuda_stream *stream, void **params);
int cuda_driver_LaunchKernelEx(const struct cuda_driver_launch *config, struct cuda_function *f,
                               void **params, void **extra);
int cuda_driver_OccupancyMaxPotentialBlockSize(int *grid, int *group, struct cuda_function *f,
                                               size_t (*shared_of)(int), size_t shared_bytes,
                                               int limit);
int cuda_driver_MemAlloc(void **memory, size_t bytes);
int cuda_driver_MemAllocPitch(void **memory, size_t *pitch, size_t width, size_t height,
                              unsigned element_bytes);
int cuda_driver_MemGetAddressRange(void **base, size_t *bytes, void *memory);
int cuda_driver_PointerGetAttribute(void *data, int attribute, const void *pointer);
int cuda_driver_PointerGetAttributes(unsigned count, const int *attributes, void **data,
                                     const void *pointer);
int cuda_driver_Memcpy(void *to, const void *from, size_t bytes, struct cuda_stream *which);
int cuda_driver_MemcpyAsync(void *to, const void *from, size_t bytes, struct cuda_stream *stream);
int cuda_driver_MemcpyPeer(void *to, void *to_context, const void *from, void *from_context,
                           size_t bytes, struct cuda_stream *which);
int cuda_driver_MemcpyPeerAsync(void *to, void *to_context, const void *from, void *from_context,
                                size_t bytes, struct cuda_stream *stream);
#define CUDA_DRIVER_COPY(way)                                                                      \
	int cuda_driver_Memcpy##way(void *to, const void *from, size_t bytes,                      \
	                            struct cuda_stream *which);                                    \
	int cuda_driver_Memcpy##way##Async(void *to, const void *from, size_t bytes,               \
	                                   struct cuda_stream *stream);
CUDA_DRIVER_COPY(HtoD)
CUDA_DRIVER_COPY(DtoH)
CUDA_DRIVER_COPY(DtoD)
int cuda_driver_Memcpy2D(const struct cuda_driver_copy_2d *from, struct cuda_stream *which);
int cuda_driver_Memcpy2DAsync(const struct cuda_driver_copy_2d *from, struct cuda_stream *stream);
int cuda_driver_Memcpy3D(const struct cuda_driver_copy_3d *from, struct cuda_stream *which);
int cuda_driver_Memcpy3DAsync(const struct cuda_driver_copy_3d *from, struct cuda_stream *stream);
#define CUDA_DRIVER_FILL(bits, type)                                                               \
	int cuda_driver_MemsetD##bits(void *to, type value, size_t n, struct cuda_stream *which);  \
	int cuda_driver_MemsetD##bits##Async(void *to, type value, size_t n,                       \
	                                     struct cuda_stream *stream);                          \
	int cuda_driver_MemsetD2D##bits(void *to, size_t pitch, type value, size_t width,          \
	                                size_t height, struct cuda_stream *which);                 \
	int cuda_driver_MemsetD2D##bits##Async(void *to, size_t pitch, type value, size_t width,   \
	                                       size_t height, struct cuda_stream *stream);
CUDA_DRIVER_FILL(8, unsigned char)
CUDA_DRIVER_FILL(16, unsigned short)
CUDA_DRIVER_FILL(32, unsigned)
/* NOLINTEND(readability-function-size) */

#endif

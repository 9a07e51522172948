/*
 * cuda_device - what the CUDA libraries report about the device: limits, settings, attributes and
 * properties.
 */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

#include "gpu.h"

#include <stddef.h>

struct cuda_gpu;

/*
 * cuda_gpu - the GPU that CUDA programs see.
 *
 * It has the GPU's description (gpus/NAME.conf; WARPLINE_CUDA_GPU names another than the default of
 * gpu_search.h) and the further properties that CUDA reports. Programs choose their launch
 * configurations by it; it does not affect their results.
 */

/* Properties of all GPUs of compute capability 3.0 and later. */
enum {
	CUDA_GROUP_ITEMS = 1024, /* maximum of a group, and of its x and y */
	CUDA_GROUP_ITEMS_Z = 64,
	CUDA_GRID_X = 2147483647,
	CUDA_GRID_YZ = 65535,
	CUDA_GROUP_SHARED_BYTES = 48 << 10, /* unless the kernel requests more */
	CUDA_CONSTANT_BYTES = 64 << 10,
};

struct cuda_gpu {
	struct gpu gpu; /* local_bytes: maximum of an SM */
	int major, minor;
	int clock_khz, memory_khz, bus_bits, double_ratio;
	size_t memory_bytes;
	size_t sm_shared_bytes, group_shared_bytes; /* the latter: if a kernel requests more */
	size_t l2_bytes;
	int name_length; /* of gpu.title, without the part in brackets */
};

/*
 * Read the description `name` (NULL: the default) from the folders of WARPLINE_GPUS and those
 * beside the library. Returns 0, or what gpu_search_load() does.
 */
int cuda_gpu_init(struct cuda_gpu *g, const char *name, struct err *err);

/* Returns the number of groups of `items` work-items and `shared_bytes` that an SM holds at once,
 * which may be 0. */
int cuda_gpu_groups(const struct cuda_gpu *g, size_t items, size_t shared_bytes);

/*
 * cuda_properties - cudaDeviceProp of CUDA 11, 12 and 13, filled for the GPU that programs see.
 */

#define CUDA_PROPERTY(type, name, count) type name[count];

struct cuda_properties_11 {
#define PROPERTY     CUDA_PROPERTY
#define PROPERTY_OLD CUDA_PROPERTY
#include "cuda_properties.def"
};

struct cuda_properties_12 {
#define PROPERTY     CUDA_PROPERTY
#define PROPERTY_OLD CUDA_PROPERTY
#define PROPERTY_NEW CUDA_PROPERTY
#define PROPERTY_12  CUDA_PROPERTY
#include "cuda_properties.def"
};

struct cuda_properties_13 {
#define PROPERTY     CUDA_PROPERTY
#define PROPERTY_NEW CUDA_PROPERTY
#define PROPERTY_13  CUDA_PROPERTY
#include "cuda_properties.def"
};

/* Fill the structure of a program of that major version. */
void cuda_properties_fill(const struct cuda_gpu *g, int major, void *out);

/* Get an attribute of the GPU that programs see by its number, which is the same in both APIs.
 * Fails with cudaErrorInvalidValue when no attribute has this number. */
int cuda_device_attribute(const struct cuda_gpu *g, int attribute, int *value);

/* Returns 0 for device 0, or why it cannot be used; cudaErrorInvalidDevice for any other number. */
int cuda_device_check(int device);

/* Get or set a limit (stack, printf buffer, heap...) by its number. Fail with
 * cudaErrorUnsupportedLimit. Limits that are set are remembered and have no effect. */
int cuda_device_get_limit(int limit, size_t *value);
int cuda_device_set_limit(int limit, size_t value);

/* Get the free and total bytes of memory. */
int cuda_device_memory(size_t *free_bytes, size_t *total_bytes);

/* Wait for all work and reset the device to its initial state. */
int cuda_device_reset(void);

#endif

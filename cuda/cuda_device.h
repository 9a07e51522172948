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
 * Its description (gpus/NAME.conf; WARPLINE_CUDA_GPU names another than the default of
 * gpu_search.h) and what CUDA asks besides. Programs shape their launches by it; what they compute
 * does not come from it.
 */

/* Of any GPU of compute capability 3.0 and later. */
enum {
	CUDA_GROUP_ITEMS = 1024, /* work-items of a group at most; of x, of y */
	CUDA_GROUP_ITEMS_Z = 64,
	CUDA_GRID_X = 2147483647,
	CUDA_GRID_YZ = 65535,
	CUDA_GROUP_SHARED_BYTES = 48 << 10, /* unless the kernel asks for more */
	CUDA_CONSTANT_BYTES = 64 << 10,
};

struct cuda_gpu {
	struct gpu gpu; /* local_bytes: as much as an SM can have */
	int major, minor;
	int clock_khz, memory_khz, bus_bits, double_ratio;
	size_t memory_bytes;
	size_t sm_shared_bytes, group_shared_bytes; /* the latter: when a kernel asks for more */
	size_t l2_bytes;
	int name_length; /* of gpu.title without what stands in brackets */
};

/*
 * Read the description `name` (NULL: the default) from the folders of WARPLINE_GPUS and those
 * beside the library. Returns 0, or what gpu_search_load() does.
 */
int cuda_gpu_init(struct cuda_gpu *g, const char *name, struct err *err);

/* How many groups of `items` work-items and `shared_bytes` an SM holds at once; 0: not even one. */
int cuda_gpu_groups(const struct cuda_gpu *g, size_t items, size_t shared_bytes);

/*
 * cuda_properties - cudaDeviceProp of CUDA 11, 12 and 13, filled for the GPU that programs are told
 * of.
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

/* Fill what a program of that major version gives room for. */
void cuda_properties_fill(const struct cuda_gpu *g, int major, void *out);

/* An attribute by the interface's number (both interfaces use the same), of the GPU that programs
 * are told of. cudaErrorInvalidValue: no attribute has this number. */
int cuda_device_attribute(const struct cuda_gpu *g, int attribute, int *value);

/* 0 for the only device; else why it cannot be used, or cudaErrorInvalidDevice. */
int cuda_device_check(int device);

/* A limit (stack, printf's buffer, heap...) by the interface's number. cudaErrorUnsupportedLimit.
 * Those that are set are remembered and have no effect. */
int cuda_device_get_limit(int limit, size_t *value);
int cuda_device_set_limit(int limit, size_t value);

/* Free and total bytes. */
int cuda_device_memory(size_t *free_bytes, size_t *total_bytes);

/* Wait for everything, and put the device back into its initial state. */
int cuda_device_reset(void);

#endif

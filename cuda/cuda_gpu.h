/*
 * cuda_gpu - the GPU that CUDA programs are told they run on.
 *
 * Its description (gpus/NAME.conf; WARPLINE_CUDA_GPU names another than the default of
 * gpu_search.h) and what CUDA asks besides. Programs shape their launches by it; what they compute
 * does not come from it.
 */
#ifndef CUDA_GPU_H
#define CUDA_GPU_H

#include "gpu.h"

#include <stddef.h>

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

/* Groups of so many work-items and bytes of shared memory that an SM holds at once; 0: none fits.
 */
int cuda_gpu_groups(const struct cuda_gpu *g, size_t items, size_t shared_bytes);

#endif

/*
 * cudadrv_types - the types of CUDA's driver interface that cross it by address, in our words.
 */
#ifndef CUDADRV_TYPES_H
#define CUDADRV_TYPES_H

#include "cudart_types.h"

#include <stddef.h>

struct cuda_stream;

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

#endif

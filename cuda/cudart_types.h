/*
 * cudart_types - types of CUDA's runtime API that are passed by value or by address, with our
 * names.
 *
 * Layouts are those of CUDA 11, 12 and 13. Handles are pointers to this room's structs.
 */
#ifndef CUDART_TYPES_H
#define CUDART_TYPES_H

#include <stddef.h>
#include <stdint.h>

struct cudart_dim3 {
	unsigned x, y, z;
};

struct cudart_extent {
	size_t width, height, depth; /* width is in bytes, except for arrays */
};

struct cudart_place {
	size_t x, y, z;
};

struct cudart_pitched {
	void *pointer;
	size_t pitch, x_size, y_size;
};

struct cudart_copy_3d {
	void *from_array;
	struct cudart_place from_place;
	struct cudart_pitched from;
	void *to_array;
	struct cudart_place to_place;
	struct cudart_pitched to;
	struct cudart_extent extent;
	int kind;
};

struct cudart_channel {
	int x, y, z, w, format;
};

enum cudart_memory_type { CUDART_UNREGISTERED, CUDART_HOST, CUDART_DEVICE, CUDART_MANAGED };

struct cudart_pointer {
	int type; /* enum cudart_memory_type */
	int device;
	void *device_pointer, *host_pointer;
	long reserved[8]; /* since CUDA 13 */
};

/* For cudaLaunchKernelExC(): an attribute has 72 bytes, with the number first and the value, a
 * union, at offset 8. */
struct cudart_launch_attribute {
	int id, padding;
	union {
		int cooperative;
		unsigned cluster[3];
		char bytes[64];
	} value;
};

struct cudart_launch_config {
	struct cudart_dim3 grid, group;
	size_t shared_bytes;
	void *stream;
	const struct cudart_launch_attribute *attributes;
	unsigned attribute_count;
};

enum { CUDART_ATTRIBUTE_COOPERATIVE = 2, CUDART_ATTRIBUTE_CLUSTER = 4 };

struct cudart_function_attributes {
	size_t shared_bytes, constant_bytes, local_bytes;
	int max_items, registers, ptx_version, binary_version, cache_mode_ca;
	int max_dynamic_shared_bytes, preferred_carveout;
	/* Since CUDA 12: */
	int must_set_cluster, cluster_width, cluster_height, cluster_depth;
	int cluster_policy, non_portable_cluster, reserved[16];
};

/* For memory pools. */
struct cudart_pool_access {
	int location_type, location_id, flags;
};

#endif

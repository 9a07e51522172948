/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_more_types.h - the rarer structs of the runtime's calls: launches with attributes,
 * textures, memory pools, nodes of graphs. Included by driver_types.h.
 */
#ifndef WARPLINE_CUDA_MORE_TYPES_H
#define WARPLINE_CUDA_MORE_TYPES_H
#include "../driver_types.h"

struct cudaAccessPolicyWindow {
	void *base_ptr;
	size_t num_bytes;
	float hitRatio;
	enum cudaAccessProperty hitProp, missProp;
};

typedef union cudaLaunchAttributeValue {
	char pad[64];
	struct cudaAccessPolicyWindow accessPolicyWindow;
	enum cudaSynchronizationPolicy syncPolicy;
	struct {
		unsigned int x, y, z;
	} clusterDim;
	int cooperative, priority, programmaticStreamSerializationAllowed;
} cudaLaunchAttributeValue;

typedef struct cudaLaunchAttribute {
	enum cudaLaunchAttributeID id;
	char pad[8 - sizeof(enum cudaLaunchAttributeID)];
	cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

typedef struct cudaLaunchConfig_st {
	dim3 gridDim;
	dim3 blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned int numAttrs;
} cudaLaunchConfig_t;

#define cudaStreamAttrValue                      cudaLaunchAttributeValue
#define cudaStreamAttrID                         cudaLaunchAttributeID
#define cudaStreamAttributeAccessPolicyWindow    cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy

struct cudaResourceDesc {
	enum cudaResourceType resType;
	union {
		struct {
			cudaArray_t array;
		} array;
		struct {
			cudaMipmappedArray_t mipmap;
		} mipmap;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
	} res;
};

struct cudaResourceViewDesc {
	int format;
	size_t width, height, depth;
	unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

struct cudaTextureDesc {
	enum cudaTextureAddressMode addressMode[3];
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization, seamlessCubemap;
};

struct cudaMemPoolProps {
	enum cudaMemAllocationType allocType;
	enum cudaMemAllocationHandleType handleTypes;
	struct cudaMemLocation location;
	void *win32SecurityAttributes;
	size_t maxSize;
	unsigned short usage;
	unsigned char reserved[54];
};

struct cudaKernelNodeParams {
	void *func;
	dim3 gridDim;
	dim3 blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
};

struct cudaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
};

struct cudaHostNodeParams {
	cudaHostFn_t fn;
	void *userData;
};

#endif

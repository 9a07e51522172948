/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_properties.h"

#include "cuda_gpu.h"

#include <string.h>

#define BYTES_OF_11 728
#define BYTES_OF_12 1032

/* Compilers of those versions reserve these. */
_Static_assert(sizeof(struct cuda_properties_11) == BYTES_OF_11, "layout of 11");
_Static_assert(sizeof(struct cuda_properties_12) == BYTES_OF_12, "layout of 12");

/* Every field there is. */
struct all_properties {
#define PROPERTY     CUDA_PROPERTY
#define PROPERTY_OLD CUDA_PROPERTY
#define PROPERTY_NEW CUDA_PROPERTY
#define PROPERTY_12  CUDA_PROPERTY
#define PROPERTY_13  CUDA_PROPERTY
#include "cuda_properties.def"
};

static void fill_sizes(const struct cuda_gpu *g, struct all_properties *p)
{
	memcpy(p->name, g->gpu.title, (size_t)g->name_length);
	memcpy(p->uuid, "warpline", strlen("warpline"));
	p->totalGlobalMem[0] = g->memory_bytes;
	p->sharedMemPerBlock[0] = CUDA_GROUP_SHARED_BYTES;
	p->regsPerBlock[0] = (int)g->gpu.registers;
	p->warpSize[0] = (int)g->gpu.warp_lanes;
	p->memPitch[0] = 2147483647;
	p->maxThreadsPerBlock[0] = CUDA_GROUP_ITEMS;
	p->maxThreadsDim[0] = p->maxThreadsDim[1] = CUDA_GROUP_ITEMS;
	p->maxThreadsDim[2] = CUDA_GROUP_ITEMS_Z;
	p->maxGridSize[0] = CUDA_GRID_X;
	p->maxGridSize[1] = p->maxGridSize[2] = CUDA_GRID_YZ;
	p->totalConstMem[0] = CUDA_CONSTANT_BYTES;
	p->major[0] = g->major;
	p->minor[0] = g->minor;
	p->textureAlignment[0] = p->surfaceAlignment[0] = 512;
	p->texturePitchAlignment[0] = 32;
	p->multiProcessorCount[0] = (int)g->gpu.sm_count;
	p->memoryBusWidth[0] = g->bus_bits;
	p->l2CacheSize[0] = (int)g->l2_bytes;
	p->maxThreadsPerMultiProcessor[0] = (int)(g->gpu.max_warps * g->gpu.warp_lanes);
	p->sharedMemPerMultiprocessor[0] = g->sm_shared_bytes;
	p->regsPerMultiprocessor[0] = (int)g->gpu.registers;
	p->sharedMemPerBlockOptin[0] = g->group_shared_bytes;
	p->maxBlocksPerMultiProcessor[0] = (int)g->gpu.max_groups;
	p->clockRate[0] = g->clock_khz;
	p->memoryClockRate[0] = g->memory_khz;
	p->singleToDoublePrecisionPerfRatio[0] = g->double_ratio;
}

static void fill_abilities(struct all_properties *p)
{
	p->canMapHostMemory[0] = 1;
	p->concurrentKernels[0] = 1;
	p->pciBusID[0] = 1;
	p->asyncEngineCount[0] = 2;
	p->unifiedAddressing[0] = 1;
	p->streamPrioritiesSupported[0] = 1;
	p->globalL1CacheSupported[0] = p->localL1CacheSupported[0] = 1;
	p->managedMemory[0] = p->concurrentManagedAccess[0] = 1;
	p->canUseHostPointerForRegisteredMem[0] = 1;
	p->cooperativeLaunch[0] = 1;
	p->deviceOverlap[0] = 1;
	p->hostRegisterSupported[0] = p->hostRegisterReadOnlySupported[0] = 1;
	p->memoryPoolsSupported[0] = 1;
}

#define COPY(type, name, count) memcpy(to->name, p->name, sizeof(to->name));

static void copy_11(const struct all_properties *p, struct cuda_properties_11 *to)
{
#define PROPERTY     COPY
#define PROPERTY_OLD COPY
#include "cuda_properties.def"
}

static void copy_12(const struct all_properties *p, struct cuda_properties_12 *to)
{
#define PROPERTY     COPY
#define PROPERTY_OLD COPY
#define PROPERTY_NEW COPY
#define PROPERTY_12  COPY
#include "cuda_properties.def"
}

static void copy_13(const struct all_properties *p, struct cuda_properties_13 *to)
{
#define PROPERTY     COPY
#define PROPERTY_NEW COPY
#define PROPERTY_13  COPY
#include "cuda_properties.def"
}

void cuda_properties_fill(const struct cuda_gpu *g, int major, void *out)
{
	struct all_properties p;

	memset(&p, 0, sizeof(p));
	fill_sizes(g, &p);
	fill_abilities(&p);
	if (major >= 13)
		copy_13(&p, out);
	else if (major == 12)
		copy_12(&p, out);
	else
		copy_11(&p, out);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_device.h"

#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"
#include "cuda_stream.h"
#include "cudart.h"
#include "device_memory.h"
#include "err.h"
#include "gpu_search.h"
#include "residency.h"
#include "str.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Properties of GPUs that gpus/NAME.conf lacks, from NVIDIA's data sheets and the table of compute
 * capabilities in its programming guide. A GPU without a row is reported like the first row. */
struct row {
	const char *name;
	int major, minor, clock_khz, memory_khz, bus_bits;
	unsigned memory_mib, shared_kib,
		optin_kib; /* shared: of an SM; optin: maximum of a group */
	int ratio;         /* of single to double precision */
};

static const struct row rows[] = {
	{ "a100", 8, 0, 1410000, 1215000, 5120, 40960, 164, 163, 2 },
	{ "v100", 7, 0, 1530000, 877000, 4096, 16384, 96, 96, 2 },
	{ "h100", 9, 0, 1980000, 2619000, 5120, 81920, 228, 227, 2 },
	{ "rtx2060", 7, 5, 1680000, 7001000, 192, 6144, 64, 64, 32 },
	{ "rtx3070", 8, 6, 1725000, 7001000, 256, 8192, 100, 99, 32 },
	{ "titanx", 6, 1, 1531000, 5005000, 384, 12288, 96, 48, 32 },
	{ "gtx750ti", 5, 0, 1085000, 2700000, 128, 2048, 64, 48, 32 },
	{ "k40", 3, 5, 745000, 3004000, 384, 12288, 48, 48, 3 },
	{ "gtx570", 2, 0, 1464000, 1900000, 320, 1280, 48, 48, 8 },
	{ "gtx480", 2, 0, 1401000, 1848000, 384, 1536, 48, 48, 8 },
	{ "gtx470", 2, 0, 1215000, 1674000, 320, 1280, 48, 48, 8 },
};

static const struct row *row_of(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return &rows[0];
}

/* Returns the colon-separated folders: the user's, then those relative to this library. */
static char *search_path(struct err *err)
{
	const char *wanted = getenv("WARPLINE_GPUS"), *slash;
	Dl_info here;

	if (!dladdr(rows, &here) || !here.dli_fname || !(slash = strrchr(here.dli_fname, '/')))
		return str_copy(wanted ? wanted : "", err);
	return str_format(err, "%s:%.*s/../gpus:%.*s/../../../share/warpline/gpus",
	                  wanted ? wanted : "", (int)(slash - here.dli_fname), here.dli_fname,
	                  (int)(slash - here.dli_fname), here.dli_fname);
}

int cuda_gpu_init(struct cuda_gpu *g, const char *name, struct err *err)
{
	const struct gpu *gpu = &g->gpu;
	char *path = search_path(err);
	int rc = path ? gpu_search_load(path, &g->gpu, name && *name ? name : NULL, NULL, err)
	              : ERR_NOMEM;
	const struct row *row = rc ? NULL : row_of(g->gpu.name);

	free(path);
	if (rc)
		return rc;
	g->major = row->major;
	g->minor = row->minor;
	g->clock_khz = row->clock_khz;
	g->memory_khz = row->memory_khz;
	g->bus_bits = row->bus_bits;
	g->double_ratio = row->ratio;
	g->memory_bytes = (size_t)row->memory_mib << 20;
	g->sm_shared_bytes = (size_t)row->shared_kib << 10;
	g->group_shared_bytes = (size_t)row->optin_kib << 10;
	g->gpu.local_bytes = (uint32_t)g->sm_shared_bytes;
	g->l2_bytes = gpu->l2_bytes ? gpu->l2_bytes
	                            : (size_t)gpu->l2_slices * gpu->l2_sets * gpu->l2_ways *
	                                      gpu->l2_line_bytes;
	g->name_length = (int)strcspn(gpu->title, "(");
	while (g->name_length && gpu->title[g->name_length - 1] == ' ')
		g->name_length--;
	return 0;
}

int cuda_gpu_groups(const struct cuda_gpu *g, size_t items, size_t shared_bytes)
{
	const struct residency_need need = { .items = items, .local_bytes = shared_bytes };
	struct residency found;

	if (!items || items > CUDA_GROUP_ITEMS ||
	    residency_compute(&g->gpu, &need, &found, NULL) < 0)
		return 0;
	return (int)found.groups;
}

#define BYTES_OF_11 728
#define BYTES_OF_12 1032

/* Programs of those versions reserve this many bytes. */
_Static_assert(sizeof(struct cuda_properties_11) == BYTES_OF_11, "layout of 11");
_Static_assert(sizeof(struct cuda_properties_12) == BYTES_OF_12, "layout of 12");

/* All fields of all versions. */
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

static int fill(void *prop, int device, int layout)
{
	int rc = cuda_device_check(device);

	if (rc == cudaSuccess && !prop)
		rc = cudaErrorInvalidValue;
	if (rc == cudaSuccess)
		cuda_properties_fill(&cuda_core()->gpu, layout, prop);
	return rc;
}

/* A program of CUDA 12 that calls the old name passes the structure of 11. */
int cudart_GetDeviceProperties(void *prop, int device, int major)
{
	return fill(prop, device, major == 12 ? 11 : major);
}

int cudart_GetDeviceProperties_v2(void *prop, int device)
{
	return fill(prop, device, 12);
}

#define LAST_ATTRIBUTE 147

int cuda_device_attribute(const struct cuda_gpu *g, int attribute, int *value)
{
	if (attribute < 1 || attribute > LAST_ATTRIBUTE)
		return cudaErrorInvalidValue;
	switch (attribute) {
#define CUDA_ATTRIBUTE(runtime_name, driver_name, number, is)                                      \
	case number:                                                                               \
		*value = (int)(is);                                                                \
		break;
#define CUDA_RUNTIME_ATTRIBUTE(name, number)
#define CUDA_DRIVER_ATTRIBUTE(name, number)
#include "include/warpline/cuda_attributes.def"
	default:
		*value = 0;
	}
	return cudaSuccess;
}

int cuda_device_check(int device)
{
	int status = cuda_core()->status;

	if (status)
		return status;
	return device == 0 ? cudaSuccess : (int)cudaErrorInvalidDevice;
}

int cuda_device_get_limit(int limit, size_t *value)
{
	struct cuda_core *c = cuda_core();

	if (limit < 0 || limit >= CUDA_LIMITS)
		return cudaErrorUnsupportedLimit;
	pthread_mutex_lock(&c->lock);
	*value = c->limits[limit];
	pthread_mutex_unlock(&c->lock);
	return c->status;
}

int cuda_device_set_limit(int limit, size_t value)
{
	struct cuda_core *c = cuda_core();

	if (limit < 0 || limit >= CUDA_LIMITS)
		return cudaErrorUnsupportedLimit;
	pthread_mutex_lock(&c->lock);
	c->limits[limit] = value;
	pthread_mutex_unlock(&c->lock);
	return c->status;
}

int cuda_device_memory(size_t *free_bytes, size_t *total_bytes)
{
	const struct cuda_core *c = cuda_core();
	size_t used = cuda_memory_used();

	*total_bytes =
		c->gpu.memory_bytes < c->memory_bytes ? c->gpu.memory_bytes : c->memory_bytes;
	*free_bytes = used < *total_bytes ? *total_bytes - used : 0;
	return c->status;
}

int cuda_device_reset(void)
{
	struct cuda_core *c = cuda_core();

	if (c->status)
		return c->status;
	(void)cuda_stream_wait_all();
	cuda_event_free_all();
	cuda_stream_free_all();
	cuda_memory_free_all();
	pthread_mutex_lock(&c->lock);
	c->sticky = cudaSuccess;
	pthread_mutex_unlock(&c->lock);
	cuda_module_reset_all();
	return cudaSuccess;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_device.h"

#include "cuda_allocation.h"
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_event.h"
#include "cuda_module.h"
#include "cuda_stream.h"

#define LAST_ATTRIBUTE 147

int cuda_device_attribute(const struct cuda_gpu *g, int attribute, int *value)
{
	if (attribute < 1 || attribute > LAST_ATTRIBUTE)
		return cudaErrorInvalidValue;
	switch (attribute) {
#define CUDA_ATTRIBUTE(number, is)                                                                 \
	case number:                                                                               \
		*value = (int)(is);                                                                \
		break;
#include "cuda_attributes.def"
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_pool.h"

#include "cuda_allocation.h"
#include "cuda_core.h"
#include "cuda_error.h"

#include <stdlib.h>
#include <string.h>

enum {
	POOL_LAST_INT = 3,  /* may reuse memory in these ways */
	POOL_THRESHOLD = 4, /* bytes to keep */
	POOL_RESERVED = 5,  /* bytes now, at most */
	POOL_RESERVED_HIGH = 6,
	POOL_USED = 7,
	POOL_USED_HIGH = 8,
};

struct cuda_pool {
	int may_reuse[POOL_LAST_INT];
	uint64_t threshold;
};

static struct cuda_pool make(void)
{
	return (struct cuda_pool){ { 1, 1, 1 }, 0 };
}

struct cuda_pool *cuda_pool_default(void)
{
	static struct cuda_pool pool = { { 1, 1, 1 }, 0 };

	return &pool;
}

int cuda_pool_create(struct cuda_pool **out)
{
	*out = malloc(sizeof(**out));
	if (!*out)
		return cudaErrorMemoryAllocation;
	**out = make();
	return cudaSuccess;
}

int cuda_pool_free(struct cuda_pool *pool)
{
	if (!pool)
		return cudaErrorInvalidValue;
	if (pool != cuda_pool_default())
		free(pool);
	return cudaSuccess;
}

int cuda_pool_set(struct cuda_pool *pool, int attribute, const void *value)
{
	struct cuda_core *c = cuda_core_unopened();
	int rc = cudaSuccess;

	if (!pool || !value)
		return cudaErrorInvalidValue;
	pthread_mutex_lock(&c->lock);
	if (attribute >= 1 && attribute <= POOL_LAST_INT)
		memcpy(&pool->may_reuse[attribute - 1], value, sizeof(int));
	else if (attribute == POOL_THRESHOLD)
		memcpy(&pool->threshold, value, sizeof(pool->threshold));
	else if (attribute != POOL_RESERVED_HIGH && attribute != POOL_USED_HIGH)
		rc = cudaErrorInvalidValue;
	pthread_mutex_unlock(&c->lock);
	return rc;
}

int cuda_pool_get(const struct cuda_pool *pool, int attribute, void *value)
{
	uint64_t used = cuda_memory_used();
	struct cuda_core *c = cuda_core_unopened();
	int rc = cudaSuccess;

	if (!pool || !value)
		return cudaErrorInvalidValue;
	pthread_mutex_lock(&c->lock);
	if (attribute >= 1 && attribute <= POOL_LAST_INT)
		memcpy(value, &pool->may_reuse[attribute - 1], sizeof(int));
	else if (attribute == POOL_THRESHOLD)
		memcpy(value, &pool->threshold, sizeof(pool->threshold));
	else if (attribute >= POOL_RESERVED && attribute <= POOL_USED_HIGH)
		memcpy(value, &used, sizeof(used));
	else
		rc = cudaErrorInvalidValue;
	pthread_mutex_unlock(&c->lock);
	return rc;
}

/*
 * cuda_pool - memory pools as far as programs look at them: a handle with the settings they gave
 * it.
 *
 * Memory of pools comes and goes like other memory.
 */
#ifndef CUDA_POOL_H
#define CUDA_POOL_H

struct cuda_pool;

/* The device's own pool. */
struct cuda_pool *cuda_pool_default(void);

/* Returns 0, or cudaErrorMemoryAllocation. */
int cuda_pool_create(struct cuda_pool **out);

/* Free it; the default one stays. Returns 0, or cudaErrorInvalidValue for NULL. */
int cuda_pool_free(struct cuda_pool *pool);

/* A setting by the interface's number: 1 to 3 are int, 4 to 8 are 64 bits wide.
 * cudaErrorInvalidValue. */
int cuda_pool_set(struct cuda_pool *pool, int attribute, const void *value);
int cuda_pool_get(const struct cuda_pool *pool, int attribute, void *value);

#endif

/*
 * cuda_device - what the CUDA libraries tell of the device: limits, settings and attributes.
 */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

#include <stddef.h>

struct cuda_gpu;

/* An attribute by the interface's number (both interfaces use the same), of the GPU that programs
 * are told of. cudaErrorInvalidValue: there is none of this number. */
int cuda_device_attribute(const struct cuda_gpu *g, int attribute, int *value);

/* 0 for the only device there is; why there is none; cudaErrorInvalidDevice. */
int cuda_device_check(int device);

/* A limit (stack, printf's buffer, heap...) by the interface's number. cudaErrorUnsupportedLimit.
 * Those that are set are remembered and have no effect. */
int cuda_device_get_limit(int limit, size_t *value);
int cuda_device_set_limit(int limit, size_t value);

/* Bytes that are free and that there are. */
int cuda_device_memory(size_t *free_bytes, size_t *total_bytes);

/* Wait for all, and make the device as it was at first. */
int cuda_device_reset(void);

#endif

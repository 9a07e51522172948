/*
 * gpu_memory - the application's allocations that kernels can reach, by address.
 *
 * Addresses of devices and of pinned host memory are of one space (unified addressing). Of one that
 * is of the device a command of a stream copies the whole.
 */
#ifndef GPU_MEMORY_H
#define GPU_MEMORY_H

#include "address_ranges.h"

struct gpu_session;

/* An allocation was made: it gets its line. Nothing happens to one of no bytes. */
void gpu_memory_add(struct gpu_session *s, uint64_t address, uint64_t bytes, bool is_of_the_device);

/* What begins at `address` is to be freed. */
void gpu_memory_end(struct gpu_session *s, uint64_t address);

/* The allocation that `address` lies in; false: none that is known. With the session's lock held.
 */
bool gpu_memory_find(const struct gpu_session *s, uint64_t address, struct address_range *out);

#endif

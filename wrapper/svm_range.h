/*
 * svm_range - the allocations of memory that host and device address alike (SVM, USM), to find
 * which one a pointer lies in. Of one that is of the device (coarse SVM, device USM) the host keeps
 * off while a kernel runs.
 */
#ifndef SVM_RANGE_H
#define SVM_RANGE_H

#include "address_ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* An allocation of the application: gives it its line in the recording. `flags` are cl_mem_flags.
 */
void svm_range_add(struct session *s, const void *memory, size_t bytes, uint64_t flags,
                   bool is_of_the_device);

/*
 * The allocation that begins at `memory` is no more. Before it is freed: once it is, another thread
 * may get the same place. Memory not known is fine.
 */
void svm_range_end(struct session *s, const void *memory);

/*
 * The allocation that holds `address`: fills *out and returns 1, or returns 0. The session's
 * lock must be held.
 */
int svm_range_find(const struct session *s, uint64_t address, struct address_range *out);

#endif

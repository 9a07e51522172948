/*
 * svm_range - the allocations of memory that host and device address alike (SVM, USM), to find
 * which one a pointer lies in. Of one that is of the device (coarse SVM, device USM) the host keeps
 * off while a kernel runs.
 *
 * Freeing one does not wait for commands that use it. A correct program has waited by then, but for
 * what it natively need not wait for: until the last pending launch of ours has let an allocation
 * go, its end is put off.
 */
#ifndef SVM_RANGE_H
#define SVM_RANGE_H

#include "address_ranges.h"
#include "kernel_state.h"
#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* The parts of the session that this file keeps. */
void svm_range_init(struct session *s);
void svm_range_release(struct session *s);

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

/*
 * A pending launch uses the allocation that holds this address: *begin gets its first byte, for
 * svm_range_let_go(), or NULL when none is known. False: memory ran out. No lock may be held.
 */
bool svm_range_hold(struct session *s, const void *address, void **begin);

/* It does so no longer: an end that was put off comes now. NULL is allowed. No lock may be held. */
void svm_range_let_go(struct session *s, const void *begin);

/* An allocation of an application's context, and the calls that it was made by. */
struct svm_owned {
	cl_context context;
	enum pointer_call call;
	void *memory; /* its first byte */
};

/* Whether it is held, and its end therefore put off: then the driver must not be called. */
bool svm_range_put_off(struct session *s, const struct svm_owned *owned);

/* Wait until it is not held. */
void svm_range_wait(struct session *s, const void *memory);

#endif

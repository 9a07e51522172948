/*
 * svm_hold - memory that host and device address alike (SVM, USM), held by pending launches.
 *
 * Freeing an allocation does not wait for commands that use it. A correct program has waited by
 * then, but not for what only the recorder does: freeing is deferred until the last pending launch
 * of ours has released the allocation.
 */
#ifndef SVM_HOLD_H
#define SVM_HOLD_H

#include "kernel_state.h"
#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;
struct session;

/*
 * shared_memory - memory of our own of the sort that a pointer argument is, and copies of it.
 */

/* Memory for the engine's device; NULL when the device has none of this sort. */
void *shared_memory_alloc(const struct engine *e, enum pointer_call sort, size_t bytes);

/* Free memory of a context. NULL is allowed. Nothing on a queue may still use it. */
void shared_memory_free(cl_context context, enum pointer_call sort, void *memory);

/* Enqueue a copy on the engine's queue. Returns the driver's code. */
cl_int shared_memory_copy(const struct engine *e, enum pointer_call sort, void *to,
                          const void *from, size_t bytes);

/* Set an argument of a kernel to a pointer by the call that is meant for it. */
cl_int shared_memory_set_argument(enum pointer_call sort, cl_kernel kernel, cl_uint index,
                                  const void *pointer);

/* Set a fact of the application's kernel for a kernel of ours. Returns the driver's code. */
cl_int shared_memory_set_fact(cl_kernel kernel, const struct kernel_fact *fact);

/* The parts of the session that this file keeps. */
void svm_hold_init(struct session *s);

void svm_hold_release(struct session *s);

/*
 * A pending launch uses the allocation that holds this address: *begin gets its first byte, for
 * svm_hold_end(), or NULL when none is known. False: memory ran out. No lock may be held.
 */
bool svm_hold_begin(struct session *s, const void *address, void **begin);

/* The launch no longer uses it: if freeing was deferred, free it now. NULL is allowed. No lock may
 * be held. */
void svm_hold_end(struct session *s, const void *begin);

/* An allocation of an application's context, and the calls that it was made by. */
struct svm_owned {
	cl_context context;
	enum pointer_call call;
	void *memory; /* its first byte */
};

/* Whether it is held and freeing it is therefore deferred: then do not call the driver. */
bool svm_hold_defer_free(struct session *s, const struct svm_owned *owned);

/* Wait until it is not held. */
void svm_hold_wait(struct session *s, const void *memory);

#endif

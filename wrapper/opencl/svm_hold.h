/*
 * svm_hold - memory with one address on host and device (SVM, USM), held by pending launches.
 *
 * Freeing an allocation does not wait for commands that use it. A correct program waits for its own
 * commands, but not for the recorder's: freeing is deferred until the last pending launch has
 * released the allocation.
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
 * shared_memory - memory of the recorder's own, of the same sort as a pointer argument, and copies
 * of it.
 */

/* Allocate memory for the engine's device; NULL when the device has none of this sort. */
void *shared_memory_alloc(const struct engine *e, enum pointer_call sort, size_t bytes);

/* Free memory of a context. NULL is allowed. Nothing on a queue may still use it. */
void shared_memory_free(cl_context context, enum pointer_call sort, void *memory);

/* Enqueue a copy on the engine's queue. Returns the driver's code. */
cl_int shared_memory_copy(const struct engine *e, enum pointer_call sort, void *to,
                          const void *from, size_t bytes);

/* Set an argument of a kernel to a pointer with the call for its sort. Returns the driver's code.
 */
cl_int shared_memory_set_argument(enum pointer_call sort, cl_kernel kernel, cl_uint index,
                                  const void *pointer);

/* Set a fact of the application's kernel on a kernel of ours. Returns the driver's code. */
cl_int shared_memory_set_fact(cl_kernel kernel, const struct kernel_fact *fact);

/* Set up and free the holds of the session. */
void svm_hold_init(struct session *s);

void svm_hold_release(struct session *s);

/*
 * Hold the allocation that contains this address for a pending launch. *begin gets its first byte,
 * for svm_hold_end(), or NULL when no allocation is known. False: out of memory. No lock may be
 * held.
 */
bool svm_hold_begin(struct session *s, const void *address, void **begin);

/* End a hold: the allocation is freed if that was deferred. NULL is allowed. No lock may be held.
 */
void svm_hold_end(struct session *s, const void *begin);

/* An allocation in the application's context, and the call that it was made with. */
struct svm_owned {
	cl_context context;
	enum pointer_call call;
	void *memory; /* its first byte */
};

/* Defer freeing an allocation if it is held. True: deferred, so the driver must not be called. */
bool svm_hold_defer_free(struct session *s, const struct svm_owned *owned);

/* Wait until the allocation is not held. */
void svm_hold_wait(struct session *s, const void *memory);

#endif

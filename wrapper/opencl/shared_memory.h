/*
 * shared_memory - memory of our own of the sort that a pointer argument is, and copies of it.
 */
#ifndef SHARED_MEMORY_H
#define SHARED_MEMORY_H

#include "kernel_state.h"
#include "opencl.h"

#include <stddef.h>

struct engine;

/* Memory for the engine's device; NULL when there is none of this sort. */
void *shared_memory_alloc(const struct engine *e, enum pointer_call sort, size_t bytes);

/* Free memory of a context. NULL is allowed. Nothing on a queue may still use it. */
void shared_memory_free(cl_context context, enum pointer_call sort, void *memory);

/* Enqueue a copy on the engine's queue. Returns the driver's code. */
cl_int shared_memory_copy(const struct engine *e, enum pointer_call sort, void *to,
                          const void *from, size_t bytes);

/* Set an argument of a kernel to a pointer by the call that is meant for it. */
cl_int shared_memory_pass(enum pointer_call sort, cl_kernel kernel, cl_uint index,
                          const void *pointer);

/* Tell a kernel what the application told its own. Returns the driver's code. */
cl_int shared_memory_tell(cl_kernel kernel, const struct kernel_fact *fact);

#endif

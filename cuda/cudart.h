/*
 * cudart - the functions that the entry points of CUDA's runtime API call, one for each row of
 * cudart_api.def. Semantics are those of NVIDIA's manual.
 *
 * Each returns a code of cuda_error.h. Handles are pointers to this room's structs: a stream is a
 * struct cuda_stream *, NULL is the default stream.
 */
#ifndef CUDART_H
#define CUDART_H

#include "cuda_stream.h"
#include "cudart_types.h"

#include <stddef.h>
#include <stdint.h>

struct cuda_function;
struct cuda_module;

#define CUDART_ALL(...) __VA_ARGS__

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
#define CUDART(name, params, args)           int cudart_##name params;
#define CUDART_VERSIONED(name, params, args) int cudart_##name(CUDART_ALL params, int major);
#define CUDART_PTDS(name, params, args)                                                            \
	int cudart_##name(CUDART_ALL params, struct cuda_stream *which);
#define CUDART_OTHER(type, name, params, args) type cudart_##name params;
#include "cudart_api.def"
/* NOLINTEND(readability-function-size) */

/* Keep an error for cudaGetLastError(). Returns what the entry point returns: the error that broke
 * the device, or `code`. */
int cudart_keep(int code);

/* Report once that a call is not supported, and keep and return cudaErrorNotSupported. `name` is
 * static. */
int cudart_not_supported(const char *name);

/* Find the kernel that a host address or a handle stands for, loaded or not. Returns 0 or
 * cudaErrorInvalidDeviceFunction. */
int cudart_function(const void *func, struct cuda_function **out);

#endif

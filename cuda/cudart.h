/*
 * cudart - what the entry points of CUDA's runtime interface call, one function a row of
 * cudart_api.def, with the interface's meaning: see NVIDIA's manual of it.
 *
 * Each returns a code of cuda_error.h. Handles are those of this room: a stream is a struct
 * cuda_stream *, NULL the default one.
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

/* Keep an error for cudaGetLastError(), and report what broke the device: what the entry point
 * returns. */
int cudart_keep(int code);

/* Report once that a call is not supported, and keep and return cudaErrorNotSupported. `name` is
 * static. */
int cudart_not_supported(const char *name);

/* The kernel that an address of the host or a handle stands for, loaded or not. Returns 0 or
 * cudaErrorInvalidDeviceFunction. */
int cudart_function(const void *func, struct cuda_function **out);

#endif

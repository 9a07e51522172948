/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points of one version of libcudart (CUDART_MAJOR), made from their table. */
#include "cudart.h"

#define EXPORT __attribute__((visibility("default")))

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */

/* An exported function that calls one of ours. */
#define ENTRY(name, params, call)                                                                  \
	EXPORT int cuda##name params;                                                              \
	EXPORT int cuda##name params                                                               \
	{                                                                                          \
		return cudart_keep(call);                                                          \
	}

#define CUDART(name, params, args) ENTRY(name, params, cudart_##name args)
#define CUDART_VERSIONED(name, params, args)                                                       \
	ENTRY(name, params, cudart_##name(CUDART_ALL args, CUDART_MAJOR))
#define CUDART_PTSZ(name, params, args)                                                            \
	CUDART(name, params, args)                                                                 \
	EXPORT int cuda##name##_ptsz params;                                                       \
	EXPORT int cuda##name##_ptsz params                                                        \
	{                                                                                          \
		stream = stream ? stream : CUDA_HANDLE_PER_THREAD;                                 \
		return cudart_keep(cudart_##name args);                                            \
	}
#define CUDART_PTSZ0(name, params, args)                                                           \
	CUDART(name, params, args)                                                                 \
	ENTRY(name##_ptsz, params, cudart_##name args)
#define CUDART_PTDS(name, params, args)                                                            \
	ENTRY(name, params, cudart_##name(CUDART_ALL args, CUDA_HANDLE_LEGACY))                    \
	ENTRY(name##_ptds, params, cudart_##name(CUDART_ALL args, CUDA_HANDLE_PER_THREAD))
#define CUDART_MISSING(name)                                                                       \
	EXPORT int cuda##name(void);                                                               \
	EXPORT int cuda##name(void)                                                                \
	{                                                                                          \
		return cudart_not_supported("cuda" #name);                                         \
	}
#define CUDART_MISSING_PTSZ(name)                                                                  \
	CUDART_MISSING(name)                                                                       \
	CUDART_MISSING(name##_ptsz)
#define CUDART_MISSING_PTDS(name)                                                                  \
	CUDART_MISSING(name)                                                                       \
	CUDART_MISSING(name##_ptds)
#pragma GCC diagnostic ignored "-Wpedantic" /* return of a void expression */
#define CUDART_OTHER(type, name, params, args)                                                     \
	EXPORT type name params;                                                                   \
	EXPORT type name params                                                                    \
	{                                                                                          \
		return cudart_##name args;                                                         \
	}
#include "cudart_api.def"
/* NOLINTEND(readability-function-size) */

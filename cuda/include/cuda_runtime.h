/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_runtime.h - CUDA for C and C++ without a toolkit: the runtime's calls for every compiler,
 * and device code for clang -x cuda -nocudainc -nocudalib, which includes this file before the
 * program
 * (-include cuda_runtime.h).
 */
#ifndef WARPLINE_CUDA_RUNTIME_H
#define WARPLINE_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* programs look for it */

#include "host_defines.h"

#if defined(WARPLINE_CUDA_COMPILER) && defined(__cplusplus)
#include "warpline/cuda_device.cuh"
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include "warpline/cuda_channels.cuh"
#include "warpline/cuda_templates.cuh"
#endif

#endif

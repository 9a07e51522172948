/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_bf16.h - __nv_bfloat16 and __nv_bfloat162: the upper 16 bits of a float, computed in float
 * and rounded to nearest. C++ only, host and device.
 */
#ifndef WARPLINE_CUDA_BF16_H
#define WARPLINE_CUDA_BF16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#include <math.h>

#include "warpline/cuda_quiet_begin.h"

#include "warpline/cuda_half.cuh"

#define WARPLINE_SMALL_FLOAT warpline_bfloat16
#define WARPLINE_SMALL_PAIR  warpline_bfloat162
typedef warpline_bfloat16 __nv_bfloat16;
typedef warpline_bfloat16 nv_bfloat16;
typedef warpline_bfloat162 __nv_bfloat162;
typedef warpline_bfloat162 nv_bfloat162;
#define WARPLINE_SMALL_NAME(before, after) before##bfloat16##after
#define WARPLINE_SMALL_SPREAD              __bfloat162bfloat162
#include "warpline/cuda_small_calls.cuh"
#include "warpline/cuda_small_names.cuh"

#include "warpline/cuda_quiet_end.h"
#undef WARPLINE_SMALL_FLOAT
#undef WARPLINE_SMALL_PAIR
#undef WARPLINE_SMALL_NAME
#undef WARPLINE_SMALL_SPREAD
#endif

#endif

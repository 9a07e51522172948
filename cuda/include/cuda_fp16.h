/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_fp16.h - __half and __half2: stored in 16 bits, computed in float and rounded to nearest,
 * which is exact for + - * / and square roots; __hfma rounds twice. C++ only, host and device.
 */
#ifndef WARPLINE_CUDA_FP16_H
#define WARPLINE_CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#include <math.h>

#include "warpline/cuda_quiet_begin.h"

#include "warpline/cuda_half.cuh"

#define WARPLINE_SMALL_FLOAT warpline_half
#define WARPLINE_SMALL_PAIR  warpline_half2
typedef warpline_half __half;
typedef warpline_half half;
typedef warpline_half2 __half2;
typedef warpline_half2 half2;
#define WARPLINE_SMALL_NAME(before, after) before##half##after
#define WARPLINE_SMALL_SPREAD              __half2half2
#include "warpline/cuda_small_calls.cuh"
#include "warpline/cuda_small_names.cuh"

#include "warpline/cuda_quiet_end.h"
#undef WARPLINE_SMALL_FLOAT
#undef WARPLINE_SMALL_PAIR
#undef WARPLINE_SMALL_NAME
#undef WARPLINE_SMALL_SPREAD
#endif

#endif

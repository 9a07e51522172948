/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_profiler_api.h - a part of cuda_runtime_api.h in the toolkit; here it is all there. */
#ifndef WARPLINE_CUDA_PROFILER_API_H
#define WARPLINE_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif

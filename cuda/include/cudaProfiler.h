/* SPDX-License-Identifier: Apache-2.0 */
/* cudaProfiler.h - a part of cuda.h in the original; here it is all there. */
#ifndef WARPLINE_CUDAPROFILER_H
#define WARPLINE_CUDAPROFILER_H

#include "cuda.h"

#endif

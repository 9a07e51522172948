/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_texture_types.h - a part of cuda_runtime.h in the toolkit; here it is all there. */
#ifndef WARPLINE_CUDA_TEXTURE_TYPES_H
#define WARPLINE_CUDA_TEXTURE_TYPES_H

#include "cuda_runtime.h"

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_device_runtime_api.h - a part of cuda_runtime_api.h in the toolkit; here it is all there. */
#ifndef WARPLINE_CUDA_DEVICE_RUNTIME_API_H
#define WARPLINE_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#endif

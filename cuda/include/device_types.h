/* SPDX-License-Identifier: Apache-2.0 */
/* device_types.h - a part of cuda_runtime_api.h in the toolkit; here it is all there. */
#ifndef WARPLINE_DEVICE_TYPES_H
#define WARPLINE_DEVICE_TYPES_H

#include "cuda_runtime_api.h"

#endif

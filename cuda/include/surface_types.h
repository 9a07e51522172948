/* SPDX-License-Identifier: Apache-2.0 */
/* surface_types.h - a part of cuda_runtime_api.h in the toolkit; here it is all there. */
#ifndef WARPLINE_SURFACE_TYPES_H
#define WARPLINE_SURFACE_TYPES_H

#include "cuda_runtime_api.h"

#endif

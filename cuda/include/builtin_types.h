/* SPDX-License-Identifier: Apache-2.0 */
/* builtin_types.h - a part of cuda_runtime_api.h in the toolkit; here it is all there. */
#ifndef WARPLINE_BUILTIN_TYPES_H
#define WARPLINE_BUILTIN_TYPES_H

#include "cuda_runtime_api.h"

#endif

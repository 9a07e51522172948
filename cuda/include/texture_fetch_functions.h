/* SPDX-License-Identifier: Apache-2.0 */
/* texture_fetch_functions.h - a part of cuda_runtime.h in the toolkit; here it is all there. */
#ifndef WARPLINE_TEXTURE_FETCH_FUNCTIONS_H
#define WARPLINE_TEXTURE_FETCH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif

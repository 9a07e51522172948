/* SPDX-License-Identifier: Apache-2.0 */
/* texture_fetch_functions.h - the toolkit has a part of cuda_runtime.h in it; here it is all there. */
#ifndef WARPLINE_TEXTURE_FETCH_FUNCTIONS_H
#define WARPLINE_TEXTURE_FETCH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif

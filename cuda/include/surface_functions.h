/* SPDX-License-Identifier: Apache-2.0 */
/* surface_functions.h - a part of cuda_runtime.h in the toolkit; here it is all there. */
#ifndef WARPLINE_SURFACE_FUNCTIONS_H
#define WARPLINE_SURFACE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif

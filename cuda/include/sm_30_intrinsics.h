/* SPDX-License-Identifier: Apache-2.0 */
/* sm_30_intrinsics.h - a part of cuda_runtime.h in the toolkit; here it is all there. */
#ifndef WARPLINE_SM_30_INTRINSICS_H
#define WARPLINE_SM_30_INTRINSICS_H

#include "cuda_runtime.h"

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* sm_35_atomic_functions.h - a part of cuda_runtime.h in the toolkit; here it is all there. */
#ifndef WARPLINE_SM_35_ATOMIC_FUNCTIONS_H
#define WARPLINE_SM_35_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif

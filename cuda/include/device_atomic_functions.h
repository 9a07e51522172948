/* SPDX-License-Identifier: Apache-2.0 */
/* device_atomic_functions.h - a part of cuda_runtime.h in the toolkit; here it is all there. */
#ifndef WARPLINE_DEVICE_ATOMIC_FUNCTIONS_H
#define WARPLINE_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif

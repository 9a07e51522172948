/* SPDX-License-Identifier: Apache-2.0 */
/* device_launch_parameters.h - a part of cuda_runtime.h in the toolkit; here it is all there. */
#ifndef WARPLINE_DEVICE_LAUNCH_PARAMETERS_H
#define WARPLINE_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif

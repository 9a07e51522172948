/* SPDX-License-Identifier: Apache-2.0 */
/* channel_descriptor.h - a part of cuda_runtime_api.h in the toolkit; here it is all there. */
#ifndef WARPLINE_CHANNEL_DESCRIPTOR_H
#define WARPLINE_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime_api.h"

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cooperative_groups/reduce.h - cooperative_groups::reduce() and its operators. */
#ifndef WARPLINE_COOPERATIVE_GROUPS_REDUCE_H
#define WARPLINE_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#ifdef WARPLINE_CUDA_COMPILER
#include "../warpline/cuda_quiet_begin.h"

#include "../warpline/cuda_group_reduce.cuh"

#include "../warpline/cuda_quiet_end.h"
#endif

#endif

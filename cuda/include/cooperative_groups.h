/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cooperative_groups.h - the basic groups of cooperative groups: the thread block, tiles of a warp,
 * coalesced threads, the grid's identity. A kernel that calls sync() of a grid is refused by name
 * when it is launched; groups of several devices are not there.
 */
#ifndef WARPLINE_COOPERATIVE_GROUPS_H
#define WARPLINE_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifdef WARPLINE_CUDA_COMPILER
#include "warpline/cuda_quiet_begin.h"

#include "warpline/cuda_groups.cuh"
#include "warpline/cuda_tiles.cuh"

#include "warpline/cuda_quiet_end.h"
#endif

#endif
